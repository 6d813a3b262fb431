"""The inbox, the bell, and how one wants to hear of what."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from notices import kinds, mail, selectors, services
from notices.models import Notice
from players import languages, sessions
from players.models import Player
from players.services import note_seen

ON_A_PAGE = 30


@never_cache
@login_required
@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    page = Paginator(selectors.of_player(player), ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [(n, kinds.sentence(n.kind, n.facts)) for n in page]
    newest = rows[0][0].pk if rows and page.number == 1 else None
    context = {"rows": rows, "page": page, "newest": newest, "unread": selectors.unread(player)}
    return render(request, "notices/inbox.html", context)


@never_cache
@require_safe
def bell_part(request: HttpRequest) -> HttpResponse:
    """Asked for by every open page, whose script says that its reader is there."""
    player = sessions.player_of(request)
    if player is not None and "X-Page-Open" in request.headers:
        note_seen(player=player)
    return render(request, "notices/bell.html")


@login_required
@require_POST
def open_notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Marks it as read and goes where it leads."""
    player = cast("Player", request.user)
    notice = get_object_or_404(Notice, pk=notice_id, player=player)
    services.mark_read(player=player, notice_id=notice.pk)
    if not notice.url:
        return redirect("pages:notices")
    return redirect(languages.in_language(notice.url, languages.active()))


@login_required
@require_POST
def read_all(request: HttpRequest) -> HttpResponse:
    """Marks as read what the page showed, not what came since."""
    newest = request.POST.get("up_to", "")
    if newest.isdecimal():
        services.mark_read(player=cast("Player", request.user), up_to=int(newest[:18]))
    return redirect("pages:notices")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notice_settings(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    if request.method == "POST":
        for kind in kinds.KINDS:
            services.wish(
                player=player,
                kind=kind,
                page=f"{kind}-page" in request.POST,
                mail=f"{kind}-mail" in request.POST,
            )
        messages.success(request, _("Saved."))
        return redirect("pages:notice_settings")
    rows = [
        {"kind": kind, "title": kinds.KINDS[kind].title, "page": page, "mail": by_mail}
        for kind, (page, by_mail) in selectors.wishes(player).items()
    ]
    context = {"rows": rows, "address": mail.address_of(player)}
    return render(request, "notices/settings.html", context)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """One click in the mail program posts here (RFC 8058), without cookies; the token, signed, is
    what allows it. A person sees a button first.
    """
    found = mail.read_token(token)
    if found is None:
        return render(request, "notices/stopped.html", {"bad": True}, status=404)
    player, kind = found
    done = request.method == "POST"
    if done:
        services.stop_mail(player=player, kinds=[kind] if kind else list(kinds.KINDS))
    about = kinds.KINDS[kind].title if kind in kinds.KINDS else ""
    return render(request, "notices/stopped.html", {"done": done, "about": about})
