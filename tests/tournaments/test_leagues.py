"""Leagues: joined, played, and carried from season to season by the services."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils.translation import override

from players.models import Player
from tournaments import leagues, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Game, League, Pairing, Season

pytestmark = pytest.mark.django_db

TODAY = dt.date(2026, 12, 1)
People = Callable[[int], list[Player]]


@pytest.fixture
def league(organiser: Player) -> League:
    return services.create_league(
        owner=organiser, name="Thursday League", sizes=[4], moves=1, days=30,
        rules={"preset": "allfives", "target": 20},
    )  # fmt: skip


@pytest.fixture
def members(league: League, people: People) -> Callable[[int], list[Player]]:
    def make(count: int) -> list[Player]:
        found = people(count)
        for player in found:
            services.join_league(league_id=league.pk, player=player)
        return found

    return make


def begin(league: League) -> Season:
    places = leagues.proposal(league)
    divisions: dict[int, list[int]] = {}
    for place in places:
        divisions.setdefault(place.division, []).append(place.player.pk)
    return services.begin_season(
        league_id=league.pk, by=league.owner, divisions=list(divisions.values()), begins_on=TODAY
    )


def play_out(season: Season) -> None:
    """The better seed wins every match."""
    for pairing in Pairing.objects.filter(stage__tournament__division__season=season):
        slots = list(pairing.slots.select_related("entrant").order_by("index"))
        best = min(slots, key=lambda slot: slot.entrant.seed or 0 if slot.entrant else 0)
        services.report_result(
            pairing_id=pairing.pk, by=season.league.owner, outcome="played",
            winner=best.entrant_id, scores=[20 if slot is best else 5 for slot in slots],
        )  # fmt: skip


def players_of(season: Season) -> list[list[int]]:
    return [
        [look.board.entrants[seed].player_id for seed in sorted(look.board.entrants)]
        for look in leagues.divisions_of(season)
    ]


def test_a_season_is_a_round_robin_a_division_in_any_order(
    league: League, members: Callable[[int], list[Player]]
) -> None:
    members(8)
    season = begin(league)
    assert (season.number, season.ends_on - season.begins_on) == (1, dt.timedelta(days=30))
    first, second = season.divisions.select_related("tournament").order_by("number")
    assert first.tournament.name == "Thursday League 1-1"
    assert first.tournament.title == "Thursday League 1, division 1"
    with override("hr"):
        assert second.tournament.title == "Thursday League, 1. sezona, 2. divizija"
    statuses = Pairing.objects.filter(stage__tournament=first.tournament).values_list(
        "status", flat=True
    )
    assert list(statuses) == ["ready"] * 6
    assert Game.objects.count() == 0
    for division in (first, second):
        assert selectors.verify(division.tournament_id) == []
    with pytest.raises(TournamentError) as refused:
        begin(league)
    assert refused.value.code == "season_running"


def test_the_best_go_up_and_the_last_go_down(
    league: League, members: Callable[[int], list[Player]], people: People
) -> None:
    everybody = [player.pk for player in members(8)]
    season = begin(league)
    play_out(season)
    assert leagues.is_over(season)
    late = people(1)[0]
    services.join_league(league_id=league.pk, player=late)
    leaver = Player.objects.get(pk=everybody[1])
    services.leave_league(league_id=league.pk, player=leaver)
    places = {place.player.pk: (place.division, place.way) for place in leagues.proposal(league)}
    assert places[everybody[3]] == (1, "stays")  # a place is free, since the second leaves
    assert places[everybody[4]] == (1, "up")
    assert places[late.pk] == (2, "new")
    assert leaver.pk not in places
    following = begin(league)
    assert following.number == 2
    assert players_of(following) == [
        [everybody[0], everybody[2], everybody[4], everybody[3]],
        [everybody[5], everybody[6], everybody[7], late.pk],
    ]
    assert [each.number for each in leagues.archive(league)] == [1]
    assert not league.players.filter(player=leaver).exists()


def test_who_goes_up_is_marked_as_provisional_until_it_is_certain(
    league: League, members: Callable[[int], list[Player]]
) -> None:
    members(8)
    season = begin(league)
    marks = [each for look in leagues.divisions_of(season) for each in look.outlook.values()]
    assert not any(each.certain for each in marks)
    play_out(season)
    ways = [
        [look.outlook[row.entrant.pk].way for row in selectors.standings_of(look.board)]
        for look in leagues.divisions_of(season)
    ]
    assert ways == [["stays", "stays", "stays", "down"], ["up", "stays", "stays", "stays"]]
    marks = [each for look in leagues.divisions_of(season) for each in look.outlook.values()]
    assert all(each.certain for each in marks)


def test_a_table_opens_when_both_are_there(
    league: League, members: Callable[[int], list[Player]], play: Any
) -> None:
    members(3)
    season = begin(league)
    pairing = Pairing.objects.filter(stage__tournament__division__season=season).first()
    assert pairing is not None
    one, other = [slot.entrant.player for slot in pairing.slots.all() if slot.entrant]
    assert not services.wish_to_play(pairing_id=pairing.pk, player=one)
    assert not services.wish_to_play(pairing_id=pairing.pk, player=one)
    (own,) = [m for m in leagues.own_matches(season, other) if m.pairing == pairing.pk]
    assert (own.they_wait, own.you_wait, own.match_id) == (True, False, "")
    assert services.wish_to_play(pairing_id=pairing.pk, player=other)
    game = Game.objects.get()
    assert game.pairing_id == pairing.pk
    assert selectors.verify(pairing.stage.tournament_id) == []
    third = Player.objects.get(pk=next(
        e.player_id for e in pairing.stage.tournament.entrants.all()
        if e.player_id not in (one.pk, other.pk)))  # fmt: skip
    busy = next(m for m in leagues.own_matches(season, third) if m.opponent == one.name)
    services.wish_to_play(pairing_id=busy.pairing, player=third)
    services.wish_to_play(pairing_id=busy.pairing, player=one)
    assert Game.objects.count() == 1  # nobody plays at two tables at once
    cup = pairing.stage.tournament
    play.lose(cup, pairing.number, loser=play.seeds(cup, pairing.number)[0])
    assert selectors.verify(cup.pk) == []
    assert Game.objects.count() == 2  # the other one opens when both are free
    with pytest.raises(TournamentError):
        services.wish_to_play(pairing_id=pairing.pk, player=league.owner)


def test_a_season_can_be_ended_with_matches_left(
    league: League, members: Callable[[int], list[Player]]
) -> None:
    members(5)
    season = begin(league)
    services.close_season(league_id=league.pk, by=league.owner)
    assert leagues.is_over(season)
    for division in season.divisions.all():
        assert selectors.verify(division.tournament_id) == []
    assert begin(league).number == 2


def test_a_season_needs_everybody_once_and_the_owner(
    league: League, members: Callable[[int], list[Player]], people: People
) -> None:
    ids = [player.pk for player in members(4)]
    for divisions in ([ids[:3]], [ids, ids[:2]], [ids[:3], ids[3:]], []):
        with pytest.raises(TournamentError) as refused:
            services.begin_season(
                league_id=league.pk, by=league.owner, divisions=divisions, begins_on=TODAY
            )
        assert refused.value.code == "bad_divisions"
    with pytest.raises(TournamentError) as refused:
        services.begin_season(
            league_id=league.pk, by=people(1)[0], divisions=[ids], begins_on=TODAY
        )
    assert refused.value.code == "not_allowed"
    assert Season.objects.count() == 0


def test_a_season_ends_by_itself_when_its_last_day_is_over(
    league: League, members: Callable[[int], list[Player]]
) -> None:
    members(4)
    season = begin(league)
    first, reported, *_others = Pairing.objects.filter(
        stage__tournament__division__season=season
    ).order_by("number")
    slot = first.slots.get(index=0)
    services.report_result(
        pairing_id=first.pk, by=league.owner, outcome="played", winner=slot.entrant_id,
        scores=[20, 5],
    )  # fmt: skip
    player = reported.slots.get(index=0).entrant
    assert player is not None
    sheet = services.Sheet(scores=[20, 10])
    services.report(pairing_id=reported.pk, by=player.player, sheet=sheet)
    last = dt.datetime.combine(season.ends_on, dt.time(23, 59), dt.UTC)
    assert services.close_due(last) == 0
    assert not leagues.is_over(season)
    assert services.close_due(last + dt.timedelta(minutes=1)) == 4
    assert services.close_due(last + dt.timedelta(minutes=2)) == 0
    assert not leagues.is_over(season)
    kept = first.results.order_by("version").last()
    assert kept is not None
    assert kept.outcome == "played"
    services.close_season(league_id=league.pk, by=league.owner)
    assert leagues.is_over(season)
    for division in season.divisions.all():
        assert selectors.verify(division.tournament_id) == []
