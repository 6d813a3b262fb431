"""The whole site in one process: web server, Celery worker and beat, with no other server.

Celery's queues are in memory (``memory://``). Losing them is harmless: what is due stands in the
database, and beat asks for it again. One worker serves all queues with a few threads, so that a
long task never delays a turn's deadline (a second worker would share, and upset, the application's
choice of queues). Worker and beat are threads too, stopped with the web server.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from celery.apps.worker import Worker
from celery.beat import Service
from celery.exceptions import SecurityWarning

from config.celery import app

logger = logging.getLogger(__name__)

QUEUES = ["clock", "work"]
THREADS = 4
STOP_SECONDS = 5.0

SERVER_OPTIONS: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_max_size": 16384,
    "ws_per_message_deflate": False,
    "ws_ping_interval": 20,
    "ws_ping_timeout": 20,
    "timeout_graceful_shutdown": 8,
    "lifespan": "on",
    "server_header": False,
}


@dataclass
class Background:
    """Celery's threads: `start` them before the web server, `stop` them after it."""

    worker: Worker | None = None
    beat: Service | None = None
    threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Starts the worker, then beat."""
        # It warns of running as root, which on a developer's machine or in a container is common.
        warnings.simplefilter("ignore", SecurityWarning)
        app.set_current()
        self.worker = _worker()
        self._run("celery-worker", self.worker.start)
        self.beat = Service(app, max_interval=0.5, schedule_filename=":memory:")
        self.beat.scheduler_cls = "celery.beat:Scheduler"
        beat = self.beat
        self._run("celery-beat", lambda: beat.start(embedded_process=False))

    def stop(self) -> None:
        """Asks every thread to end and waits for it, a few seconds at most."""
        if self.beat is not None:
            self.beat._is_shutdown.set()
            self.beat.stop()
        if self.worker is not None:
            self.worker.stop()
        for thread in self.threads:
            thread.join(STOP_SECONDS)

    def _run(self, name: str, target: Callable[[], Any]) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self.threads.append(thread)
        thread.start()


def _worker() -> Worker:
    return app.Worker(
        hostname="worker@embedded",
        queues=QUEUES,
        pool="threads",
        concurrency=THREADS,
        loglevel=logging.WARNING,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )


def serve(host: str, port: int) -> None:
    """Serves until Ctrl-C; returns when everything has stopped."""
    options = SERVER_OPTIONS | {"host": host, "port": port, "log_level": "warning"}
    server = uvicorn.Server(uvicorn.Config("config.asgi:application", **options))
    background = Background()
    background.start()
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        background.stop()


def reachable_names(host: str) -> list[str]:
    """The names by which a browser may ask for a server bound to `host`."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - the operator asked for it
        import socket

        own = {socket.gethostname(), *socket.gethostbyname_ex(socket.gethostname())[2]}
        return sorted(own | {"localhost", "127.0.0.1"})
    return sorted({host, "localhost", "127.0.0.1", "[::1]"})
