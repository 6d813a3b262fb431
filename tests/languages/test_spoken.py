"""Whoever reads something reads it in their own language: at a table, by the API, in lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from rest_framework.test import APIClient

from config.languages.pseudo import pseudo
from games import services as games
from games.errors import GameError, shown
from players.models import Player
from tests.games.test_games_socket import _one_loop, in_thread, socket  # noqa: F401
from tournaments import services as tournaments
from tournaments.models import Game, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pseudo_site")]


def test_a_refusal_is_put_into_words_when_it_is_shown() -> None:
    said, refused = "Your time for this turn was up.", GameError("too_late")
    with override("en-xa"):
        assert shown(refused) == pseudo(said)
    assert shown(refused) == said


async def test_a_socket_refuses_in_the_language_of_its_page(
    make_player: Callable[..., Player],
) -> None:
    def opened() -> Any:
        players = [make_player(), make_player()]
        match = games.open_match(rules={"preset": "allfives"}, seats=2, players=players)
        return match, players[1 - match.turn]

    match, other = await in_thread(opened)()
    for language, said in (
        ("en-xa", pseudo("It is not your turn.")),
        ("en", "It is not your turn."),
        ("nonsense", "It is not your turn."),
    ):
        async with socket(match.pk, other, language) as client:
            state = await client.hello()
            await client.say(t="act", id="a", seq=state["seq"], action={"draw": True})
            assert (await client.heard("refused"))["detail"] == said


async def test_spectators_of_one_table_read_its_title_each_in_their_language(
    make_player: Callable[..., Player], make_event: Callable[..., Tournament]
) -> None:
    def begun() -> Any:
        people = [make_player(), make_player()]
        event = make_event(people[0], capacity=2)
        for player in people:
            tournaments.join(tournament_id=event.pk, player=player)
        tournaments.start(tournament_id=event.pk, by=people[0])
        return event, Game.objects.get(pairing__stage__tournament=event).match_id

    event, match_id = await in_thread(begun)()
    title = pseudo("%(tournament)s, %(round)s") % {
        "tournament": event.name,
        "round": pseudo("final"),
    }
    async with socket(match_id) as one, socket(match_id, language="en-xa") as other:
        view = (await one.hello())["view"]
        assert (view["title"], view["back_url"]) == (
            f"{event.name}, final",
            f"/tournaments/{event.slug}",
        )
        view = (await other.hello())["view"]
        assert (view["title"], view["back_url"]) == (title, f"/en-xa/tournaments/{event.slug}")
        assert (await one.hello())["view"]["title"] == f"{event.name}, final"


def test_the_page_of_a_table_opens_its_socket_in_its_language(
    client: Client, make_player: Callable[..., Player]
) -> None:
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=make_player())
    page = client.get(f"/en-xa/t/{match.pk}").content.decode()
    assert f'data-socket="/ws/table/{match.pk}?lang=en-xa"' in page
    assert 'data-root="/en-xa/"' in page
    assert json.dumps(pseudo("Your turn: choose a tile.")) in page


def test_the_api_answers_in_the_language_that_is_asked_for() -> None:
    said = "There is nothing at this address. Addresses end with a slash."
    for asked, expected in (("en-xa", pseudo(said)), ("xx", said), ("", said)):
        headers = {"Accept-Language": asked} if asked else {}
        response = APIClient().get("/api/v1/nothing/", headers=headers)
        assert response.json()["detail"] == expected
        assert "Accept-Language" in response["Vary"]


def test_lists_of_names_follow_the_alphabet_of_the_page(
    settings: Any, client: Client, make_player: Callable[..., Player]
) -> None:
    settings.LANGUAGES = [("en", "English"), ("pl", "Polski")]
    organiser = make_player()
    for name in ("Zoé", "Łada", "Lena", "Lola"):
        tournaments.create_league(owner=organiser, name=name, sizes=[2])
    for path, names in (("", ["Łada", "Lena", "Lola", "Zoé"]),
                        ("/pl", ["Lena", "Lola", "Łada", "Zoé"])):  # fmt: skip
        page = client.get(f"{path}/leagues").content.decode()
        assert sorted(names, key=page.index) == names
