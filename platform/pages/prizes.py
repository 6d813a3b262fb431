"""The prize list: what the organiser wrote, and who it goes to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _

from tournaments.models import Entrant

LINE: Final = re.compile(
    r"^\s*(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?(?:st|nd|rd|th)?\s*(?::|[.)]\s)\s*(\S.*?)\s*$"
)
AMOUNT: Final = re.compile(r"\d+(?:[.,]\d{1,2})?")
MOST_PLACES: Final = 1000


@dataclass(frozen=True, slots=True)
class Given:
    """What one entrant gets; `note` says how it was shared."""

    place: int
    entrant: Entrant
    prize: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes by place, and the lines that name no place, for the organiser to give."""

    given: tuple[Given, ...]
    others: tuple[str, ...]


def by_place(text: str) -> tuple[dict[int, str], list[str]]:
    """The prizes by place, and the lines that name none.

    >>> by_place("1: 100 €\\n2-3: 20 €\\nBest newcomer: a book")
    ({1: '100 €', 2: '20 €', 3: '20 €'}, ['Best newcomer: a book'])
    """
    prizes: dict[int, str] = {}
    others: list[str] = []
    for line in text.splitlines():
        found = LINE.match(line)
        first = int(found[1]) if found else 0
        last = int(found[2] or found[1]) if found else 0
        if found is None or not 1 <= first <= last <= MOST_PLACES:
            others += [line.strip()] if line.strip() else []
            continue
        for place in range(first, last + 1):
            prizes.setdefault(place, found[3])
    return prizes, others


def prize_list(text: str, entrants: Iterable[Entrant]) -> PrizeList:
    """Who gets what. Those who share a place share the prizes of the places they take up."""
    prizes, others = by_place(text)
    placed = sorted((e for e in entrants if e.place), key=lambda e: (e.place or 0, e.label))
    given: list[Given] = []
    for place, group in groupby(placed, key=lambda entry: entry.place or 0):
        sharing = list(group)
        due = [prizes[p] for p in range(place, place + len(sharing)) if p in prizes]
        if due:
            prize, note = shared(due, len(sharing))
            given += [Given(place, entry, prize, note) for entry in sharing]
    return PrizeList(tuple(given), tuple(others))


def shared(prizes: Sequence[str], among: int) -> tuple[str, str]:
    """What each gets of the prizes, and how that came about.

    The sum is split evenly where each prize is one number with the same words around it; cents that
    can't be split are left. Anything else is for the organiser to share.

    >>> shared(["60 €", "20 €"], 2)
    ('40 €', '60 € + 20 €, shared by 2')
    >>> shared(["100 €", "50 €", "20 €"], 3)[0]
    '56.66 €'
    >>> shared(["a book", "a pen"], 2)
    ('a book + a pen', 'to be shared by 2: the organiser decides how')
    """
    if among == 1:
        return prizes[0], ""
    sum_text = " + ".join(prizes)
    amounts = [AMOUNT.findall(prize) for prize in prizes]
    frames = {AMOUNT.sub("#", prize) for prize in prizes}
    if len(frames) != 1 or any(len(found) != 1 for found in amounts):
        return sum_text, _("to be shared by %(n)s: the organiser decides how") % {"n": among}
    total = sum((Decimal(found[0].replace(",", ".")) for found in amounts), Decimal(0))
    share = (total * 100 // among) / 100
    figure = f"{share:.2f}".removesuffix(".00")
    if any("," in found[0] for found in amounts):
        figure = figure.replace(".", ",")
    note = _("%(sum)s, shared by %(n)s") % {"sum": sum_text, "n": among}
    return frames.pop().replace("#", figure), note
