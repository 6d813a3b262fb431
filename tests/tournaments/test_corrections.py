"""Corrections seen before they are made: what hangs on a result, and both ways to go on (cases.md
D9–D12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.models import Match
from players.models import Player
from ratings.models import RatedMatch
from ratings.selectors import Extent, ratings_in
from ratings.services import rate
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Game, Pairing, Result, Slot, Tournament
from tournaments.options import pool_of

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


class Desk:
    """Results entered by the arbiter; seeds name entrants."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def entry(self, cup: Tournament, number: int, winner: int, **entry: Any) -> dict[str, Any]:
        return {
            "pairing_id": self.play.pairing(cup, number).pk,
            "by": cup.organiser,
            "outcome": "played",
            "winner": self.play.entrant(cup, winner).pk,
            **entry,
        }

    def report(self, cup: Tournament, number: int, winner: int, **entry: Any) -> Result:
        return services.report_result(**self.entry(cup, number, winner, **entry))

    def correct(self, cup: Tournament, number: int, winner: int, **entry: Any) -> Result:
        return self.report(cup, number, winner, **{"reason": "Typed wrong", **entry})

    def preview(self, cup: Tournament, number: int, winner: int) -> services.Preview:
        return services.preview_result(**self.entry(cup, number, winner))


@pytest.fixture
def desk(play: Play) -> Desk:
    return Desk(play)


@pytest.fixture
def board(started: Event) -> Callable[..., Tournament]:
    """A started event over the board."""
    return lambda count, **settings: started(count, play="board", **settings)


def everything() -> list[Any]:
    """All rows that a correction may change."""
    return [
        sorted(model.objects.values_list())
        for model in (Result, Slot, Pairing, Game, Match, AuditLine, Tournament, RatedMatch)
    ]


def test_the_preview_names_what_hangs_on_a_result_and_changes_nothing(
    board: Event, desk: Desk
) -> None:  # D11
    cup = board(8)
    for number, winner in ((1, 1), (2, 4), (3, 2), (4, 3), (5, 1)):
        desk.report(cup, number, winner)
    before = everything()
    seen = desk.preview(cup, 1, 8)
    assert everything() == before
    assert (seen.version, seen.begun) == (1, (5,))
    void, keep = seen.ways
    names = [desk.play.entrant(cup, seed).label for seed in range(1, 9)]
    assert (void.name, keep.name) == ("void", "keep")
    semi, final = void.later
    assert (semi.number, semi.round, semi.had_begun, semi.annulled) == (5, "semi-final", True, True)
    assert (semi.before, semi.after) == ((names[0], names[3]), (names[7], names[3]))
    assert (final.number, final.had_begun, final.annulled) == (7, False, False)
    assert final.before == (names[0], "Winner of match 6")
    assert final.after == ("Winner of match 5", "Winner of match 6")
    assert {(one.name, one.before, one.after) for one in void.places} == {
        (names[0], None, 5), (names[7], 5, None), (names[3], 3, None)
    }  # fmt: skip
    assert keep.later == ()
    assert keep.places == ()


@pytest.mark.parametrize("way", ["void", "keep"])
def test_what_was_previewed_is_what_happens(board: Event, desk: Desk, way: str) -> None:  # D11
    cup = board(8)
    for number, winner in ((1, 1), (2, 4), (3, 2), (4, 3), (5, 1), (6, 2), (7, 2)):
        desk.report(cup, number, winner)
    seen = desk.preview(cup, 2, 5)
    [chosen] = [one for one in seen.ways if one.name == way]
    assert chosen.status == ("running" if way == "void" else "finished")
    before = dict(cup.entrants.values_list("seed", "place"))
    desk.correct(cup, 2, 5, force=way, seen=seen.digest, expected_version=seen.version)
    cup.refresh_from_db()
    assert cup.status == chosen.status
    after = dict(cup.entrants.values_list("seed", "place"))
    moved = {
        (desk.play.entrant(cup, seed).label, before[seed], after[seed])
        for seed in after
        if before[seed] != after[seed]
    }
    assert {(one.name, one.before, one.after) for one in chosen.places} == moved
    for later in chosen.later:
        seeds = desk.play.seeds(cup, later.number)
        shown = [desk.play.entrant(cup, seed).label for seed in seeds if seed is not None]
        assert [name for name in later.after if not name.startswith("Winner")] == shown
    assert selectors.verify(cup.pk) == []


def test_kept_the_next_match_stays_with_who_plays_it_and_the_winner_is_corrected(
    board: Event, desk: Desk
) -> None:  # D11
    cup = board(4)
    for number, winner in ((1, 1), (2, 2), (3, 1)):
        desk.report(cup, number, winner)
    desk.correct(cup, 1, 4, force="keep")
    assert desk.play.result(cup, 1) == ("played", 4)
    assert desk.play.seeds(cup, 3) == [1, 2]
    assert desk.play.places(cup) == [1, 2, 3, 3]
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


