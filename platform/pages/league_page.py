"""A league's page, and the page on which its next season is confirmed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import standings, words
from players.models import Player
from tournaments import leagues
from tournaments.leagues import DivisionLook, Place
from tournaments.models import League, Season
from tournaments.standings.divisions import Outlook

MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a division's table; `mark` says where it leads, `sure` whether that is certain.
    `ends`: "up" for the last of those who go up, "down" for the first of those who go down.
    """

    row: standings.Line
    way: str
    mark: str
    sure: bool
    ends: str


@dataclass(frozen=True, slots=True)
class Table:
    """A division as it stands; `zones` says who goes up and down."""

    number: int
    url: str
    columns: tuple[standings.Column, ...]
    lines: tuple[Line, ...]
    zones: str


def game_of(league: League) -> str:
    """What is played in a league, by its name for people."""
    return words.preset(league.settings.get("rules", {}).get("preset", "allfives"))


def context(league: League, viewer: Player | None) -> dict[str, Any]:
    """Everything for pages/league.html."""
    season = leagues.current_season(league)
    entry = leagues.entry_of(league, viewer)
    is_over = season is not None and leagues.is_over(season)
    waiting = leagues.waiting(league)
    return {
        "league": league,
        "game": game_of(league),
        "season": season,
        "is_over": is_over,
        "is_past": season is not None and season.ends_on < dt.datetime.now(dt.UTC).date(),
        "today": dt.datetime.now(dt.UTC).date(),
        "may_not_join": viewer is not None and not leagues.may_join(league, viewer),
        "tables": [] if season is None else _tables(season),
        "archive": [(each, leagues.winners_of(each)) for each in leagues.archive(league)],
        "waiting": waiting,
        "own": [] if season is None else leagues.own_matches(season, viewer),
        "is_in": entry is not None and not entry.leaving,
        "is_leaving": entry is not None and entry.leaving,
        "runs_it": leagues.may_run(league, viewer),
        "may_begin": season is None or is_over,
        "enough": len(waiting) > 1 or season is not None,
    }


def season_context(league: League, number: int) -> dict[str, Any]:
    """Everything for pages/league_season.html. Raises KeyError for a season that there isn't."""
    seasons = list(leagues.seasons(league))
    found = {each.number: each for each in seasons}[number]
    return {"league": league, "season": found, "seasons": seasons, "tables": _tables(found)}


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
    count = len(table.lines)
    ends = {look.up - 1: "up"} if look.up else {}
    ends |= {count - look.down: "down"} if look.down else {}
    return Table(
        look.division.number,
        look.division.tournament.get_absolute_url(),
        table.columns,
        tuple(
            _line(row, look.outlook[row.entrant.pk], ends.get(at, ""), begun=begun)
            for at, row in enumerate(table.lines)
        ),
        _zones(look),
    )


def _zones(look: DivisionLook) -> str:
    """Who goes up and down, in words."""
    up = ngettext("The first goes up.", "The first %(n)s go up.", look.up) % {"n": look.up}
    down = ngettext("The last goes down.", "The last %(n)s go down.", look.down) % {"n": look.down}
    return " ".join([*([up] if look.up else []), *([down] if look.down else [])])


def _line(row: standings.Line, outlook: Outlook, ends: str, *, begun: bool) -> Line:
    """A row; where it leads is not said before anything has been played."""
    words_for = {
        ("up", True): _("goes up"),
        ("up", False): _("would go up"),
        ("down", True): _("goes down"),
        ("down", False): _("would go down"),
    }
    mark = words_for.get((outlook.way, outlook.certain), "") if begun else ""
    return Line(row, outlook.way, mark, outlook.certain, ends)


def _before(place: Place) -> str:
    said = {
        "up": _("up from division %(n)s"),
        "down": _("down from division %(n)s"),
        "stays": _("stays"),
        "new": _("new"),
    }[place.way]
    return said % {"n": place.before} if place.before else said
