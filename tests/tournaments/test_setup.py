"""Making an event: settings, seeds, cancelling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Match
from players.models import Player
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
Play = Any


def refusal(work: Callable[[], Any]) -> TournamentError:
    with pytest.raises(TournamentError) as refused:
        work()
    return refused.value


def test_a_new_event_is_a_draft_of_all_fives(organiser: Player) -> None:
    cup = services.create(organiser=organiser, name=" Friday\u202e  Cup ")
    assert (cup.name, cup.slug, cup.status) == ("Friday Cup", "friday-cup", "draft")
    assert (cup.rules, cup.preset, cup.game) == ({"preset": "allfives"}, "allfives", "allfives")
    assert (cup.best_of, cup.capacity, cup.no_show_seconds) == (1, 16, 180)


def test_two_events_of_one_name_have_their_own_addresses(organiser: Player) -> None:
    first = services.create(organiser=organiser, name="Friday Cup")
    second = services.create(organiser=organiser, name="Friday Cup")
    assert first.slug != second.slug
    assert selectors.by_slug(second.slug) == second
    assert services.create(organiser=organiser, name="金曜日").slug.startswith("tournament")


@pytest.mark.parametrize(
    ("settings", "code", "key"),
    [
        ({"name": "  \u202e "}, "bad_name", "name"),
        ({"name": "x" * 81}, "bad_name", "name"),
        ({"rules": {"preset": "allfives", "target": -5}}, "bad_rules", "target"),
        ({"rules": {"preset": "whist"}}, "bad_rules", "preset"),
        ({"rules": {"preset": "allfives", "partners": True}}, "bad_rules", "partners"),
        ({"rules": "allfives"}, "bad_rules", "rules"),
        ({"capacity": 1}, "bad_setting", "capacity"),
        ({"capacity": 10_001}, "bad_setting", "capacity"),
        ({"capacity": True}, "bad_setting", "capacity"),
        ({"capacity": "8"}, "bad_setting", "capacity"),
        ({"best_of": 2}, "bad_setting", "best_of"),
        ({"best_of": True}, "bad_setting", "best_of"),
        ({"turn_seconds": 4}, "bad_setting", "turn_seconds"),
        ({"seeding": "bribe"}, "bad_setting", "seeding"),
        ({"rated": 1}, "bad_setting", "rated"),
        ({"format": "lottery"}, "bad_setting", "format"),
        ({"text": "x" * 10_001}, "bad_setting", "text"),
        ({"status": "finished"}, "bad_setting", "status"),
        ({"taken": 3}, "bad_setting", "taken"),
    ],
)
def test_a_bad_setting_is_refused_by_name(
    organiser: Player, settings: dict[str, Any], code: str, key: str
) -> None:
    error = refusal(lambda: services.create(organiser=organiser, **{"name": "Cup", **settings}))
    assert (error.code, error.facts["key"]) == (code, key)
    assert not Tournament.objects.exists()


def test_settings_change_before_the_start_only_and_by_the_organiser_only(
    event: Event, people: People
) -> None:
    cup, [ana, bea] = event(), people(2)
    services.edit(tournament_id=cup.pk, by=cup.organiser, name="Monday Cup", best_of=3)
    cup.refresh_from_db()
    assert (cup.name, cup.best_of) == ("Monday Cup", 3)
    assert refusal(lambda: services.edit(tournament_id=cup.pk, by=ana, name="Mine")).code == (
        "not_allowed"
    )
    for player in (ana, bea):
        services.join(tournament_id=cup.pk, player=player)
    services.start(tournament_id=cup.pk, by=cup.organiser)
    late = refusal(lambda: services.edit(tournament_id=cup.pk, by=cup.organiser, best_of=1))
    assert late.code == "has_begun"


def test_staff_may_run_any_event(event: Event, people: People) -> None:
    cup, [ana] = event(), people(1)
    ana.is_staff = True
    services.edit(tournament_id=cup.pk, by=ana, name="Ours")
    cup.refresh_from_db()
    assert cup.name == "Ours"


def test_the_organisers_order_becomes_the_seeds(event: Event, people: People, play: Play) -> None:
    cup, players = event(), people(3)
    ids = [services.join(tournament_id=cup.pk, player=player).pk for player in players]
    order = [ids[2], ids[0], ids[1]]
    services.set_seeds(tournament_id=cup.pk, by=cup.organiser, order=order)
    services.set_seeds(tournament_id=cup.pk, by=cup.organiser, order=order)
    services.start(tournament_id=cup.pk, by=cup.organiser)
    assert [play.entrant(cup, seed).pk for seed in (1, 2, 3)] == order


def test_who_joins_after_the_order_was_set_comes_last(
    event: Event, people: People, play: Play
) -> None:
    cup, players = event(), people(3)
    ids = [services.join(tournament_id=cup.pk, player=player).pk for player in players[:2]]
    services.set_seeds(tournament_id=cup.pk, by=cup.organiser, order=ids[::-1])
    last = services.join(tournament_id=cup.pk, player=players[2]).pk
    services.start(tournament_id=cup.pk, by=cup.organiser)
    assert [play.entrant(cup, seed).pk for seed in (1, 2, 3)] == [ids[1], ids[0], last]


def test_an_order_names_every_entrant_once(event: Event, people: People) -> None:
    cup, players = event(), people(3)
    ids = [services.join(tournament_id=cup.pk, player=player).pk for player in players]
    for order in ([], ids[:2], [*ids, ids[0]], [ids[0], ids[0], ids[1]], [*ids[:2], 0]):
        error = refusal(
            lambda order=order: services.set_seeds(  # type: ignore[misc]
                tournament_id=cup.pk, by=cup.organiser, order=order
            )
        )
        assert error.code == "bad_order"


def test_a_cancelled_event_stops_its_tables_and_nobody_wins(started: Event, play: Play) -> None:
    cup = started(4)
    running = play.sit_down(cup, 1)
    waiting = play.game(cup, 2).match_id
    assert (
        refusal(lambda: services.cancel(tournament_id=cup.pk, by=cup.organiser, reason="  ")).code
        == "no_reason"
    )
    for _ in range(2):
        services.cancel(tournament_id=cup.pk, by=cup.organiser, reason="Fire alarm")
    play.deliver()
    cup.refresh_from_db()
    assert (cup.status, cup.reason) == ("cancelled", "Fire alarm")
    assert Match.objects.get(pk=running.pk).winner is None
    assert Match.objects.get(pk=waiting).status == "cancelled"
    assert play.result(cup, 1) is None
    assert play.places(cup) == [None] * 4
    assert selectors.verify(cup.pk) == []


def test_a_cancelled_event_stays_cancelled(started: Event) -> None:
    cup = started(2)
    services.cancel(tournament_id=cup.pk, by=cup.organiser, reason="Rain")
    for work in (services.start, services.finish, services.open_registration):
        with pytest.raises(TournamentError):
            work(tournament_id=cup.pk, by=cup.organiser)
    cup.refresh_from_db()
    assert cup.status == "cancelled"
