"""Moves of many tables in one commit: what waits while one is written goes into the next.

One thread a process, with a database connection of its own. A batch that fails is done one by one,
so that nobody pays for another's mistake. Correct beside any number of other writers: the rows are
locked in the order of their ids, and each move is judged under its lock.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import connection

from engine.actions import Action
from engine.errors import EngineError
from games import services
from games.errors import GameError
from games.services import Ack
from games.services.playing import action_job, ready_job
from games.services.work import Job, at_table, at_tables

logger = logging.getLogger(__name__)

MOST: Final = 100
# A thread with nothing to do gives its connection back after so many seconds.
IDLE: Final = 1.0


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """What a player wants done at a match, and the answer that somebody waits for."""

    match_id: str
    player: Any
    answer: Future[Ack] = field(default_factory=Future, kw_only=True)

    @abstractmethod
    def job(self) -> Job[Ack]:
        """What is to be done, to be done with others in one transaction."""

    def alone(self) -> Ack:
        """Do it in a transaction of its own."""
        return at_table(self.match_id, self.job().work)


@dataclass(frozen=True, slots=True)
class Act(Command):
    """A player's action, as `services.act` takes it."""

    expected_seq: int
    action: Action
    client_id: str
    received: datetime

    def job(self) -> Job[Ack]:
        return action_job(**self._given())

    def alone(self) -> Ack:
        return services.act(**self._given())

    def _given(self) -> dict[str, Any]:
        return {
            "match_id": self.match_id,
            "player": self.player,
            "expected_seq": self.expected_seq,
            "action": self.action,
            "client_id": self.client_id,
            "received": self.received,
        }


@dataclass(frozen=True, slots=True)
class Ready(Command):
    """The player wants the next round, as `services.ready` does it."""

    def job(self) -> Job[Ack]:
        return ready_job(match_id=self.match_id, player=self.player)


class Writer:
    """Takes commands from any thread; one thread of its own carries them out."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def submit(self, command: Command) -> Future[Ack]:
        """The answer to come: an Ack once it is committed, or the refusal."""
        self._waiting.put(command)
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
        return command.answer

    def _run(self) -> None:
        while True:
            try:
                batch = [self._waiting.get(timeout=IDLE)]
            except queue.Empty:
                connection.close()
                batch = [self._waiting.get()]
            while len(batch) < MOST and not self._waiting.empty():
                batch.append(self._waiting.get())
            carry_out([command for command in batch if _is_wanted(command)])


def _is_wanted(command: Command) -> bool:
    """Whether somebody still waits: a socket that is gone may have been cancelled."""
    return command.answer.set_running_or_notify_cancel()


def carry_out(commands: Sequence[Command]) -> None:
    """Do commands in as few transactions as may be: each has one command for each match, so that
    it is judged by what is stored."""
    while commands:
        batch: dict[str, Command] = {}
        later = []
        for command in commands:
            if command.match_id in batch:
                later.append(command)
            else:
                batch[command.match_id] = command
        _carry_out_together(list(batch.values()))
        commands = later


def _carry_out_together(batch: Sequence[Command]) -> None:
    """One transaction; should it fail, one for each command."""
    if len(batch) == 1:
        _alone(batch[0])
        return
    jobs = [command.job() for command in batch]
    try:
        answers = at_tables(jobs)
    except Exception as error:
        logger.warning("%d moves in one transaction failed: %r", len(batch), error)
        connection.close_if_unusable_or_obsolete()
        for command in batch:
            _alone(command)
    else:
        for command, answer in zip(batch, answers, strict=True):
            _tell(command, answer)


def _alone(command: Command) -> None:
    try:
        _tell(command, command.alone())
    except BaseException as error:
        if not isinstance(error, GameError | EngineError):
            connection.close_if_unusable_or_obsolete()
        command.answer.set_exception(error)


def _tell(command: Command, answer: Ack | GameError | EngineError) -> None:
    if isinstance(answer, Ack):
        command.answer.set_result(answer)
    else:
        command.answer.set_exception(answer)


_writer = Writer()


def submit(command: Command) -> Future[Ack]:
    """Hand a command to this process's writer."""
    return _writer.submit(command)


def _forget() -> None:
    """A forked child has none of its parent's threads."""
    global _writer
    _writer = Writer()


os.register_at_fork(after_in_child=_forget)
