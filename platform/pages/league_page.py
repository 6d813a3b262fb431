"""A league's page, and the page on which its next season is confirmed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from pages import standings, words
from players.models import Player
from tournaments import leagues
from tournaments.leagues import DivisionLook, Place
from tournaments.models import League, Season
from tournaments.standings.divisions import Outlook

MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a division's table; `mark` says where it leads, `sure` whether that is certain."""

    row: standings.Line
    way: str
    mark: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A division as it stands."""

    number: int
    url: str
    columns: tuple[standings.Column, ...]
    lines: tuple[Line, ...]


def context(league: League, viewer: Player | None) -> dict[str, Any]:
    """Everything for pages/league.html."""
    season = leagues.current_season(league)
    entry = leagues.entry_of(league, viewer)
    is_over = season is not None and leagues.is_over(season)
    waiting = leagues.waiting(league)
    return {
        "league": league,
        "game": words.preset(league.settings.get("rules", {}).get("preset", "allfives")),
        "season": season,
        "is_over": is_over,
        "is_past": season is not None and season.ends_on < dt.datetime.now(dt.UTC).date(),
        "tables": [] if season is None else _tables(season),
        "archive": [_season(each) for each in leagues.archive(league)],
        "waiting": waiting,
        "own": [] if season is None else leagues.own_matches(season, viewer),
        "is_in": entry is not None and not entry.leaving,
        "is_leaving": entry is not None and entry.leaving,
        "runs_it": leagues.may_run(league, viewer),
        "may_begin": season is None or is_over,
        "enough": len(waiting) > 1 or season is not None,
    }


def next_context(league: League) -> dict[str, Any]:
    """Everything for pages/league_next.html."""
    places = leagues.proposal(league)
    season = leagues.current_season(league)
    last = max((place.division for place in places), default=1)
    return {
        "league": league,
        "number": 1 if season is None else season.number + 1,
        "may_begin": season is None or leagues.is_over(season),
        "places": [(place, _before(place)) for place in places],
        "choices": range(1, min(MOST, last + 1) + 1),
        "any_level": any(place.level for place in places),
    }


def chosen(data: Mapping[str, str], places: Sequence[Place]) -> list[list[int]]:
    """The divisions as they were typed, each in the proposed order; none is left out between."""
    by_number: dict[int, list[int]] = {}
    for place in places:
        text = data.get(f"division-{place.player.pk}", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
        by_number.setdefault(number or place.division, []).append(place.player.pk)
    return [by_number[number] for number in sorted(by_number)]


def _tables(season: Season) -> list[Table]:
    return [_table(look) for look in leagues.divisions_of(season)]


def _table(look: DivisionLook) -> Table:
    table = standings.standings_of(look.board)
    assert table is not None
    begun = any(look.board.result(number) is not None for number in look.board.pairings)
    return Table(
        look.division.number,
        look.division.tournament.get_absolute_url(),
        table.columns,
        tuple(_line(row, look.outlook[row.entrant.pk], begun=begun) for row in table.lines),
    )


def _line(row: standings.Line, outlook: Outlook, *, begun: bool) -> Line:
    """A row; where it leads is not said before anything has been played."""
    words_for = {
        ("up", True): _("goes up"),
        ("up", False): _("would go up"),
        ("down", True): _("goes down"),
        ("down", False): _("would go down"),
    }
    mark = words_for.get((outlook.way, outlook.certain), "") if begun else ""
    return Line(row, outlook.way, mark, outlook.certain)


def _season(season: Season) -> tuple[Season, list[tuple[int, str]]]:
    divisions = season.divisions.all()
    return season, [(each.number, each.tournament.get_absolute_url()) for each in divisions]


def _before(place: Place) -> str:
    said = {
        "up": _("up from division %(n)s"),
        "down": _("down from division %(n)s"),
        "stays": _("stays"),
        "new": _("new"),
    }[place.way]
    return said % {"n": place.before} if place.before else said
