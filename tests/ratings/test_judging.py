"""From a finished match to a rating, or to the reason why there is none."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress

from games import services as games
from games.models import Match
from outbox import services as outbox
from players.services import create_guest
from ratings import services, tasks
from ratings.judging import undecided
from ratings.models import RatedMatch, RatingChange, UnratedMatch
from ratings.selectors import (
    changes_of,
    rating_of,
    seat_changes,
    seat_rating,
    unrated_reason,
    unrated_reasons,
    verify,
)

RULES = {"preset": "allfives", "target": 60}


@pytest.fixture
def table(people):
    """Opens a running table of registered players."""

    def make(players, **settings) -> Match:
        return games.open_match(
            **{"rules": RULES, "seats": len(players), "players": players, "host": players[0]}
            | settings
        )

    return make


def test_a_match_played_to_its_end_is_rated(people, table, play):
    ana, ben = people(2)
    match = play(table([ana, ben]).pk)
    assert match.reason == "target"
    assert seat_changes(match.pk) == []
    outbox.drain(limit=10)
    winner, loser = (ana, ben) if match.winner == 0 else (ben, ana)
    assert rating_of(winner, "allfives-1v1").rating > 1500 > rating_of(loser, "allfives-1v1").rating
    assert [change.player for change in changes_of(match.pk)] == [winner, loser]
    won, lost = sorted(seat_changes(match.pk), key=lambda each: each["seat"] != match.winner)
    assert (won["before"], lost["before"]) == (1500, 1500)
    assert won["after"] - 1500 == 1500 - lost["after"] > 0
    assert seat_rating(match.pk)[match.winner] == {"rating": won["after"], "provisional": True}
    assert unrated_reason(match.pk) is None
    assert verify() == []


def test_a_message_delivered_twice_changes_nothing(people, table, play):
    """R2, through the door of the outbox."""
    match = play(table(people(2)).pk)
    services.handle_match_finished({"match": match.pk})
    before = list(RatingChange.objects.order_by("pk").values())
    services.handle_match_finished({"match": match.pk})
    assert list(RatingChange.objects.order_by("pk").values()) == before
    assert len(before) == 2


def test_a_running_match_is_not_rated_yet(people, table):
    match = table(people(2))
    with pytest.raises(services.NotRatedYet):
        services.rate(match.pk)
    assert not UnratedMatch.objects.exists()


def test_a_table_opened_as_unrated(people, table, play):
    match = play(table(people(2), rated=False).pk)
    services.rate(match.pk)
    assert unrated_reason(match.pk) == "The table was opened as unrated."
    assert not RatedMatch.objects.exists()
    assert verify() == []


def test_a_guest_is_not_rated_and_stays_so_with_an_account(people, table, play):
    [ana], guest = people(1), create_guest()
    match = play(table([ana, guest]).pk)
    services.rate(match.pk)
    guest.is_guest, guest.name_key = False, "some name"
    guest.save()
    services.rate(match.pk)
    assert UnratedMatch.objects.get().reason == "guest"
    assert verify() == []


def test_a_bot_is_not_rated(people, play):
    [ana] = people(1)
    match = games.open_match(rules=RULES, seats=2, host=ana, bots={1: "easy"})
    games.resign(match_id=match.pk, player=ana)
    services.rate(match.pk)
    assert UnratedMatch.objects.get().reason == "bot"


@pytest.mark.parametrize("reason", ["forfeit", "no_show"])
def test_a_forfeit_is_not_rated(people, table, reason):
    match = table(people(2))
    games.forfeit(match_id=match.pk, seats=[1], reason=reason)
    services.rate(match.pk)
    assert UnratedMatch.objects.get().reason == reason
    assert verify() == []


def test_resigning_before_half_the_target_is_not_rated(people, table):
    ana, ben = people(2)
    match = table([ana, ben])
    games.resign(match_id=match.pk, player=ana)
    services.rate(match.pk)
    assert UnratedMatch.objects.get().reason == "stopped"


def test_resigning_later_loses_even_when_ahead(people, table, play):
    """To 200, so that no single round leads from under half the target to its end."""
    players = people(2)
    match = table(players, rules={"preset": "allfives", "target": 200})
    scores = play(match.pk, until=lambda match: max(match.scores) >= 100).scores
    ahead = scores.index(max(scores))
    games.resign(match_id=match.pk, player=players[ahead])
    services.rate(match.pk)
    places = dict(RatingChange.objects.values_list("player", "place"))
    assert places == {players[ahead].pk: 2, players[1 - ahead].pk: 1}


def test_whoever_leaves_a_table_takes_the_last_place(people, table, play):
    ana, ben, eva = people(3)
    match = table([ana, ben, eva])
    games.resign(match_id=match.pk, player=eva)
    with_two = play_without(match, eva, play)
    services.rate(match.pk)
    assert with_two.reason == "target"
    assert RatingChange.objects.get(player=eva).place == 3
    assert RatingChange.objects.filter(pool="allfives-table").count() == 3
    assert verify() == []


def play_without(match, gone, play):
    """Plays on while the server plays the seat of whoever is gone."""
    absent = next(seat.index for seat in match.seat_set.all() if seat.player_id == gone.pk)
    while (now := play(match.pk, until=lambda match: match.turn == absent)).status == "running":
        games.wake(match_id=match.pk, now=now.wake_at)
    return now


def test_partners_are_rated_in_their_own_pool(people, table, play):
    players = people(4)
    match = play(table(players, rules={**RULES, "partners": True}).pk)
    services.rate(match.pk)
    row = RatedMatch.objects.get()
    assert row.pool == "allfives-partners"
    assert row.sides == [[players[0].pk, players[2].pk], [players[1].pk, players[3].pk]]
    assert verify() == []


def test_a_match_that_nobody_told_us_of_is_found(people, table, play):
    match = play(table(people(2)).pk)
    assert undecided() == [match.pk]
    assert "neither rated" in verify()[0]
    assert tasks.reconcile() == 1
    assert tasks.reconcile() == 0
    assert verify() == []


def test_a_log_that_tells_another_story_is_a_fault(people, table, play):
    match = play(table(people(2)).pk)
    services.rate(match.pk)
    RatedMatch.objects.update(places=[1, 1])
    faults = verify()
    assert f"Match {match.pk} is in the log otherwise than it was played." in faults
    assert any("the log gives" in fault for fault in faults)


def test_the_ratings_at_a_table_cost_three_queries(people, table, django_assert_max_num_queries):
    match = table(people(4))
    with django_assert_max_num_queries(3):
        assert seat_rating(match.pk) == dict.fromkeys(range(4))
    assert seat_rating("nothing") == {}


def test_where_mail_is_sent_an_account_without_a_proven_address_weighs_half(
    people, table, play, settings
):
    settings.MAIL_IS_SET_UP = True
    ana, ben, eva = people(3)
    for player in (ana, ben):
        EmailAddress.objects.create(
            user=player, email=f"{player.handle}@example.org", verified=True, primary=True
        )
    matches = [play(table(pair).pk) for pair in ([ana, ben], [ana, eva])]
    outbox.drain(limit=20)
    assert [RatedMatch.objects.get(pk=match.pk).weights for match in matches] == [[1.0], [0.5]]
    assert verify() == []


def test_lists_say_why_a_match_was_not_rated(people, table, play):
    match = play(table(people(2), rated=False).pk)
    outbox.drain(limit=10)
    assert {key: str(why) for key, why in unrated_reasons([match.pk, "nothing"]).items()} == {
        match.pk: "The table was opened as unrated."
    }
