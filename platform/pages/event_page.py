"""An event's page: one address for each section, one header for all of them.

To add a section: write its template and the function that answers what it shows, and list both in
`SECTIONS`. Whatever needs a stage's rows takes them from the `Look`, which reads each thing once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pages import (
    arena_page,
    behind,
    bracket,
    courses,
    pairings,
    prizes,
    prospect,
    recap,
    standings,
    words,
)
from pages.event_lines import You, stand_ins, state_line, you
from pages.forms import BotsForm
from pages.look import KNOCKOUTS, Look, StageLink
from tournaments import formats, selectors
from tournaments.errors import SENTENCES
from tournaments.models import Entrant, Pairing, Stage, Tournament
from tournaments.permissions import may

Status = Tournament.Status
GROUPS: Final = "groups"
ARENA: Final = "arena"
ARENA_TEMPLATE: Final = "pages/event/arena.html"
IN_OVERVIEW: Final = 8
PENDING: Final = (Status.DRAFT, Status.ANNOUNCED, Status.REGISTRATION)
CORRECTIONS: Final = 120
ENTRANTS: Final = 200
PAPERS: Final = (
    ("tables", gettext_lazy("Pairings by table")),
    ("names", gettext_lazy("Pairings by name")),
    ("slips", gettext_lazy("Result slips")),
    ("cards", gettext_lazy("Place cards")),
    ("standings", gettext_lazy("Standings")),
    ("prizes", gettext_lazy("Prize list")),
)
EXPORTS: Final = (
    ("entrants", gettext_lazy("Entrants")),
    ("pairings", gettext_lazy("Pairings")),
    ("results", gettext_lazy("Results")),
    ("standings", gettext_lazy("Standings")),
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with an address of its own; `shown` says whether an event has it."""

    key: str
    title: str | Promise
    template: str
    content: Callable[[Look], Mapping[str, Any]]
    shown: Callable[[Look], bool] = lambda look: True

    def url(self, event: Tournament) -> str:
        """The section's address."""
        if self.key == "overview":
            return event.get_absolute_url()
        return reverse("pages:tournament_section", args=[event.slug, self.key])


def event_link(event: Tournament) -> str:
    """The secret link that lets people into an event by link; empty for others."""
    if event.access != Tournament.Access.LINK:
        return ""
    return reverse("pages:tournament_link", args=[event.slug, event.link_key])


def account_needed() -> str:
    return _("Organising needs an account.")


def context(look: Look, key: str = "overview") -> dict[str, Any]:
    """Everything for pages/tournament.html and its live part, pages/parts/event_state.html.

    Raises KeyError for a section that there isn't, or that this event doesn't have.
    """
    section = SECTIONS[key]
    if not section.shown(look):
        raise KeyError(key)
    event = look.event
    content = section.content(look)
    query = f"?{look.query.urlencode()}" if look.query else ""
    return {
        "event": event,
        "look": look,
        "section": section,
        "section_url": section.url(event),
        "shown": section.template,
        "tabs": tabs(look, key),
        "refresh": reverse("pages:tournament_state", args=[event.slug, key]) + query,
        "lives": event.status in (Status.ANNOUNCED, Status.REGISTRATION, Status.RUNNING),
        "format": words.format_line(event),
        "game": words.preset(event.preset),
        "state_line": state_line(look),
        "awaits_table": look.state.word in ("in", "waiting", "next"),
        "runs_it": look.state.may_run,
        "places": behind.links(event, look.viewer),
        "coming": selectors.coming_rounds(event) if look.state.rests else (),
        "held": SENTENCES.get(event.held, ""),
        "invitation": event_link(event) if look.state.may_run else "",
        **content,
        "you": content.get("you") or _you(look),
    }


def _you(look: Look) -> You:
    is_arena = arena_page.is_on(look.counting)
    return arena_page.you(look.event, look.viewer) if is_arena else you(look)


def tabs(look: Look, here: str = "overview") -> list[tuple[Section, str, bool]]:
    """The sections that the event has, their addresses, and which of them is shown."""
    return [
        (each, each.url(look.event), each.key == here)
        for each in SECTIONS.values()
        if each.shown(look)
    ]


