"""Who should not meet: households, clubs, those who met in an earlier event."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from players import clubs
from players.models import Membership, Player
from tournaments import apart, audit, services
from tournaments import board as boards
from tournaments.errors import TournamentError
from tournaments.formats import arena, groups
from tournaments.formats.model import Field
from tournaments.models import Apart, Tournament
from tournaments.proof import verify

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]


@pytest.fixture
def swiss(event: Event, people: People) -> Callable[[int], Tournament]:
    """A Swiss whose rounds the arbiter starts, not started yet; seeded in the order they joined."""

    def make(count: int, **settings: object) -> Tournament:
        made = event(**{"format": "swiss", "options": {"rounds": 3}, "play": "board",
                        "round_start": "arbiter", **settings})  # fmt: skip
        for player in people(count):
            services.join(tournament_id=made.pk, player=player)
        return made

    return make


def ids(cup: Tournament, *numbers: int) -> list[int]:
    """The entries of those who joined first, second, …"""
    rows = list(cup.entrants.order_by("pk").values_list("pk", flat=True))
    return [rows[number - 1] for number in numbers]


def household(cup: Tournament, *numbers: int, name: str = "") -> Apart:
    return services.keep_apart(
        tournament_id=cup.pk, by=cup.organiser, entrants=ids(cup, *numbers), name=name
    )


def first_round(cup: Tournament) -> list[tuple[int, ...]]:
    services.start(tournament_id=cup.pk, by=cup.organiser)
    services.ask(tournament_id=cup.pk, by=cup.organiser)
    assert services.draw_due(tournament_id=cup.pk)
    drawn = boards.load(cup.stages.get()).drawn
    return sorted(tuple(sorted(meeting.seeds)) for meeting in drawn)


def test_a_household_is_kept_apart_in_a_swiss_and_it_is_said_why(
    swiss: Callable[[int], Tournament],
) -> None:
    cup = swiss(4)
    household(cup, 1, 3)
    assert (1, 3) not in first_round(cup)
    board = boards.load(cup.stages.get())
    assert board.pairings[1].why["ruled_out"] == "apart"
    assert verify(cup.pk) == []


def test_a_wish_that_can_not_be_granted_never_keeps_a_round_from_being_drawn(
    swiss: Callable[[int], Tournament],
) -> None:
    cup = swiss(4)
    household(cup, 1, 2, 3, 4)
    assert first_round(cup) == [(1, 3), (2, 4)]
    board = boards.load(cup.stages.get())
    assert [pairing.why["apart"] for pairing in board.pairings.values()] == [1, 1]
    assert verify(cup.pk) == []


def test_members_of_a_club_are_kept_apart_late_entrants_too(
    swiss: Callable[[int], Tournament],
) -> None:
    cup = swiss(4)
    founder = Player.objects.create_user("fay", name="Fay")
    club = clubs.found(founder=founder, name="Bones")
    rows = list(cup.entrants.order_by("pk").select_related("player"))
    services.keep_apart(tournament_id=cup.pk, by=cup.organiser, kind="club")
    board_of = dict(enumerate(rows, start=1))
    assert apart.pairs_of(cup, board_of) == frozenset()
    for row in (rows[0], rows[2]):
        Membership.objects.create(club=club, player=row.player)
    assert apart.pairs_of(cup, board_of) == {(1, 3)}


def test_the_club_that_everybody_is_in_keeps_nobody_apart(
    swiss: Callable[[int], Tournament],
) -> None:
    cup = swiss(3)
    founder = Player.objects.create_user("fay", name="Fay")
    club = clubs.found(founder=founder, name="Bones")
    rows = list(cup.entrants.order_by("pk").select_related("player"))
    for row in rows:
        Membership.objects.create(club=club, player=row.player)
    services.keep_apart(tournament_id=cup.pk, by=cup.organiser, kind="club")
    assert apart.pairs_of(cup, dict(enumerate(rows, start=1))) == frozenset()


def test_those_who_met_in_an_earlier_event_are_kept_apart(
    swiss: Callable[..., Tournament], event: Event
) -> None:
    before = swiss(4, round_start="auto", options={"rounds": 1})
    services.start(tournament_id=before.pk, by=before.organiser)
    services.draw_due(tournament_id=before.pk)
    for pairing in before.stages.get().pairings.all():
        services.enter_sheet(
            pairing_id=pairing.pk, by=before.organiser, sheet=services.Sheet(scores=[100, 50])
        )
    cup = event(format="swiss", options={"rounds": 3}, play="board", round_start="arbiter")
    for row in before.entrants.order_by("pk"):
        services.join(tournament_id=cup.pk, player=row.player)
    assert [each.pk for each in apart.earlier_events(cup)] == [before.pk]
    services.keep_apart(tournament_id=cup.pk, by=cup.organiser, kind="event", earlier=before.slug)
    assert not {(1, 3), (2, 4)} & set(first_round(cup))


def test_groups_are_dealt_so_that_a_household_is_not_together(event: Event, people: People) -> None:
    cup = event(format="groups", options={"groups": 2}, play="board")
    for player in people(8):
        services.join(tournament_id=cup.pk, player=player)
    household(cup, 1, 4, 5)
    services.start(tournament_id=cup.pk, by=cup.organiser)
    found = groups.members(boards.load(cup.stages.get()).field)
    together = [set(group) & {1, 4, 5} for group in found]
    assert sorted(map(len, together)) == [1, 2]
    assert sorted(map(len, found)) == [4, 4]
    services.let_meet(tournament_id=cup.pk, by=cup.organiser, apart_id=cup.aparts.get().pk)
    assert groups.members(boards.load(cup.stages.get()).field) == found
    assert verify(cup.pk) == []


@pytest.mark.parametrize(("size", "count"), [(8, 2), (9, 4), (16, 4), (23, 5)])
def test_groups_dealt_anew_keep_every_row_of_the_snake(size: int, count: int) -> None:
    plain = Field(size, options={"groups": count})
    assert groups.kept_apart(plain) == groups.members(plain)
    pairs = frozenset((seed, seed + count) for seed in range(1, size - count + 1))
    dealt = groups.kept_apart(Field(size, options={"groups": count}, avoid=pairs))
    assert not any(pair in pairs for group in dealt for pair in combinations(group, 2))
    snake = groups.members(plain)
    for row in range(-(-size // count)):
        rows = [{group[row] for group in each if len(group) > row} for each in (dealt, snake)]
        assert rows[0] == rows[1]


def test_in_an_arena_two_are_kept_apart_while_somebody_else_waits() -> None:
    waiting = [
        arena.Waiting(seed, seed, apart=frozenset({1: {2}, 2: {1}}.get(seed, set())))
        for seed in range(1, 5)
    ]
    drawn = arena.pair(waiting, number=1, round=1, active=4, randomness="x")
    assert (1, 2) not in [tuple(sorted(meeting.seeds)) for meeting in drawn]
    alone = arena.pair(waiting[:2], number=1, round=1, active=2, randomness="x")
    assert [sorted(meeting.seeds) for meeting in alone] == [[1, 2]]
    assert alone[0].because["apart"] == 1


def test_the_same_wish_is_noted_once_and_taken_back_with_a_line_each(
    swiss: Callable[[int], Tournament],
) -> None:
    cup = swiss(4)
    first = household(cup, 1, 2, name="The Bergs")
    assert household(cup, 2, 1) == first
    for _time in range(2):
        services.keep_apart(tournament_id=cup.pk, by=cup.organiser, kind="club")
    for _time in range(2):
        services.let_meet(tournament_id=cup.pk, by=cup.organiser, apart_id=first.pk)
    assert list(cup.aparts.values_list("kind", flat=True)) == ["club"]
    names = ", ".join(row.label for row in cup.entrants.order_by("pk")[:2])
    said = [audit.sentence(line) for line in audit.lines(cup, kind="entrants")]
    assert said[:3] == [
        f"No longer kept apart: {names}.",
        "Members of the same club are to be kept apart.",
        f"To be kept apart while it can be helped: {names}.",
    ]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"entrants": []}, "bad_apart"),
        ({"entrants": [0, -1]}, "bad_apart"),
        ({"kind": "event", "earlier": "nowhere"}, "no_earlier"),
        ({"kind": "enemies"}, "bad_apart"),
    ],
)
def test_what_is_no_wish_is_refused_and_nothing_is_noted(
    given: dict[str, object], code: str, swiss: Callable[[int], Tournament]
) -> None:
    cup = swiss(4)
    with pytest.raises(TournamentError) as refused:
        services.keep_apart(tournament_id=cup.pk, by=cup.organiser, **given)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert not cup.aparts.exists()


def test_a_copy_keeps_clubs_apart_too(swiss: Callable[[int], Tournament]) -> None:
    cup = swiss(2)
    services.keep_apart(tournament_id=cup.pk, by=cup.organiser, kind="club")
    household(cup, 1, 2)
    made = services.copy(tournament_id=cup.pk, by=cup.organiser)
    assert list(made.aparts.values_list("kind", flat=True)) == ["club"]
