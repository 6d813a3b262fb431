"""What an arena's page shows from its start on, by its state and by who looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.models import Match
from pages import words
from pages.criteria_words import points_text
from pages.event_lines import You
from pages.forms import BotsForm
from players.models import Player
from tournaments import arena
from tournaments.arena import Clock, Line, Own
from tournaments.formats import arena as rules
from tournaments.models import Entrant, Game, Result, Slot, Stage, Tournament
from tournaments.permissions import may, may_run, takes_late_entries
from tournaments.scores import score

PAGE = 25
TABLES, RESULTS = 8, 8
SHOWN_SCORES = 8
SECONDS_FROM = 120


@dataclass(frozen=True, slots=True)
class Score:
    """A match's points on the sheet, and whether they were doubled."""

    text: str
    doubled: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings; `sheet` has the latest match last."""

    line: Line
    entrant: Entrant
    points: str
    sheet: tuple[Score, ...]
    note: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Side:
    """As in pages.bracket, so that the same parts of pages show both."""

    entrant: int
    text: str
    rank: int | None
    score: str
    won: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table to watch, or what came of one."""

    id: int
    number: int
    url: str
    sides: tuple[Side, ...]
    say: str

    @property
    def score(self) -> str:
        """Of a match for which there was one."""
        points = [side.score for side in self.sides]
        return score(points) if any(point not in ("", "0") for point in points) else ""


def is_on(counting: Sequence[Stage]) -> bool:
    """Whether the stage in hand, the last of those that count, is an arena."""
    return bool(counting) and counting[-1].format == rules.ID


def context(event: Tournament, viewer: Player | None, asked: str = "") -> dict[str, Any]:
    """Everything for pages/event/arena.html; `asked` is a page of the standings."""
    stage = arena.stage_of(event)
    assert stage is not None
    lines = arena.standings(stage)
    clock = _clock(stage)
    own = arena.own(stage, viewer)
    page = Paginator(lines, PAGE).get_page(asked)
    podium = [line for line in lines if (line.rank or 99) <= 3] if clock.phase == "over" else []
    shown = _entrants([*page, *podium])
    games = arena.running_games(stage, TABLES)
    results = arena.recent_results(stage, RESULTS)
    ranks = {line.entrant_id: line.rank for line in lines}
    running = _running(games, ranks)
    runs_it = may_run(event, viewer)
    return {
        "clock": clock,
        "left": time_left(clock.seconds_left),
        "may_begin": clock.phase == "ready" and may(event, viewer, "rounds"),
        "title": words.stage_title(stage.format, play_off=False) if stage.number > 1 else "",
        "minutes": stage.config["minutes"],
        "stage_number": stage.number,
        "you": _you(event, clock, own),
        "podium": [_row(line, shown, own) for line in podium if line.entrant_id in shown],
        "rows": [_row(line, shown, own) for line in page if line.entrant_id in shown],
        "page": page,
        "my_page": _my_page(lines, own, page),
        "tables": running,
        "results": [_decided(each, ranks) for each in results],
        "entrants": _inside(event) if runs_it and event.is_running else [],
        "bots_form": BotsForm(),
    }


def you(event: Tournament, viewer: Player | None) -> You:
    """The viewer's own line, for the pages that show nothing else of an arena."""
    stage = arena.stage_of(event)
    assert stage is not None
    return _you(event, _clock(stage), arena.own(stage, viewer))


def _clock(stage: Stage) -> Clock:
    """The clock; the last matches are awaited as soon as it shows no time left."""
    clock = arena.clock_of(stage)
    is_up = clock.phase == "running" and not clock.seconds_left
    return replace(clock, phase="closing") if is_up else clock


def time_left(seconds: int) -> str:
    """How long it still goes: in minutes, near the end in seconds.

    >>> [time_left(value) for value in (3600, 121, 119, 5)]
    ['60 minutes', '2 minutes', '1:59', '0:05']
    """
    if seconds >= SECONDS_FROM:
        minutes = seconds // 60
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    return f"{seconds // 60}:{seconds % 60:02d}"


def _inside(event: Tournament) -> list[Entrant]:
    active = event.entrants.filter(status=Entrant.Status.ACTIVE)
    return list(active.select_related("player", "partner").order_by("seed"))


def _entrants(lines: Sequence[Line]) -> dict[int, Entrant]:
    found = Entrant.objects.filter(pk__in=[line.entrant_id for line in lines])
    return {entrant.pk: entrant for entrant in found.select_related("player", "partner")}


