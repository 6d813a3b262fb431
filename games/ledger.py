"""Locks matches for work and writes what was done: one transaction, for one match or for many.

Matches are locked in the order of their ids, so that writers that want the same ones wait for each
other and never in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import connection, transaction

from games import clock, events, pace, scenes, store
from games.errors import GameError
from games.models import Match, MatchEvent, Seat
from games.table import Table
from outbox.services import publish_all

_CARD: Final = (
    "status", "phase", "seq", "turn_seq", "head", "turn", "deadline", "wake_at", "scores",
)  # fmt: skip
_CARD_RARELY: Final = ("winner", "places", "reason", "started_at", "finished_at", "rematch", "host")
_RARE: Final = frozenset(("started", "joined", "left", "match_ended", "cancelled", "rematch"))
_LISTED: Final = frozenset(("opened", "joined", "left", "started", "match_ended", "cancelled"))
# What the pages around a table show of it: who sits, the score, whose match is on.
_SHOWN: Final = _LISTED | {"sat", "away", "back", "round_ended"}


def lock(match_id: str, now: datetime | None = None, *, skip_locked: bool = False) -> Table:
    """The table of a match, its row locked until the transaction ends.

    Raises GameError("not_found"); with `skip_locked` also when another holds the row.
    """
    table = lock_all([match_id], now, skip_locked=skip_locked).get(match_id)
    if table is None:
        raise GameError("not_found")
    return table


def lock_all(
    match_ids: Iterable[str], now: datetime | None = None, *, skip_locked: bool = False
) -> dict[str, Table]:
    """The tables of the matches that there are, by id, their rows locked."""
    rows = Match.objects.select_for_update(skip_locked=skip_locked).order_by("pk")
    cards = {card.pk: card for card in rows.filter(pk__in=list(match_ids))}
    seats: dict[str, list[Seat]] = {match_id: [] for match_id in cards}
    for seat in Seat.objects.filter(match__in=list(cards)).order_by("index") if cards else ():
        seats[seat.match_id].append(seat)
    # The moment is taken under the lock; time does not run back in a log, whoever's clock differs.
    moment = now or clock.now()
    tables = {}
    for match_id, card in cards.items():
        state = store.load(card).copy()
        tables[match_id] = Table(card, seats[match_id], state, max(moment, state.at))
    return tables


def save(*tables: Table) -> None:
    """Write what is new at `tables`; tell of it when the transaction is through."""
    changed = [table for table in tables if table.is_changed]
    for table in changed:
        pace.arm(table)
    _save_new([table for table in changed if table.is_new])
    known = [table for table in changed if not table.is_new]
    _save_cards([table.card for table in known if not _is_rare(table)], _CARD)
    _save_cards([table.card for table in known if _is_rare(table)], _CARD + _CARD_RARELY)
    _save_seats(known)
    MatchEvent.objects.bulk_create([row for table in changed for row in table.new])
    store.write_deals(table.state for table in changed)
    ended = [row.match_id for table in changed for row in table.new if row.kind == "match_ended"]
    if ended:
        publish_all("match.finished", {match_id: {"match": match_id} for match_id in ended})
    transaction.on_commit(lambda: _tell(changed))


def _save_new(tables: Sequence[Table]) -> None:
    """Store new matches; the cards come first, since all else points at them."""
    if tables:
        Match.objects.bulk_create([table.card for table in tables])
        Seat.objects.bulk_create([seat for table in tables for seat in table.seats])


def _is_rare(table: Table) -> bool:
    return any(row.kind in _RARE for row in table.new)


def _save_cards(cards: Sequence[Match], names: Sequence[str]) -> None:
    """One statement for all cards: the ORM would write each in one of its own making."""
    if not cards:
        return
    meta: Any = Match._meta
    quote = connection.ops.quote_name
    fields: list[Any] = [meta.pk, *(meta.get_field(name) for name in names)]
    columns = [quote(field.column) for field in fields]
    table, key = quote(meta.db_table), columns[0]
    row = f"({', '.join(['%s'] * len(fields))})"
    values = [
        field.get_db_prep_save(getattr(card, field.attname), connection=connection)
        for card in cards
        for field in fields
    ]
    changes = ", ".join(
        f"{column} = {_typed(f'new.{column}', field)}"
        for column, field in zip(columns[1:], fields[1:], strict=True)
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH new ({', '.join(columns)}) AS (VALUES {', '.join([row] * len(cards))}) "  # noqa: S608
            f"UPDATE {table} SET {changes} FROM new WHERE {table}.{key} = new.{key}",
            values,
        )


def _save_seats(tables: Sequence[Table]) -> None:
    """Of each seat what has changed alone, seats with the same changes together."""
    moved: dict[tuple[str, ...], list[Seat]] = {}
    for table in tables:
        for seat, fields in table.moved_seats():
            moved.setdefault(tuple(fields), []).append(seat)
    for names, seats in moved.items():
        Seat.objects.bulk_update(seats, names)


def _typed(value: str, field: Any) -> str:
    """PostgreSQL must be told what a column of nothing but NULLs is; SQLite takes it as it is."""
    if connection.vendor == "sqlite":
        return value
    return f"CAST({value} AS {field.db_type(connection)})"


def _tell(tables: Sequence[Table]) -> None:
    if not tables:
        return
    pokes: dict[str, int | None] = {}
    for table in tables:
        store.cache.put(table.card.pk, table.state)
        if not table.is_new and not _is_rare(table):
            scenes.follow(table.card, table.seats, table.state)
        pokes[table.card.pk] = table.card.seq
        pokes.update(dict.fromkeys(_topics(table)))
    events.poke_tables(pokes)


def _topics(table: Table) -> list[str]:
    """What pages show that is new by what was done at the table: to its players, in the lists of
    tables, and in what it was opened for (`topic` of its context).
    """
    kinds = {row.kind for row in table.new}
    players = {
        seat.player_id
        for seat in table.seats
        if seat.player_id is not None and not seat.is_bot
        if kinds & _SHOWN or (table.turned and seat.index == table.card.turn)
    }
    topics = [events.of_player(player) for player in sorted(players)]
    if table.card.listed and kinds & _LISTED:
        topics.append(events.LOBBY)
    if kinds & _SHOWN and "topic" in table.card.context:
        topics.append(str(table.card.context["topic"]))
    return topics
