"""Staff keep somebody off the site, let them in again, or give a name another."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import moderation, sessions
from players.forms import SuspensionForm, sentence_for
from players.models import Player
from players.moderation import ModerationRefused
from players.names import NameRefused


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def moderate(request: HttpRequest, handle: str) -> HttpResponse:
    staff = sessions.player_of(request)
    if staff is None or not staff.is_staff:
        raise PermissionDenied
    player = get_object_or_404(Player, handle=handle.lower(), bot_level="", erased_at=None)
    deed = request.POST.get("do", "")
    form = SuspensionForm(request.POST if deed == "suspend" else None)
    done = False
    if deed == "lift":
        moderation.lift(player=player, by=staff)
        done = True
    elif deed == "rename":
        done = _renamed(request, player, staff)
    elif form.is_valid():
        done = _suspended(form, player, staff)
    if done:
        messages.success(request, _("Done."))
        return redirect("pages:moderate", player.handle)
    context = {"player": player, "form": form, "history": player.suspensions.select_related("by")}
    return render(request, "pages/moderate.html", context)


def _renamed(request: HttpRequest, player: Player, staff: Player) -> bool:
    try:
        moderation.rename_offensive(player=player, by=staff, name=request.POST.get("name", ""))
    except NameRefused as refused:
        messages.error(request, sentence_for(refused))
        return False
    return True


def _suspended(form: SuspensionForm, player: Player, staff: Player) -> bool:
    days = form.cleaned_data["days"]
    until = timezone.now() + timedelta(days=int(days)) if days else None
    try:
        moderation.suspend(player=player, by=staff, reason=form.cleaned_data["reason"], until=until)
    except ModerationRefused:
        form.add_error(None, _("Staff and bots are not suspended."))
        return False
    return True
