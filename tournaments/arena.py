"""An arena as it stands: read in a few light queries, whatever has been played, and folded.

A board (tournaments.board) holds every row of a stage; in a large arena thousands of people ask
for the standings while thousands of matches have been played. Here only what the fold needs is
read, and the standings are kept until something of that changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from players.models import Player
from tournaments import stages
from tournaments.board import PLAYED, left_by
from tournaments.formats import arena
from tournaments.formats import model as fm
from tournaments.models import (
    ArenaClock,
    Entrant,
    Game,
    Pairing,
    Presence,
    Result,
    Seeding,
    Slot,
    Stage,
    Tournament,
)

KEPT_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Facts:
    """What the fold of an arena takes; entrants' ids by seed."""

    field: fm.Field
    verdicts: Mapping[int, fm.Verdict]
    entrants: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the standings. `rank` is None for the disqualified; points are in twelfths, and
    `scores` those of the last matches, the latest last. `doubled`: its next match counts double.
    """

    seed: int
    entrant_id: int
    rank: int | None
    points: int
    wins: int
    draws: int
    losses: int
    difference: int
    streak: int
    doubled: bool
    scores: tuple[int, ...]
    decided: str
    active: bool

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Clock:
    """Where the time stands. `phase`: "ready" (it waits for the arbiter to start it), "running",
    "closing" (the time is over, `in_course` matches are not), "over".
    """

    phase: str
    ends_at: datetime | None
    seconds_left: int
    waiting: int
    paused: int
    in_course: int
    counts_late: bool


@dataclass(frozen=True, slots=True)
class Own:
    """How somebody stands in an arena: `word` is "watch" (not in it), "ready" (in it, and it waits
    for the arbiter), "waiting", "playing",
    "pausing" (from the end of this match on), "paused", "out" or "over"; with their line, and the
    pairing they play, if any.
    """

    word: str
    entrant: Entrant | None = None
    since: datetime | None = None
    line: Line | None = None
    pairing_id: int | None = None


def stage_of(tournament: Tournament) -> Stage | None:
    """The stage in hand of an event, if it is an arena."""
    stage = stages.current(tournament)
    return stage if stage is not None and stage.format == arena.ID else None


def takes_entries(stage: Stage) -> bool:
    """Whether people can come in now."""
    clock = ArenaClock.objects.filter(stage=stage, closed_at__isnull=True).first()
    return clock is not None and clock.ends_at > timezone.now()


def facts(stage: Stage) -> Facts:
    """All that the standings follow from; three queries, of plain values."""
    entrants, gone, disqualified = {}, set(), set()
    seedings = Seeding.objects.filter(stage=stage)
    for seed, entrant, status in seedings.values_list("number", "entrant_id", "entrant__status"):
        entrants[seed] = entrant
        if status != Entrant.Status.ACTIVE:
            gone.add(seed)
        if status == Entrant.Status.DISQUALIFIED:
            disqualified.add(seed)
    seeds = {entrant: seed for seed, entrant in entrants.items()}
    if (left := left_by(stage)) is not None:  # who leaves a later stage stays in this one
        gone, disqualified = ({seeds[pk] for pk in each if pk in seeds} for each in left)
    drawn = _drawn(stage, seeds)
    field = fm.Field(
        len(entrants) or stage.size,
        stage.seed,
        stage.config,
        out=frozenset(gone),
        disqualified=frozenset(disqualified),
        drawn=tuple(fm.Meeting(n, 1, 1, tuple(met), {}) for n, met in drawn.items()),
    )
    return Facts(field, _verdicts(stage, seeds), entrants)


def _drawn(stage: Stage, seeds: Mapping[int, int]) -> dict[int, list[int]]:
    """The seeds that met, by pairing number."""
    slots = Slot.objects.filter(pairing__stage=stage, entrant__isnull=False)
    drawn: dict[int, list[int]] = {}
    ordered = slots.order_by("pairing__number", "index")
    for number, entrant in ordered.values_list("pairing__number", "entrant_id"):
        drawn.setdefault(number, []).append(seeds[entrant])
    return drawn


def _verdicts(stage: Stage, seeds: Mapping[int, int]) -> dict[int, fm.Verdict]:
    results = Result.objects.filter(pairing__stage=stage).order_by("version")
    values = ("pairing__number", "outcome", "winner_id", "scores", "places")
    last = {number: rest for number, *rest in results.values_list(*values)}
    return {
        number: fm.Verdict(seeds.get(winner), tuple(scores), outcome in PLAYED, tuple(places))
        for number, (outcome, winner, scores, places) in last.items()
        if outcome != Result.Outcome.VOID
    }


def standings(stage: Stage) -> tuple[Line, ...]:
    """Who stands where, the best first: as the fold of everything says, kept while it holds."""
    key = _state(stage)
    known: tuple[Line, ...] | None = cache.get(key)
    if known is None:
        known = lines(facts(stage))
        cache.set(key, known, KEPT_SECONDS)
    return known


def lines(found: Facts) -> tuple[Line, ...]:
    """The standings that follow."""
    sheets = arena.sheets(found.field, found.verdicts)
    rows = arena.standings(sheets, last=found.field.disqualified)
    return tuple(_line(found, row.rank, row.decided, sheets[row.seed]) for row in rows)


def _line(found: Facts, rank: int | None, decided: str, sheet: arena.Sheet) -> Line:
    return Line(
        seed=sheet.seed,
        entrant_id=found.entrants[sheet.seed],
        rank=rank,
        points=sheet.points,
        wins=sheet.wins,
        draws=sheet.draws,
        losses=sheet.losses,
        difference=sheet.difference,
        streak=sheet.streak,
        doubled=sheet.is_doubled,
        scores=tuple(sheet.scores[-12:]),
        decided=decided,
        active=sheet.seed not in found.field.out,
    )


def _state(stage: Stage) -> str:
    """What the standings of a stage depend on: a key that changes when any of it does."""
    results = Result.objects.filter(pairing__stage=stage).aggregate(last=Max("pk"))
    entrants = Seeding.objects.filter(stage=stage).aggregate(
        count=Count("pk"),
        gone=Count("pk", filter=~Q(entrant__status=Entrant.Status.ACTIVE)),
        disqualified=Count("pk", filter=Q(entrant__status=Entrant.Status.DISQUALIFIED)),
    )
    later = stages.counting(stage.tournament).filter(number__gt=stage.number).first()
    parts = (
        stage.pk,
        stage.seed,
        results["last"],
        *entrants.values(),
        "closed" in stage.config,
        later and later.pk,
    )
    return "arena:" + ":".join(map(str, parts))


def clock_of(stage: Stage, now: datetime | None = None) -> Clock:
    """The arena's time, and how many wait, pause and play."""
    row, moment = ArenaClock.objects.filter(stage=stage).first(), now or timezone.now()
    counts_late = stage.config["in_course"] == "count"
    if row is None:
        phase = "ready" if stage.tournament.is_running and not stage.annulled else "over"
        return Clock(phase, None, 0, 0, 0, 0, counts_late)
    active = Q(entrant__status=Entrant.Status.ACTIVE)
    count = present(stage).aggregate(
        waiting=Count("pk", filter=active & Q(paused=False, pairing__isnull=True)),
        paused=Count("pk", filter=active & Q(paused=True, pairing__isnull=True)),
    )
    in_course = undecided(stage).count()
    running = row.closed_at is None and stage.tournament.is_running
    closing = stage.tournament.is_running and in_course > 0
    return Clock(
        phase="running" if running else "closing" if closing else "over",
        ends_at=row.ends_at,
        seconds_left=max(0, int((row.ends_at - moment).total_seconds())) if running else 0,
        waiting=count["waiting"],
        paused=count["paused"],
        in_course=in_course,
        counts_late=counts_late,
    )


