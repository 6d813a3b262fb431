"""What the buttons of a tournament's page do; each answers what to say, or the event to go to."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import F
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import attending, ties
from pages.attending import player_of as _player
from pages.attending import whole as _whole
from pages.forms import BotsForm
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Tournament

Status = Entrant.Status


def _open(request: HttpRequest, event: Tournament) -> str:
    services.open_registration(tournament_id=event.pk, by=_player(request))
    return _("Registration is open.")


def _announce(request: HttpRequest, event: Tournament) -> str:
    services.announce(tournament_id=event.pk, by=_player(request))
    return _("The tournament is announced.")


def _close(request: HttpRequest, event: Tournament) -> str:
    services.close_registration(tournament_id=event.pk, by=_player(request))
    return _("Registration is closed.")


def _new_link(request: HttpRequest, event: Tournament) -> str:
    services.renew_link(tournament_id=event.pk, by=_player(request))
    return _("There is a new link; the old one lets nobody in any more.")


def _copy(request: HttpRequest, event: Tournament) -> Tournament:
    return services.copy(tournament_id=event.pk, by=_player(request))


def _next_week(request: HttpRequest, event: Tournament) -> Tournament:
    return services.next_week(tournament_id=event.pk, by=_player(request))


def _bots(request: HttpRequest, event: Tournament) -> str:
    form = BotsForm(request.POST)
    if not form.is_valid():
        raise TournamentError("too_many")
    entered = services.add_bots(
        tournament_id=event.pk,
        by=_player(request),
        count=form.cleaned_data["count"],
        level=form.cleaned_data["level"],
    )
    said = ngettext("%(n)s bot is in.", "%(n)s bots are in.", len(entered))
    return said % {"n": len(entered)}


def _seeds(request: HttpRequest, event: Tournament) -> str:
    services.set_seeds(
        tournament_id=event.pk, by=_player(request), order=wished_order(request, event)
    )
    return _("The order is saved.")


def wished_order(request: HttpRequest, event: Tournament) -> list[int]:
    """Entrant ids by the numbers typed, equal ones as they stood; then one moved a place."""
    entrants = event.entrants.filter(status=Status.ACTIVE)
    known = list(
        entrants.order_by(F("seed").asc(nulls_last=True), "pk").values_list("pk", flat=True)
    )
    typed = {pk: _whole(request.POST.get(f"seed-{pk}")) for pk in known}
    order = sorted(known, key=lambda pk: (typed[pk] is None, typed[pk] or 0, known.index(pk)))
    moved, _colon, way = request.POST.get("move", "").partition(":")
    pk = _whole(moved)
    if pk in order:
        at = order.index(pk)
        to = max(0, at - 1) if way == "up" else min(len(order) - 1, at + 1)
        order.insert(to, order.pop(at))
    return order


def _pause(request: HttpRequest, event: Tournament) -> str:
    services.pause_in_arena(tournament_id=event.pk, player=_player(request))
    return _("You pause. Come back when you like.")


def _resume(request: HttpRequest, event: Tournament) -> str:
    services.resume_in_arena(tournament_id=event.pk, player=_player(request))
    return _("You are back.")


def _begin(request: HttpRequest, event: Tournament) -> str:
    services.begin_arena(tournament_id=event.pk, by=_player(request))
    return _("The arena has begun.")


def _end(request: HttpRequest, event: Tournament) -> str:
    services.end_arena(tournament_id=event.pk, by=_player(request))
    return _("The time is over.")


def _start(request: HttpRequest, event: Tournament) -> str:
    services.start(tournament_id=event.pk, by=_player(request))
    return _("The tournament has started.")


def _decide(request: HttpRequest, event: Tournament) -> str:
    pairing, winner = _whole(request.POST.get("pairing")), _whole(request.POST.get("winner"))
    services.report_result(
        pairing_id=pairing or 0,
        by=_player(request),
        outcome="decision",
        winner=winner,
        reason=request.POST.get("reason", ""),
    )
    return _("The result is entered.")


def _cancel(request: HttpRequest, event: Tournament) -> str:
    services.cancel(
        tournament_id=event.pk, by=_player(request), reason=request.POST.get("reason", "")
    )
    return _("The tournament is cancelled.")


def _tie(request: HttpRequest, event: Tournament) -> str:
    return ties.decide(request, event, _player(request))


DEEDS: dict[str, Callable[[HttpRequest, Tournament], str | Tournament | None]] = {
    **attending.DEEDS,
    "pause": _pause,
    "resume": _resume,
    "begin": _begin,
    "end": _end,
    "open": _open,
    "announce": _announce,
    "close": _close,
    "new-link": _new_link,
    "copy": _copy,
    "next-week": _next_week,
    "bots": _bots,
    "seeds": _seeds,
    "start": _start,
    "decide": _decide,
    "cancel": _cancel,
    "tie": _tie,
}
