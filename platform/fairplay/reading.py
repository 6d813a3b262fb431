"""The rows that detectors read, out of the ratings' log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from allauth.usersessions.models import UserSession

from fairplay.detectors import throwing
from fairplay.detectors.rows import Account, Duel, Sitting
from fairplay.detectors.throwing import CappedEntry
from games.models import Match
from players.models import Player
from ratings.glicko import State
from ratings.models import RatingChange
from tournaments.models import Entrant, Tournament
from tournaments.options import pool_of

_FIELDS = (
    "match_id", "pool", "finished_at", "player_id", "place", "expected", "before_mean",
    "before_variance", "after_mean", "match__target",
)  # fmt: skip


def duels(since: datetime, pool: str, players: Iterable[int] | None = None) -> list[Duel]:
    """The rated matches of two since then, each from either side."""
    given_up = Match.objects.filter(finished_at__gte=since, reason="resigned")
    if players is not None:
        given_up = given_up.filter(seat__player__in=list(players))
    resigned = set(given_up.values_list("pk", flat=True))
    return [
        duel
        for lines in _matches(since, pool, players)
        if len(lines) == 2
        for duel in _both_ways(*lines, resigned=lines[0]["match_id"] in resigned)
    ]


def sittings(since: datetime, pool: str) -> list[Sitting]:
    """The rated matches at tables of three and four since then."""
    return [
        Sitting(
            match=lines[0]["match_id"],
            at=lines[0]["finished_at"],
            expected={line["player_id"]: line["expected"] for line in lines},
            beaten={line["player_id"]: _beaten(line, lines) for line in lines},
        )
        for lines in _matches(since, pool)
        if len(lines) > 2
    ]


def accounts(since: datetime) -> dict[int, Account]:
    """The accounts that there are, with where they signed in lately; of that digests alone."""
    places: dict[int, set[str]] = {}
    for user, ip, agent in UserSession.objects.filter(last_seen_at__gte=since).values_list(
        "user_id", "ip", "user_agent"
    ):
        digest = hashlib.sha256(f"{ip}\0{agent}".encode()).hexdigest()
        places.setdefault(user, set()).add(digest)
    people = Player.objects.filter(is_guest=False, bot_level="")
    return {
        pk: Account(created_at, frozenset(places.get(pk, ())))
        for pk, created_at in people.values_list("pk", "created_at")
    }


def capped_entries(since: datetime) -> Iterator[tuple[CappedEntry, list[Duel]]]:
    """Entries since then into events for ratings of at most so much, each with the entrant's own
    duels. Events that look at the highest of a year can't be got into by losing.
    """
    events = Tournament.objects.filter(max_rating__isnull=False, by_peak=False)
    entrants = Entrant.objects.filter(
        tournament__in=events, player__isnull=False, joined_at__gte=since
    )
    for entrant in entrants.select_related("tournament"):
        pool, player = pool_of(entrant.tournament), entrant.player_id
        assert player is not None
        assert entrant.tournament.max_rating is not None
        own = duels(entrant.joined_at - throwing.WINDOW, pool, [player])
        mine = [duel for duel in own if duel.one == player and duel.at < entrant.joined_at]
        if mine:
            last = max(mine, key=lambda duel: (duel.at, duel.match))
            yield (
                CappedEntry(
                    player=player,
                    event=entrant.tournament_id,
                    name=entrant.tournament.name,
                    limit=entrant.tournament.max_rating,
                    rating=round(last.state.rating + last.gain),
                    at=entrant.joined_at,
                ),
                mine,
            )


def _matches(
    since: datetime, pool: str, players: Iterable[int] | None = None
) -> Iterator[list[dict[str, Any]]]:
    """The lines of each match, one a player."""
    lines = RatingChange.objects.filter(pool=pool, finished_at__gte=since)
    if players is not None:
        own = RatingChange.objects.filter(
            pool=pool, finished_at__gte=since, player__in=list(players)
        )
        lines = lines.filter(match__in=own.values("match"))
    rows = lines.order_by("finished_at", "match_id", "side").values(*_FIELDS)
    for _match, together in groupby(rows.iterator(2000), key=lambda row: row["match_id"]):
        yield list(together)


def _both_ways(first: dict[str, Any], second: dict[str, Any], *, resigned: bool) -> Iterator[Duel]:
    """A match from either side."""
    one, two = _state(first), _state(second)
    yield _duel(first, second, one, two, resigned)
    yield _duel(second, first, two, one, resigned)


def _state(line: dict[str, Any]) -> State:
    return State(line["before_mean"], line["before_variance"])


def _duel(
    line: dict[str, Any], theirs: dict[str, Any], state: State, other: State, resigned: bool
) -> Duel:
    score = 0.5 if line["place"] == theirs["place"] else float(line["place"] < theirs["place"])
    return Duel(
        match=line["match_id"],
        pool=line["pool"],
        at=line["finished_at"],
        one=line["player_id"],
        two=theirs["player_id"],
        score=score,
        chance=line["expected"],
        gain=State(line["after_mean"], 1.0).rating - state.rating,
        target=line["match__target"],
        state=state,
        other=other,
        given_up=resigned,
    )


def _beaten(line: dict[str, Any], lines: list[dict[str, Any]]) -> float:
    """The share of the others whom the player beat, a shared place as half."""
    others = [other["place"] for other in lines if other is not line]
    won = sum(line["place"] < place for place in others)
    shared = sum(line["place"] == place for place in others)
    return float(won + shared / 2) / len(others)
