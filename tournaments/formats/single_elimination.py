"""Single elimination: whoever loses is out.

Seeds i and n+1−i meet, 1 and 2 only in the final; byes go to the top seeds. Matches are numbered
round by round, the places with a bye last, so that n entrants play matches 1 to n−1, and match n
for the third place if the organiser wants one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from tournaments.formats import elimination
from tournaments.formats.elimination import Draw, Drawing, first_round
from tournaments.formats.model import Field, Option, Plan, Step, Verdict

ID = "single_elimination"
RULES = "single_elimination/1"
MIN_SIZE = 2
MAX_SIZE = 1024
DRAWS = False
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {"third_place": Option(False, (True, False))}


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """The whole bracket as it stands. Raises BadVerdict."""
    return elimination.fold(_draw_of(entrants), verdicts)


def steps(entrants: Field) -> Sequence[Step]:
    """The rounds, the final last; the match for third place after it."""
    return _draw_of(entrants).steps


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """The pairings on the way from a pairing to the final, nearest first."""
    return elimination.dependents(_draw_of(entrants).places, number)


def _draw_of(entrants: Field) -> Draw:
    return _draw(entrants.size, bool(entrants.options.get("third_place", False)))


@lru_cache(maxsize=64)
def _draw(entrants: int, third_place: bool) -> Draw:
    if not MIN_SIZE <= entrants <= MAX_SIZE:
        raise ValueError(f"{entrants} entrants: single elimination takes 2 to {MAX_SIZE}.")
    drawing = Drawing()
    pairs = first_round(entrants)
    drawing.round("main", 1, pairs)
    rounds = len(pairs).bit_length()
    for number in range(2, rounds + 1):
        above = range(1, (len(pairs) >> (number - 2)) + 1, 2)
        drawing.round(
            "main",
            number,
            [
                (drawing.winner("main", number - 1, at), drawing.winner("main", number - 1, at + 1))
                for at in above
            ],
        )
    drawing.prize("main", rounds, 1)
    ranks = {("main", number): (1 << (rounds - number)) + 1 for number in range(1, rounds + 1)}
    if third_place and entrants > 3:
        semi_final = rounds - 1
        losers = drawing.loser("main", semi_final, 1), drawing.loser("main", semi_final, 2)
        drawing.round("third", 1, [losers])
        drawing.prize("third", 1, 3)
        ranks["third", 1] = 4
    return drawing.finished(ranks)
