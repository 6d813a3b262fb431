"""Tables before they are played at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.errors import BadRules, EngineError
from games import clock, dealer, selectors, services, store
from games.errors import GameError
from games.models import Match, MatchEvent, Seat
from games.models.deal import Deal
from outbox.models import Delivery, Message
from players.models import Player
from players.services import bot_player

pytestmark = pytest.mark.django_db
RULES = {"preset": "allfives"}


def kinds(match: Match) -> list[str]:
    return list(match.events.order_by("seq").values_list("kind", flat=True))


def test_a_host_opens_a_table_and_has_the_first_seat(two: tuple[Player, Player]) -> None:
    host, _ = two
    match = services.open_match(rules=RULES, seats=2, host=host)
    assert (match.status, match.phase, match.seq) == ("open", "open", 2)
    assert [seat.player_id for seat in match.seat_set.order_by("index")] == [host.pk, None]
    assert kinds(match) == ["opened", "joined"]
    assert len(match.pk) == 12
    assert match.wake_at == match.created_at + clock.OPEN_FOR


def test_the_second_to_join_starts_the_match(two: tuple[Player, Player]) -> None:
    host, guest = two
    match = services.open_match(rules=RULES, seats=2, host=host)
    seat = services.join(match_id=match.pk, player=guest)
    match.refresh_from_db()
    assert seat.index == 1
    assert (match.status, match.phase) == ("running", "play")
    assert kinds(match) == ["opened", "joined", "joined", "started", "round_started"]
    assert match.turn is not None
    assert match.deadline is not None
    assert match.started_at is not None


def test_joining_again_gives_the_same_seat(two: tuple[Player, Player]) -> None:
    host, guest = two
    match = services.open_match(rules=RULES, seats=3, host=host)
    first = services.join(match_id=match.pk, player=guest)
    again = services.join(match_id=match.pk, player=guest)
    assert first.index == again.index == 1
    assert kinds(match) == ["opened", "joined", "joined"]


def test_no_seat_at_a_full_table(make_player: Callable[..., Player]) -> None:
    match = services.open_match(
        rules=RULES, seats=2, players=[make_player(), make_player()], starts_when_full=False
    )
    with pytest.raises(GameError) as refused:
        services.join(match_id=match.pk, player=make_player())
    assert refused.value.code == "full"


def test_no_seat_in_a_match_that_runs(
    make_match: Callable[..., Match], make_player: Callable[..., Player]
) -> None:
    match = make_match()
    with pytest.raises(GameError) as refused:
        services.join(match_id=match.pk, player=make_player())
    assert refused.value.code == "has_begun"


@pytest.mark.parametrize("seat", [-1, 2, True, 0])
def test_a_seat_must_be_there_and_free(make_player: Callable[..., Player], seat: Any) -> None:
    match = services.open_match(rules=RULES, seats=2, host=make_player())
    with pytest.raises(GameError) as refused:
        services.join(match_id=match.pk, player=make_player(), seat=seat)
    assert refused.value.code == "taken"


def test_nobody_gets_a_seat_by_someone_elses_name(make_player: Callable[..., Player]) -> None:
    """cases.md G19: a seat belongs to a player's session, not to a name."""
    ann = make_player("Ann")
    match = services.open_match(rules=RULES, seats=2, players=[ann, make_player()])
    double = make_player("Ann")
    for command in (services.sit, services.resign, services.back, services.ready, services.leave):
        with pytest.raises(GameError) as refused:
            command(match_id=match.pk, player=double)
        assert refused.value.code == "not_seated"
    assert selectors.snapshot_for(match.pk, double)["me"] is None
    assert selectors.snapshot_for(match.pk, double)["hand"] is None


def test_an_unknown_table_is_not_found(make_player: Callable[..., Player]) -> None:
    with pytest.raises(GameError) as refused:
        services.join(match_id="nosuchtable0", player=make_player())
    assert refused.value.code == "not_found"


