"""What separates entrants who are level: one function a criterion, higher is better.

A criterion gets all cards and the seeds that are level, and gives each of those a value; None when
it can't compare them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from tournaments.standings.cards import POINT, Card, Cards, Encounter

Values = Mapping[int, int]
Criterion = Callable[[Cards, Sequence[int]], Values | None]


def wins(cards: Cards, level: Sequence[int]) -> Values:
    return {seed: cards[seed].wins for seed in level}


def direct(cards: Cards, level: Sequence[int]) -> Values | None:
    """The points that those who are level made against each other, if all of them have met."""
    inside = set(level)
    among = {
        seed: [each for each in cards[seed].encounters if not inside.isdisjoint(each.opponents)]
        for seed in level
    }
    met = {seed: {one for each in among[seed] for one in each.opponents} for seed in level}
    if any(not inside - {seed} <= met[seed] for seed in level):
        return None
    return {seed: sum(each.points for each in found) for seed, found in among.items()}


def sonneborn(cards: Cards, level: Sequence[int]) -> Values:
    """The points of those beaten, in twelfths, and of others by the share taken from them."""
    return {
        seed: sum(
            cards[opponent].points * each.points // POINT
            for each in cards[seed].encounters
            for opponent in each.opponents
        )
        for seed in level
    }


def difference(cards: Cards, level: Sequence[int]) -> Values:
    """Points scored at the table less those conceded."""
    return {
        seed: sum(each.scored - each.conceded for each in cards[seed].encounters) for seed in level
    }


def scored(cards: Cards, level: Sequence[int]) -> Values:
    """Points scored at the table."""
    return {seed: sum(each.scored for each in cards[seed].encounters) for seed in level}


def strength(cards: Cards, level: Sequence[int]) -> Values:
    """The points of the opponents, in twelfths, averaged over each table, so that tables of three
    and of four compare; an unplayed round is one against somebody like oneself.
    """
    return {
        seed: sum(
            sum(6 * cards[one].points for one in each.opponents) // len(each.opponents)
            if each.opponents
            else 6 * cards[seed].points
            for each in cards[seed].encounters
        )
        // 6
        for seed in level
    }


def buchholz(cards: Cards, level: Sequence[int]) -> Values:
    """The points of all opponents, in twelfths; an unplayed round is one against a dummy."""
    return {seed: sum(_opponents(cards, cards[seed])) for seed in level}


def buchholz_cut(cards: Cards, level: Sequence[int]) -> Values:
    """The same without the lowest."""
    return {seed: sum(sorted(_opponents(cards, cards[seed]))[1:]) for seed in level}


def buchholz_median(cards: Cards, level: Sequence[int]) -> Values:
    """The same without the lowest and the highest."""
    return {seed: sum(sorted(_opponents(cards, cards[seed]))[1:-1]) for seed in level}


CRITERIA: Mapping[str, Criterion] = {
    "wins": wins,
    "direct": direct,
    "sonneborn": sonneborn,
    "difference": difference,
    "scored": scored,
    "strength": strength,
    "buchholz": buchholz,
    "buchholz_cut": buchholz_cut,
    "buchholz_median": buchholz_median,
}


def _opponents(cards: Cards, card: Card) -> list[int]:
    return [
        worth
        for each in card.encounters
        for worth in (
            [_worth(cards[opponent]) for opponent in each.opponents]
            if each.played and each.opponents
            else [_dummy(cards, card, each)]
        )
    ]


def _dummy(cards: Cards, card: Card, unplayed: Encounter) -> int:
    """FIDE C.07 of March 2026: the smallest of the entrant's own points, those of the opponent
    there was to be, and half a point a round.
    """
    bounds = [card.points, len(card.encounters) * POINT // 2]
    bounds += [_worth(cards[opponent]) for opponent in unplayed.opponents]
    return min(bounds)


def _worth(card: Card) -> int:
    """What an opponent counts: rounds that it was absent from to the end are half a point each."""
    left = list(takewhile(lambda each: each.absent, reversed(card.encounters)))
    return card.points - sum(each.points for each in left) + len(left) * POINT // 2
