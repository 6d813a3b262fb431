"""What is shown of ratings: numbers, ladders, histories, chances."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Max, Min, Q
from django.utils import timezone

from games.models import Match, Seat
from players.models import Player
from ratings import glicko
from ratings.bots import yardsticks
from ratings.glicko import State
from ratings.models import (
    LadderSeason,
    RatedMatch,
    Rating,
    RatingChange,
    RatingCorrection,
    Recomputation,
    SeasonRating,
    UnratedMatch,
)
from ratings.movement import moved
from ratings.pools import (
    ACTIVE_DAYS,
    MAX_DEVIATION,
    MIN_MATCHES,
    MIN_OPPONENTS,
    kind_of,
    pool_key,
    prior_of,
)
from ratings.proof import verify as verify
from ratings.ranking import LIKELY, standing

if TYPE_CHECKING:
    from ratings.ranking import Rows

NEAR = 5
"""So many places above and below somebody are shown around them."""

PEAK_WINDOW = timedelta(days=365)

YOUNG_LADDER = 50
"""While fewer people than this are ranked, the provisional ones are listed below them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as people see it: "1612 ± 88", or "1540 ?" while it is provisional."""

    rating: int
    deviation: float
    matches: int
    opponents: int
    last_at: datetime | None

    @property
    def spread(self) -> int:
        """What stands after the ±: with 95 % the skill lies this near."""
        return round(LIKELY * self.deviation)

    @property
    def provisional(self) -> bool:
        return (
            self.deviation > MAX_DEVIATION
            or self.matches < MIN_MATCHES
            or self.opponents < MIN_OPPONENTS
        )

    def __str__(self) -> str:
        return f"{self.rating} ?" if self.provisional else f"{self.rating} ± {self.spread}"


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A player on the ladder; `rank` and the likely span of ranks are None while provisional.

    `moved` is what the matches of the last seven days added, `division` the one of the season.
    """

    player: Player
    shown: Shown
    rank: int | None = None
    best_rank: int | None = None
    worst_rank: int | None = None
    moved: int = 0
    division: int | None = None


@dataclass(frozen=True, slots=True)
class Ladder:
    """A page of a pool's ladder. `total` counts the ranked, `provisional` is for young ladders."""

    pool: str
    rows: tuple[LadderRow, ...]
    total: int
    provisional: tuple[LadderRow, ...]


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of a history, newest first: a match, or a correction (`match` may be empty).

    `cause` is "match" or a RatingCorrection.Cause; `expected`, `place`, `weight` and `deviation`
    belong to matches.
    """

    at: datetime
    cause: str
    match_id: str
    before: int
    after: int
    deviation: float | None = None
    expected: float | None = None
    place: int | None = None
    weight: float | None = None
    opponents: tuple[int, ...] = ()

    @property
    def delta(self) -> int:
        return self.after - self.before

    @property
    def percent(self) -> int | None:
        """The chance given before, in percent."""
        return None if self.expected is None else round(100 * self.expected)


@dataclass(frozen=True, slots=True)
class Progress:
    """A recomputation that waits (`total` 0) or runs: `done` of `total` matches."""

    since: datetime | None
    asked_at: datetime
    done: int
    total: int

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0


def recomputations() -> dict[str, Progress]:
    """How far the recomputation of each pool is in which one waits or runs."""
    rows = Recomputation.objects.filter(
        state__in=(Recomputation.State.WAITING, Recomputation.State.RUNNING)
    ).order_by("-state", "-pk")  # one that runs last, and that is the one kept
    return {row.pool: Progress(row.since, row.asked_at, row.done, row.total) for row in rows}


@dataclass(frozen=True, slots=True)
class Extent:
    """What a recomputation rates anew: so many matches, of so many players."""

    matches: int
    players: int


def newest_recomputation() -> int:
    """The key of the last one asked for; 0 before the first."""
    return Recomputation.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def extent_after(key: int) -> Extent | None:
    """What those asked for after that one rate anew in their pools; None if there are none."""
    matches, players = 0, set[int]()
    asked = Recomputation.objects.filter(pk__gt=key)
    for pool, since in asked.values_list("pool").annotate(since=Min("since")):
        later = RatedMatch.objects.filter(pool=pool, annulled=False, finished_at__gte=since)
        moved = RatingChange.objects.filter(pool=pool, finished_at__gte=since).order_by()
        matches += later.count()
        players.update(moved.values_list("player", flat=True).distinct())
    return Extent(matches, len(players)) if players else None


def recomputation_of(pool: str) -> Progress | None:
    """How far the recomputation of a pool is; None while the ratings are what the log gives."""
    return recomputations().get(pool)


def shown_of(row: Rating | SeasonRating, today: date) -> Shown:
    """The rating as of `today`: what is known fades while nobody plays."""
    state = glicko.aged(row.state, today.toordinal(), prior_of(row.pool))
    return Shown(
        rating=round(state.rating),
        deviation=state.deviation,
        matches=row.matches,
        opponents=row.opponents,
        last_at=row.last_at,
    )


def rating_of(player: Player, pool: str) -> Shown | None:
    """The player's rating in a pool; None before the first rated match there."""
    row = Rating.objects.filter(player=player, pool=pool, matches__gt=0).first()
    return None if row is None else shown_of(row, _today())


