"""The bots measured: by matches that they play against each other, and by those with people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from random import Random

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from engine.bots import LEVELS
from engine.bout import of_level, played
from engine.rules import RuleSet
from games import selectors as games
from games.models import Match, Seat
from games.selectors import MatchResult
from ratings.glicko import State
from ratings.models import BotRating, Rating
from ratings.pools import kind_of, pool_key, prior_of
from ratings.yardsticks import Member, Trial, fitted, trials_of

PAIRS = tuple(combinations(LEVELS, 2))
LATEST = 2000
"""So many matches with people are looked at, at most: the latest."""

Progress = Callable[[Sequence[int]], Iterable[int]]


def calibrate(pool: str, matches: int, progress: Progress = iter) -> list[BotRating]:
    """Measures the bots in a pool and keeps what comes out, the weakest first.

    Each two levels play so many matches (at tables of three and four each two and who else comes).
    The same number plays the same matches, so that doing it again changes nothing but what people
    have added. `progress` is given the numbers of the matches and hands them back one by one.
    """
    among_bots = _among_bots(pool, matches, progress)
    with_people, count = _with_people(pool)
    now = timezone.now()
    rows = [
        BotRating(
            pool=pool,
            level=level,
            mean=state.mean,
            variance=state.variance,
            matches=matches * len(PAIRS),
            with_people=count,
            at=now,
        )
        for level, state in fitted(among_bots + with_people, prior_of(pool)).items()
    ]
    with transaction.atomic():
        BotRating.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["pool", "level"],
            update_fields=["mean", "variance", "matches", "with_people", "at"],
        )
    return rows


def _among_bots(pool: str, matches: int, progress: Progress) -> list[Trial]:
    return [
        trial
        for number in progress(range(matches * len(PAIRS)))
        for trial in _bout(pool, number, PAIRS[number % len(PAIRS)])
    ]


def _bout(pool: str, number: int, pair: tuple[str, str]) -> list[Trial]:
    """A match of the two levels, the seats by chance."""
    chance = Random(f"{pool} {number}")  # noqa: S311
    game, _dash, kind = pool.partition("-")
    sides: list[str] = list(pair)
    if kind == "table":
        sides += chance.choices(LEVELS, k=chance.choice((1, 2)))
    chance.shuffle(sides)
    seats = sides * 2 if kind == "partners" else sides
    rules = RuleSet.parse({"preset": game, "partners": kind == "partners"}, len(seats))
    ended = played(rules, [of_level(level) for level in seats], chance)
    return trials_of([[level] for level in sides], ended.places, rules.target)


def _with_people(pool: str) -> tuple[list[Trial], int]:
    """What finished matches with people say whose rating in the pool is known, and how many."""
    known = {row.player_id: row.state for row in Rating.objects.filter(pool=pool, matches__gt=0)}
    seats = Seat.objects.filter(match=OuterRef("pk"))
    found = Match.objects.filter(
        Exists(seats.exclude(bot_level="")),
        Exists(seats.filter(player__in=Rating.objects.filter(pool=pool).values("player"))),
        status=Match.Status.FINISHED,
        game=pool.partition("-")[0],
    )
    trials, count = [], 0
    for match_id in found.order_by("-finished_at", "pk").values_list("pk", flat=True)[:LATEST]:
        result = games.result_of(match_id)
        sides = None if result is None else _members(pool, result, known)
        if result is not None and sides is not None:
            trials += trials_of(sides, result.places, result.target)
            count += 1
    return trials, count


def _members(pool: str, result: MatchResult, known: dict[int, State]) -> list[list[Member]] | None:
    """Who sat on each side; None where somebody isn't known, or it wasn't played out by all."""
    played_out = result.reason == "target" and not result.left
    if not played_out or pool != pool_key(result.game, kind_of(result.seats, result.partners)):
        return None
    sides: list[list[Member]] = [[] for _side in result.sides]
    players = {
        side + place * len(sides): player
        for side, group in enumerate(result.sides)
        for place, player in enumerate(group)
    }
    for seat, level in enumerate(result.bots):
        member = level or known.get(players[seat] or 0)
        if not member:
            return None
        sides[seat % len(sides)].append(member)
    return sides