@pytest.mark.parametrize(
    ("rules", "key"),
    [({"preset": "chess"}, "preset"), ({"gate": 99}, "gate"), ({"partners": True}, "partners")],
)
def test_bad_rules_name_the_key(rules: dict[str, Any], key: str) -> None:
    with pytest.raises(BadRules) as refused:
        services.open_match(rules=rules, seats=2)
    assert refused.value.key == key
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turn_seconds", 4),
        ("turn_seconds", 301),
        ("turn_seconds", True),
        ("turn_seconds", 15.5),
        ("bank_seconds", -1),
        ("break_seconds", 301),
        ("bot_delay_ms", 60_001),
        ("away_after", 0),
        ("forfeit_away_seconds", -1),
    ],
)
def test_a_setting_out_of_range_is_refused(name: str, value: Any) -> None:
    with pytest.raises(GameError) as refused:
        services.open_match(rules=RULES, seats=2, **{name: value})
    assert refused.value.code == "bad_setting"
    assert str(refused.value.facts["key"]).replace("_", "")[:6] == name.replace("_", "")[:6]
    assert not Match.objects.exists()


def test_the_database_refuses_what_the_services_would(make_match: Callable[..., Match]) -> None:
    match = make_match()
    rows = Match.objects.filter(pk=match.pk)
    for wrong in ({"turn_seconds": 4}, {"wake_at": None}, {"turn_seq": 10_000}, {"seats": 5}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**wrong)
    event = match.events.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchEvent.objects.create(match=match, seq=event.seq, kind="x", at=event.at)


def test_the_host_fills_the_table_with_bots(make_player: Callable[..., Player]) -> None:
    host = make_player()
    match = services.open_match(rules=RULES, seats=4, host=host)
    services.add_bot(match_id=match.pk, by=host, level="easy", seat=2)
    services.fill_with_bots(match_id=match.pk, by=host, level="easy")
    services.fill_with_bots(match_id=match.pk, by=host, level="easy")
    match.refresh_from_db()
    seats = list(match.seat_set.order_by("index"))
    assert [seat.bot_level for seat in seats] == ["", "easy", "easy", "easy"]
    assert len({seat.player_id for seat in seats}) == 4
    assert match.status == "running"


def test_only_the_host_calls_bots(two: tuple[Player, Player]) -> None:
    host, other = two
    match = services.open_match(rules=RULES, seats=3, host=host)
    services.join(match_id=match.pk, player=other)
    for player in (other, None):
        with pytest.raises(GameError) as refused:
            services.fill_with_bots(match_id=match.pk, by=player)
        assert refused.value.code == "not_host"
    with pytest.raises(GameError) as refused:
        services.add_bot(match_id=match.pk, by=host, level="genius")
    assert refused.value.code == "no_such_bot"


def test_a_bot_given_as_a_player_is_a_bot(make_player: Callable[..., Player]) -> None:
    bot = bot_player(level="hard", number=3)
    match = services.open_match(rules=RULES, seats=2, players=[make_player(), bot])
    assert match.seat_set.get(index=1).bot_level == "hard"
    assert match.status == "running"


def test_leaving_an_open_table_frees_the_seat(two: tuple[Player, Player]) -> None:
    host, other = two
    match = services.open_match(rules=RULES, seats=3, host=host)
    services.join(match_id=match.pk, player=other)
    services.leave(match_id=match.pk, player=host)
    match.refresh_from_db()
    assert [seat.player_id for seat in match.seat_set.order_by("index")] == [None, other.pk, None]
    assert match.host_id == other.pk
    services.leave(match_id=match.pk, player=other)
    match.refresh_from_db()
    assert (match.status, match.phase, match.wake_at) == ("cancelled", "over", None)


def test_a_cancelled_table_stays_cancelled(two: tuple[Player, Player]) -> None:
    host, other = two
    match = services.open_match(rules=RULES, seats=2, host=host)
    services.cancel(match_id=match.pk, reason="changed my mind")
    services.cancel(match_id=match.pk, reason="twice")
    match.refresh_from_db()
    assert (match.status, match.reason) == ("cancelled", "changed my mind")
    with pytest.raises(GameError) as refused:
        services.join(match_id=match.pk, player=other)
    assert refused.value.code == "has_begun"


def test_a_running_match_is_not_cancelled(make_match: Callable[..., Match]) -> None:
    with pytest.raises(GameError) as refused:
        services.cancel(match_id=make_match().pk, reason="late")
    assert refused.value.code == "has_begun"


def test_a_full_table_may_wait_for_its_host(two: tuple[Player, Player]) -> None:
    host, other = two
    match = services.open_match(rules=RULES, seats=2, host=host, starts_when_full=False)
    with pytest.raises(GameError):
        services.start(match_id=match.pk, by=host)
    services.join(match_id=match.pk, player=other)
    match.refresh_from_db()
    assert match.status == "open"
    with pytest.raises(GameError) as refused:
        services.start(match_id=match.pk, by=other)
    assert refused.value.code == "not_host"
    services.start(match_id=match.pk, by=host)
    match.refresh_from_db()
    assert match.status == "running"


