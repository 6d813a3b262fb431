"""A player's record in a pool, for a profile: history, opponents, streaks, what a rank lacks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from players.models import Player
from ratings import glicko
from ratings.glicko import Comparison, State, points_of
from ratings.models import RatingChange, RatingCorrection
from ratings.pools import ACTIVE_DAYS, MAX_DEVIATION, MIN_MATCHES, MIN_OPPONENTS, prior_of
from ratings.selectors import HistoryLine, Shown, correction_line, match_line

USUAL_TARGET = 100

_OTHER_SIDE = Q(match__changes__side__lt=F("side")) | Q(match__changes__side__gt=F("side"))


@dataclass(frozen=True, slots=True)
class Part:
    """What part of a history is meant: from a moment on, against somebody, of an event's matches.

    None leaves a part open.
    """

    since: datetime | None = None
    opponent: int | None = None
    matches: Collection[str] | None = None

    @property
    def is_all(self) -> bool:
        return self.opponent is None and self.matches is None


@dataclass(frozen=True, slots=True)
class Opponent:
    """The record against somebody: matches `won` (the better place), level and `lost`."""

    player: Player
    won: int
    level: int
    lost: int

    @property
    def matches(self) -> int:
        return self.won + self.level + self.lost


@dataclass(frozen=True, slots=True)
class Form:
    """Matches and first places, the streaks of first places, and the ratings' extremes."""

    matches: int
    won: int
    streak: int
    longest: int
    highest: int
    lowest: int
    best_win: HistoryLine | None


@dataclass(frozen=True, slots=True)
class Missing:
    """What a rank lacks: matches, different opponents, about how many matches until the rating is
    known well enough, and whether it was long ago. `total` is how many matches it takes at least.
    """

    matches: int
    opponents: int
    to_know: int
    spread: int
    idle: bool

    @property
    def total(self) -> int:
        return max(self.matches, self.opponents, self.to_know, int(self.idle))


def changes(player: Player, pool: str, part: Part) -> QuerySet[RatingChange]:
    """The matches of the history's part, newest first."""
    found = RatingChange.objects.filter(player=player, pool=pool)
    if part.since is not None:
        found = found.filter(finished_at__gte=part.since)
    if part.matches is not None:
        found = found.filter(match__in=part.matches)
    if part.opponent is not None:
        found = found.filter(_OTHER_SIDE, match__changes__player=part.opponent)
    return found.order_by("-number")


def lines(
    player: Player, pool: str, part: Part, *, offset: int = 0, limit: int = 20
) -> list[HistoryLine]:
    """The part's lines, newest first; corrections among them, unless it is of some matches only."""
    most = offset + limit
    found = [match_line(change) for change in changes(player, pool, part)[:most]]
    if part.is_all:
        corrections = _corrections(player, pool, part).order_by("-at", "-pk")
        found += [correction_line(each) for each in corrections[:most]]
    return sorted(found, key=lambda line: line.at, reverse=True)[offset:most]


def count(player: Player, pool: str, part: Part) -> int:
    """How many lines there are."""
    matches = changes(player, pool, part).count()
    return matches + (_corrections(player, pool, part).count() if part.is_all else 0)


def way(player: Player, pool: str, part: Part, points: int = 300) -> list[int]:
    """The ratings after each match, oldest first; of many, evenly chosen ones and the last."""
    means = list(changes(player, pool, part).values_list("after_mean", flat=True))[::-1]
    step = max(1, -(-len(means) // points))
    chosen = means[::-step][::-1]
    return [points_of(mean) for mean in chosen]


def opponents(player: Player, pool: str, part: Part) -> list[Opponent]:
    """The record against each, the most played first."""
    chosen = RatingChange.objects.filter(pk__in=changes(player, pool, part).values("pk"))
    rows = (
        chosen.filter(_OTHER_SIDE)
        .order_by()
        .values("match__changes__player")
        .annotate(
            won=Count("pk", filter=Q(place__lt=F("match__changes__place"))),
            level=Count("pk", filter=Q(place=F("match__changes__place"))),
            lost=Count("pk", filter=Q(place__gt=F("match__changes__place"))),
        )
    )
    found = {row["match__changes__player"]: row for row in rows}
    people = Player.objects.in_bulk(found)
    records = [
        Opponent(people[pk], row["won"], row["level"], row["lost"]) for pk, row in found.items()
    ]
    return sorted(records, key=lambda each: (-each.matches, each.player.name))


def form(player: Player, pool: str, part: Part) -> Form | None:
    """How the part went; None without a match."""
    rows = list(changes(player, pool, part).values_list("place", "after_mean", "before_mean"))
    if not rows:
        return None
    firsts = [place == 1 for place, _after, _before in rows]
    means = [mean for _place, after, before in rows for mean in (after, before)]
    upset = changes(player, pool, part).filter(place=1).order_by("expected", "-number").first()
    return Form(
        matches=len(rows),
        won=sum(firsts),
        streak=_run(firsts),
        longest=max((len(list(run)) for first, run in groupby(firsts) if first), default=0),
        highest=points_of(max(means)),
        lowest=points_of(min(means)),
        best_win=None if upset is None else match_line(upset),
    )


def missing(shown: Shown, pool: str, now: datetime | None = None) -> Missing | None:
    """What the rating lacks for a rank; None if it lacks nothing."""
    now = now or timezone.now()
    idle = shown.last_at is None or now - shown.last_at > timedelta(days=ACTIVE_DAYS)
    found = Missing(
        matches=max(0, MIN_MATCHES - shown.matches),
        opponents=max(0, MIN_OPPONENTS - shown.opponents),
        to_know=matches_to_know(shown.deviation, prior_of(pool)),
        spread=shown.spread,
        idle=idle,
    )
    return found if found.total else None


def matches_to_know(deviation: float, prior: float) -> int:
    """About how many matches to 100, against equals, until the deviation is small enough.

    The others are taken to be half-way known: as well as a rank needs.
    """
    variance, aim = glicko.variance_of(deviation), glicko.variance_of(MAX_DEVIATION)
    theirs = min(prior, aim)
    scale = glicko.scale_of(USUAL_TARGET)
    number = 0
    while variance > aim and number < 1000:
        against = Comparison(0.0, 0.0, theirs, 0.5, scale=scale)
        _mean, variance = glicko.update(State(0.0, variance), [against])
        number += 1
    return number


def _corrections(player: Player, pool: str, part: Part) -> QuerySet[RatingCorrection]:
    found = RatingCorrection.objects.filter(player=player, pool=pool)
    return found if part.since is None else found.filter(at__gte=part.since)


def _run(firsts: Sequence[bool]) -> int:
    """How many there are in a row from the beginning.

    >>> _run([True, True, False, True])
    2
    """
    return next((n for n, first in enumerate(firsts) if not first), len(firsts))
