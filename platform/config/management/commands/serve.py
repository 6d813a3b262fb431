"""`manage.py serve`: the embedded site, made ready and served until Ctrl-C."""

from __future__ import annotations

import os
import socket
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand

from config import embedded, static_build
from config.languages import pseudo
from config.seeding import login_file


class Command(BaseCommand):
    help = "Serves the whole site in this one process: SQLite, no broker, nothing else to start."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-seed", action="store_true", help="start with an empty site")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError(
                "MUGGINS_MODE=server runs its processes one by one: deploy/README.md says how."
            )
        _refuse_taken_port(options["host"], options["port"])
        began = time.monotonic()
        settings.ALLOWED_HOSTS[:] = sorted(
            {*settings.ALLOWED_HOSTS, *embedded.reachable_names(options["host"])}
        )
        call_command("migrate", verbosity=0, interactive=False)
        if settings.PSEUDO:
            pseudo.make(settings.PSEUDO)
        if static_build.collect_if_changed():
            self.stdout.write("Static files collected.")
        if not options["no_seed"]:
            call_command("seed", stdout=self.stdout)
        self._announce(options["host"], options["port"], time.monotonic() - began)
        embedded.serve(options["host"], options["port"])
        self.stdout.write("Stopped. Everything is kept in " + os.path.relpath(settings.VAR_DIR))

    def _announce(self, host: str, port: int, seconds: float) -> None:
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
        self.stdout.write(f"\nMuggins is ready after {seconds:.1f} s: http://{shown}:{port}/")
        if login_file().exists():
            self.stdout.write(f"Organiser's login: {login_file().read_text().strip()}")
        self.stdout.write("Ctrl-C stops it.\n")
        self.stdout.flush()


def _refuse_taken_port(host: str, port: int) -> None:
    """Raises CommandError, saying what to do, before anything else is begun."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Can't listen on {host}, port {port} ({error.strerror}): "
                f"choose another, as in `make run PORT={port + 1}`."
            ) from error