# Reserved seats


def test_a_reserved_table_starts_when_all_have_sat_down(two: tuple[Player, Player]) -> None:
    sit_by = timezone.now() + timedelta(minutes=2)
    match = services.open_match(rules=RULES, seats=2, players=two, sit_by=sit_by)
    assert (match.status, match.wake_at, match.deadline) == ("open", sit_by, sit_by)
    services.sit(match_id=match.pk, player=two[0])
    services.sit(match_id=match.pk, player=two[0])
    match.refresh_from_db()
    assert match.status == "open"
    services.arrive(match_id=match.pk, player=two[1])
    match.refresh_from_db()
    assert match.status == "running"
    assert kinds(match).count("sat") == 2


def test_who_does_not_show_up_loses(two: tuple[Player, Player]) -> None:
    sit_by = timezone.now() + timedelta(minutes=2)
    match = services.open_match(
        rules=RULES, seats=2, players=two, sit_by=sit_by, context={"pairing": 7}
    )
    services.sit(match_id=match.pk, player=two[1])
    assert not services.wake(match_id=match.pk, now=sit_by - timedelta(seconds=1))
    assert services.wake(match_id=match.pk, now=sit_by)
    assert not services.wake(match_id=match.pk, now=sit_by)
    match.refresh_from_db()
    assert (match.status, match.reason, match.winner) == ("finished", "no_show", 1)
    result = selectors.result_of(match.pk)
    assert result is not None
    assert (result.places, result.left, result.context) == ([2, 1], [0], {"pairing": 7})
    assert store.verify(match.pk) == []


def test_nobody_wins_where_nobody_shows_up(two: tuple[Player, Player]) -> None:
    sit_by = timezone.now() + timedelta(minutes=2)
    match = services.open_match(rules=RULES, seats=2, players=two, sit_by=sit_by)
    services.wake(match_id=match.pk, now=sit_by)
    match.refresh_from_db()
    assert (match.status, match.reason, match.winner) == ("finished", "no_show", None)
    assert match.places is not None
    assert match.places[0] == match.places[1]
    assert store.verify(match.pk) == []


def test_three_of_four_begin_without_the_fourth(make_player: Callable[..., Player]) -> None:
    people = [make_player() for _ in range(4)]
    sit_by = timezone.now() + timedelta(minutes=2)
    match = services.open_match(rules=RULES, seats=4, players=people, sit_by=sit_by)
    for player in people[:3]:
        services.sit(match_id=match.pk, player=player)
    services.wake(match_id=match.pk, now=sit_by)
    match.refresh_from_db()
    assert match.status == "running"
    assert selectors.snapshot_for(match.pk, None)["seats"][3]["resigned"]
    assert store.verify(match.pk) == []


def test_an_open_table_nobody_waits_at_is_closed(two: tuple[Player, Player]) -> None:
    match = services.open_match(rules=RULES, seats=2, host=two[0])
    assert match.wake_at is not None
    services.wake(match_id=match.pk, now=match.wake_at)
    match.refresh_from_db()
    assert (match.status, match.reason) == ("cancelled", "nobody_came")


def test_an_open_table_somebody_waits_at_is_kept(two: tuple[Player, Player]) -> None:
    match = services.open_match(rules=RULES, seats=2, host=two[0])
    due = match.wake_at
    assert due is not None
    services.seen(match_id=match.pk, player=two[0], now=due - timedelta(seconds=5))
    services.wake(match_id=match.pk, now=due)
    match.refresh_from_db()
    assert match.status == "open"
    assert match.wake_at is not None
    assert match.wake_at > due


# Rematches


def test_a_rematch_is_opened_once_and_starts_when_all_are_there(
    make_match: Callable[..., Match], player_at: Callable[..., Player]
) -> None:
    match = make_match(seats=3, bots={2: "easy"}, turn_seconds=30, rated=False)
    people = [player_at(match, 0), player_at(match, 1)]
    with pytest.raises(GameError) as refused:
        services.rematch(match_id=match.pk, player=people[0])
    assert refused.value.code == "not_over"
    services.forfeit(match_id=match.pk, seats=[1, 2], reason="forfeit")
    first = services.rematch(match_id=match.pk, player=people[0])
    assert services.rematch(match_id=match.pk, player=people[0]).pk == first.pk
    assert (first.status, first.turn_seconds, first.rated) == ("open", 30, False)
    assert selectors.snapshot_for(match.pk, None)["rematch"] == first.pk
    assert services.rematch(match_id=match.pk, player=people[1]).status == "running"
    assert Match.objects.count() == 2
    assert [seat.bot_level for seat in first.seat_set.order_by("index")] == ["", "", "easy"]
    assert store.verify(match.pk) == store.verify(first.pk) == []


