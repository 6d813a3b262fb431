"""What a round was drawn from: written down with it, so that it can be drawn again and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from tournaments.board import Board
from tournaments.formats import model as fm
from tournaments.models import Result, Round

Inputs = tuple[fm.Field, dict[int, fm.Verdict]]


def inputs(board: Board, seed: str) -> Inputs:
    """What the next round is drawn from, as the board stands, with that randomness."""
    return replace(board.field, randomness=seed), board.verdicts()


def facts(board: Board, number: int, seed: str) -> dict[str, Any]:
    """What is kept with the round of that number, as plain data: by what it is drawn, a hash of
    all it is drawn from, and what of that could not be found again later.
    """
    entrants, verdicts = inputs(board, seed)
    return {
        "rules": board.stage.rules_id,
        "engine": engine(board),
        "seed": seed,
        "input": digest(entrants, verdicts, number),
        "size": entrants.size,
        "out": sorted(entrants.out),
        "rests": sorted([*key, worth] for key, worth in _rests(entrants, number).items()),
        "avoid": sorted(map(list, entrants.avoid)),
        "results": max((result.pk for result in board.results.values()), default=0),
    }


def engine(board: Board) -> str:
    """What draws the board's rounds: the format's ENGINE, of those without one their RULES."""
    return str(getattr(board.format, "ENGINE", board.format.RULES))


def digest(entrants: fm.Field, verdicts: Mapping[int, fm.Verdict], number: int) -> str:
    """A hash of all that the round of that number is drawn from."""
    meetings = [(m.number, m.round, m.position, m.seeds, m.sides) for m in entrants.drawn]
    said = [(n, v.winner, v.scores, v.played, v.places) for n, v in sorted(verdicts.items())]
    parts = (
        number,
        entrants.size,
        entrants.randomness,
        sorted(entrants.options.items()),
        sorted(entrants.out),
        sorted(_rests(entrants, number).items()),
        sorted(entrants.avoid),
        entrants.criteria,
        meetings,
        said,
    )
    return sha256(repr(parts).encode()).hexdigest()


def again(board: Board, row: Round) -> tuple[fm.Meeting, ...] | None:
    """A stored round, drawn again from what it was drawn from; None where that isn't known any
    more: it was drawn by another version, or changed by hand.
    """
    kept, own = row.draw, [m for m in board.drawn if m.round == row.number]
    if not isinstance(board.format, fm.DrawnFormat) or kept.get("engine") != engine(board):
        return None
    by_hand = any(str(m.because.get("rule", "")).startswith("manual") for m in own)
    if by_hand or kept.get("manual"):
        return None
    found = _inputs_then(board, row)
    if digest(*found, row.number) != kept["input"]:
        return None
    return board.format.draw(*found)


def _inputs_then(board: Board, row: Round) -> Inputs:
    kept = row.draw
    entrants = replace(
        board.field,
        randomness=kept["seed"],
        size=kept["size"],
        out=frozenset(kept["out"]),
        drawn=tuple(m for m in board.drawn if m.round < row.number),
        rests={(number, seed): worth for number, seed, worth in kept["rests"]},
        avoid=frozenset((one, other) for one, other in kept["avoid"]),
    )
    results: dict[int, Result] = {}
    then = Result.objects.filter(pairing__stage=board.stage, pk__lte=kept["results"])
    for result in then.select_related("pairing").order_by("version"):
        results[result.pairing.number] = result
    return entrants, {
        number: board.verdict_of(number, result)
        for number, result in results.items()
        if result.counts
    }


def _rests(entrants: fm.Field, number: int) -> dict[tuple[int, int], int]:
    """Those that bear on the round: its own and earlier ones."""
    return {key: worth for key, worth in entrants.rests.items() if key[0] <= number}
