"""Double elimination: whoever has lost twice is out.

Losers of the winners' bracket drop into the losers' bracket, crossed over so that two who have met
meet again as late as can be: see `_crossing`. Its winner meets the winners' champion in the final,
and if it wins, once more (the option `reset_final`). Matches are numbered in the order of play,
places with a bye last, so that n entrants play matches 1 to 2n−2, and 2n−1 for the second final.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from tournaments.formats import elimination
from tournaments.formats.elimination import Draw, Drawing, Taken, first_round
from tournaments.formats.model import Field, Option, Plan, Step, Verdict

ID = "double_elimination"
RULES = "double_elimination/1"
MIN_SIZE = 2
MAX_SIZE = 1024
DRAWS = False
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {"reset_final": Option(True, (True, False))}


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """Both brackets and the final as they stand. Raises BadVerdict."""
    return elimination.fold(_draw_of(entrants), verdicts)


def steps(entrants: Field) -> Sequence[Step]:
    """The rounds of both brackets in the order of play, then the final."""
    return _draw_of(entrants).steps


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """The pairings that a pairing's winner and loser lead to, nearest first."""
    return elimination.dependents(_draw_of(entrants).places, number)


def _draw_of(entrants: Field) -> Draw:
    return _draw(entrants.size, bool(entrants.options.get("reset_final", True)))


@lru_cache(maxsize=64)
def _draw(entrants: int, reset_final: bool) -> Draw:
    if not MIN_SIZE <= entrants <= MAX_SIZE:
        raise ValueError(f"{entrants} entrants: double elimination takes 2 to {MAX_SIZE}.")
    drawing = Drawing()
    pairs = first_round(entrants)
    rounds = len(pairs).bit_length()
    drawing.round("winners", 1, pairs)
    if rounds > 1:
        drawing.round("losers", 1, _beaten(drawing, len(pairs)))
    for number in range(2, rounds + 1):
        matches = len(pairs) >> (number - 1)
        drawing.round("winners", number, _advanced(drawing, "winners", number - 1, matches))
        drawing.round("losers", 2 * number - 2, _dropped(drawing, number, matches, rounds))
        if number < rounds:
            last = 2 * number - 2
            drawing.round("losers", last + 1, _advanced(drawing, "losers", last, matches // 2))
    _finals(drawing, rounds, reset_final)
    return drawing.finished(_ranks(drawing, entrants, rounds))


def _beaten(drawing: Drawing, matches: int) -> list[tuple[Taken, Taken]]:
    """The losers of neighbouring matches of the first round."""
    return [
        (drawing.loser("winners", 1, at), drawing.loser("winners", 1, at + 1))
        for at in range(1, matches + 1, 2)
    ]


def _advanced(drawing: Drawing, part: str, above: int, matches: int) -> list[tuple[Taken, Taken]]:
    """The winners of neighbouring matches of the round before."""
    return [
        (drawing.winner(part, above, 2 * at - 1), drawing.winner(part, above, 2 * at))
        for at in range(1, matches + 1)
    ]


def _dropped(drawing: Drawing, number: int, matches: int, rounds: int) -> list[tuple[Taken, Taken]]:
    """Those left in the losers' bracket against the losers of a round of the winners' bracket."""
    cross = _crossing(number, rounds - number)
    return [
        (
            drawing.winner("losers", 2 * number - 3, at + 1),
            drawing.loser("winners", number, (at ^ cross) + 1),
        )
        for at in range(matches)
    ]


def _crossing(number: int, bits: int) -> int:
    """By which bits the positions of round `number`'s losers are flipped: the round's number,
    counted from 0, with its bits in reverse.

    Two who met in round r meet again where their ways through the losers' bracket join. Those ways
    differ first in the highest bit in which the flips of their two drops do, so flips that differ
    as high up as possible, for each two rounds, keep rematches for the end.

    >>> [format(_crossing(number, 3), "03b") for number in (1, 2, 3, 4, 5)]
    ['000', '100', '010', '110', '001']
    """
    return sum(1 << (bits - 1 - i) for i in range(bits) if (number - 1) >> i & 1)


def _finals(drawing: Drawing, rounds: int, reset_final: bool) -> None:
    champion = drawing.winner("winners", rounds, 1)
    below = 2 * rounds - 2
    challenger = drawing.winner("losers", below, 1) if below else drawing.loser("winners", 1, 1)
    drawing.round("final", 1, [(champion, challenger)])
    drawing.prize("final", 1, 1)
    if reset_final:
        again = drawing.loser("final", 1, 1), drawing.winner("final", 1, 1)
        drawing.round("final", 2, [again])
        drawing.prize("final", 2, 1)
        drawing.repeat(("final", 1, 1), ("final", 2, 1))


def _ranks(drawing: Drawing, entrants: int, rounds: int) -> dict[tuple[str, int], int]:
    """Below those who can still go on: 2, 3, 4, 5, 5, 7, 7 …"""
    ranks = {("final", 1): 2, ("final", 2): 2}
    rank = 3
    for number in range(2 * rounds - 2, 0, -1):
        ranks["losers", number] = min(rank, entrants)
        rank += drawing.matches_in("losers", number)
    return ranks | {("winners", number): entrants for number in range(1, rounds + 1)}