def test_a_rematch_nobody_comes_to_can_be_asked_for_again(
    make_match: Callable[..., Match], player_at: Callable[..., Player]
) -> None:
    match = make_match()
    asker = player_at(match, 0)
    services.resign(match_id=match.pk, player=asker)
    first = services.rematch(match_id=match.pk, player=asker)
    assert first.wake_at is not None
    services.wake(match_id=first.pk, now=first.wake_at + clock.PRESENT_FOR)
    first.refresh_from_db()
    assert first.status == "cancelled"
    again = services.rematch(match_id=match.pk, player=asker)
    assert again.pk != first.pk


def rows() -> dict[str, list[dict[str, Any]]]:
    """All that opening tables writes, without the numbers that the database gives by itself."""
    models = (Match, Seat, MatchEvent, Deal, Message, Delivery)
    own = ("id", "message_id", "created_at", "next_try_at")
    return {
        model.__name__: sorted(
            (
                {name: value for name, value in row.items() if name not in own or model is Match}
                for row in model._default_manager.values()
            ),
            key=repr,
        )
        for model in models
    }


def test_tables_opened_together_are_what_each_would_be_alone(
    make_player: Callable[..., Player],
) -> None:
    people = [make_player() for _ in range(8)]
    now = timezone.now()
    many: list[services.Opening] = [
        {"rules": RULES, "seats": 2, "players": people[:2], "sit_by": now + timedelta(seconds=20)},
        {"rules": RULES, "seats": 2, "players": people[2:4], "context": {"pairing": 7}},
        {"rules": {"preset": "chess"}, "seats": 2, "players": people[:2]},
        {"rules": {"preset": "classic"}, "seats": 3, "host": people[4], "bots": {1: "hard"}},
        {"rules": RULES, "seats": 2, "players": [people[5], people[5]]},
        {"rules": RULES, "seats": 2, "host": people[4], "turn_seconds": 4},
        {
            "rules": {"preset": "allfives", "partners": True}, "seats": 4, "players": people[4:],
            "time_percents": {1: 150}, "bank_seconds": 60, "starts_when_full": False,
        },
        {"rules": {"preset": "draw"}, "seats": 2, "bots": {0: "easy", 1: "easy"}},
        {"rules": {"preset": "draw"}, "seats": 2, "bots": {0: "clever"}},
        {"rules": RULES, "seats": 2, "players": people[6:], "sit_by": now, "told": False},
    ]  # fmt: skip
    codes = []
    chance = dealer.secrets.random  # type: ignore[attr-defined]  # the tests' own (conftest.py)
    before = chance.getstate()
    for opening in many:
        try:
            services.open_match(**{**opening, "now": now})
        except (GameError, EngineError) as refused:
            codes.append(refused.code)
    alone = rows()
    assert codes == ["bad_rules", "taken", "bad_setting", "no_such_bot"]
    for model in (Match, Message):
        model._default_manager.all().delete()
    chance.setstate(before)
    answers = services.open_matches([{**opening, "now": now} for opening in many])
    assert rows() == alone
    assert [len(found) for found in alone.values()] == [6, 15, 24, 2, 1, 1]
    assert [answer.code for answer in answers if not isinstance(answer, Match)] == codes
    opened = [answer for answer in answers if isinstance(answer, Match)]
    assert [store.verify(match.pk) for match in opened] == [[]] * 6
    assert [match.status for match in opened] == [
        "open",
        "running",
        "open",
        "open",
        "running",
        "open",
    ]


@pytest.mark.parametrize("tables", [1, 20])
def test_a_table_costs_no_statement_of_its_own(
    tables: int,
    make_player: Callable[..., Player],
    django_assert_num_queries: Callable[..., Any],
) -> None:
    people = [make_player() for _ in range(2 * tables)]
    sit_by = timezone.now() + timedelta(seconds=20)
    pairs = zip(people[::2], people[1::2], strict=True)
    with django_assert_num_queries(9):
        services.open_matches(
            [{"rules": RULES, "seats": 2, "players": pair, "sit_by": sit_by} for pair in pairs]
        )
