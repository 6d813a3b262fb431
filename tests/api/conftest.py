"""Callers with and without tokens, and matches to look at."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from games import services as games
from games.models import Match, Seat
from games.selectors import engine_view
from players import tokens
from players.models import Player

WRITES = ("tournaments:write", "tables:write", "results:write", "account:write")
RULES = {"preset": "allfives", "target": 60}


@pytest.fixture(autouse=True)
def _fresh_counts():
    """Throttles count in the cache, which outlives a test."""
    cache.clear()


@pytest.fixture
def person(db):
    """Makes a registered player by handle."""

    def make(handle: str = "marta") -> Player:
        return Player.objects.create(handle=handle, name=handle.title(), name_key=handle)

    return make


@pytest.fixture
def grant():
    """A token's text for a player and scopes."""

    def make(player: Player, *scopes: str) -> str:
        token, text = tokens.issue(player=player, name="test", scopes=["read"])
        token.scopes = list(scopes)
        token.save()
        return text

    return make


@pytest.fixture
def call(grant):
    """A client of a player with a token for everything, or for the scopes given."""

    def make(player: Player | None = None, *scopes: str, **options: Any) -> APIClient:
        client = APIClient(**options)
        if player is not None:
            text = grant(player, *(scopes or WRITES))
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        return client

    return make


@pytest.fixture
def table():
    """Opens a running table of registered players."""

    def make(players, **settings) -> Match:
        return games.open_match(
            **{"rules": RULES, "seats": len(players), "players": players, "host": players[0]}
            | settings
        )

    return make


@pytest.fixture
def play():
    """Plays a running match on, by the first legal action, until it ends or `until` holds."""

    def on(match_id: str, until=lambda match: False) -> Match:
        while (match := Match.objects.get(pk=match_id)).status == "running" and not until(match):
            if match.phase == "between":
                for seat in Seat.objects.filter(match=match).select_related("player"):
                    games.ready(match_id=match_id, player=seat.player)
                continue
            seat = Seat.objects.select_related("player").get(match=match, index=match.turn)
            games.act(
                match_id=match_id,
                player=seat.player,
                expected_seq=match.seq,
                action=engine_view(match_id, seat.index).legal[0],
            )
        return match

    return on


@pytest.fixture
def problem():
    def check(response, status):
        """The body of a refusal, checked for its shape."""
        assert response.status_code == status, response.content
        assert response["Content-Type"] == "application/problem+json"
        body = json.loads(response.content)
        assert body["status"] == status
        assert body["type"] == "about:blank"
        assert body["title"]
        assert body["detail"]
        assert body["code"]
        return body

    return check
