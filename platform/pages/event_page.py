"""What a tournament's page shows, by its state and by who looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from pages import bracket, words
from pages.bracket import Meeting, Round
from pages.forms import BotsForm
from players.models import Player
from ratings import selectors as ratings
from ratings.pools import pool_key
from tournaments import board
from tournaments.models import Entrant, Tournament
from tournaments.permissions import may_run as may_run

Status = Tournament.Status


@dataclass(frozen=True, slots=True)
class You:
    """How the viewer stands in the event: a sentence, and where to go."""

    text: str
    url: str = ""
    can_join: bool = False
    can_leave: bool = False


def account_needed() -> str:
    return _("Organising needs an account.")


def context(event: Tournament, viewer: Player | None) -> dict[str, Any]:
    """Everything for pages/tournament.html and its live part."""
    entrants = list(
        event.entrants.select_related("player").order_by(F("seed").asc(nulls_last=True), "pk")
    )
    rounds = _rounds(event, viewer)
    met = [each for part in rounds for each in part.meetings if each.can_be_decided]
    return {
        "event": event,
        "game": words.preset(event.preset),
        "free": max(0, event.capacity - event.taken),
        "entrants": [entry for entry in entrants if entry.is_active],
        "waiting_list": [entry for entry in entrants if entry.status == Entrant.Status.WAITING],
        "ratings": _ratings(event, entrants) if event.is_before_start else {},
        "rounds": rounds,
        "podium": _podium(entrants) if event.status == Status.FINISHED else [],
        "ranks": _ranks(entrants) if event.status == Status.FINISHED else [],
        "you": you(event, entrants, rounds, viewer),
        "runs_it": may_run(event, viewer),
        "undecided": [each for each in met if not each.decided],
        "decided": [each for each in met if each.decided],
        "bots_form": BotsForm(),
    }


def you(
    event: Tournament, entrants: Sequence[Entrant], rounds: Sequence[Round], viewer: Player | None
) -> You:
    """The viewer's own line at the top of the page."""
    entry = next((each for each in entrants if viewer and each.player_id == viewer.pk), None)
    if event.status == Status.REGISTRATION:
        return _before(event, entry)
    if entry is None or event.status != Status.RUNNING:
        return You("")
    return _during(entry, [each for part in rounds for each in part.meetings if each.mine])


def _before(event: Tournament, entry: Entrant | None) -> You:
    if entry is None:
        full = event.taken >= event.capacity
        text = _("All places are taken; you can join the waiting list.") if full else ""
        return You(text, can_join=True)
    if entry.status == Entrant.Status.WAITING:
        return You(_("You are on the waiting list."), can_leave=True)
    return You(
        _("You are in. Stay on the site: when it starts, a bar leads you to your table."),
        can_leave=True,
    )


def _during(entry: Entrant, mine: Sequence[Meeting]) -> You:
    live = next((each for each in mine if each.live), None)
    if live is not None:
        return You(_("Your match is on."), live.url)
    if not entry.is_active:
        return You(str(entry.get_status_display()))
    if any(not each.decided for each in mine):
        return You(_("You are through. Your next opponent is still to be decided."))
    return You(_("You are out. Thank you for playing."), can_leave=False)


def _rounds(event: Tournament, viewer: Player | None) -> list[Round]:
    stage = event.stages.order_by("number").first()
    return bracket.rounds_of(board.load(stage), viewer) if stage is not None else []


def _ratings(event: Tournament, entrants: Sequence[Entrant]) -> dict[int, Any]:
    players = [entry.player_id for entry in entrants]
    return dict(ratings.ratings_in(pool_key(event.game, "1v1"), players))


def _ranks(entrants: Sequence[Entrant]) -> list[Entrant]:
    placed = [entry for entry in entrants if entry.place is not None]
    return sorted(placed, key=lambda entry: (entry.place or 0, entry.seed or 0))


def _podium(entrants: Sequence[Entrant]) -> list[Entrant]:
    return [entry for entry in _ranks(entrants) if entry.place is not None and entry.place <= 3]
