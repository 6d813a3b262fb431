"""Coming in and leaving before the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from players.models import Player
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Entrant, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
AtOnce = Callable[[int, Callable[[int], Any]], list[Any]]


def statuses(tournament: Tournament) -> list[str]:
    return list(tournament.entrants.order_by("pk").values_list("status", flat=True))


def test_two_clicks_on_join_are_one_entry(event: Event, people: People) -> None:  # B11
    cup, [ana] = event(), people(1)
    first = services.join(tournament_id=cup.pk, player=ana)
    assert services.join(tournament_id=cup.pk, player=ana).pk == first.pk
    cup.refresh_from_db()
    assert (cup.entrants.count(), cup.taken) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_many_clicks_at_once_are_one_entry(event: Event, people: People, at_once: AtOnce) -> None:
    cup, [ana] = event(), people(1)
    entries = at_once(8, lambda _: services.join(tournament_id=cup.pk, player=ana))
    assert len({entry.pk for entry in entries}) == 1
    assert selectors.verify(cup.pk) == []


@pytest.mark.django_db(transaction=True)
def test_a_rush_for_the_last_place_is_won_once(
    event: Event, people: People, at_once: AtOnce
) -> None:  # B10, R56
    cup = event(capacity=4)
    rush = people(10)
    services.add_bots(tournament_id=cup.pk, by=cup.organiser, count=3, level="easy")
    at_once(10, lambda n: services.join(tournament_id=cup.pk, player=rush[n]))
    assert sorted(statuses(cup)) == ["active"] * 4 + ["waiting"] * 9
    positions = [selectors.viewer_state(cup, each).position for each in rush]
    assert sorted(filter(None, positions)) == list(range(1, 10))
    assert selectors.verify(cup.pk) == []


def test_a_place_that_becomes_free_goes_to_the_first_who_waits(
    event: Event, people: People
) -> None:  # B10
    cup, players = event(capacity=2), people(4)
    for player in players:
        services.join(tournament_id=cup.pk, player=player)
    services.withdraw(tournament_id=cup.pk, player=players[0])
    assert [(e.player, e.status) for e in cup.entrants.order_by("pk")] == [
        (players[1], "active"),
        (players[2], "active"),
        (players[3], "waiting"),
    ]
    services.withdraw(tournament_id=cup.pk, player=players[0])  # a second click frees no second one
    assert statuses(cup) == ["active", "active", "waiting"]


@pytest.mark.django_db(transaction=True)
def test_leaving_and_joining_at_once_never_overbooks_nor_leaves_a_place_empty(
    event: Event, people: People, at_once: AtOnce
) -> None:
    cup, players = event(capacity=3), people(8)
    for player in players[:4]:
        services.join(tournament_id=cup.pk, player=player)

    def move(n: int) -> None:
        if n < 4:
            services.withdraw(tournament_id=cup.pk, player=players[n])
        else:
            services.join(tournament_id=cup.pk, player=players[n])

    assert at_once(8, move) == [None] * 8
    assert sorted(statuses(cup)) == ["active"] * 3 + ["waiting"]
    assert selectors.verify(cup.pk) == []


def test_who_waits_may_leave_and_frees_nothing(event: Event, people: People) -> None:
    cup, players = event(capacity=2), people(3)
    for player in players:
        services.join(tournament_id=cup.pk, player=player)
    services.withdraw(tournament_id=cup.pk, player=players[2])
    cup.refresh_from_db()
    assert (statuses(cup), cup.taken) == (["active", "active"], 2)


def test_more_places_let_those_in_who_wait(event: Event, people: People) -> None:
    cup, players = event(capacity=2), people(4)
    for player in players:
        services.join(tournament_id=cup.pk, player=player)
    services.edit(tournament_id=cup.pk, by=cup.organiser, capacity=3)
    assert statuses(cup) == ["active", "active", "active", "waiting"]
    with pytest.raises(TournamentError) as refused:
        services.edit(tournament_id=cup.pk, by=cup.organiser, capacity=2)
    assert (refused.value.code, refused.value.facts["taken"]) == ("bad_setting", 3)


def test_nobody_joins_a_draft_or_a_started_event(
    organiser: Player, started: Event, people: People
) -> None:
    draft, [ana] = services.create(organiser=organiser, name="Later"), people(1)
    with pytest.raises(TournamentError) as refused:
        services.join(tournament_id=draft.pk, player=ana)
    assert refused.value.code == "not_open"
    running = started(2)
    with pytest.raises(TournamentError) as refused:
        services.join(tournament_id=running.pk, player=ana)
    assert refused.value.code == "closed"
    with pytest.raises(TournamentError) as refused:
        services.join(tournament_id=0, player=ana)
    assert refused.value.code == "not_found"


def test_an_entrant_may_click_join_also_after_the_start(started: Event) -> None:
    cup = started(2)
    own = cup.entrants.first()
    assert own is not None
    assert services.join(tournament_id=cup.pk, player=own.player).pk == own.pk


def test_only_oneself_and_the_organiser_take_an_entrant_out(event: Event, people: People) -> None:
    cup, [ana, bea] = event(), people(2)
    services.join(tournament_id=cup.pk, player=ana)
    with pytest.raises(TournamentError) as refused:
        services.withdraw(tournament_id=cup.pk, player=ana, by=bea)
    assert refused.value.code == "not_allowed"
    services.withdraw(tournament_id=cup.pk, player=ana, by=cup.organiser)
    assert statuses(cup) == []


def test_bots_enter_each_as_itself_and_only_where_there_is_room(event: Event) -> None:
    cup = event(capacity=5)
    services.add_bots(tournament_id=cup.pk, by=cup.organiser, count=2, level="hard")
    services.add_bots(tournament_id=cup.pk, by=cup.organiser, count=2, level="hard")
    bots = [entrant.player for entrant in cup.entrants.all()]
    assert len({bot.pk for bot in bots}) == 4
    assert all(bot.bot_level == "hard" for bot in bots)
    for count, level, code in [(2, "hard", "too_many"), (0, "hard", "too_many"),
                               (1, "divine", "bad_level")]:  # fmt: skip
        with pytest.raises(TournamentError) as refused:
            services.add_bots(tournament_id=cup.pk, by=cup.organiser, count=count, level=level)
        assert refused.value.code == code
    assert cup.entrants.count() == 4


def test_the_database_itself_refuses_to_overbook_and_to_enter_twice(
    event: Event, people: People
) -> None:
    cup, [ana] = event(capacity=2), people(1)
    services.join(tournament_id=cup.pk, player=ana)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=cup.pk).update(taken=3)
    with pytest.raises(IntegrityError), transaction.atomic():
        Entrant.objects.create(tournament=cup, player=ana)


def test_one_is_replaced_before_the_start_and_the_seed_stays(
    event: Any, people: Any, organiser: Player
) -> None:
    cup = event(check_in_minutes=30)
    for player in people(3):
        services.join(tournament_id=cup.pk, player=player)
    services.set_seeds(tournament_id=cup.pk, by=organiser, order=_pks(cup)[::-1])
    entrant = cup.entrants.select_related("player").get(seed=1)
    services.check_in(tournament_id=cup.pk, player=entrant.player, by=organiser)
    given = {"tournament_id": cup.pk, "by": organiser, "entrant_id": entrant.pk}
    twice = services.replace_entrant(row=services.Newcomer(1, name=entrant.player.name), **given)
    assert isinstance(twice, services.Newcomer)
    assert twice.problem in ("twice", "has_account")
    made = services.replace_entrant(
        row=services.Newcomer(1, name="Nell Day"), reason="ill", **given
    )
    assert (made.pk, made.label) == (entrant.pk, "Nell Day")
    made.refresh_from_db()
    assert (made.seed, made.checked_in_at) == (1, None)
    line = AuditLine.objects.get(tournament=cup, action="replaced")
    assert (line.facts, line.reason) == (
        {"entrant": "Nell Day", "out": entrant.player.name, "into": "Nell Day"},
        "ill",
    )
    cup.refresh_from_db()
    assert (cup.taken, selectors.verify(cup.pk)) == (3, [])


def _pks(cup: Tournament) -> list[int]:
    return list(cup.entrants.order_by("pk").values_list("pk", flat=True))
