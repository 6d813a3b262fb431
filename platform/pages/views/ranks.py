"""Why an entrant has its rank."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pages import standings, why
from pages.look import Look
from pages.views.tournaments import visible_event
from players import sessions


@require_safe
def rank(request: HttpRequest, slug: str, seed: int) -> HttpResponse:
    """Each criterion's sum with its parts; of the stage in hand, or that of `?stage=`."""
    event = visible_event(request, slug)
    look = Look(event, sessions.player_of(request), request.GET)
    table = look.standings
    rows = [row for row in table.rows if row.seed == seed] if table else []
    if table is None or look.board is None or not rows:
        raise Http404
    [line] = table.only(rows).lines
    sums = why.rank_sums(look.board, seed) if line.counts else []
    context = {
        "event": event,
        "line": line,
        "sums": sums,
        "running": standings.running_line(look.board),
        "outlook": line.outlook,
    }
    return render(request, "pages/rank.html", context)
