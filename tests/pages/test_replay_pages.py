"""Matches to look back at: who may see what of them, and with which words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine import bots
from games import selectors, services
from games.models import Match
from games.replays import replay_for
from pages import watching
from pages.figures import unbroken
from players.models import Player
from tournaments import services as tournaments
from tournaments.models import Game, Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Player]
Finish = Callable[[Player, Player], Match]


def play(match: Match, moves: int | None = None) -> Match:
    """So many moves of a match, or all until it is over."""
    while match.is_running and moves != 0:
        if match.turn is None:
            services.wake(match_id=match.pk, now=timezone.now())
        else:
            view = selectors.engine_view(match.pk, match.turn)
            player = match.seat_set.get(index=match.turn).player
            action = bots.choose("easy", view, match.seq)
            services.act(match_id=match.pk, player=player, expected_seq=match.seq, action=action)
            moves = None if moves is None else moves - 1
        match.refresh_from_db()
    return match


def opened(make_player: Make, target: int = 5, **given: Any) -> Match:
    return services.open_match(
        rules={"preset": "allfives", "target": target},
        seats=2,
        players=[make_player("Marta"), make_player("Béla")],
        break_seconds=0,
        **given,
    )


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="replay-data" type="application/json">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_a_finished_match_is_shown_whole_to_anybody(make_player: Make) -> None:
    match = play(opened(make_player))
    page = Client().get(f"/t/{match.pk}/replay").content.decode()
    data = data_of(page)
    assert data["scores"] == match.scores
    assert data["rounds"] == replay_for(match.pk)["rounds"]
    for each in data["rounds"]:
        dealt = [tile for hand in each["hands"] for tile in hand] + each["boneyard"]
        assert len(set(dealt)) == 28
        assert each["deal"].keys() >= {"id", "commit", "prev", "seed"}
    numbers = [step["n"] for each in data["rounds"] for step in each["steps"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [n for n in numbers if f'id="m{n}"' not in page] == []
    last = data["rounds"][-1]["steps"][-1]
    assert last["kind"] == "round_ended"
    assert last["scores"] == match.scores


def test_of_a_match_that_is_played_only_finished_rounds_are_shown(make_player: Make) -> None:
    match = play(opened(make_player, target=400), moves=4)
    page = Client().get(f"/t/{match.pk}/replay").content.decode()
    assert "a round can be looked at when it is over" in page
    assert "replay-data" not in page
    while replay_for(match.pk)["rounds"] == []:
        play(match, moves=1)
    play(match, moves=2)
    shown = data_of(Client().get(f"/t/{match.pk}/replay").content.decode())
    assert [each["number"] for each in shown["rounds"]] == [1]
    assert shown["scores"] is None


def test_a_player_of_a_match_that_is_played_sees_no_more_than_others(
    make_player: Make, as_player: Callable[[Player], Client]
) -> None:
    match = play(opened(make_player, target=400), moves=6)
    player = match.seat_set.get(index=0).player
    assert player is not None
    page = as_player(player).get(f"/t/{match.pk}/replay").content.decode()
    assert "replay-data" not in page


def test_a_round_that_was_broken_off_is_shown_when_the_match_is_over(make_player: Make) -> None:
    match = play(opened(make_player, target=400), moves=4)
    player = match.seat_set.get(index=0).player
    services.resign(match_id=match.pk, player=player)
    shown = replay_for(match.pk)
    assert shown["reason"] == "resigned"
    (only,) = shown["rounds"]
    assert [step["kind"] for step in only["steps"] if step["kind"] == "played"][:4]
    assert only["steps"][-1]["kind"] == "resigned"
    assert only["deal"]["seed"]


def test_a_match_that_nobody_played_says_so(make_player: Make) -> None:
    match = services.open_match(
        rules={"preset": "allfives"},
        seats=2,
        players=[make_player(), make_player()],
        sit_by=timezone.now(),
    )
    services.wake(match_id=match.pk, now=timezone.now() + timedelta(minutes=5))
    response = Client().get(f"/t/{match.pk}/replay")
    assert "No tile was played in this match." in response.content.decode()


def test_there_is_no_replay_of_no_match() -> None:
    assert Client().get("/t/nope/replay").status_code == 404


def test_no_line_breaks_within_a_tile() -> None:
    said = "Maximiliana-Theodora: 6-1 → 1, +10"
    assert unbroken(said) == "Maximiliana-Theodora: 6\u20111\xa0→\xa01, +10"


def test_the_page_reads_without_a_script(make_player: Make) -> None:
    """Each move in words, each round's line as a picture, and what a link to it is called."""
    match = play(opened(make_player))
    page = Client().get(f"/t/{match.pk}/replay").content.decode()
    rounds = replay_for(match.pk)["rounds"]
    assert page.count('<svg class="lesson"') == len(rounds)
    first = rounds[0]["steps"][0]
    name = ["Marta", "Béla"][first["seat"]]
    assert f"{name}: {unbroken(first['tile'])}" in page
    scores = " – ".join(f"{n} {s}" for n, s in zip(["Marta", "Béla"], match.scores, strict=True))
    assert f'<meta property="og:title" content="{scores}">' in page


