"""A player's own page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from pages import events, listings, profile, words
from pages.bot_strengths import strengths
from players import sessions
from players.models import Player
from ratings import archive, pools, selectors


@require_safe
def player(request: HttpRequest, handle: str) -> HttpResponse:
    viewer = sessions.player_of(request)
    shown = get_object_or_404(Player, handle=handle.lower(), is_active=True)
    ratings = selectors.ratings_of(shown)
    pool = request.GET.get("pool", "")
    pool = pool if pool in ratings else next(iter(ratings), "")
    return render(
        request,
        "pages/player.html",
        {
            "player": shown,
            "bot_level": words.BOTS.get(shown.bot_level, shown.bot_level),
            "strengths": strengths(viewer, [shown.bot_level]) if shown.is_bot else None,
            "is_me": viewer == shown,
            "chance": profile.chance(viewer, shown, pool),
            "ratings": [(key, pools.title_of(key), rating) for key, rating in ratings.items()],
            "pool": pool,
            **(profile.context(shown, ratings[pool], request.GET, pool) if pool else {}),
            "matches": listings.matches_of(shown),
            "entries": events.of_player(shown),
            "honours": [(each, pools.title_of(each.pool)) for each in archive.honours(shown)],
        },
    )
