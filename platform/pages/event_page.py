"""What a tournament's page shows, by its state and by who looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from pages import bracket, standings, words
from pages.forms import BotsForm
from players.models import Player
from tournaments import selectors
from tournaments.models import Entrant, Tournament
from tournaments.selectors import ViewerState

Status = Tournament.Status


@dataclass(frozen=True, slots=True)
class You:
    """How the viewer stands in the event: a sentence, and what can be done."""

    text: str = ""
    url: str = ""
    can_join: bool = False
    can_leave: bool = False


def account_needed() -> str:
    return _("Organising needs an account.")


def context(event: Tournament, viewer: Player | None) -> dict[str, Any]:
    """Everything for pages/tournament.html and its live part."""
    entrants = selectors.entrants_of(event)
    rounds = bracket.rounds_of(event, viewer)
    met = [each for _part, one in rounds for each in one.meetings if each.can_be_decided]
    state = selectors.viewer_state(event, viewer)
    ranks = _ranks(entrants) if event.status == Status.FINISHED else []
    return {
        "event": event,
        "game": words.preset(event.preset),
        "format": words.format_line(event),
        "free": max(0, event.capacity - event.taken),
        "entrants": [entry for entry in entrants if entry.is_active],
        "waiting_list": selectors.waiting_list(event) if event.is_before_start else [],
        "ratings": selectors.ratings_of(event) if event.is_before_start else {},
        "trees": bracket.trees_of(rounds),
        "standings": standings.standings_of(event),
        "cross": standings.cross_table(event, [one for _part, one in rounds]),
        "podium": [entry for entry in ranks if (entry.place or 0) <= 3],
        "ranks": ranks,
        "you": you(state, event.format),
        "advice": _advice(event),
        "runs_it": state.may_run,
        "undecided": [each for each in met if not each.decided],
        "decided": [each for each in met if each.decided],
        "bots_form": BotsForm(),
    }


def you(state: ViewerState, format_id: str) -> You:
    """The viewer's own line at the top of the page."""
    if state.word == "sit" and state.table is not None:
        return You(_("Your table is open."), reverse("pages:table", args=[state.table.match_id]))
    if state.word == "waiting":
        text = _("You are on the waiting list, at place %(n)s.") % {"n": state.position}
        return You(text, can_leave=True)
    if state.word == "out":
        return You(_out(state))
    return {
        "join": You(can_join=True),
        "join_waiting": You(
            _("All places are taken; you can join the waiting list."), can_join=True
        ),
        "join_late": You(
            _("It has begun; you can still come in for the rounds that are left."), can_join=True
        ),
        "in": You(
            _("You are in. Stay on the site: when it starts, a bar leads you to your table."),
            can_leave=True,
        ),
        "next": You(str(words.NEXT[format_id])),
    }.get(state.word, You())


def _advice(event: Tournament) -> str:
    """What the organiser should know before the start."""
    rounds = event.options.get("rounds")
    if not event.is_before_start or rounds is None or not 2 <= event.taken <= rounds + 1:
        return ""
    if event.taken == rounds + 1:
        return _("With so few entrants everybody can meet everybody: a round robin fits as well.")
    return _(
        "There are more rounds than opponents, so some will meet twice. Fewer rounds, or a round "
        "robin, fit better."
    )


def _out(state: ViewerState) -> str:
    if state.place is not None:
        return _("You are out, at place %(place)s. Thank you for playing.") % {"place": state.place}
    return _("You are out. Thank you for playing.")


def _ranks(entrants: Sequence[Entrant]) -> list[Entrant]:
    placed = [entry for entry in entrants if entry.place is not None]
    return sorted(placed, key=lambda entry: (entry.place or 0, entry.seed or 0))