def _overview(look: Look) -> dict[str, Any]:
    """Before: who is in. During: the round in hand and the top. After: the podium."""
    event = look.event
    shown: dict[str, Any] = _organising(look) if look.state.may_run else {}
    if look.corrects:
        shown |= {"corrections": _corrections(look)}
    if arena_page.is_on(look.counting):
        asked = look.query.get("page", "")
        return shown | arena_page.context(event, look.viewer, asked) | {"shown": ARENA_TEMPLATE}
    if event.status == Status.FINISHED:
        ranks = _ranks(look.entrants)
        shown |= {
            "podium": [entry for entry in ranks if (entry.place or 0) <= 3],
            "prizes": prizes.prize_list(event.prizes, look.entrants) if event.prizes else None,
            "notes": recap.notes(look),
        }
    if not look.has_begun:
        shown |= _entrants(look) | {"lists_entrants": True}
    elif event.status != Status.CANCELLED:
        shown |= {
            "top": _top(look),
            "groups": _groups(look, crosses=False),
            **_tie(look),
            "champion_pending": event.status == Status.RUNNING,
        }
        if event.is_running:
            shown["playing"] = pairings.current(look, limit=IN_OVERVIEW)
    return shown


def _tie(look: Look) -> dict[str, Any]:
    """Those level across the cut; `tie_url` takes the decision of those who may make it."""
    tie = look.tie
    if tie is None:
        return {}
    url = reverse("pages:tournament_do", args=[look.event.slug, "tie"])
    return {
        "tie": tie,
        "tie_group": words.group_name(tie.group) if tie.group else "",
        "tie_url": url if may(look.event, look.viewer, "rounds") else "",
    }


def _corrections(look: Look) -> list[tuple[StageLink, list[tuple[str, bracket.Meeting]]]]:
    """The results that can be corrected, by stage; only the way to them where they are many."""
    links = {link.number: link for link in look.all_stage_links("pairings")}
    many = Pairing.objects.filter(stage__in=look.counting).count() > CORRECTIONS
    return [
        (links[stage.number], [] if many or stage.format == ARENA else _decided(look, stage))
        for stage in reversed(look.counting)
    ]


def _decided(look: Look, stage: Stage) -> list[tuple[str, bracket.Meeting]]:
    """With the round's title, the last round first."""
    rounds = bracket.rounds_of(look.board_of(stage), look.viewer)
    return [
        (each.title, meeting)
        for _part, each in reversed(rounds)
        for meeting in each.meetings
        if meeting.can_be_corrected
    ]


def _top(look: Look) -> standings.Standings | None:
    """The first few of the table."""
    if look.stage is not None and look.stage.format == GROUPS:
        return None
    table = look.standings
    return None if table is None else table.cut(IN_OVERVIEW)


def _groups(look: Look, *, crosses: bool = True) -> list[standings.GroupTable]:
    """The groups' tables, where the stage has some."""
    if look.board is None or look.board.stage.format != GROUPS:
        return []
    rounds = [each for _part, each in look.rounds] if crosses else []
    return standings.group_tables(look.board, rounds)


def _entrants(look: Look) -> dict[str, Any]:
    event = look.event
    inside = [entry for entry in look.entrants if entry.is_active]
    return {
        "entrants": inside,
        "page": pairings.paged(inside, look.query.get("page"), size=ENTRANTS),
        "gone": [entry for entry in look.entrants if not entry.is_active],
        "waiting_list": selectors.waiting_list(event) if event.is_before_start else [],
        "ratings": selectors.ratings_of(event),
        "stand_ins": stand_ins(look),
    }


def _pairings(look: Look) -> dict[str, Any]:
    stage = look.stage
    corrects = look.corrects and stage is not None and not stage.annulled
    return {
        **pairings.section(look),
        "stage_links": look.stage_links("pairings"),
        "corrects": corrects,
    }


def _standings(look: Look) -> dict[str, Any]:
    """The table a page at a time (`?page=`), or those found in it (`?find=`); one's own line."""
    rounds = [each for _part, each in look.rounds]
    groups, find = _groups(look), pairings.asked_for(look)
    final = len(look.counting) > 1 and look.event.status == Status.FINISHED
    shown: dict[str, Any] = {
        "stage_links": look.stage_links("standings"),
        "groups": groups,
        "final": final,
        "cross": standings.cross_table(look.board, rounds) if look.board is not None else [],
        "find": find,
    }
    still_in = [entry for entry in look.entrants if entry.is_active and entry.place is None]
    ranked = [*([] if final else still_in), *_ranks(look.entrants)]
    ranked = [] if groups and not final else ranked
    table = None if groups else look.standings
    if table is None:
        called = [entry for entry in ranked if pairings.is_called(entry.label, find)]
        page = pairings.paged(called, look.query.get("page"))
        return shown | {"page": page, "ranked": page}
    found = [row for row in table.rows if pairings.is_called(row.entrant.label, find)]
    page = pairings.paged(found, look.query.get("page"))
    own = [row for row in table.rows if not find and look.is_own(row.entrant)]
    rows = [*(row for row in own if row not in page.object_list), *page.object_list]
    return shown | {
        "standings": table.only(rows),
        "page": page,
        "ranked": ranked if final else [],
    }


