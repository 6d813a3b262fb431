"""Which ranks are still possible: bounds that no way of playing on can break.

They are sound, not always tight: that those who still play each other can't both win is not used.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

Ranks = Mapping[int, tuple[int, int]]


def possible_ranks(least: Mapping[int, int], most: Mapping[int, int]) -> Ranks:
    """The best and the worst rank of each, from the least and the most points it can end with.
    Those who may end level may end in either order.

    >>> possible_ranks({1: 24, 2: 12, 3: 0}, {1: 24, 2: 12, 3: 12})
    {1: (1, 1), 2: (2, 3), 3: (2, 3)}
    """
    lowest, highest = sorted(least.values()), sorted(most.values())
    size = len(least)
    return {
        seed: (
            1 + size - bisect_right(lowest, most[seed]),
            size - bisect_left(highest, least[seed]),
        )
        for seed in least
    }


def certain(ranks: tuple[int, int], places: int) -> str:
    """ "through" when the rank is sure to be among the first `places`, "out" when it is sure not
    to be, "" while both can be.
    """
    best, worst = ranks
    return "through" if worst <= places else "out" if best > places else ""
