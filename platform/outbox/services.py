"""Telling and delivering.

`publish` writes in the caller's transaction, so that a fact and the news of it are both there or
both not. `drain` hands each delivery to its subscriber **at least once**: the subscriber's work
and the mark that it is done are one transaction, so a process that dies between them leaves
neither. Handlers take the payload and must not mind hearing the same news twice.
"""

from __future__ import annotations

import datetime as dt
import logging
import random
import traceback
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from outbox import nudge
from outbox.models import Delivery, Message

MAX_TRIES = 10
_FIRST_WAIT = dt.timedelta(seconds=2)
_LONGEST_WAIT = dt.timedelta(hours=1)
_ERROR_LENGTH = 4000

log = logging.getLogger(__name__)


class NotInTransaction(RuntimeError):
    """`publish` was called where the fact itself could be lost or kept without the news of it."""


def publish(kind: str, *, key: str, payload: dict[str, Any]) -> None:
    """Writes the news for every subscriber of `kind`; the second call with a key changes nothing.

    Raises NotInTransaction outside of a transaction.
    """
    publish_all(kind, {key: payload})


def publish_all(kind: str, payloads: Mapping[str, dict[str, Any]]) -> None:
    """The same for much news of one kind, each payload under its key, in a few statements."""
    if not connection.in_atomic_block:
        raise NotInTransaction(f"Publish {kind} inside the transaction that makes it true.")
    known = set(_keyed(kind, payloads).values_list("key", flat=True))
    keys = sorted(payloads.keys() - known)  # in one order everywhere: who waits waits in no circle
    new = [Message(kind=kind, key=key, payload=payloads[key]) for key in keys]
    if not new:
        return
    # Somebody may publish a key in the same instant: theirs is waited for, and stands.
    Message.objects.bulk_create(new, ignore_conflicts=True)
    subscribers: list[str] = settings.OUTBOX_SUBSCRIPTIONS.get(kind, [])
    if subscribers:
        ids = _keyed(kind, keys).values_list("pk", flat=True)
        Delivery.objects.bulk_create(
            (
                Delivery(message_id=pk, subscriber=subscriber)
                for pk in ids
                for subscriber in subscribers
            ),
            ignore_conflicts=True,
        )
        transaction.on_commit(nudge.ask, robust=True)


def _keyed(kind: str, keys: Collection[str]) -> QuerySet[Message]:
    return Message.objects.filter(kind=kind, key__in=list(keys)).order_by("pk")


def drain(*, limit: int = 100, now: dt.datetime | None = None) -> int:
    """Delivers what is due, at most `limit` tries; answers how many were delivered.

    `now` is the time to be due by: a later one takes over what a dead process had claimed. Must
    not be called inside a transaction: each delivery has its own.
    """
    delivered = 0
    for _ in range(limit):
        delivery_id = _claim(now or timezone.now())
        if delivery_id is None:
            break
        delivered += _deliver(delivery_id)
    return delivered


def revive(*, ids: Iterable[int]) -> int:
    """Gives dead deliveries their tries anew, once their cause is mended; answers how many."""
    return Delivery.objects.filter(pk__in=list(ids), dead_at__isnull=False).update(
        dead_at=None, attempts=0, next_try_at=timezone.now()
    )


def wait_after(attempts: int) -> dt.timedelta:
    """How long a delivery rests after its nth try: 2 s, doubled each time, up to an hour.

    >>> wait_after(1), wait_after(4)
    (datetime.timedelta(seconds=2), datetime.timedelta(seconds=16))
    """
    doubled: dt.timedelta = _FIRST_WAIT * 2 ** (attempts - 1)
    return min(doubled, _LONGEST_WAIT)


def _due(now: dt.datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(
        done_at__isnull=True, dead_at__isnull=True, next_try_at__lte=now
    ).order_by("next_try_at", "id")


def _claim(now: dt.datetime) -> int | None:
    """The next due delivery, its try counted and committed before its handler runs.

    Counted first, so that a message which kills its process runs out of tries too; until the
    wait is over nobody else claims it.
    """
    if not _due(now).exists():
        return None
    while True:
        with transaction.atomic():
            delivery = _skipping_locked(_due(now)).first()
            if delivery is None:
                return None
            if delivery.attempts < MAX_TRIES:
                tries = delivery.attempts + 1
                jitter = dt.timedelta(seconds=random.random())  # noqa: S311
                claimed = _due(now).filter(pk=delivery.pk, attempts=delivery.attempts)
                if claimed.update(attempts=tries, next_try_at=now + wait_after(tries) + jitter):
                    return delivery.pk
            else:
                _bury(delivery, delivery.error or "The process died at each try.")


def _deliver(delivery_id: int) -> bool:
    """Runs the handler and marks it done, in one transaction; a failure is kept for the next."""
    with transaction.atomic():
        delivery = (
            _skipping_locked(Delivery.objects.filter(pk=delivery_id, done_at__isnull=True))
            .select_related("message")
            .first()
        )
        if delivery is None:
            return False  # someone else has it, or had it
        try:
            with transaction.atomic():
                import_string(delivery.subscriber)(delivery.message.payload)
        except Exception:
            _note_failure(delivery, traceback.format_exc())
            return False
        delivery.done_at, delivery.error = timezone.now(), ""
        delivery.save(update_fields=["done_at", "error"])
        return True


def _note_failure(delivery: Delivery, error: str) -> None:
    text = error.replace("\x00", "")[-_ERROR_LENGTH:]
    if delivery.attempts >= MAX_TRIES:
        _bury(delivery, text)
        return
    log.warning("%s failed at try %d:\n%s", delivery, delivery.attempts, text)
    delivery.error = text
    delivery.save(update_fields=["error"])


def _bury(delivery: Delivery, error: str) -> None:
    log.error("%s given up after %d tries:\n%s", delivery, delivery.attempts, error)
    delivery.dead_at, delivery.error = timezone.now(), error
    delivery.save(update_fields=["dead_at", "error"])


def _skipping_locked(deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """Locked rows are someone's work. SQLite has no row locks: its writers go one by one."""
    if connection.features.has_select_for_update_skip_locked:
        return deliveries.select_for_update(skip_locked=True, of=("self",))
    return deliveries
