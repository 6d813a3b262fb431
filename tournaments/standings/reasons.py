"""Why a rank: each criterion's sum with its parts, opponent by opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.standings import criteria
from tournaments.standings.cards import POINT, Cards, Encounter
from tournaments.standings.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Part:
    """One summand: of a round (0 for none), against whom, and how much.

    `kind`: "played", "unplayed" (nothing was played, also against an opponent), "dummy" (the
    stand-in for an opponent in such a round), "absent", "lot". `counts` is False for what is cut.
    """

    round: int
    opponents: tuple[int, ...]
    value: int
    kind: str = "played"
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Reason:
    """A criterion's value and its parts, which add up to it; `per` divides them (1, or 6 where
    parts are seventy-seconds). `value` is None where the criterion compares nobody.
    """

    key: str
    value: int | None
    parts: tuple[Part, ...]
    per: int = 1


def reasons(
    cards: Cards,
    keys: Sequence[str],
    seed: int,
    level: Sequence[int],
    *,
    randomness: str = "",
    cap: int = 0,
) -> list[Reason]:
    """The entrant's points and criteria in their order. `level` are those with as many points."""
    sheet = Sheet(cards, randomness=randomness, cap=cap)
    found = [_summed("points", _rounds(sheet, seed, lambda each: each.points))]
    for key in keys:
        if key == criteria.DIRECT:
            found.append(_direct(sheet, seed, level))
        else:
            found.append(_PARTS[key](sheet, seed))
    return found


def _summed(key: str, parts: Sequence[Part], per: int = 1) -> Reason:
    total = sum(part.value for part in parts if part.counts)
    return Reason(key, total // per, tuple(parts), per)


def _kind(each: Encounter) -> str:
    return "absent" if each.absent else "played" if each.played else "unplayed"


def _rounds(sheet: Sheet, seed: int, value: Callable[[Encounter], int]) -> list[Part]:
    return [
        Part(each.round, each.opponents, value(each), _kind(each))
        for each in sheet.cards[seed].encounters
    ]


def _units(sheet: Sheet, seed: int) -> list[Part]:
    card = sheet.cards[seed]
    return [
        part
        for each in card.encounters
        for part in (
            [Part(each.round, (one,), int(sheet.worth[sheet.at[one]])) for one in each.opponents]
            if each.played and each.opponents
            else [Part(each.round, each.opponents, sheet.dummy(card, each), "dummy")]
        )
    ]


def _cut(parts: Sequence[Part], *, highest: bool) -> list[Part]:
    """The lowest doesn't count, and the highest if so, where there is one besides."""
    kept = list(parts)
    picks: list[Callable[[list[int]], int]] = [
        lambda open_: min(open_, key=lambda at: kept[at].value)
    ]
    if highest:
        picks.append(lambda open_: max(open_, key=lambda at: kept[at].value))
    for pick in picks:
        open_ = [at for at, part in enumerate(kept) if part.counts]
        if open_:
            kept[pick(open_)] = replace(kept[pick(open_)], counts=False)
    return kept


def _sonneborn(sheet: Sheet, seed: int) -> Reason:
    """Parts are in 144ths of a point, so that they add up exactly."""
    parts = [
        Part(each.round, (one,), sheet.cards[one].points * each.points, _kind(each))
        for each in sheet.cards[seed].encounters
        for one in each.opponents
    ]
    return _summed("sonneborn", parts, POINT)


def _direct(sheet: Sheet, seed: int, level: Sequence[int]) -> Reason:
    if len(level) < 2:
        return Reason(criteria.DIRECT, None, ())
    against = criteria.met(sheet, seed, level)
    values = criteria.direct(sheet, level)
    parts = [Part(0, (one,), sum(points)) for one, points in sorted(against.items())]
    return Reason(criteria.DIRECT, None if values is None else values[seed], tuple(parts))


def _wins(sheet: Sheet, seed: int) -> Reason:
    def won(each: Encounter) -> int:
        first = each.points == POINT if each.won is None else each.won
        return int(bool(each.opponents) and first)

    return _summed("wins", _rounds(sheet, seed, won))


_PARTS: Mapping[str, Callable[[Sheet, int], Reason]] = {
    "wins": _wins,
    "scored": lambda sheet, seed: _summed("scored", _rounds(sheet, seed, lambda e: e.scored)),
    "difference": lambda sheet, seed: _summed("difference", _rounds(sheet, seed, sheet.lead)),
    "games": lambda sheet, seed: _summed("games", _rounds(sheet, seed, lambda e: e.games)),
    "buchholz": lambda sheet, seed: _summed("buchholz", _units(sheet, seed)),
    "buchholz_cut": lambda sheet, seed: _summed(
        "buchholz_cut", _cut(_units(sheet, seed), highest=False)
    ),
    "buchholz_median": lambda sheet, seed: _summed(
        "buchholz_median", _cut(_units(sheet, seed), highest=True)
    ),
    "sonneborn": _sonneborn,
    "strength": lambda sheet, seed: _summed(
        "strength",
        _rounds(sheet, seed, lambda e: criteria.table_strength(sheet, seed, e)),
        6,
    ),
    "lot": lambda sheet, seed: _summed("lot", [Part(0, (), sheet.ticket(seed), "lot")]),
}