def ratings_of(player: Player) -> dict[str, Shown]:
    """The player's ratings by pool, the pool most played first."""
    rows = Rating.objects.filter(player=player, matches__gt=0).order_by("-matches", "pool")
    return {row.pool: shown_of(row, _today()) for row in rows}


def ratings_in(pool: str, players: Iterable[Player | int]) -> dict[int, Shown]:
    """The ratings of several players in one pool, by player id; in one query."""
    rows = Rating.objects.filter(pool=pool, player__in=list(players), matches__gt=0)
    return {row.player_id: shown_of(row, _today()) for row in rows}


def ladder(
    pool: str,
    *,
    offset: int = 0,
    limit: int = 50,
    now: datetime | None = None,
    who: Q | None = None,
    around: Player | None = None,
    moves: bool = True,
    season: LadderSeason | None = None,
    division: int | None = None,
) -> Ladder:
    """The ranked players from `offset` on, best first; equals share a rank.

    Ranked is who is known well enough (RD), has played enough, against enough people, lately.
    `who`, a condition on players, leaves the others out; ranks stay those among all. `around`
    begins the page a little above that player instead, and is an empty page for the unranked.
    `moves` says whether the rows are to tell what the week moved, which a season that is over does
    not. Of a `season`, those are ranked who have played enough in it; `division` leaves only those
    of one there.
    """
    now = now or timezone.now()
    today = now.astimezone(UTC).date()
    active = _active(pool, season, now)
    if season is not None:
        today, moves = min(today, season.ends_on), moves and today <= season.ends_on
    ranked = standing(pool, active, today, season)
    chosen: Sequence[int] = range(len(ranked.keys))
    if who is not None or division is not None:
        active = active.filter(_among(who, division))
        places = (ranked.places.get(key) for key in active.values_list("pk", flat=True))
        chosen = sorted(place for place in places if place is not None)
    if around is not None:
        key = active.filter(player=around).values_list("pk", flat=True).first()
        place = None if key is None else ranked.places.get(key)
        offset = len(chosen) if place is None else max(0, bisect_left(chosen, place) - NEAR)
        limit = 2 * NEAR + 1
    page = chosen[offset : offset + limit]
    rows = _with_players(active, [ranked.keys[place] for place in page])
    moves_of = moved(pool, [row.player_id for row in rows.values()], now, season) if moves else {}
    return Ladder(
        pool=pool,
        rows=tuple(
            LadderRow(
                rows[ranked.keys[place]].player,
                shown_of(rows[ranked.keys[place]], today),
                *ranked.ranks(place),
                moves_of.get(rows[ranked.keys[place]].player_id, 0),
                getattr(rows[ranked.keys[place]], "division", None),
            )
            for place in page
            if ranked.keys[place] in rows
        ),
        total=len(chosen),
        provisional=_provisional(active, ranked.keys, today)
        if len(ranked.keys) < YOUNG_LADDER and around is None
        else (),
    )


def _active(pool: str, season: LadderSeason | None, now: datetime) -> Rows:
    if season is not None:
        return SeasonRating.objects.filter(season=season, pool=pool)
    return Rating.objects.filter(
        pool=pool, matches__gt=0, last_at__gte=now - timedelta(days=ACTIVE_DAYS)
    )


def _among(who: Q | None, division: int | None) -> Q:
    found = Q() if division is None else Q(division=division)
    return found if who is None else found & Q(player__in=Player.objects.filter(who).values("pk"))


def history(
    player: Player, pool: str, *, limit: int = 100, before: datetime | None = None
) -> list[HistoryLine]:
    """The player's matches and corrections in a pool, newest first."""
    changes = RatingChange.objects.filter(player=player, pool=pool).order_by("-number")
    corrections = RatingCorrection.objects.filter(player=player, pool=pool).order_by("-at", "-pk")
    if before is not None:
        changes = changes.filter(finished_at__lt=before)
        corrections = corrections.filter(at__lt=before)
    lines = [match_line(change) for change in changes[:limit]]
    lines += [correction_line(correction) for correction in corrections[:limit]]
    return sorted(lines, key=lambda line: line.at, reverse=True)[:limit]


def chance(a: Player, b: Player, target: int, pool: str = "allfives-1v1") -> float:
    """The chance that `a` beats `b` in a match to `target`; 0.5 of two unknown players."""
    rows = {row.player_id: row for row in Rating.objects.filter(pool=pool, player__in=[a, b])}
    prior = prior_of(pool)
    today = _today().toordinal()
    one, two = (
        glicko.aged(rows[player.pk].state, today, prior) if player.pk in rows else State(0.0, prior)
        for player in (a, b)
    )
    return glicko.chance([one], [two], target)