def _bracket(look: Look) -> dict[str, Any]:
    stage = look.stage
    if stage is not None and stage.format not in KNOCKOUTS:
        stage = next(each for each in reversed(look.counting) if each.format in KNOCKOUTS)
    if stage is None:
        return {}
    board = look.board_of(stage)
    path = look.query.get("path", "")
    follows = int(path) if path.isascii() and path.isdecimal() else None
    return {
        "trees": bracket.trees_of(bracket.rounds_of(board, look.viewer, follows)),
        "corrects": look.corrects and not stage.annulled,
        "stage_number": stage.number,
        "field": [board.entrants[seed] for seed in sorted(board.entrants)],
        "path": path,
        "listed": look.query.get("view") == "list",
    }


def _info(look: Look) -> dict[str, Any]:
    event = look.event
    return {
        "prospect": prospect.of_event(event) if event.status in PENDING else None,
        "about_format": words.ABOUT_FORMATS.get(event.format, ""),
        "course": courses.course_line(event),
        "papers": [
            (title, reverse("pages:print", args=[event.slug, key]))
            for key, title in PAPERS
            if look.has_begun or key == "cards"
        ],
        "exports": [
            (title, *(reverse(f"pages:{kind}", args=[event.slug, key]) for kind in ("csv", "json")))
            for key, title in EXPORTS
        ],
        "prizes": prizes.prize_list(event.prizes, look.entrants),
        "siblings": selectors.siblings(event),
    }


def _organising(look: Look) -> dict[str, Any]:
    """What the organiser's forms on the overview need."""
    event = look.event
    rounds = look.rounds if event.status != Status.FINISHED else []
    met = [each for _part, one in rounds for each in one.meetings if each.can_be_decided]
    return {
        "advice": _advice(event),
        "entrants": [entry for entry in look.entrants if entry.is_active],
        "undecided": [each for each in met if not each.decided],
        "bots_form": BotsForm(),
    }


def _advice(event: Tournament) -> str:
    """What the organiser should know before the start."""
    code = formats.misfit(event.format, event.taken, event.options) if event.taken > 1 else None
    if event.is_before_start and code is not None:
        return str(SENTENCES[code])
    if event.is_before_start and (course := courses.course_line(event)):
        return course
    rounds = event.options.get("rounds") if event.format == "swiss" else None
    if not event.is_before_start or rounds is None or not 2 <= event.taken <= rounds + 1:
        return ""
    if event.taken == rounds + 1:
        return _("With so few entrants everybody can meet everybody: a round robin fits as well.")
    return _(
        "There are more rounds than opponents, so some will meet twice. Fewer rounds, or a round "
        "robin, fit better."
    )


def _ranks(entrants: list[Entrant]) -> list[Entrant]:
    placed = [entry for entry in entrants if entry.place is not None]
    return sorted(placed, key=lambda entry: (entry.place or 0, entry.seed or 0))


_SECTIONS = (
    Section("overview", gettext_lazy("Overview"), "pages/event/overview.html", _overview),
    Section(
        "pairings",
        gettext_lazy("Pairings"),
        "pages/event/pairings.html",
        _pairings,
        lambda look: look.has_begun,
    ),
    Section(
        "standings",
        gettext_lazy("Standings"),
        "pages/event/standings.html",
        _standings,
        lambda look: look.has_begun,
    ),
    Section(
        "bracket",
        gettext_lazy("Bracket"),
        "pages/event/bracket.html",
        _bracket,
        lambda look: look.has_bracket,
    ),
    Section("entrants", gettext_lazy("Entrants"), "pages/event/entrants.html", _entrants),
    Section("info", gettext_lazy("Info"), "pages/event/info.html", _info),
)
SECTIONS: Final[dict[str, Section]] = {section.key: section for section in _SECTIONS}
