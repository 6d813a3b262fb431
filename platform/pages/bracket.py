"""A bracket as the page shows it: rounds of matches, each with two sides and a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Match
from players.models import Player
from tournaments.board import Board
from tournaments.models import Entrant, Pairing, Result, Slot


@dataclass(frozen=True, slots=True)
class Side:
    """A place in a match. `text` stands in for a name while nobody is known or comes."""

    entrant: Entrant | None
    seed: int | None
    text: str
    score: str
    won: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match of the bracket; `url` leads to its table if there is one."""

    id: int
    number: int
    url: str
    live: bool
    decided: bool
    bye: bool
    say: str
    sides: tuple[Side, ...]
    mine: bool

    @property
    def can_be_decided(self) -> bool:
        return all(side.entrant is not None for side in self.sides)


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    title: str
    meetings: tuple[Meeting, ...]


def rounds_of(board: Board, viewer: Player | None) -> list[Round]:
    """The rounds, the first one first; in one query besides the board's own."""
    by_round: dict[int, list[Meeting]] = defaultdict(list)
    scores = _live_scores(board)
    ordered = sorted(board.pairings.values(), key=lambda each: (each.round.number, each.position))
    numbers = {pairing.pk: pairing.number for pairing in ordered}
    for pairing in ordered:
        by_round[pairing.round.number].append(_meeting(board, pairing, numbers, scores, viewer))
    return [
        Round(number, title_of(len(meetings)), tuple(meetings))
        for number, meetings in by_round.items()
    ]


def title_of(meetings: int) -> str:
    """A round's name by how many matches it has."""
    names = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return names.get(meetings) or _("Round of %(n)s") % {"n": 2 * meetings}


def _live_scores(board: Board) -> dict[str, list[int]]:
    live = [game.match_id for number in board.pairings if (game := board.live_game(number))]
    return dict(Match.objects.filter(pk__in=live).values_list("pk", "scores")) if live else {}


def _meeting(
    board: Board,
    pairing: Pairing,
    numbers: Mapping[int, int],
    scores: Mapping[str, list[int]],
    viewer: Player | None,
) -> Meeting:
    result = board.result(pairing.number)
    live = board.live_game(pairing.number)
    shown = _shown_scores(board, pairing, result, scores.get(live.match_id, []) if live else [])
    sides = tuple(
        _side(board, slot, numbers, result, shown[slot.index], viewer)
        for slot in board.slots[pairing.number]
    )
    games = board.games.get(pairing.number, [])
    table = live or (games[-1] if games else None)
    return Meeting(
        id=pairing.pk,
        number=pairing.number,
        url=reverse("pages:table", args=[table.match_id]) if table else "",
        live=live is not None,
        decided=result is not None,
        bye=any(slot.kind == Slot.Kind.BYE for slot in board.slots[pairing.number]),
        say=_say(pairing, result, live is not None),
        sides=sides,
        mine=any(side.mine for side in sides),
    )


def _shown_scores(
    board: Board, pairing: Pairing, result: Result | None, live: list[int]
) -> tuple[str, str]:
    """Points, or games won where more than one was played."""
    if live:
        return str(live[0]), str(live[1])
    if result is None:
        return "", ""
    played: list[Any] = result.games if len(board.counted_games(pairing.number)) > 1 else []
    values = played or result.scores or []
    was_played = len(values) == 2 and any(values)
    return (str(values[0]), str(values[1])) if was_played else ("", "")


def _side(
    board: Board,
    slot: Slot,
    numbers: Mapping[int, int],
    result: Result | None,
    score: str,
    viewer: Player | None,
) -> Side:
    seed = board.seed_of(slot.entrant_id)
    entrant = board.entrants[seed] if seed is not None else None
    return Side(
        entrant=entrant,
        seed=seed,
        text=_nobody_yet(slot, numbers),
        score=score,
        won=result is not None and entrant is not None and result.winner_id == entrant.pk,
        mine=viewer is not None and entrant is not None and entrant.player_id == viewer.pk,
    )


def _nobody_yet(slot: Slot, numbers: Mapping[int, int]) -> str:
    if slot.kind == Slot.Kind.BYE:
        return _("bye")
    if slot.kind == Slot.Kind.NOBODY:
        return _("nobody")
    if slot.kind == Slot.Kind.UNDECIDED and slot.source_id is not None:
        return _("Winner of match %(n)s") % {"n": numbers[slot.source_id]}
    return ""


def _say(pairing: Pairing, result: Result | None, live: bool) -> str:
    if live:
        return _("live")
    if result is None:
        return _("about to begin") if pairing.status == Pairing.Status.READY else ""
    outcome = Result.Outcome
    if result.outcome in (outcome.PLAYED, outcome.BYE):
        return ""
    return (
        f"{result.get_outcome_display()}: {result.reason}"
        if result.reason
        else str(result.get_outcome_display())
    )
