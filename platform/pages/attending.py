"""What somebody does about their own place in an event; each deed answers what to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from players import sessions
from players.models import Player
from tournaments import access, services
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Tournament

KEYS: Final = "event_keys"
KEYS_KEPT: Final = 20


def remember_key(request: HttpRequest, event: Tournament, key: str) -> None:
    """Keeps the key of an event's link for this browser, the last few of them."""
    kept = request.session.get(KEYS, {})
    kept.pop(event.slug, None)
    kept[event.slug] = key[:64]
    request.session[KEYS] = dict(list(kept.items())[-KEYS_KEPT:])


def key_of(request: HttpRequest, event: Tournament) -> str:
    """The key that this browser has for the event; empty for none."""
    return str(request.session.get(KEYS, {}).get(event.slug, ""))


def player_of(request: HttpRequest) -> Player:
    """Who pressed the button. A visitor has no such button."""
    player = sessions.player_of(request)
    if player is None:
        raise Http404
    return player


def whole(text: str | None) -> int | None:
    """A whole number of at most nine digits; None for anything else."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def round_named(text: str | None) -> tuple[int | None, int]:
    """The stage and the round of a value like "2-1"; no stage is the one in hand."""
    before, dash, after = (text or "").rpartition("-")
    return (whole(before) if dash else None), whole(after) or 0


def _join(request: HttpRequest, event: Tournament) -> str:
    if event.status not in (Tournament.Status.REGISTRATION, Tournament.Status.RUNNING):
        raise TournamentError("closed")
    key = key_of(request, event)
    visitor = sessions.player_of(request)
    if visitor is None and (refused := access.refusal(event, None, key)):
        raise TournamentError(refused)  # before a guest is made of a mere visitor
    player = visitor or sessions.current_or_guest(request)
    entry = services.join(tournament_id=event.pk, player=player, key=key)
    if entry.status == Entrant.Status.WAITING:
        return _("You are on the waiting list.")
    return _("You are in.")


def _leave(request: HttpRequest, event: Tournament) -> str:
    services.withdraw(tournament_id=event.pk, player=player_of(request))
    return _("You are out of the tournament.")


def _here(request: HttpRequest, event: Tournament) -> str:
    services.check_in(tournament_id=event.pk, player=player_of(request))
    return _("You have checked in.")


def _not_here(request: HttpRequest, event: Tournament) -> str:
    services.check_in(tournament_id=event.pk, player=player_of(request), here=False)
    return _("Your check-in is taken back.")


def _rest(request: HttpRequest, event: Tournament) -> str:
    stage, number = round_named(request.POST.get("round"))
    services.ask_rest(tournament_id=event.pk, player=player_of(request), stage=stage, number=number)
    return _("You rest in round %(n)s.") % {"n": number}


def _play(request: HttpRequest, event: Tournament) -> str:
    stage, number = round_named(request.POST.get("round"))
    services.give_up_rest(
        tournament_id=event.pk, player=player_of(request), stage=stage, number=number
    )
    return _("You play in round %(n)s.") % {"n": number}


def _return(request: HttpRequest, event: Tournament) -> str:
    player = player_of(request)
    services.come_back(tournament_id=event.pk, player=player, by=player)
    return _("You are in again, from the next round on.")


DEEDS: Final[dict[str, Callable[[HttpRequest, Tournament], str | None]]] = {
    "join": _join,
    "leave": _leave,
    "here": _here,
    "not-here": _not_here,
    "rest": _rest,
    "play": _play,
    "return": _return,
}
