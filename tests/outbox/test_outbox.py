"""News is told once, heard at least once, and one bad message stops nobody else's."""

from __future__ import annotations

import datetime as dt
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from config.management.commands.verify import differences
from outbox import nudge, selectors, services, tasks
from outbox.models import Delivery, Message

pytestmark = pytest.mark.django_db(transaction=True)

Ears = list[tuple[str, dict[str, Any]]]


def publish(kind: str, key: str, **payload: Any) -> None:
    with transaction.atomic():
        services.publish(kind, key=key, payload=payload)


def later(**wait: float) -> dt.datetime:
    return timezone.now() + dt.timedelta(**wait)


def test_a_message_reaches_each_subscriber_once(ears: Ears) -> None:
    publish("both", "a", n=1)
    assert services.drain() == 2
    assert ears == [("first", {"n": 1}), ("second", {"n": 1})]
    assert services.drain() == 0
    assert services.drain(now=later(days=9)) == 0


def test_what_a_dead_process_had_claimed_is_delivered_before_anything_is_verified(
    ears: Ears,
) -> None:
    """A site killed between the claim and the delivery once looked as if it had lost the news."""
    publish("plain", "a", n=1)
    assert services._claim(timezone.now()) is not None
    assert services.drain() == 0
    assert list(differences()) == []
    assert ears == [("first", {"n": 1})]


def test_the_same_news_told_twice_is_one_message(ears: Ears) -> None:
    publish("plain", "a", n=1)
    publish("plain", "a", n=1)
    services.drain()
    publish("plain", "a", n=1)
    services.drain()
    assert ears == [("first", {"n": 1})]
    assert Message.objects.count() == Delivery.objects.count() == 1


def test_one_key_may_be_used_by_two_kinds(ears: Ears) -> None:
    publish("plain", "a", n=1)
    publish("both", "a", n=2)
    services.drain()
    assert len(ears) == 3


def test_a_kind_without_subscribers_is_kept_and_delivered_to_nobody(ears: Ears) -> None:
    publish("unheard", "a", n=1)
    assert services.drain() == 0
    assert Message.objects.get().payload == {"n": 1}


def test_news_of_a_fact_that_was_rolled_back_is_gone(ears: Ears) -> None:
    with transaction.atomic():
        services.publish("plain", key="a", payload={})
        transaction.set_rollback(True)
    assert services.drain() == 0
    assert not Message.objects.exists()


def test_publishing_outside_of_a_transaction_is_refused() -> None:
    with pytest.raises(services.NotInTransaction):
        services.publish("plain", key="a", payload={})
    assert not Message.objects.exists()


def test_a_poison_message_leaves_no_trace_and_does_not_stop_the_others(ears: Ears) -> None:
    publish("bad", "a", n=1)
    publish("plain", "b", n=2)
    assert services.drain() == 1
    assert ears == [("first", {"n": 2})]
    poison = Delivery.objects.get(message__kind="bad")
    assert (poison.attempts, poison.done_at, poison.dead_at) == (1, None, None)
    assert "ValueError: cannot take 1" in poison.error
    assert not Message.objects.filter(kind="trace").exists()


def test_waits_grow_and_the_tenth_failure_is_the_last(ears: Ears) -> None:
    publish("bad", "a", n=1)
    waits = []
    for attempt in range(1, 11):
        due = Delivery.objects.get().next_try_at
        assert services.drain(now=due - dt.timedelta(milliseconds=1)) == 0
        assert Delivery.objects.get().attempts == attempt - 1
        services.drain(now=due)
        waits.append((Delivery.objects.get().next_try_at - due).total_seconds())
    assert all(2**n <= wait < 2**n + 1 for n, wait in enumerate(waits, start=1))
    dead = Delivery.objects.get()
    assert dead.dead_at is not None
    assert services.drain(now=later(days=9)) == 0
    assert Delivery.objects.get().attempts == 10
    assert selectors.verify() == ["bad a never reached outbox_ears.failing: ValueError: "
                                  "cannot take 1"]  # fmt: skip


def test_a_dead_delivery_can_be_revived_when_its_cause_is_mended(ears: Ears) -> None:
    publish("bad", "a", n=1)
    Delivery.objects.update(dead_at=timezone.now(), attempts=10)
    sys.modules["outbox_ears"].failing = sys.modules["outbox_ears"].first  # type: ignore[attr-defined]
    assert services.revive(ids=[Delivery.objects.get().pk]) == 1
    assert services.drain() == 1
    assert ears == [("first", {"n": 1})]
    assert selectors.verify() == []


def test_a_subscriber_that_does_not_exist_is_a_failure_that_says_so(settings: Any) -> None:
    settings.OUTBOX_SUBSCRIPTIONS = {"plain": ["outbox_ears.nobody"]}
    publish("plain", "a", n=1)
    assert services.drain() == 0
    assert "nobody" in Delivery.objects.get().error


class Crash(BaseException):
    """As if the process had been killed: nothing catches it."""


def test_a_crash_between_handler_and_mark_leaves_neither(
    monkeypatch: pytest.MonkeyPatch, ears: Ears
) -> None:
    publish("plain", "a", n=1)

    def working(payload: dict[str, Any]) -> None:
        Message.objects.create(kind="work", key=str(payload["n"]))

    def crash(*args: Any, **kwargs: Any) -> None:
        raise Crash

    sys.modules["outbox_ears"].first = working  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        patch.setattr(Delivery, "save", crash)
        with pytest.raises(Crash):
            services.drain()
    assert not Message.objects.filter(kind="work").exists()
    assert Delivery.objects.get().attempts == 1

    assert services.drain() == 0  # it rests first
    assert services.drain(now=later(seconds=4)) == 1
    assert Message.objects.filter(kind="work").count() == 1