def pool_of(match: Match) -> str:
    """The pool that a match belongs to, rated or not."""
    partners = bool(match.rules.get("partners", False))
    return pool_key(match.game, kind_of(match.seats, partners))


def seat_rating(match_id: str) -> dict[int, dict[str, Any] | None]:
    """For each seat of a match its player's rating now, and whether it is provisional; a bot's is
    about how strong it is.

    None where nobody sits, or where the player has no rating in the match's pool.
    """
    match = Match.objects.filter(pk=match_id).only("game", "seats", "rules").first()
    if match is None:
        return {}
    seats = list(Seat.objects.filter(match=match_id).only("index", "player_id", "bot_level"))
    pool = pool_of(match)
    sticks = yardsticks(pool) if any(seat.is_bot for seat in seats) else {}
    people = [s.player_id for s in seats if s.player_id is not None and not s.is_bot]
    found: dict[int, dict[str, Any] | None] = dict.fromkeys(seat.index for seat in seats)
    ratings = ratings_in(pool, people)
    for seat in seats:
        if stick := sticks.get((pool, seat.bot_level)):
            found[seat.index] = {"rating": stick.rating, "provisional": False}
        elif seat.player_id is not None and (shown := ratings.get(seat.player_id)):
            found[seat.index] = {"rating": shown.rating, "provisional": shown.provisional}
    return found


def seat_changes(match_id: str) -> list[dict[str, int]]:
    """What a finished match did: seat, rating before, rating after; empty when it isn't rated."""
    changes = {change.player_id: change for change in changes_of(match_id)}
    if not changes:
        return []
    seats = Seat.objects.filter(match=match_id).order_by("index")
    return [
        {
            "seat": index,
            "before": changes[player].rating_before,
            "after": changes[player].rating_after,
        }
        for index, player in seats.values_list("index", "player_id")
        if player in changes
    ]


def changes_of(match_id: str) -> list[RatingChange]:
    """Each player's change by a match, with its player, best place first."""
    changes = RatingChange.objects.filter(match_id=match_id).select_related("player")
    return list(changes.order_by("place", "side", "player_id"))


def unrated_reason(match_id: str) -> str | None:
    """Why a match is not rated, in words; None if it is, or hasn't been judged yet."""
    row = UnratedMatch.objects.filter(match_id=match_id).first()
    return None if row is None else row.sentence


def unrated_reasons(match_ids: Iterable[str]) -> dict[str, str]:
    """Of these matches, those that were found not to be rated, and why, in words."""
    return {row.pk: row.sentence for row in UnratedMatch.objects.filter(pk__in=list(match_ids))}


def peaks_in(pool: str, players: Iterable[int], now: datetime | None = None) -> dict[int, int]:
    """Each player's highest rating of the last twelve months, the one of today included.

    What stood while it was too little known for a rank was luck as much as skill, and isn't
    counted.
    """
    ids = list(players)
    since = (now or timezone.now()) - PEAK_WINDOW
    known = RatingChange.objects.filter(
        pool=pool,
        player__in=ids,
        finished_at__gte=since,
        after_variance__lte=glicko.variance_of(MAX_DEVIATION),
    )
    tops = dict(
        known.order_by()
        .values("player")
        .annotate(top=Max("after_mean"))
        .values_list("player", "top")
    )
    return {
        player: max(shown.rating, round(State(tops[player], 1.0).rating) if player in tops else 0)
        for player, shown in ratings_in(pool, ids).items()
    }


def _today() -> date:
    return timezone.now().astimezone(UTC).date()


def _with_players(active: Rows, keys: Sequence[int]) -> dict[int, Rating | SeasonRating]:
    found = active.model._default_manager.filter(pk__in=keys).select_related("player")
    return {row.pk: row for row in found} if keys else {}


def _provisional(active: Any, ranked: Sequence[int], today: date) -> tuple[LadderRow, ...]:
    rows = active.exclude(pk__in=ranked).select_related("player")
    return tuple(
        LadderRow(row.player, shown_of(row, today), division=getattr(row, "division", None))
        for row in rows.order_by("-mean", "pk")[:YOUNG_LADDER]
    )


def match_line(change: RatingChange) -> HistoryLine:
    return HistoryLine(
        at=change.finished_at,
        cause="match",
        match_id=change.match_id,
        before=change.rating_before,
        after=change.rating_after,
        deviation=change.after.deviation,
        expected=change.expected,
        place=change.place,
        weight=change.weight,
        opponents=tuple(change.opponents),
    )


def correction_line(correction: RatingCorrection) -> HistoryLine:
    return HistoryLine(
        at=correction.at,
        cause=correction.cause,
        match_id=correction.match_id,
        before=correction.rating_before,
        after=correction.rating_after,
    )
