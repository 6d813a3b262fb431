"""The shadow table: what a run works out, written quickly, and put in place in few statements.

A shadow row knows the change that it replaces (`change_id`) where only the numbers differ. That is
nearly everywhere, and those are updated in place by their key, so that no index has to be written
and whoever else writes waits briefly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import Exists, Field, OuterRef, Q, QuerySet

from ratings.models import RatedMatch, RatingChange, ShadowChange
from ratings.models.change import ChangeFacts

Twins = dict[tuple[str, int, int], int]

_REAL, _SHADOW = RatingChange._meta.db_table, ShadowChange._meta.db_table
_FACTS = [str(each.column) for each in ChangeFacts._meta.get_fields() if isinstance(each, Field)]
_KEYS = ["match_id", "player_id"]
_SAME = ("pool", "finished_at", "number", "opponents")
"""What a change and its twin in the shadow have in common."""


def clear(pool: str) -> None:
    ShadowChange.objects.filter(pool=pool).delete()


def twins_of(matches: Iterable[str]) -> Twins:
    """The keys of the changes by these matches, by match, player and number."""
    rows = RatingChange.objects.filter(match__in=list(matches)).order_by()
    return {(match, player, n): pk for match, player, n, pk in
            rows.values_list("match_id", "player_id", "number", "pk")}  # fmt: skip


def fill(rows: Iterable[Mapping[str, Any]], twins: Twins) -> int:
    """Writes what `replay.facts_of` says of some matches; how many rows. `twins` loses those that
    have been found.
    """
    columns = [*_KEYS, "change_id", *_FACTS]
    chosen, moment = itemgetter(*columns), connection.ops.adapt_datetimefield_value
    values = [
        chosen(
            {
                **row,
                "change_id": twins.pop((row["match_id"], row["player_id"], row["number"]), None),
                "finished_at": moment(row["finished_at"]),
                "opponents": json.dumps(row["opponents"]),
            }
        )
        for row in rows
    ]
    _write(", ".join(columns), values)
    return len(values)


def _write(columns: str, values: list[tuple[Any, ...]]) -> None:
    """Into the shadow; on PostgreSQL by COPY, which takes a fraction of the time of INSERTs."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {_SHADOW} ({columns}) FROM STDIN") as copy:
                for row in values:
                    copy.write_row(row)
        elif values:
            places = ", ".join(["%s"] * len(values[0]))
            cursor.executemany(
                f"INSERT INTO {_SHADOW} ({columns}) VALUES ({places})",  # noqa: S608
                values,
            )


def put_in_place(pool: str, since: datetime | None, stale: Iterable[int], due: int) -> None:
    """The shadow's rows for the pool's changes since then; `due` is how many there are to be.

    `stale` are those known to have no twin; any others are looked for only if there are some.
    """
    changes = RatingChange.objects.filter(pool=pool)
    annulled = RatedMatch.objects.filter(pool=pool, annulled=True)
    changes.filter(Q(pk__in=list(stale)) | Q(match__in=annulled.values("pk"))).delete()
    values = ", ".join(f"{name} = s.{name}" for name in _FACTS if name not in _SAME)
    columns = ", ".join([*_KEYS, *_FACTS])
    chosen = ", ".join(f"s.{name}" for name in [*_KEYS, *_FACTS])
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {_REAL} AS c SET {values} FROM {_SHADOW} AS s "  # noqa: S608
            "WHERE c.id = s.change_id AND s.pool = %s",
            [pool],
        )
        cursor.execute(
            f"INSERT INTO {_REAL} ({columns}) SELECT {chosen} FROM {_SHADOW} AS s "  # noqa: S608
            "WHERE s.pool = %s AND s.change_id IS NULL",
            [pool],
        )
    replaced = changes if since is None else changes.filter(finished_at__gte=since)
    if replaced.count() != due:
        _without_twin(replaced).delete()


def _without_twin(changes: QuerySet[RatingChange]) -> QuerySet[RatingChange]:
    twin = ShadowChange.objects.filter(
        match_id=OuterRef("match_id"), player_id=OuterRef("player_id")
    )
    return changes.filter(~Exists(twin))
