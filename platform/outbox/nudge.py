"""Asking a worker to drain at once.

Only a hint: the timetable's entry is the guarantee. It is sent from a thread of its own, since a
broker that is down takes its client seconds to give up on (6 s measured with Redis), and no move
at a table may wait for that. Nudges asked for meanwhile become one.
"""

from __future__ import annotations

import logging
import os
import threading

log = logging.getLogger(__name__)


class Nudger:
    """A thread, started when first needed, that sends one task for any number of asks."""

    def __init__(self) -> None:
        self._wanted = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self) -> None:
        """Never waits and never fails."""
        self._wanted.set()
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="outbox-nudge", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while self._wanted.wait():
            self._wanted.clear()
            send()


def send() -> None:
    """Puts one drain into the queue; a broker that does not take it is logged."""
    from outbox import tasks

    try:
        tasks.drain.apply_async(retry=False, expires=60)
    except Exception as error:
        log.warning("The broker did not take the nudge to drain: %r", error)


_nudger = Nudger()


def ask() -> None:
    """For `transaction.on_commit`: something has been published."""
    _nudger.ask()


def _forget_thread() -> None:
    global _nudger
    _nudger = Nudger()


# A forked worker has its parent's locks and none of its threads.
os.register_at_fork(after_in_child=_forget_thread)
