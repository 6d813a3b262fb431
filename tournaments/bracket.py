"""A bracket as data, for the API and for whoever draws it: one function, one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.models import Match
from tournaments import stages
from tournaments.board import Board, load_some
from tournaments.formats import arena
from tournaments.formats.model import Step
from tournaments.models import Pairing, Result, Slot, Stage, Tournament
from tournaments.tally import games_won
from tournaments.visibility import Viewer, board_for


def bracket(
    tournament: Tournament, number: int | None = None, viewer: Viewer = None
) -> list[dict[str, Any]]:
    """The rounds of a stage, first to last; of the one in course, or the last, if none is named.
    Empty before the start. Drafts are among them for a viewer who may know them.

    A round: ``{"number": 1, "name": "semi-final", "part": "main", "status": "started",
    "pairings": [pairing…]}``; the parts are those of formats.model.Step. A pairing::

        {"id": 12, "number": 5, "position": 1, "table": 7,
         "status": "waiting|ready|live|decided",
         "why": {"rule": "winners", "of": [1, 2]}, "group": 0,
         "slots": [slot, slot],
         "result": null | {"version": 1, "outcome": "played", "winner": 0 | 1 | null,
                           "games": [1, 0], "scores": [150, 95], "places": [],
                           "forfeits": [], "why": "" | the rule that decided,
                           "reason": "" | a person's own, "by": null | name,
                           "kept": null | the name of who had gone on before a correction,
                           and stays in the later matches ("" for nobody)},
         "live": null | {"match": id, "game": 2, "games": [1, 0], "scores": [35, 20],
                         "begun": true},
         "matches": [{"match": id, "game": 1, "winner": 0, "scores": [150, 95],
                      "reason": "target", "void": false}]}

    A slot: ``{"kind": "entrant|bye|undecided|nobody", "text": "Marta" | "Winner of match 1",
    "source": null | number, "takes": null | "winner" | "loser" | "rank", "rank": null | 2,
    "entrant": id | null, "seed": 1 | null, "player": handle | null, "partner": handle | null,
    "side": 0, "bot": false, "status": "active" | null, "advances": null | true | false}``.
    Winners, games, scores and places are by side; forfeits are sides. `rank` is that of who goes on
    from a table as its first, second or third; `advances` is known of a decided table from which
    several go on.
    """
    if number is None:
        stage = stages.current(tournament)
    else:
        stage = tournament.stages.filter(number=number).first()
    return [] if stage is None else rounds_of(board_for(stage, viewer))


def rounds_of(board: Board) -> list[dict[str, Any]]:
    """The same, from a board as its viewer sees it (visibility.board_for)."""
    every = {each["number"]: each for each in shown(board, list(board.pairings.values()))}
    return [
        {
            "number": step.number,
            "name": step_name(step),
            "part": step.part,
            "status": pairings[0].round.status,
            "pairings": [every[pairing.number] for pairing in pairings],
        }
        for step, pairings in by_step(board)
    ]


def pairings_of(stage: Stage, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Some pairings of a stage, in the order of the numbers: the same shape, little of it read."""
    board = load_some(stage, numbers)
    return shown(board, [board.pairings[number] for number in numbers])


def by_step(board: Board) -> list[tuple[Step, list[Pairing]]]:
    """The rounds that there are, first to last, with their pairings in the order of the tables."""
    return board.once("by_step", lambda: _by_step(board))


def _by_step(board: Board) -> list[tuple[Step, list[Pairing]]]:
    found: dict[int, list[Pairing]] = {}
    for pairing in sorted(board.pairings.values(), key=lambda each: each.position):
        found.setdefault(pairing.round.number, []).append(pairing)
    return [(step, found[step.number]) for step in board.steps() if step.number in found]


def shown(board: Board, pairings: Sequence[Pairing]) -> list[dict[str, Any]]:
    """Pairings of a board, each in the shape that `bracket` describes."""
    numbers = board.once("numbers", lambda: {p.pk: p.number for p in board.pairings.values()})
    onward = board.once("onward", lambda: _onward(board))
    live = _live_cards(board, pairings)
    found = [_pairing(board, pairing, numbers, live) for pairing in pairings]
    for pairing, each in zip(pairings, found, strict=True):
        for slot in each["slots"]:
            slot["advances"] = _advances(each, slot, onward.get(pairing.pk))
    return found


def round_name(stage: Stage, number: int) -> str:
    """What a round of a stage is called."""
    return round_title(stage, round_step(stage, number))


def round_title(stage: Stage, step: Step) -> str:
    """The same where its step is known; an arena has no rounds to tell apart."""
    return _("Arena") if stage.format == arena.ID else step_name(step)


def round_step(stage: Stage, number: int) -> Step:
    """Where in its stage a round stands."""
    steps = {step.number: step for step in Board(stage).steps()}
    # An arena has no steps: its rounds are as many as its time makes them.
    return steps.get(number) or Step(number, "rounds", number, number)


def step_name(step: Step) -> str:
    """What a round is called: by its part, and by how far it is from the end."""
    facts = {"number": step.ordinal}
    if step.part == "third":
        return _("match for third place")
    if step.part == "final":
        return _("final") if step.ordinal == 1 else _("second final")
    if step.part == "losers":
        last = step.ordinal == step.of
        return _("losers’ final") if last else _("losers’ round %(number)d") % facts
    if step.part == "winners":
        last = step.ordinal == step.of
        return _("winners’ final") if last else _("winners’ round %(number)d") % facts
    if step.part == "tables" and step.of - step.ordinal > 1:
        return _("round %(number)d") % facts
    if step.part in ("main", "tables"):
        names = {0: _("final"), 1: _("semi-final"), 2: _("quarter-final")}
        return names.get(step.of - step.ordinal) or _("round %(number)d") % facts
    return _("round %(number)d") % facts