def test_a_finished_match_is_linked_to_its_replay(make_player: Make, client: Client) -> None:
    match = play(opened(make_player))
    player = match.seat_set.get(index=0).player
    assert player is not None
    link = f'href="/t/{match.pk}/replay"'
    for path in (f"/@{player.handle}", "/watch"):
        assert link in client.get(path).content.decode()
    shown = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert shown["replay_url"] == f"http://testserver/t/{match.pk}/replay"


def test_a_table_may_be_put_into_any_site_without_a_cookie_or_a_form(
    make_player: Make, as_player: Callable[[Player], Client]
) -> None:
    match = play(opened(make_player))
    player = match.seat_set.get(index=0).player
    assert player is not None
    for client in (Client(), as_player(player)):
        response = client.get(f"/t/{match.pk}/embed?theme=dark")
        page = response.content.decode()
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert "X-Frame-Options" not in response
        assert response.cookies == {}
        assert "<form" not in page
        assert 'data-theme="dark"' in page
        assert data_of(page)["scores"] == match.scores
    for path in (f"/t/{match.pk}/replay", f"/t/{match.pk}"):
        other = Client().get(path)
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
        assert other["X-Frame-Options"] == "DENY"


def test_a_match_that_is_played_is_put_into_other_sites_without_its_rounds(
    make_player: Make, as_player: Callable[[Player], Client]
) -> None:
    match = play(opened(make_player, target=400), moves=3)
    player = match.seat_set.get(index=0).player
    assert player is not None
    page = as_player(player).get(f"/t/{match.pk}/embed?theme=<script>").content.decode()
    assert "replay-data" not in page
    assert "data-theme" not in page
    assert f'data-match="{match.pk}"' in page


def test_the_replay_shows_what_to_put_into_a_page(make_player: Make) -> None:
    match = play(opened(make_player))
    page = Client().get(f"/t/{match.pk}/replay").content.decode()
    assert f"&lt;iframe src=&quot;http://testserver/t/{match.pk}/embed&quot;" in page


def test_the_best_tables_of_each_game_are_watched(
    make_player: Make, rate: Callable[..., Any], client: Client
) -> None:
    """The strongest first; a called game is All Fives too."""
    strong, weak = make_player("Strong"), make_player("Weak")
    rate(strong, mean=2.0)
    rate(weak, mean=-2.0)
    for player in (strong, weak):
        services.open_match(rules={"preset": "allfives"}, seats=2, players=[player, make_player()])
    services.open_match(rules={"preset": "draw"}, seats=2, players=[weak, make_player()])
    best = watching.best_tables(None)
    assert [(game.key, [each.seated[0] for each in game.tables]) for game in best] == [
        ("allfives", ["Strong", "Weak"]),
        ("draw", ["Weak"]),
    ]
    shown = watching.featured(watching.running(), None)
    assert shown is not None
    assert shown.seated[0] == "Strong"
    page = client.get("/watch").content.decode()
    assert page.index('data-list="allfives"') < page.index('data-list="draw"')
    assert f'data-match="{shown.id}"' in client.get("/").content.decode()


def test_scores_of_a_delayed_table_are_in_no_list(make_player: Make, client: Client) -> None:
    match = opened(make_player, target=400, spectator_delay=2)
    while not any(match.scores):
        play(match, moves=1)
    (game,) = watching.best_tables(None)
    assert [side.score for side in game.tables[0].sides] == [None, None]
    assert client.get(f"/api/v1/matches/{match.pk}/").json()["scores"] == []


def test_who_watches_a_table_of_an_event_finds_the_others(
    make_player: Make,
    make_event: Callable[..., Tournament],
    as_player: Callable[[Player], Client],
) -> None:
    organiser = make_player()
    event = make_event(organiser, format="round_robin")
    people = [make_player() for _ in range(4)]
    for player in people:
        tournaments.join(tournament_id=event.pk, player=player)
    tournaments.start(tournament_id=event.pk, by=organiser)
    one, other = (game.match_id for game in Game.objects.order_by("pairing"))
    page = Client().get(f"/t/{one}").content.decode()
    assert page.count(f'href="/t/{other}"') == 2
    seated = Match.objects.get(pk=one).seat_set.get(index=0).player
    assert seated is not None
    assert "data-neighbour" not in as_player(seated).get(f"/t/{one}").content.decode()
