"""Two entrants exchange their seats: what it means first, then the deed; no script."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pages import behind, exchanging
from tournaments import services
from tournaments.errors import TournamentError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def exchange(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; sent once, it shows what would change, and sent again does it."""
    try:
        event, viewer = behind.open_for(request, slug, "rounds")
    except behind.NotSignedIn as nobody:
        return nobody.response
    board = exchanging.board_of(event)
    if board is None:
        raise Http404
    form = exchanging.ExchangeForm(request.POST or None, board)
    preview = None
    if request.method == "POST" and form.is_valid():
        if "do" in request.POST:
            try:
                services.exchange(
                    tournament_id=event.pk,
                    by=viewer,
                    reason=form.cleaned_data["reason"],
                    seen=request.POST.get("seen", ""),
                    **form.wanted(),
                )
                messages.success(request, _("The seats are exchanged."))
                return redirect("pages:desk", slug=slug)
            except TournamentError as refused:
                form.add_error("reason" if refused.code == "no_reason" else None, str(refused))
        preview = exchanging.looked_at(event, viewer, form)
    shown = {} if preview is None else exchanging.lines(board, preview)
    context = {"event": event, "form": form, "preview": preview, **shown}
    context["places"] = behind.links(event, viewer, "pages:desk")
    status = 422 if form.errors else 200
    return render(request, "pages/behind/exchange.html", context, status=status)
