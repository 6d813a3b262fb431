"""What is shown of events, and the proof that it follows from the results."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games import services as games
from games.selectors import engine_view
from players.models import Player
from tournaments import selectors, services
from tournaments.models import Entrant, Game, Pairing, Result, Slot, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
Play = Any


def test_a_bracket_names_rounds_places_and_sources(started: Event, play: Play) -> None:
    cup = started(5)
    rounds = selectors.bracket(cup)
    assert [each["name"] for each in rounds] == ["quarter-final", "semi-final", "final"]
    by_number = {p["number"]: p for each in rounds for p in each["pairings"]}
    semi_final = by_number[2]
    assert [slot["text"] for slot in semi_final["slots"]] == [
        play.entrant(cup, 1).player.name,
        "Winner of match 1",
    ]
    assert [slot["kind"] for slot in semi_final["slots"]] == ["entrant", "undecided"]
    assert [slot["source"] for slot in semi_final["slots"]] == [5, 1]
    assert by_number[5]["slots"][1] == {
        "kind": "bye", "text": "bye", "source": None, "takes": None, "rank": None, "entrant": None,
        "seed": None, "player": None, "partner": None, "side": 1, "bot": False, "status": None,
        "advances": None,
    }  # fmt: skip
    assert by_number[1]["live"] == {
        "match": play.game(cup, 1).match_id, "game": 1, "games": [0, 0], "scores": [0, 0],
        "begun": False,
    }  # fmt: skip
    assert by_number[1]["why"] == {"rule": "seeds", "seeds": [4, 5]}
    assert json.loads(json.dumps(rounds)) == rounds


def test_a_bracket_shows_results_by_slot(started: Event, play: Play) -> None:
    cup = started(2)
    match = play.lose(cup, 1, loser=1)
    [[final]] = [each["pairings"] for each in selectors.bracket(cup)]
    assert (final["status"], final["live"]) == ("decided", None)
    assert final["result"] == {
        "version": 1, "outcome": "played", "winner": 1, "games": [0, 1], "scores": [0, 0],
        "places": [], "forfeits": [], "why": "", "reason": "", "by": None, "kept": None,
    }  # fmt: skip
    assert [each["match"] for each in final["matches"]] == [match]


def test_a_bracket_shows_the_running_score_and_the_series(started: Event, play: Play) -> None:
    cup = started(2, best_of=3, rules={"preset": "allfives", "target": 200})
    play.lose(cup, 1, loser=1)
    match = play.sit_down(cup, 1)
    for _move in range(200):
        match.refresh_from_db()
        if any(match.scores) or match.turn is None:
            break
        seat = match.seat_set.select_related("player").get(index=match.turn)
        action = engine_view(match.pk, match.turn).legal[0]
        games.act(match_id=match.pk, player=seat.player, expected_seq=match.seq, action=action)
    assert any(match.scores)
    [[final]] = [each["pairings"] for each in selectors.bracket(cup)]
    assert final["live"] == {
        "match": match.pk, "game": 2, "games": [0, 1], "scores": match.scores, "begun": True,
    }  # fmt: skip


def test_before_the_start_there_is_no_bracket(event: Event) -> None:
    cup = event()
    assert (selectors.bracket(cup), selectors.standings(cup)) == ([], [])


def test_a_bracket_of_64_takes_few_queries(
    started: Event, django_assert_max_num_queries: Any
) -> None:
    cup = started(33, capacity=64)
    with django_assert_max_num_queries(11):
        assert len(selectors.bracket(cup)) == 6
    with django_assert_max_num_queries(3):  # nothing has changed
        assert len(selectors.bracket(cup)) == 6


def test_standings_put_those_still_in_first(started: Event, play: Play) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=1)
    rows = selectors.standings(cup)
    assert [(r.entrant.seed, r.place, r.wins, r.lost_in) for r in rows] == [
        (2, None, 0, None), (3, None, 0, None), (4, None, 1, None), (1, 3, 0, 1),
    ]  # fmt: skip


def test_the_page_offers_what_fits_the_viewer_and_the_moment(
    organiser: Player, people: People, play: Play
) -> None:
    ana, bea, cleo, dora = people(4)
    cup = services.create(organiser=organiser, name="Cup", capacity=2)

    def words(*viewers: Player | None) -> list[str]:
        cup.refresh_from_db()
        return [selectors.viewer_state(cup, viewer).word for viewer in viewers]

    assert words(None, ana) == ["soon", "soon"]
    services.open_registration(tournament_id=cup.pk, by=organiser)
    assert words(None, ana) == ["join", "join"]
    for player in (ana, bea, cleo):
        services.join(tournament_id=cup.pk, player=player)
    assert words(ana, cleo, dora) == ["in", "waiting", "join_waiting"]
    services.start(tournament_id=cup.pk, by=organiser)
    assert words(None, ana, bea, cleo) == ["watch", "sit", "sit", "watch"]
    table = selectors.viewer_state(cup, ana).table
    assert table is not None
    assert table.match_id == play.game(cup, 1).match_id
    play.lose(cup, 1, loser=2)
    assert words(None, ana, bea) == ["over", "over", "over"]
    assert selectors.viewer_state(cup, bea).place == 2
    assert selectors.viewer_state(cup, organiser).may_run
    assert not selectors.viewer_state(cup, ana).may_run


def test_who_has_won_waits_for_the_next_table_and_who_has_lost_is_out(
    started: Event, play: Play
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    winner, loser = (play.entrant(cup, seed).player for seed in (1, 4))
    assert selectors.viewer_state(cup, winner).word == "next"
    assert selectors.viewer_state(cup, loser).word == "out"
    assert selectors.my_next_table(winner) is None


def test_your_table_is_the_one_that_waits_for_you(
    started: Event, people: People, play: Play
) -> None:
    cup = started(2)
    ana = play.entrant(cup, 1).player
    table = selectors.my_next_table(ana)
    assert table is not None
    assert (table.match_id, table.tournament, table.pairing, table.game) == (
        play.game(cup, 1).match_id, cup, 1, 1,
    )  # fmt: skip
    assert selectors.my_next_table(people(1)[0]) is None
    assert selectors.my_next_table(None) is None
    play.lose(cup, 1, loser=1)
    assert selectors.my_next_table(ana) is None


def test_a_table_says_what_it_belongs_to(started: Event, play: Play) -> None:
    cup = started(2, best_of=3)
    context = {"pairing": play.pairing(cup, 1).pk, "game": 1}
    assert selectors.table_link(context) == {
        "title": "Friday Cup, final, game 1",
        "url": f"/tournaments/{cup.slug}",
    }
    for other in (
        {},
        {"pairing": 0, "game": 1},
        {"pairing": "1", "game": 1},
        {**context, "game": 2},
    ):
        assert selectors.table_link(other) is None


def test_lists_hold_no_drafts_unless_asked(organiser: Player, event: Event) -> None:
    draft, public = services.create(organiser=organiser, name="Draft"), event()
    assert list(selectors.listed()) == [public]
    assert list(selectors.listed("draft")) == [draft]
    assert selectors.by_slug("nowhere") is None


def tamper_slot(cup: Tournament) -> None:
    Slot.objects.filter(pairing__number=3, index=0).update(kind="undecided", entrant=None)


def tamper_status(cup: Tournament) -> None:
    Pairing.objects.filter(number=3).update(status="decided")


def tamper_place(cup: Tournament) -> None:
    Entrant.objects.filter(seed=4).update(place=1)


def tamper_winner(cup: Tournament) -> None:
    Result.objects.filter(pairing__number=1).update(winner=Entrant.objects.get(seed=4))


def tamper_stranger(cup: Tournament) -> None:
    Result.objects.filter(pairing__number=1).update(winner=Entrant.objects.get(seed=2))


def tamper_version(cup: Tournament) -> None:
    Result.objects.filter(pairing__number=1).update(version=2)


def tamper_result(cup: Tournament) -> None:
    Result.objects.filter(pairing__number=1).delete()


def tamper_game(cup: Tournament) -> None:
    Game.objects.filter(pairing__number=1).update(scores=[1, 2])


def tamper_table(cup: Tournament) -> None:
    Game.objects.filter(pairing__number=1).update(match_id="nowhere")


def tamper_taken(cup: Tournament) -> None:
    Tournament.objects.update(taken=3)


def tamper_event(cup: Tournament) -> None:
    Tournament.objects.update(status="finished", finished_at=cup.started_at)


def tamper_rules(cup: Tournament) -> None:
    cup.stages.update(rules_id="single_elimination/0")


@pytest.mark.parametrize(
    "tamper",
    [tamper_slot, tamper_status, tamper_place, tamper_winner, tamper_stranger, tamper_version,
     tamper_result, tamper_game, tamper_table, tamper_taken, tamper_event, tamper_rules],
)  # fmt: skip
def test_the_proof_finds_what_does_not_follow(
    started: Event, play: Play, tamper: Callable[[Tournament], None]
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    cup.refresh_from_db()
    assert selectors.verify(cup.pk) == []
    tamper(cup)
    found = selectors.verify(cup.pk)
    assert found
    assert all(each.startswith("tournament friday-cup: ") for each in found)
