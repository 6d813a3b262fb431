"""What opening tables costs at least: the same rows, written again, with nothing thought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.site import timed


def copies(at_once: int) -> list[list[list[Any]]]:
    """All tables that there are, under new names, so many at once: cards, seats, log and news."""
    from games.models import Match, MatchEvent, Seat
    from games.models.match import new_id
    from outbox.models import Message

    names: dict[str, str] = {}
    cards = list(Match.objects.order_by("created_at", "pk"))
    for card in cards:
        names[card.pk] = card.pk = new_id()
    rows: dict[str, list[list[Any]]] = {name: [[], [], []] for name in names.values()}
    parts: tuple[type[Any], ...] = (Seat, MatchEvent)
    for kind, model in enumerate(parts):
        for row in model._default_manager.order_by("pk"):
            row.pk, row.match_id = None, names[row.match_id]
            rows[row.match_id][kind].append(row)
    for news in Message.objects.filter(kind="match.reserved"):
        news.pk, news.key = None, names[news.key]
        rows[news.key][2].append(news)
    batches = [cards[start : start + at_once] for start in range(0, len(cards), at_once)]
    return [
        [batch, *([row for card in batch for row in rows[card.pk][kind]] for kind in range(3))]
        for batch in batches
    ]


def insert(batches: Sequence[Sequence[Sequence[Any]]]) -> None:
    """Each batch in a transaction of its own, each kind of row in one statement if it can be."""
    from django.db import transaction

    from outbox.models import Delivery

    for batch in batches:
        with transaction.atomic():
            for rows in batch:
                if rows:
                    type(rows[0])._default_manager.bulk_create(rows)
            Delivery.objects.bulk_create(
                Delivery(message=news, subscriber="bench.bare") for news in batch[-1]
            )


def ratio_to_floor(seconds: float, at_once: int) -> float:
    """How many times as long as writing the same rows took what has opened the site's tables."""
    batches = copies(at_once)
    return seconds / timed(lambda: insert(batches))
