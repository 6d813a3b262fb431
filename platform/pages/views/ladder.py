"""The ladder of each pool: of all matches, or of a season; and the seasons there were."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from pages.forms.ranked import RankedForm
from pages.views.home import MAIN_POOL
from players import sessions
from ratings import archive, pools, seasonal, selectors
from ratings.models import LadderSeason

PAGE = 50


@require_safe
def ladder(request: HttpRequest) -> HttpResponse:
    pool, number = _pool(request), _number(request, "page") or 1
    season, division = _season(request), _number(request, "division")
    viewer = sessions.player_of(request)
    form = RankedForm(request.GET)
    who = form.condition()
    shown = selectors.ladder(
        pool, offset=(number - 1) * PAGE, limit=PAGE, who=who, season=season, division=division
    )
    on_page = any(row.player == viewer for row in shown.rows)
    near = (
        selectors.ladder(pool, around=viewer, season=season).rows if viewer and not on_page else ()
    )
    return render(
        request,
        "pages/ladder.html",
        {
            **_pools(pool),
            "ladder": shown,
            "recomputation": selectors.recomputation_of(pool),
            "page": Paginator(range(shown.total), PAGE).get_page(number),
            "viewer": viewer,
            "near": near,
            "form": form,
            "filtered": who is not None,
            "query": request.GET,
            "season": season,
            "running": archive.running(),
            **(_of_season(season, pool, division) if season else {}),
            "needed": {"matches": pools.MIN_MATCHES, "opponents": pools.MIN_OPPONENTS}
            if season is None
            else {"matches": seasonal.MIN_MATCHES, "opponents": seasonal.MIN_OPPONENTS},
        },
    )


@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """Every season, with the first three of each that is over."""
    pool, found = _pool(request), archive.seasons()
    firsts = archive.firsts(pool, found)
    return render(
        request,
        "pages/seasons.html",
        {
            **_pools(pool),
            "seasons": [(each, firsts.get(each.number, [])) for each in found],
            "running": archive.running(),
        },
    )


def _of_season(season: LadderSeason, pool: str, division: int | None) -> dict[str, Any]:
    return {
        "division": division,
        "divisions": archive.divisions(season, pool),
        "winners": archive.winners(season, pool) if season.is_closed else [],
    }


def _pools(pool: str) -> dict[str, Any]:
    game, _dash, kind = pool.partition("-")
    return {
        "pool": pool,
        "pool_games": [(pools.pool_key(key, kind), name) for key, name in pools.GAMES.items()],
        "pool_kinds": [(pools.pool_key(game, key), name) for key, name in pools.KINDS.items()],
        "title": pools.title_of(pool),
    }


def _pool(request: HttpRequest) -> str:
    pool = request.GET.get("pool", MAIN_POOL)
    if pool not in pools.POOLS:
        raise Http404
    return pool


def _season(request: HttpRequest) -> LadderSeason | None:
    """The season that the address asks for; None for the career."""
    if not request.GET.get("season"):
        return None
    return get_object_or_404(LadderSeason, number=_number(request, "season"))


def _number(request: HttpRequest, name: str) -> int | None:
    asked = request.GET.get(name, "")
    return min(int(asked), 10_000) or None if asked.isascii() and asked.isdigit() else None
