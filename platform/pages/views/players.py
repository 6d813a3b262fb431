"""A player's own page."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from pages import charts, events, listings, words
from players import sessions
from players.models import Player
from ratings import pools, selectors
from ratings.models import RatingCorrection
from ratings.selectors import HistoryLine

HISTORY_SHOWN = 12


@require_safe
def player(request: HttpRequest, handle: str) -> HttpResponse:
    shown = get_object_or_404(Player, handle=handle.lower(), is_active=True)
    ratings = selectors.ratings_of(shown)
    pool = request.GET.get("pool", "")
    pool = pool if pool in ratings else next(iter(ratings), "")
    history = selectors.history(shown, pool, limit=100) if pool else []
    return render(
        request,
        "pages/player.html",
        {
            "player": shown,
            "bot_level": words.BOTS.get(shown.bot_level, shown.bot_level),
            "is_me": sessions.player_of(request) == shown,
            "ratings": [(key, pools.title_of(key), rating) for key, rating in ratings.items()],
            "pool": pool,
            "pool_title": pools.title_of(pool) if pool else "",
            "history": history[:HISTORY_SHOWN],
            "opponents": _opponents(history[:HISTORY_SHOWN]),
            "causes": dict(RatingCorrection.Cause.choices),
            "duel": not pool.endswith("-table"),
            "chart": charts.line([line.after for line in reversed(history)]),
            "matches": listings.matches_of(shown),
            "entries": events.of_player(shown),
        },
    )


def _opponents(history: Sequence[HistoryLine]) -> dict[int, Player]:
    return Player.objects.in_bulk({player for line in history for player in line.opponents})