def _onward(board: Board) -> dict[int, set[int | None]]:
    """Who has come on to later places, by the id of the table they came from."""
    found: dict[int, set[int | None]] = {}
    for slot in (slot for slots in board.slots.values() for slot in slots):
        if slot.source_id is not None and slot.takes == Slot.Takes.RANK:
            found.setdefault(slot.source_id, set()).add(slot.entrant_id)
    return found


def _advances(
    shown: dict[str, Any], slot: dict[str, Any], onward: set[int | None] | None
) -> bool | None:
    """Whether who is in a place goes on; None where it isn't known or nobody does."""
    known = onward is not None and shown["result"] is not None and slot["entrant"] is not None
    return slot["entrant"] in onward if known and onward is not None else None


def slot_text(board: Board, slot: Slot, numbers: dict[int, int]) -> str:
    """What stands in a place that has no entrant; `numbers` are pairing numbers by id.

    Who comes by way of a bye comes from the match before it.
    """
    if slot.kind == Slot.Kind.BYE:
        return _("bye")
    if slot.kind == Slot.Kind.NOBODY:
        return _("nobody")
    if slot.source_id is not None:
        before = board.slots[numbers[slot.source_id]]
        if any(other.kind == Slot.Kind.BYE for other in before):
            through = next(other for other in before if other.kind != Slot.Kind.BYE)
            return slot_text(board, through, numbers)
        facts = {"number": numbers[slot.source_id]}
        if slot.takes == Slot.Takes.LOSER:
            return _("Loser of match %(number)d") % facts
        if slot.takes == Slot.Takes.RANK:
            return _of_table(slot.rank) % facts
        return _("Winner of match %(number)d") % facts
    return _("to be decided")


def _of_table(rank: int) -> str:
    return {
        1: _("First of match %(number)d"),
        2: _("Second of match %(number)d"),
    }.get(rank) or _("Third of match %(number)d")


def _live_cards(board: Board, pairings: Sequence[Pairing]) -> dict[str, Match]:
    games = (game for pairing in pairings for game in board.games.get(pairing.number, ()))
    ids = [game.match_id for game in games if not game.over_at]
    return Match.objects.in_bulk(ids) if ids else {}


def _pairing(
    board: Board, pairing: Pairing, numbers: dict[int, int], live: dict[str, Match]
) -> dict[str, Any]:
    number = pairing.number
    return {
        "id": pairing.pk,
        "number": number,
        "position": pairing.position,
        "table": pairing.table or pairing.position,
        "status": pairing.status,
        "why": pairing.why,
        "group": pairing.why.get("group", 0),
        "slots": [_slot(board, slot, numbers) for slot in board.slots[number]],
        "result": _result(board, number, board.result(number)),
        "live": _live(board, number, live),
        "matches": [
            {
                "match": game.match_id,
                "game": game.number,
                "winner": game.winner,
                "scores": game.scores,
                "reason": game.reason,
                "void": game.void,
            }
            for game in board.games.get(number, ())
            if game.over_at
        ],
    }


def _slot(board: Board, slot: Slot, numbers: dict[int, int]) -> dict[str, Any]:
    seed = board.seed_of(slot.entrant_id)
    entrant = board.entrants[seed] if seed is not None else None
    partner = entrant.partner if entrant is not None else None
    return {
        "kind": slot.kind,
        "text": entrant.label if entrant is not None else slot_text(board, slot, numbers),
        "source": numbers[slot.source_id] if slot.source_id is not None else None,
        "takes": slot.takes if slot.source_id is not None else None,
        "rank": slot.rank if slot.takes == Slot.Takes.RANK else None,
        "entrant": slot.entrant_id,
        "seed": seed,
        "player": entrant.player.handle if entrant is not None else None,
        "partner": partner.handle if partner is not None else None,
        "side": slot.side,
        "bot": entrant is not None and entrant.player.is_bot,
        "status": entrant.status if entrant is not None else None,
    }


def _result(board: Board, number: int, result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    winner = board.side_of(number, board.seed_of(result.winner_id))
    return {
        "version": result.version,
        "outcome": result.outcome,
        "winner": winner,
        "games": result.games,
        "scores": result.scores,
        "places": result.places,
        "forfeits": result.forfeits,
        "why": result.why,
        "reason": result.reason,
        "by": result.by.name if result.by is not None else None,
        "kept": _kept(board, result),
    }


def _kept(board: Board, result: Result) -> str | None:
    if result.keeps is None:
        return None
    seed = board.seed_of(result.keeps.winner_id)
    return "" if seed is None else board.entrants[seed].label


def _live(board: Board, number: int, live: dict[str, Match]) -> dict[str, Any] | None:
    game = board.live_game(number)
    if game is None:
        return None
    card = live[game.match_id]
    return {
        "match": game.match_id,
        "game": game.number,
        "games": games_won(board.counted_games(number)) or [0] * len(board.sides(number)),
        "scores": card.told_scores,
        "begun": not card.is_open,
    }
