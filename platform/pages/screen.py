"""What the projector shows: one screen after the other, each filled by the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from pages import pairings
from pages.bracket import trees_of
from pages.bracket_screens import screens
from pages.event_lines import state_line
from pages.look import KNOCKOUTS, Look
from pages.standings import Standings
from players import alphabet
from tournaments.models import Tournament

NAMES: Final = 36
TABLES: Final = 14
RANKS: Final = 10
EVERY: Final = (12, 5, 120)
"""Seconds a screen: unless told otherwise, at least, at most."""
Status = Tournament.Status


@dataclass(frozen=True, slots=True)
class Sheet:
    """One screen: which template, what is in it; `table` where its rows are standings."""

    kind: str
    title: str
    rows: Sequence[Any]
    number: int = 1
    of: int = 1
    table: Standings | None = None


def context(look: Look) -> dict[str, Any]:
    """Everything for pages/screen.html. `?show=` names the parts, `?every=` the seconds, `?page=`
    the screen, `?colours=light` the colours.
    """
    sheets = list(_sheets(look))
    asked = look.query.get("page", "")
    page = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1
    page = (page - 1) % len(sheets) + 1
    following = look.query.copy()
    following["page"] = str(page % len(sheets) + 1)
    return {
        "event": look.event,
        "look": look,
        "state_line": state_line(look),
        "sheet": sheets[page - 1],
        "standings": sheets[page - 1].table,
        "page": page,
        "pages": len(sheets),
        "next": f"?{following.urlencode()}",
        "every": _every(look),
        "light": look.query.get("colours") == "light",
        "ends_at": next((r.ends_at for r in reversed(look.drawn_rounds) if r.ends_at), None),
    }


def _every(look: Look) -> int:
    usual, least, most = EVERY
    asked = look.query.get("every", "")
    if not (asked.isascii() and asked.isdecimal()) or len(asked) > 4:
        return usual
    return min(max(int(asked), least), most)


def _sheets(look: Look) -> Iterator[Sheet]:
    """All screens of the parts that were asked for and have something to show; at least one."""
    makers = {
        "pairings": _by_name,
        "results": _by_table,
        "standings": _standings,
        "bracket": _bracket,
        "entrants": _entrants,
    }
    usual: tuple[str, ...] = ("pairings", "results", "standings")
    if look.stage is not None and look.stage.format in KNOCKOUTS:
        usual = ("pairings", "bracket", "standings")
    if not look.has_begun:
        usual = ("entrants",)
    if look.event.status == Status.FINISHED:
        usual = ("standings", "bracket" if "bracket" in usual else "results")
    asked = [part for part in look.query.get("show", "").split(",") if part in makers]
    found = [sheet for part in asked or usual for sheet in makers[part](look)]
    yield from found or [Sheet("wait", look.event.title, ())]


def _by_name(look: Look) -> Iterator[Sheet]:
    for shown in pairings.all_in_hand([each for _part, each in look.rounds]):
        rows = pairings.names(each for each in shown.meetings if not each.idle)
        yield from _cut("names", shown.title, rows, NAMES)


def _by_table(look: Look) -> Iterator[Sheet]:
    for shown in pairings.all_in_hand([each for _part, each in look.rounds]):
        rows = [each for each in pairings.by_table(shown.meetings) if not each.idle]
        yield from _cut("tables", shown.title, rows, TABLES)


def _bracket(look: Look) -> Iterator[Sheet]:
    """The part of a knockout that is being played, and what it leads to."""
    if look.stage is None or look.stage.format not in KNOCKOUTS:
        return
    shown = list(screens(trees_of(look.rounds)))
    for number, each in enumerate(shown, start=1):
        yield Sheet("bracket", each.title, each.columns, number, len(shown))


def _standings(look: Look) -> Iterator[Sheet]:
    title = _("Final standings") if look.event.status == Status.FINISHED else _("Standings")
    if look.standings is not None:
        for sheet in _cut("standings", title, look.standings.rows, RANKS):
            yield replace(sheet, table=look.standings.only(sheet.rows))
    elif look.event.status == Status.FINISHED:
        ranked = sorted((e for e in look.entrants if e.place), key=lambda e: (e.place or 0, e.pk))
        yield from _cut("ranks", title, ranked, NAMES)


def _entrants(look: Look) -> Iterator[Sheet]:
    inside = sorted(
        (entry for entry in look.entrants if entry.is_active),
        key=lambda entry: alphabet.key(entry.label),
    )
    yield from _cut("entrants", _("Entrants"), inside, NAMES)


def _cut(kind: str, title: str, rows: Sequence[Any], size: int) -> Iterator[Sheet]:
    of = -(-len(rows) // size)
    for number in range(of):
        part = rows[number * size : (number + 1) * size]
        yield Sheet(kind, title, part, number + 1, of)