def test_kept_and_corrected_again(board: Event, desk: Desk) -> None:  # D11's siblings
    cup = board(4)
    desk.report(cup, 1, 1)
    desk.report(cup, 2, 2)
    desk.report(cup, 3, 1)
    first = desk.correct(cup, 1, 4, force="keep")
    assert first.keeps is not None
    assert first.keeps.version == 1
    second = desk.correct(cup, 1, 4, scores=[20, 100], reason="Scores too")
    assert (second.version, second.keeps) == (3, first.keeps)
    assert selectors.verify(cup.pk) == []
    third = desk.correct(cup, 1, 1, reason="It was right at first")
    assert third.keeps is None
    assert desk.play.seeds(cup, 3) == [1, 2]
    assert selectors.verify(cup.pk) == []


def test_what_was_kept_can_still_be_played_again(board: Event, desk: Desk) -> None:
    cup = board(4)
    for number, winner in ((1, 1), (2, 2), (3, 1)):
        desk.report(cup, number, winner)
    desk.correct(cup, 1, 4, force="keep")
    desk.correct(cup, 1, 4, force="void", reason="Play it again after all")
    assert desk.play.seeds(cup, 3) == [4, 2]
    assert desk.play.result(cup, 3) is None
    cup.refresh_from_db()
    assert cup.status == "running"
    assert selectors.verify(cup.pk) == []
    desk.report(cup, 3, 4)
    assert desk.play.places(cup) == [3, 2, 3, 1]


def test_both_ways_out_of_a_match_are_kept_in_double_elimination(
    board: Event, desk: Desk
) -> None:  # D11's sibling: the loser's way too
    cup = board(4, format="double_elimination")
    desk.report(cup, 1, 1)  # 1–4
    desk.report(cup, 2, 2)  # 2–3
    numbers = {frozenset(desk.play.seeds(cup, number)): number for number in range(3, 6)}
    winners, losers = numbers[frozenset({1, 2})], numbers[frozenset({3, 4})]
    desk.report(cup, losers, 3)
    desk.correct(cup, 1, 4, force="keep")
    assert set(desk.play.seeds(cup, winners)) == {1, 2}
    assert set(desk.play.seeds(cup, losers)) == {3, 4}
    assert desk.play.places(cup)[3] == 4
    assert selectors.verify(cup.pk) == []


def test_a_reset_that_was_played_stays_when_the_first_final_is_corrected(
    board: Event, desk: Desk
) -> None:  # D4's sibling
    cup = board(2, format="double_elimination")
    desk.report(cup, 1, 1)
    desk.report(cup, 2, 2)  # the challenger wins the final
    desk.report(cup, 3, 2)
    desk.correct(cup, 2, 1, force="keep")
    assert desk.play.result(cup, 3) == ("played", 2)
    assert desk.play.places(cup) == [2, 1]
    assert selectors.verify(cup.pk) == []
    desk.correct(cup, 2, 1, force="void", reason="As the rules say")
    assert desk.play.places(cup) == [1, 2]
    assert selectors.verify(cup.pk) == []


def test_nothing_is_kept_where_nothing_has_begun(board: Event, desk: Desk) -> None:  # D10
    cup = board(4)
    desk.report(cup, 1, 1)
    desk.report(cup, 2, 2)
    [way] = desk.preview(cup, 1, 4).ways
    assert (way.name, [later.number for later in way.later]) == ("plain", [3])
    assert desk.correct(cup, 1, 4, force="keep").keeps is None
    assert desk.play.seeds(cup, 3) == [4, 2]
    assert selectors.verify(cup.pk) == []


def test_a_stale_preview_is_refused(board: Event, desk: Desk) -> None:
    cup = board(8)
    for number, winner in ((1, 1), (2, 4)):
        desk.report(cup, number, winner)
    seen = desk.preview(cup, 1, 8)
    desk.report(cup, 5, 1)  # what hung on it has begun meanwhile
    with pytest.raises(TournamentError) as refused:
        desk.correct(cup, 1, 8, seen=seen.digest)
    assert refused.value.code == "stale"
    fresh = desk.preview(cup, 1, 8)
    with pytest.raises(TournamentError) as refused:
        desk.correct(cup, 1, 8, seen=fresh.digest, expected_version=0, force="keep")
    assert refused.value.code == "stale"
    with pytest.raises(TournamentError) as refused:  # seen for another entry
        desk.correct(cup, 1, 8, outcome="decision", seen=fresh.digest, force="keep")
    assert refused.value.code == "stale"
    desk.correct(cup, 1, 8, seen=fresh.digest, expected_version=1, force="keep")
    assert desk.play.seeds(cup, 5) == [1, 4]