def _row(line: Line, entrants: Mapping[int, Entrant], own: Own) -> Row:
    entrant = entrants[line.entrant_id]
    scores = line.scores[-SHOWN_SCORES:]
    return Row(
        line,
        entrant,
        points_text(line.points),
        tuple(
            _score(line.scores, len(line.scores) - len(scores) + at) for at in range(len(scores))
        ),
        _note(entrant),
        own.entrant is not None and own.entrant.pk == entrant.pk,
    )


def _score(scores: Sequence[int], at: int) -> Score:
    """Doubled is what is worth more than a win; of draws the text alone says it."""
    return Score(points_text(scores[at]), scores[at] > rules.WIN)


def _note(entrant: Entrant) -> str:
    if entrant.status == Entrant.Status.DISQUALIFIED:
        return _("disqualified")
    return _("has left") if entrant.status == Entrant.Status.WITHDRAWN else ""


def _my_page(lines: Sequence[Line], own: Own, page: Page[Line]) -> int | None:
    """The page of the standings that the viewer is on, unless it is this one."""
    if own.line is None:
        return None
    number = lines.index(own.line) // PAGE + 1
    return None if number == page.number else number


def _you(event: Tournament, clock: Clock, own: Own) -> You:
    if event.status == Tournament.Status.CANCELLED:
        return You()
    standing = _standing(own.line)
    if clock.phase == "over":
        return You(_over(own), standing=standing if own.line else "")
    if own.word in ("playing", "pausing"):
        text = _("You play %(name)s.") % {"name": _opponent(own)}
        if own.word == "pausing":
            text = _("You play %(name)s, then you pause.") % {"name": _opponent(own)}
        deeds = (
            (("resume", _("Play on")),)
            if own.word == "pausing"
            else (("pause", pgettext("oneself", "Pause")),)
        )
        return You(text, standing=standing, deeds=deeds if clock.phase == "running" else ())
    if clock.phase == "closing":
        return You(standing)  # that the last matches are awaited is said by the clock
    if own.word == "ready":
        return You(_("You are in. It begins when the arbiter starts it."))
    leave = ("leave", _("Leave"))
    if own.word == "waiting":
        text = _("You are in. Your next opponent comes as soon as one is free.")
        pause = ("pause", pgettext("oneself", "Pause"))
        return You(text, standing=standing, deeds=(pause, leave))
    if own.word == "paused":
        return You(_("You pause."), standing=standing, deeds=(("resume", _("Play on")), leave))
    if own.word == "out":
        return You(_("You have left."), standing, deeds=(("join", _("Come back")),))
    if takes_late_entries(event):
        return You(_("It is on, and you can come in now."), deeds=(("join", _("Join")),))
    return You()


def _standing(line: Line | None) -> str:
    if line is None or line.rank is None:
        return ""
    text = _("Rank %(rank)s, points: %(points)s") % {
        "rank": line.rank,
        "points": points_text(line.points),
    }
    return f"{text} · {_('the next match counts double')}" if line.doubled else text


def _over(own: Own) -> str:
    return _("It is over. Thank you for playing.") if own.line is not None else ""


def _opponent(own: Own) -> str:
    others = Slot.objects.filter(pairing=own.pairing_id).exclude(entrant=own.entrant)
    other = others.select_related("entrant__player", "entrant__partner").first()
    return "" if other is None or other.entrant is None else other.entrant.label


def _running(games: Sequence[Game], ranks: Mapping[int, int | None]) -> list[Meeting]:
    cards = Match.objects.in_bulk([game.match_id for game in games])
    return [
        Meeting(
            game.pairing_id,
            game.pairing.number,
            reverse("pages:table", args=[game.match_id]),
            _sides(game.pairing.slots.all(), ranks, cards[game.match_id].told_scores, None),
            "" if not cards[game.match_id].is_open else _("about to begin"),
        )
        for game in games
        if game.match_id in cards
    ]


def _decided(result: Result, ranks: Mapping[int, int | None]) -> Meeting:
    games = [game for game in result.pairing.games.all() if not game.void]
    played = result.outcome in (Result.Outcome.PLAYED, Result.Outcome.DRAWN)
    return Meeting(
        result.pairing_id,
        result.pairing.number,
        reverse("pages:replay", args=[games[-1].match_id]) if games else "",
        _sides(result.pairing.slots.all(), ranks, result.scores, result.winner_id),
        "" if played else str(result.get_outcome_display()),
    )


def _sides(
    slots: Any, ranks: Mapping[int, int | None], scores: Sequence[int], winner: int | None
) -> tuple[Side, ...]:
    return tuple(
        Side(
            slot.entrant.pk,
            slot.entrant.label,
            ranks.get(slot.entrant_id),
            str(scores[slot.side]) if slot.side < len(scores) else "",
            slot.entrant_id == winner,
        )
        for slot in sorted(slots, key=lambda each: each.index)
        if slot.entrant is not None
    )
