"""`manage.py seed`: a small lively site, played by bots' minds through the real services."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.seeding import seed


class Command(BaseCommand):
    help = "Adds people with histories, tournaments and tables to watch, where they are missing."

    def handle(self, *args: Any, **options: Any) -> None:
        seed(self.stdout.write)
