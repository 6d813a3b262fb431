"""The ladder of each pool."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pages.forms.ranked import RankedForm
from pages.views.home import MAIN_POOL
from players import sessions
from ratings import pools, selectors

PAGE = 50


@require_safe
def ladder(request: HttpRequest) -> HttpResponse:
    pool = request.GET.get("pool", MAIN_POOL)
    if pool not in pools.POOLS:
        raise Http404
    number = _page_number(request)
    viewer = sessions.player_of(request)
    form = RankedForm(request.GET)
    who = form.condition()
    shown = selectors.ladder(pool, offset=(number - 1) * PAGE, limit=PAGE, who=who)
    on_page = any(row.player == viewer for row in shown.rows)
    near = selectors.ladder(pool, around=viewer).rows if viewer and not on_page else ()
    pages = Paginator(range(shown.total), PAGE)
    return render(
        request,
        "pages/ladder.html",
        {
            "pool": pool,
            "pools": [(key, pools.title_of(key)) for key in pools.POOLS],
            "title": pools.title_of(pool),
            "ladder": shown,
            "recomputation": selectors.recomputation_of(pool),
            "page": pages.get_page(number),
            "viewer": viewer,
            "near": near,
            "form": form,
            "filtered": who is not None,
            "query": request.GET,
            "needed": {"matches": pools.MIN_MATCHES, "opponents": pools.MIN_OPPONENTS},
        },
    )


def _page_number(request: HttpRequest) -> int:
    asked = request.GET.get("page", "1")
    return min(int(asked), 10_000) if asked.isascii() and asked.isdigit() and int(asked) else 1