def test_the_preview_says_whose_rating_would_move(
    event: Event,
    desk: Desk,
    play: Play,
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
    settings: Any,
) -> None:  # D11, R3
    cup = event(rules={"preset": "allfives", "target": 10})
    for number in range(1, 5):
        player = Player.objects.create_user(f"player{number}", name=f"Player {number}")
        services.join(tournament_id=cup.pk, player=player)
    services.start(tournament_id=cup.pk, by=cup.organiser)
    desk.report(cup, 1, 1)
    desk.report(cup, 2, 2)
    match = play.sit_down(cup, 3)
    Match.objects.filter(pk=match.pk).update(
        status="finished", phase="over", turn=None, wake_at=None, reason="target", winner=0,
        places=[1, 2], scores=[10, 0], finished_at=match.created_at, deadline=None,
    )  # fmt: skip
    services.handle_finished_match(match.pk)
    rate(match.pk)
    pool, one, two = pool_of(cup), play.entrant(cup, 1).player, play.entrant(cup, 2).player
    shown = {name: each.rating for name, each in ratings_in(pool, [one, two]).items()}
    before = everything()
    void, keep = desk.preview(cup, 1, 4).ways
    assert everything() == before
    assert {(each.name, each.before) for each in void.ratings} == {
        (one.name, shown[one.pk]), (two.name, shown[two.pk])
    }  # fmt: skip
    assert (void.anew, keep.ratings, keep.anew) == (None, (), None)
    with monkeypatch.context() as much:
        much.setattr("ratings.services.AT_ONCE", -1)
        later, _keep = desk.preview(cup, 1, 4).ways
        assert (later.ratings, later.anew) == ((), Extent(matches=0, players=2))
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
        settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
        client.force_login(cup.organiser)
        entry = {"outcome": "played", "winner": play.entrant(cup, 4).pk, "reason": "x"}
        page = client.post(f"/tournaments/{cup.slug}/pairings/1/correct", entry)
        assert "of 2 players" in page.content.decode()
        assert everything() == before
    desk.correct(cup, 1, 4, outcome="decision", force="void")
    now = ratings_in(pool, [one, two])
    for player in (one, two):
        [each] = [each for each in void.ratings if each.name == player.name]
        assert each.after == (now[player.pk].rating if player.pk in now else None)


def test_a_drawn_round_stays_and_the_table_changes(
    board: Event, desk: Desk, play: Play
) -> None:  # the Swiss's part of D11
    cup = board(4, format="swiss", options={"rounds": 3})
    services.draw_due(tournament_id=cup.pk)
    for number in (1, 2):
        low = min(seed for seed in play.seeds(cup, number) if seed)
        desk.report(cup, number, low)
    services.draw_due(tournament_id=cup.pk)
    second = [play.seeds(cup, number) for number in (3, 4)]
    other = max(seed for seed in play.seeds(cup, 1) if seed)
    seen = desk.preview(cup, 1, other)
    assert (seen.begun, seen.stays) == ((), (2,))
    [way] = seen.ways
    assert way.later == ()
    assert way.places
    desk.correct(cup, 1, other, seen=seen.digest)
    assert [play.seeds(cup, number) for number in (3, 4)] == second
    ranks = {row.entrant.label: row.place for row in selectors.standings(cup)}
    assert {each.name: each.after for each in way.places}.items() <= ranks.items()
    assert selectors.verify(cup.pk) == []


def test_two_corrections_at_once_are_two_versions_or_a_refusal(
    board: Event, desk: Desk
) -> None:  # D9
    cup = board(4)
    desk.report(cup, 1, 1)
    desk.correct(cup, 1, 4, expected_version=1)
    with pytest.raises(TournamentError) as refused:
        desk.correct(cup, 1, 1, expected_version=1)
    assert refused.value.code == "stale"
    assert desk.play.seeds(cup, 3)[0] == 4


def test_what_was_annulled_is_as_if_it_had_never_been(board: Event, desk: Desk) -> None:  # D12
    cup, plain = board(8), board(8)
    for number, winner in ((1, 1), (2, 4), (3, 2), (4, 3), (5, 1), (6, 2), (7, 2)):
        desk.report(cup, number, winner)
    desk.correct(cup, 1, 8, force="void")
    for number, winner in ((1, 8), (2, 4), (3, 2), (4, 3), (6, 2)):
        desk.report(plain, number, winner)
    for event in (cup, plain):
        assert [(row.place, row.wins) for row in selectors.standings(event)] == [
            (None, 2), (None, 1), (None, 1), (3, 1), (5, 0), (5, 0), (5, 0), (5, 0)
        ]  # fmt: skip
        desk.report(event, 5, 4)
        desk.report(event, 7, 4)
    assert desk.play.places(cup) == desk.play.places(plain)


def test_a_finished_event_reopens_for_what_is_played_again_and_closes_again(
    board: Event, desk: Desk
) -> None:
    cup = board(2)
    desk.report(cup, 1, 1)
    desk.correct(cup, 1, 2)
    cup.refresh_from_db()
    assert (cup.status, desk.play.places(cup)) == ("finished", [2, 1])
    assert selectors.verify(cup.pk) == []
    assert list(AuditLine.objects.filter(tournament=cup).values_list("action", flat=True))[-3:] == [
        "result", "finished", "corrected"
    ]  # fmt: skip