def own(stage: Stage, player: Player | None) -> Own:
    """How the player stands in the arena."""
    found = None if player is None or not player.pk else _entry(stage, player)
    if found is None:
        return Own("watch")
    line = next((each for each in standings(stage) if each.entrant_id == found.pk), None)
    if not stage.tournament.is_running:
        return Own("over", found, line=line)
    if not found.is_active:
        return Own("out", found, line=line)
    row = Presence.objects.filter(entrant=found).first()
    if row is None or not ArenaClock.objects.filter(stage=stage).exists():
        return Own("ready", found, line=line)
    if row.pairing_id is not None:
        word = "pausing" if row.paused else "playing"
        return Own(word, found, row.since, line, row.pairing_id)
    return Own("paused" if row.paused else "waiting", found, row.since, line)


def _entry(stage: Stage, player: Player) -> Entrant | None:
    mine = Q(entrant__player=player) | Q(entrant__partner=player)
    row = Seeding.objects.filter(mine, stage=stage).select_related("entrant").first()
    return None if row is None else row.entrant


def present(stage: Stage) -> QuerySet[Presence]:
    """The presences of the stage's entrants."""
    return Presence.objects.filter(entrant__tournament_id=stage.tournament_id)


def undecided(stage: Stage) -> QuerySet[Pairing]:
    """What is being played, or about to be."""
    return stage.pairings.exclude(status=Pairing.Status.DECIDED)


def matches(stage: Stage, inside: Collection[int] | None = None) -> QuerySet[Pairing]:
    """All matches there have been, the latest first; of those entrants alone, if they are named."""
    found = stage.pairings.order_by("-number")
    if inside is None:
        return found
    own = Slot.objects.filter(pairing__stage=stage, entrant__in=inside)
    return found.filter(pk__in=own.values("pairing"))


def running_games(stage: Stage, limit: int) -> list[Game]:
    """Tables that are open: of those with the best in the standings first. With their slots."""
    live = Game.objects.filter(pairing__stage=stage, over_at__isnull=True)
    found = list(_with_slots(live.exclude(pairing__status=Pairing.Status.DECIDED)))
    ranks = {line.entrant_id: at for at, line in enumerate(standings(stage))}
    best: dict[Any, int] = {
        game.pk: min(ranks.get(s.entrant_id or 0, 1 << 20) for s in game.pairing.slots.all())
        for game in found
    }
    return sorted(found, key=lambda game: (best[game.pk], game.pk))[:limit]


def recent_results(stage: Stage, limit: int) -> list[Result]:
    """What was decided lately, the latest first; each pairing once. With slots and games."""
    found = Result.objects.filter(pairing__stage=stage).exclude(
        outcome__in=[Result.Outcome.VOID, Result.Outcome.NOT_NEEDED]
    )
    wanted = (
        "pairing__slots__entrant__player",
        "pairing__slots__entrant__partner",
        "pairing__games",
    )
    rows = found.order_by("-pk").select_related("pairing").prefetch_related(*wanted)
    last: dict[int, Result] = {}
    for row in rows[: 2 * limit]:
        last.setdefault(row.pairing_id, row)
    return list(last.values())[:limit]


def _with_slots(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.select_related("pairing").prefetch_related(
        "pairing__slots__entrant__player", "pairing__slots__entrant__partner"
    )
