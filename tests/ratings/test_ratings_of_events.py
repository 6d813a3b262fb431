"""Ratings move by what registered players do at the tables of an event."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from games import selectors as tables
from games import services as games
from games.models import Match, Seat
from outbox import services as outbox
from players.models import Player
from ratings.models import Rating
from tournaments import services
from tournaments.models import Game

pytestmark = pytest.mark.django_db
SHORT = {"preset": "allfives", "target": 20}


def _played(people: list[Player], **settings: object) -> Match:
    """The match of an event of one table and one round, in which all play their first tile."""
    by = Player.objects.create_user("olga", name="Olga")
    cup = services.create(
        organiser=by, name="Friday Cup", rules=SHORT, options={"rounds": 1}, **settings
    )
    services.open_registration(tournament_id=cup.pk, by=by)
    for player in people:
        services.join(tournament_id=cup.pk, player=player)
    services.start(tournament_id=cup.pk, by=by)
    services.draw_due(tournament_id=cup.pk)
    match = Match.objects.get(pk=Game.objects.get(pairing__stage__tournament=cup).match_id)
    for player in people:
        games.sit(match_id=match.pk, player=player)
    while not match.finished_at:
        match.refresh_from_db()
        if match.turn is None:
            games.wake(match_id=match.pk, now=match.wake_at)
        else:
            player = Seat.objects.get(match=match, index=match.turn).player
            first = tables.engine_view(match.pk, match.turn).legal[0]
            games.act(match_id=match.pk, player=player, action=first, expected_seq=match.seq)
        match.refresh_from_db()
    outbox.drain(now=timezone.now() + dt.timedelta(hours=2))
    return match


def test_a_table_of_four_of_an_event_moves_the_pool_of_tables(people) -> None:
    match = _played(people(4), format="pods")
    rated = {row.player_id: row.mean for row in Rating.objects.filter(pool="allfives-table")}
    order = Seat.objects.filter(match=match).order_by("index").values_list("player_id", flat=True)
    by_place = sorted(zip(match.places, (rated[pk] for pk in order), strict=True))
    assert by_place[0][1] > 0 > by_place[-1][1]
    assert Rating.objects.count() == 4


def test_rotating_partners_move_the_pool_of_partners_alike_for_both(people) -> None:
    match = _played(people(4), format="rotating")
    rated = {row.player_id: row.mean for row in Rating.objects.filter(pool="allfives-partners")}
    order = Seat.objects.filter(match=match).order_by("index").values_list("player_id", flat=True)
    means = [rated[pk] for pk in order]
    assert means[:2] == means[2:]
    assert means[match.winner] > 0 > means[1 - match.winner]
