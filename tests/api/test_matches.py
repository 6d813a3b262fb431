"""What the API tells of matches: of a round that is being played, nothing."""

from __future__ import annotations

import json
import re

import pytest
from rest_framework.test import APIClient

from engine import record
from engine.tiles import texts
from games import services as games
from games import store
from games.models import Match

TILE = re.compile(r'"[0-6]-[0-6]"')


def answers(match, client):
    """Everything the API says of a match, to this caller."""
    paths = [f"/api/v1/matches/{match.pk}/", f"/api/v1/matches/{match.pk}/record/",
             "/api/v1/matches/", "/api/v1/matches/live/"]  # fmt: skip
    return [client.get(path).content.decode() for path in paths]


def test_of_the_first_round_no_tile_is_told(person, call, table, play):
    ana, ben = person("ana"), person("ben")
    match = table([ana, ben])
    for client in (APIClient(), call(ana), call(ben), call(person("eva"))):
        for body in answers(match, client):
            assert not TILE.search(body)
    play(match.pk, until=lambda match: match.seq > 8)
    for client in (APIClient(), call(ana)):
        for body in answers(match, client):
            assert not TILE.search(body)


@pytest.mark.django_db
def test_of_a_later_round_only_the_finished_ones_are_told(person, call, table, play):
    ana, ben = person("ana"), person("ben")
    match = table([ana, ben], rules={"preset": "allfives", "target": 400})
    play(match.pk, until=_in_second_round)
    client = call(ana)
    told = client.get(f"/api/v1/matches/{match.pk}/record/").json()
    assert len(told["rounds"]) == 1
    detail = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert [each["number"] for each in detail["rounds"]] == [1]
    assert "hands" not in json.dumps(detail)
    hands = store.load(Match.objects.get(pk=match.pk)).game.round.hands
    assert any(texts(hand) for hand in hands)
    for body in answers(match, client)[:1] + answers(match, client)[2:]:
        assert not TILE.search(body)


def _in_second_round(match):
    state = store.load(match)
    return state.game.number == 2 and match.phase == "play" and len(state.game.line) > 1


def test_what_the_api_says_does_not_depend_on_hidden_tiles(person, call, table, monkeypatch):
    """Non-interference: another deal, the same answers."""
    ana, ben = person("ana"), person("ben")
    match = table([ana, ben])
    client = call(ana)
    before = answers(match, client)
    card = Match.objects.get(pk=match.pk)
    state = store.load(card)
    hands = state.game.round.hands
    hands[0], hands[1] = hands[1], hands[0]
    monkeypatch.setattr(store, "load", lambda *args, **kwargs: state)
    assert answers(match, client) == before


def test_a_finished_match_is_told_whole(person, call, table, play):
    match = play(table([person("ana"), person("ben")]).pk)
    told = APIClient().get(f"/api/v1/matches/{match.pk}/record/").json()
    assert told["format"] == "domino-record/1"
    replayed = record.replay(told)
    assert replayed["scores"] == match.scores
    detail = APIClient().get(f"/api/v1/matches/{match.pk}/").json()
    assert len(detail["rounds"]) == len(told["rounds"])
    assert detail["scores"] == match.scores
    assert (detail["winner"], detail["places"]) == (match.winner, match.places)
    assert detail["url"] == f"http://testserver/t/{match.pk}"


def test_a_finished_match_says_what_it_did_to_ratings_or_why_not(person, table, play):
    from ratings.services import rate

    ana, ben = person("ana"), person("ben")
    rated, unrated = play(table([ana, ben]).pk), play(table([ana, ben], rated=False).pk)
    for match in (rated, unrated):
        rate(match.pk)
    one = APIClient().get(f"/api/v1/matches/{rated.pk}/").json()
    assert {each["player"] for each in one["ratings"]} == {"ana", "ben"}
    assert {each["before"] for each in one["ratings"]} == {1500}
    assert one["unrated"] is None
    two = APIClient().get(f"/api/v1/matches/{unrated.pk}/").json()
    assert (two["ratings"], two["unrated"]) == ([], "The table was opened as unrated.")


def test_guests_are_shown_by_name_alone(person, call):
    from players.services import create_guest

    guest = create_guest(name="Visitor")
    match = games.open_match(rules={}, seats=2, host=guest)
    [seat, free] = APIClient().get(f"/api/v1/matches/{match.pk}/").json()["seats"]
    assert (seat["kind"], seat["player"], seat["name"]) == ("guest", None, "Visitor")
    assert (free["kind"], free["player"]) == ("empty", None)
    assert guest.handle not in APIClient().get("/api/v1/matches/").content.decode()
