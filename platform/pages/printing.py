"""What is printed of an event: lists for the wall, slips for the tables, cards, the prizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from pages import pairings, prizes, qr, standings
from pages.bracket import Meeting, Round, Side
from pages.event_page import PAPERS as TITLES
from pages.look import Look
from pages.reporting import report_url
from players import alphabet
from tournaments.permissions import may
from tournaments.services.claiming import open_claims


@dataclass(frozen=True, slots=True)
class Slip:
    """What lies on a table: who plays, room for the result, and where to report it."""

    meeting: Meeting
    link: str
    code: SafeString


@dataclass(frozen=True, slots=True)
class Card:
    """A place card; `table` and `seat` are None for whoever rests. `codes` lead those who were
    entered by name to their own entry, by their names; on cards that officials print.
    """

    name: str
    table: int | None
    seat: int | None
    codes: tuple[tuple[str, SafeString], ...] = ()


@dataclass(frozen=True, slots=True)
class Paper:
    """Something to print: its template, and what it needs."""

    template: str
    content: Callable[[Look, HttpRequest], dict[str, Any]]
    by_round: bool = False


def chosen(look: Look) -> Round | None:
    """The round that was asked for, else the one in hand."""
    rounds = [each for _part, each in look.rounds]
    asked = look.query.get("round")
    found = next((each for each in rounds if str(each.number) == asked), None)
    return found or pairings.in_hand(rounds)


def _tables(look: Look, request: HttpRequest) -> dict[str, Any]:
    return {"meetings": pairings.by_table(_real(look))}


def _names(look: Look, request: HttpRequest) -> dict[str, Any]:
    return {"rows": pairings.names(_real(look))}


def _slips(look: Look, request: HttpRequest) -> dict[str, Any]:
    found = [each for each in pairings.by_table(_real(look)) if not each.bye and not each.decided]
    stage = 1 if look.stage is None else look.stage.number
    urls = [report_url(look.event, stage, each.number) for each in found]
    links = [request.build_absolute_uri(url) for url in urls]
    return {
        "slips": [Slip(each, link, qr.svg(link)) for each, link in zip(found, links, strict=True)]
    }


def _cards(look: Look, request: HttpRequest) -> dict[str, Any]:
    meetings = pairings.by_table(_real(look))
    codes = _codes(look, request)
    if meetings:
        return {"cards": [card for meeting in meetings for card in _cards_of(meeting, codes)]}
    inside = sorted(
        (entry for entry in look.entrants if entry.is_active),
        key=lambda entry: alphabet.key(entry.label),
    )
    return {
        "cards": [Card(entry.label, None, None, tuple(codes.get(entry.pk, ()))) for entry in inside]
    }


def _codes(look: Look, request: HttpRequest) -> dict[int, list[tuple[str, SafeString]]]:
    """The names and codes of claims, by entry, for who may hand them out."""
    found: dict[int, list[tuple[str, SafeString]]] = {}
    if may(look.event, look.viewer, "entrants"):
        for claim in open_claims(look.event):
            link = request.build_absolute_uri(reverse("pages:claim", args=[claim.key]))
            found.setdefault(claim.entrant_id, []).append((claim.player.name, qr.svg(link)))
    return found


def _cards_of(
    meeting: Meeting, codes: Mapping[int, list[tuple[str, SafeString]]]
) -> Iterator[Card]:
    seated: list[Side] = [side for side in meeting.sides if side.entrant is not None]
    for seat, side in enumerate(seated, 1):
        rests = meeting.bye
        table, at = (None, None) if rests else (meeting.table, seat)
        own = codes.get(side.entrant or 0, ())
        yield Card(side.text, table, at, tuple(own))


def _standings(look: Look, request: HttpRequest) -> dict[str, Any]:
    table: standings.Standings | None = look.standings
    ranks = sorted((e for e in look.entrants if e.place), key=lambda e: (e.place or 0, e.pk))
    return {"standings": table, "ranks": [] if table is not None else ranks}


def _prizes(look: Look, request: HttpRequest) -> dict[str, Any]:
    return {"prizes": prizes.prize_list(look.event.prizes, look.entrants)}


def _real(look: Look) -> list[Meeting]:
    """The meetings of the round, without those that were not needed."""
    shown = chosen(look)
    return [] if shown is None else [each for each in shown.meetings if not each.idle]


TITLE: Final = dict(TITLES)
PAPERS: Final[dict[str, Paper]] = {
    "tables": Paper("pages/print/tables.html", _tables, by_round=True),
    "names": Paper("pages/print/names.html", _names, by_round=True),
    "slips": Paper("pages/print/slips.html", _slips, by_round=True),
    "cards": Paper("pages/print/cards.html", _cards, by_round=True),
    "standings": Paper("pages/print/standings.html", _standings),
    "prizes": Paper("pages/print/prizes.html", _prizes),
}
