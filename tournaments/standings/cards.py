"""What an entrant has done, round by round: what every criterion is computed from.

Points are whole numbers in twelfths, so that shares of two, three or four stay exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

POINT = 12


class Encounter(NamedTuple):
    """A round of an entrant. There are no `opponents` in a bye and in a round that the entrant was
    `absent` from; `played` is False when nothing was played, also against an opponent. `conceded`
    is what the opponents scored, added up; `partner` who played on the same side. `won` says who
    came first where a win is not worth one point; `games` how many of several it won.
    """

    round: int
    opponents: tuple[int, ...]
    points: int
    played: bool
    scored: int = 0
    conceded: int = 0
    absent: bool = False
    partner: int | None = None
    won: bool | None = None
    games: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """All rounds of an entrant that count."""

    seed: int
    encounters: tuple[Encounter, ...]

    @property
    def points(self) -> int:
        return sum(each.points for each in self.encounters)

    @property
    def wins(self) -> int:
        """Rounds won against an opponent, by play or not."""
        return sum(
            bool(each.opponents) and (each.points == POINT if each.won is None else each.won)
            for each in self.encounters
        )


Cards = Mapping[int, Card]
