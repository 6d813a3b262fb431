"""Who should not meet: the section of the entries' page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from pages.attending import whole
from players.models import Player
from tournaments import apart, services
from tournaments.formats import arena, groups, pods, rotating, swiss
from tournaments.models import Apart, Tournament

FORMATS = frozenset({arena.ID, groups.ID, pods.ID, rotating.ID, swiss.ID})
"""Those that are drawn, so that a wish can be granted."""


@dataclass(frozen=True, slots=True)
class Line:
    """A wish in words; `who` are the names of those it is about."""

    id: int
    title: str
    who: str


def context(event: Tournament) -> dict[str, Any]:
    """What templates/pages/parts/apart.html needs."""
    wishes = apart.wishes_of(event)
    kinds = {wish.kind for wish in wishes}
    used = {wish.earlier_id for wish in wishes}
    return {
        "is_drawn": bool(FORMATS & {event.format, *_later(event)}),
        "apart": [_line(wish) for wish in wishes],
        "clubs_apart": Apart.Kind.CLUB in kinds,
        "earlier": [each for each in apart.earlier_events(event) if each.pk not in used],
    }


def keep(request: HttpRequest, event: Tournament, by: Player) -> str:
    """Notes a wish of the form; what to say."""
    chosen = (whole(text) for text in request.POST.getlist("member"))
    services.keep_apart(
        tournament_id=event.pk,
        by=by,
        kind=request.POST["apart"],
        entrants=[pk for pk in chosen if pk is not None],
        name=request.POST.get("household", ""),
        earlier=request.POST.get("earlier", ""),
    )
    return _("They are kept apart while it can be helped.")


def let(request: HttpRequest, event: Tournament, by: Player) -> str:
    """Takes a wish back; what to say."""
    services.let_meet(tournament_id=event.pk, by=by, apart_id=whole(request.POST["let-meet"]) or 0)
    return _("They may meet.")


def _later(event: Tournament) -> list[str]:
    return [str(stage["format"]) for stage in event.later_stages]


def _line(wish: Apart) -> Line:
    if wish.kind == Apart.Kind.CLUB:
        return Line(wish.pk, _("Members of the same club"), "")
    if wish.earlier is not None:
        title = _("Who met in “%(name)s”") % {"name": wish.earlier.name}
        return Line(wish.pk, title, "")
    who = ", ".join(member.label for member in wish.members.all())
    return Line(wish.pk, wish.name or who, who if wish.name else "")
