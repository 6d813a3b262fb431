"""Random rounds for the layout: only which end each tile went to, and whether it was a double."""

from __future__ import annotations

import random
from collections.abc import Iterator

Move = tuple[str | None, bool]
SET = [(high, low) for high in range(7) for low in range(high + 1)]


def random_round(
    chance: random.Random, *, spinner: bool, any_lead: bool, everything: bool
) -> list[Move]:
    """A round by players who lay any tile that fits.

    `everything`: one player lays as much of the set as fits.
    """
    seats = 1 if everything else chance.choice([2, 3, 4])
    tiles = chance.sample(SET, len(SET))
    size = 28 if everything else {2: 7, 3: 6, 4: 5}[seats]
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(seats)]
    boneyard = tiles[seats * size :]
    turn, lead = _lead(chance, hands, any_lead)
    hands[turn].remove(lead)
    line = _Line(lead, spinner)
    moves: list[Move] = [(None, lead[0] == lead[1])]
    favourite = chance.choice([None, "left", "up"])
    passes = 0
    while hands[turn] and passes <= seats:
        turn = (turn + 1) % seats
        fitting = list(line.fitting(hands[turn]))
        while not fitting and boneyard:
            hands[turn].append(boneyard.pop())
            fitting = list(line.fitting(hands[turn]))
        if not fitting:
            passes += 1
            continue
        passes = 0
        tile, end = chance.choice([move for move in fitting if move[1] == favourite] or fitting)
        hands[turn].remove(tile)
        line.lay(tile, end)
        moves.append((end, tile[0] == tile[1]))
    return moves


def _lead(
    chance: random.Random, hands: list[list[tuple[int, int]]], any_lead: bool
) -> tuple[int, tuple[int, int]]:
    if any_lead:
        turn = chance.randrange(len(hands))
        return turn, chance.choice(hands[turn])
    lead = max(
        (tile for hand in hands for tile in hand), key=lambda tile: (tile[0] == tile[1], sum(tile))
    )
    return next(seat for seat, hand in enumerate(hands) if lead in hand), lead


class _Line:
    def __init__(self, lead: tuple[int, int], spinner: bool) -> None:
        self.ends = {"left": lead[0], "right": lead[1]}
        self.awaits = spinner
        self.open_arms(lead)

    def open_arms(self, tile: tuple[int, int]) -> None:
        if self.awaits and tile[0] == tile[1]:
            self.awaits = False
            self.ends |= {"up": tile[0], "down": tile[0]}

    def fitting(self, hand: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], str]]:
        return ((tile, end) for tile in hand for end, pips in self.ends.items() if pips in tile)

    def lay(self, tile: tuple[int, int], end: str) -> None:
        self.ends[end] = tile[0] if self.ends[end] == tile[1] else tile[1]
        self.open_arms(tile)


def abstract_sequence(chance: random.Random, *, spinner: bool, length: int) -> list[Move]:
    """Any order of ends and doubles, longer than any set, but no double behind a double."""
    doubles = chance.uniform(0.05, 0.9)
    weight = {end: chance.random() ** 3 for end in ("left", "right", "up", "down")}
    moves: list[Move] = [(None, chance.random() < 0.5)]
    behind = dict.fromkeys(("left", "right"), moves[0][1])
    if spinner and moves[0][1]:
        behind |= {"up": True, "down": True}
    while len(moves) < length:
        end = chance.choices(list(behind), [weight[each] for each in behind])[0]
        double = not behind[end] and chance.random() < doubles
        behind[end] = double
        if spinner and double and len(behind) == 2:
            behind |= {"up": True, "down": True}
        moves.append((end, double))
    return moves