def test_a_message_that_kills_its_process_runs_out_of_tries(ears: Ears) -> None:
    def deadly(payload: dict[str, Any]) -> None:
        raise Crash

    sys.modules["outbox_ears"].first = deadly  # type: ignore[attr-defined]
    publish("plain", "a", n=1)
    for day in range(1, 11):
        with pytest.raises(Crash):
            services.drain(now=later(days=day))
    publish("both", "b", n=2)
    sys.modules["outbox_ears"].first = sys.modules["outbox_ears"].second  # type: ignore[attr-defined]
    assert services.drain(now=later(days=11)) == 2
    dead = Delivery.objects.get(message__kind="plain")
    assert (dead.attempts, dead.error) == (10, "The process died at each try.")
    assert dead.dead_at is not None


def in_threads(count: int, work: Callable[[], Any]) -> list[Any]:
    start, answers = threading.Barrier(count), []

    def run() -> None:
        start.wait()
        try:
            answers.append(work())
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_drains_at_once_deliver_each_message_once(ears: Ears) -> None:
    for n in range(20):
        publish("plain", str(n), n=n)
    assert sum(in_threads(4, services.drain)) == 20
    assert sorted(payload["n"] for _, payload in ears) == list(range(20))


def test_a_slow_handler_is_not_run_by_a_second_drain_meanwhile(ears: Ears) -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(payload: dict[str, Any]) -> None:
        Message.objects.create(kind="work", key="1")
        entered.set()
        leave.wait(10)

    sys.modules["outbox_ears"].first = slow  # type: ignore[attr-defined]
    publish("plain", "a", n=1)

    def drain(wait: float) -> None:
        try:
            services.drain(now=later(seconds=wait))
        finally:
            connection.close()

    threads = [threading.Thread(target=drain, args=(wait,)) for wait in (0, 5)]
    threads[0].start()
    assert entered.wait(10)
    # SQLite has one writer: there the second drain waits for the first; PostgreSQL skips the row.
    threads[1].start()
    threads[1].join(0.5)
    leave.set()
    for thread in threads:
        thread.join()
    assert Message.objects.filter(kind="work").count() == 1
    assert Delivery.objects.get().done_at is not None


def test_publishing_one_key_at_once_makes_one_message(ears: Ears) -> None:
    in_threads(4, lambda: publish("both", "a", n=1))
    assert Message.objects.count() == 1
    assert Delivery.objects.count() == 2


def test_a_broker_that_is_away_costs_neither_the_fact_nor_the_news_nor_time(
    monkeypatch: pytest.MonkeyPatch, ears: Ears
) -> None:
    asked, give_up = threading.Event(), threading.Event()

    def away(**options: Any) -> None:
        asked.set()
        give_up.wait(10)
        raise ConnectionError("no broker")

    monkeypatch.setattr(tasks.drain, "apply_async", away)
    publish("plain", "a", n=1)
    assert asked.wait(10)
    publish("plain", "b", n=2)  # while the first nudge still waits for the broker
    assert services.drain() == 2
    assert [payload for _, payload in ears] == [{"n": 1}, {"n": 2}]
    give_up.set()


def test_a_nudge_refused_by_the_broker_does_not_end_the_nudging(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: queue.SimpleQueue[int] = queue.SimpleQueue()

    def away(**options: Any) -> None:
        tries.put(1)
        raise ConnectionError("no broker")

    monkeypatch.setattr(tasks.drain, "apply_async", away)
    nudger = nudge.Nudger()
    for _ in range(2):
        nudger.ask()
        assert tries.get(timeout=10) == 1


def test_the_nudge_goes_out_after_the_commit_only(monkeypatch: pytest.MonkeyPatch) -> None:
    nudges: list[bool] = []
    monkeypatch.setattr(nudge, "ask", lambda: nudges.append(connection.in_atomic_block))
    with transaction.atomic():
        services.publish("plain", key="a", payload={})
        assert nudges == []
    assert nudges == [False]


def test_the_database_itself_refuses_a_second_copy_and_a_done_corpse() -> None:
    publish("plain", "a", n=1)
    with pytest.raises(IntegrityError):
        Message.objects.create(kind="plain", key="a")
    with pytest.raises(IntegrityError):
        Delivery.objects.create(
            message=Message.objects.get(), subscriber=Delivery.objects.get().subscriber
        )
    with pytest.raises((IntegrityError, ValidationError)):
        Delivery.objects.update(done_at=timezone.now(), dead_at=timezone.now())


def test_the_backlog_counts_what_waits_and_what_is_dead(ears: Ears) -> None:
    publish("both", "a", n=1)
    publish("bad", "b", n=2)
    assert selectors.backlog().waiting == 3
    Delivery.objects.filter(message__kind="bad").update(dead_at=timezone.now())
    backlog = selectors.backlog()
    assert (backlog.waiting, backlog.dead) == (2, 1)
    assert backlog.oldest is not None
    services.drain()
    assert selectors.backlog() == selectors.Backlog(waiting=0, dead=1, oldest=None)
