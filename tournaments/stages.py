"""Stages one after another: which there are, what follows from them, and the event's places.

What follows is asked of the results each time, and never remembered beyond the stages themselves:
who goes on is cut from the table that people see (cases.md S7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet

from tournaments import board as boards
from tournaments import formats
from tournaments.board import Board
from tournaments.formats import model as fm
from tournaments.formats import onward
from tournaments.models import Entrant, Pairing, Result, Stage, Tournament


@dataclass(frozen=True, slots=True)
class Tie:
    """Entrants level across the cut of a stage, of whom only `places` go on; `group` 0 for all."""

    stage: Stage
    entrants: tuple[Entrant, ...]
    places: int
    group: int


@dataclass(frozen=True, slots=True)
class Following:
    """What follows from the stages there are: nothing yet, a tie to be broken, the next stage
    (which `step` of the event's plan, who is in it by seed), or the end (`over`).
    """

    over: bool = False
    tie: Tie | None = None
    step: int = 0
    cut_from: int = 0
    field: tuple[int, ...] = ()


def counting(tournament: Tournament) -> QuerySet[Stage]:
    """The stages that count, in order."""
    return tournament.stages.filter(annulled=False).order_by("number")


def current(tournament: Tournament) -> Stage | None:
    """The stage that is in course, or was the last; None before the start."""
    return counting(tournament).last()


def plan_of(tournament: Tournament, step: int) -> dict[str, Any] | None:
    """What the organiser has set for a stage after the first, `step` counted from 1."""
    later = tournament.later_stages
    return later[step - 1] if 1 <= step <= len(later) else None


def chain(tournament: Tournament, known: Board | None = None) -> list[Board]:
    """The boards of all stages that count, with the one that is known already."""
    if known is not None and not tournament.later_stages:
        return [known]
    return [
        known if known is not None and stage.pk == known.stage.pk else boards.load(stage)
        for stage in counting(tournament)
    ]


def following(chained: Sequence[Board], plans: Sequence[fm.Plan]) -> Following:
    """What follows from these stages and what the formats say of them."""
    if not plans[-1].over:
        return Following()
    at = _last_cut(chained)
    main = chained[at]
    tournament, step = main.stage.tournament, main.stage.step + 1
    wanted = plan_of(tournament, step)
    if wanted is None:
        return Following(over=True)
    gone = frozenset(s for s, e in main.entrants.items() if not e.is_active)
    return _cut(chained[at:], plans[at:], gone, wanted, step, main.stage.ties)


def first_wrong(chained: Sequence[Board], plans: Sequence[fm.Plan]) -> int | None:
    """Where the first stage stands that doesn't follow from those before it (any more)."""
    for at in range(1, len(chained)):
        stage = chained[at].stage
        if not plans[at - 1].over or not _follows(chained[: at + 1], plans[:at], stage):
            return at
    return None


def falling(board: Board, number: int, result: Result) -> list[Board]:
    """The later stages that would have to be annulled and made anew if this (unsaved) result
    counted for the pairing: the first one whose field it changes, and all after it.

    The pairings that follow from it in its own stage count as undecided, unless the same entrant
    goes on.
    """
    chained = chain(board.stage.tournament, board)
    at = next((i for i, each in enumerate(chained) if each is board), len(chained))
    if at + 1 >= len(chained):
        return []
    verdicts = board.verdicts()
    before, now = verdicts.get(number), board.verdict_of(number, result)
    verdicts[number] = now
    gone_on = None if before is None else before.kept or before
    moved = gone_on is None or board.sends(number, gone_on) != board.sends(number, now)
    if result.keeps is None and moved:
        for later in board.format.dependents(board.field, number):
            verdicts.pop(later, None)
    plans = [each.plan() for each in chained]
    plans[at] = board.format.plan(board.field, verdicts)
    wrong = first_wrong(chained, plans)
    return [] if wrong is None else chained[wrong:]


def tie_of(tournament: Tournament) -> Tie | None:
    """The tie that the event waits for, if it does."""
    if not tournament.is_running or not tournament.later_stages:
        return None
    last = current(tournament)
    if last is None or last.pairings.exclude(status=Pairing.Status.DECIDED).exists():
        return None
    chained = chain(tournament)
    return following(chained, [each.plan() for each in chained]).tie if chained else None


def marks(board: Board, *, late: bool) -> dict[int, str]:
    """Who of a stage goes on to the next, "through", and who does not, "out", by seed: as far as
    it is certain. Nobody is marked where no stage follows, or while people still come in (`late`).
    """
    stage, tournament = board.stage, board.stage.tournament
    wanted = plan_of(tournament, stage.step + 1)
    if wanted is None or stage.annulled or stage.is_play_off:
        return {}
    nexts = counting(tournament).filter(number__gt=stage.number)
    begun = next((each for each in nexts if each.step > stage.step), None)
    if begun is not None:
        inside = set(begun.seedings.values_list("entrant_id", flat=True))
        return {s: "through" if e.pk in inside else "out" for s, e in board.entrants.items()}
    if late or not tournament.is_running:
        return {}
    absent = frozenset(seed for seed, e in board.entrants.items() if not e.is_active)
    return onward.sure(board.fold(), wanted["take"], per_group=wanted["per_group"], absent=absent)


def places(
    chained: Sequence[Board], plans: Sequence[fm.Plan], *, over: bool
) -> dict[int, int | None]:
    """The event's places by entrant id: those of the last stage first, then those who did not go
    on to it by their rank in the stage before, and so on back to the first. Equal ranks share a
    place, and the next one is left out (1, 2, 2, 4). None for those still in, and for the
    disqualified, who leave no hole (cases.md S1).

    A play-off decides who goes on; who loses it keeps the rank of the stage it belongs to.
    """
    mains = [(b, p) for b, p in zip(chained, plans, strict=True) if not b.stage.is_play_off]
    found: dict[int, int | None] = {}
    for index, (board, plan) in enumerate(reversed(mains)):
        is_last = index == 0
        known = dict(plan.places) if over or not is_last or _is_final(board) else {}
        found |= _behind(board, known, found)
    return found


def origin(cut_from: int, step: int, entrants: Sequence[Entrant], **more: Any) -> dict[str, Any]:
    """What a new stage remembers of where its field was taken from."""
    word = Entrant.Status.DISQUALIFIED
    return {
        "stage": cut_from,
        "step": step,
        "out": sorted(e.pk for e in entrants if not e.is_active),
        "disqualified": sorted(e.pk for e in entrants if e.status == word),
        **more,
    }


def randomness(seed: str, salt: str) -> str:
    """The seed of a later stage, from the event's."""
    return sha256(f"{seed}|{salt}".encode()).hexdigest()[:32]


def _is_final(board: Board) -> bool:
    """Whether nothing follows the stage, so that who is out of it has its place."""
    return plan_of(board.stage.tournament, board.stage.step + 1) is None


def _behind(
    board: Board, known: Mapping[int, int], ahead: Mapping[int, int | None]
) -> dict[int, int | None]:
    """The places of those of a stage who are in none after it."""
    disqualified = Entrant.Status.DISQUALIFIED
    own = {s: e for s, e in board.entrants.items() if e.pk not in ahead}
    offset = sum(e.pk in ahead and e.status != disqualified for e in board.entrants.values())
    ranks = {
        seed: known[seed]
        for seed, entrant in own.items()
        if seed in known and entrant.status != disqualified
    }
    if not ahead:
        return {e.pk: ranks.get(seed) for seed, e in own.items()}
    return {
        entrant.pk: None
        if seed not in ranks
        else offset + 1 + sum(other < ranks[seed] for other in ranks.values())
        for seed, entrant in own.items()
    }


def _last_cut(chained: Sequence[Board]) -> int:
    """Where the last stage stands that is no play-off."""
    return max(i for i, each in enumerate(chained) if not each.stage.is_play_off)


def _follows(chained: Sequence[Board], plans: Sequence[fm.Plan], stage: Stage) -> bool:
    """Whether the last of these stages is what those before it lead to."""
    at = _last_cut(chained[:-1])
    main = chained[at]
    gone = frozenset(s for s, e in main.entrants.items() if e.pk in set(stage.origin["out"]))
    step = main.stage.step + 1
    wanted = plan_of(main.stage.tournament, step)
    if wanted is None or stage.origin["stage"] != main.stage.number:
        return False
    ties = [each for each in main.stage.ties if each["after"] < stage.number]
    found = _cut(chained[at:-1], plans[at:], gone, wanted, step, ties)
    field = tuple(e.pk for _seed, e in sorted(chained[-1].entrants.items()))
    if not stage.is_play_off:
        return stage.step == step and found.field == field
    asked = stage.origin["play_off"]
    return found.tie is not None and (
        tuple(e.pk for e in found.tie.entrants),
        found.tie.places,
        found.tie.group,
    ) == (field, asked["places"], asked["group"])


def _cut(
    chained: Sequence[Board],
    plans: Sequence[fm.Plan],
    gone: frozenset[int],
    wanted: Mapping[str, Any],
    step: int,
    ties: Sequence[Mapping[str, Any]],
) -> Following:
    """The cut of the first of these stages; the others are its play-offs."""
    main, plan = chained[0], plans[0]
    ids = {seed: entrant.pk for seed, entrant in main.entrants.items()}
    lot = onward.lot_of(f"{main.stage.tournament.seed}|{step}")
    way = onward.Way(
        wanted["take"],
        wanted["per_group"],
        wanted["seeding"],
        lambda seed: lot(ids[seed]),
        by_lot=wanted["ties"] == "lot",
    )
    found = onward.cut(plan, way, gone, _orders(chained, plans, gone, way, ties))
    if found.tie is not None:
        tied = tuple(main.entrants[seed] for seed in found.tie.seeds)
        return Following(tie=Tie(main.stage, tied, found.tie.places, found.tie.group), step=step)
    if len(found.through) < formats.get(wanted["format"]).MIN_SIZE:
        return Following(over=True)
    through = tuple(ids[seed] for seed in found.through)
    return Following(step=step, cut_from=main.stage.number, field=through)


def _orders(
    chained: Sequence[Board],
    plans: Sequence[fm.Plan],
    gone: frozenset[int],
    way: onward.Way,
    ties: Sequence[Mapping[str, Any]],
) -> list[onward.Order]:
    """How ties of the stage were broken: by play-offs, then by what people decided."""
    main = chained[0]
    seeds = {entrant.pk: seed for seed, entrant in main.entrants.items()}
    orders = []
    for board, plan in zip(chained[1:], plans[1:], strict=True):
        own = {seed: seeds[entrant.pk] for seed, entrant in board.entrants.items()}
        absent = frozenset(seed for seed, inside in own.items() if inside in gone)
        levels = onward.levels_of(sorted(plan.places.items()), absent)
        told = [[own[seed] for seed in level] for level in levels]
        orders.append(onward.Order(frozenset(s for level in told for s in level), told))
    for each in ties:
        inside = [seeds[pk] for pk in each["order"] if pk in seeds and seeds[pk] not in gone]
        ordered = sorted(inside, key=way.lot) if each["how"] == "lot" else inside
        orders.append(onward.Order(frozenset(inside), [[seed] for seed in ordered]))
    return orders
