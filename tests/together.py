"""Calls that are made at the same moment, each in a thread with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connections

Call = Callable[[], Any]


def together(calls: Sequence[Call]) -> list[Any]:
    """What each call answered, or the exception that it raised."""
    barrier = threading.Barrier(len(calls))
    answers: list[Any] = [None] * len(calls)

    def run(index: int, call: Call) -> None:
        try:
            barrier.wait(10)
            answers[index] = call()
        except BaseException as error:
            answers[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def answers_or_codes(calls: Sequence[Call], *refusals: type[Exception]) -> list[Any]:
    """What each call answered, or the code of its refusal; nothing else may be raised."""
    found = together(calls)
    told = [each.code if isinstance(each, refusals) else each for each in found]
    for answer in told:
        assert not isinstance(answer, BaseException), answer
    return told
