"""After signing in: what the guest had, who one was a moment ago."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import sessions
from tournaments import bringing_over


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring_over(request: HttpRequest) -> HttpResponse:
    """Asks once; whoever leaves the page without an answer is asked at the next sign-in."""
    onward = sessions.safe_next(request, reverse("pages:home"))
    account, guest = sessions.player_of(request), sessions.guest_left(request)
    if account is None or account.is_guest or guest is None or not guest.is_active:
        return redirect(onward)
    found = bringing_over.belongings(guest=guest, account=account)
    if request.method == "POST":
        if request.POST.get("do") == "bring":
            bringing_over.bring_over(guest=guest, account=account)
            messages.success(request, _("Brought over: it is yours now."))
        sessions.forget_guest(request)
        return redirect(onward)
    if not found:
        sessions.forget_guest(request)
        return redirect(onward)
    context = {"guest": guest, "found": found, "next": onward}
    return render(request, "players/bring_over.html", context)
