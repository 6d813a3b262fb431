"""Moves at a table, and what is refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.actions import Claim, Draw, Pass, Play
from engine.errors import Refusal
from engine.round import Deal as Tiles
from engine.tiles import COUNT, is_double, parse, text
from games import dealer, selectors, services, store
from games.errors import GameError
from games.models import Match, MatchEvent
from outbox.models import Message
from players.models import Player

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]
Find = Callable[..., Player]


def facts(match: Match) -> tuple[Any, ...]:
    """All that a refused action must leave as it was."""
    card = Match.objects.filter(pk=match.pk).values().get()
    seats = list(match.seat_set.order_by("index").values())
    return card, seats, MatchEvent.objects.filter(match=match).count()


@pytest.mark.parametrize("preset", ["allfives", "classic", "fivecount", "draw", "block"])
def test_a_match_of_two_is_played_to_its_end(
    make_match: Make, play_out: Callable[[Match], None], preset: str
) -> None:
    match = make_match({"preset": preset, "target": 30})
    play_out(match)
    assert match.reason == "target"
    assert match.winner is not None
    assert match.scores[match.winner] >= 30
    assert store.verify(match.pk) == []
    assert Message.objects.filter(kind="match.finished", key=match.pk).count() == 1


@pytest.mark.parametrize(
    ("seats", "rules"),
    [
        (3, {"preset": "allfives", "target": 30}),
        (4, {"preset": "allfives", "target": 30}),
        (4, {"preset": "allfives", "target": 30, "partners": True}),
        (3, {"preset": "draw", "target": 30}),
        (4, {"preset": "block", "target": 30, "partners": True}),
        (3, {"preset": "classic", "target": 30}),
    ],
)
def test_a_match_of_three_or_four_is_played_to_its_end(
    make_match: Make, play_out: Callable[[Match], None], seats: int, rules: dict[str, Any]
) -> None:
    match = make_match(rules, seats)
    play_out(match)
    result = selectors.result_of(match.pk)
    assert result is not None
    assert len(result.sides) == (2 if rules.get("partners") else seats)
    assert min(result.places) == 1
    assert result.places.index(1) == result.winner
    assert store.verify(match.pk) == []


def test_a_move_takes_four_queries(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    match = make_match()
    player, action = choose_move(match)
    with CaptureQueriesContext(
        connection,
    ) as made:
        services.act(
            match_id=match.pk,
            player=player,
            expected_seq=match.seq,
            action=action,
            client_id="one",
        )
    statements = [q["sql"] for q in made if "SAVEPOINT" not in q["sql"]]
    assert len(statements) == 4, statements


def test_a_repeated_command_is_answered_as_the_first_time(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]], move: Callable[..., Any]
) -> None:
    match = make_match()
    player, action = choose_move(match)
    given = {"match_id": match.pk, "player": player, "expected_seq": match.seq, "client_id": "c"}
    first = services.act(**given, action=action)
    for _ in range(3):
        match.refresh_from_db()
        if match.turn is None:
            break
        move(match)
    before = facts(match)
    assert services.act(**given, action=action) == first
    assert services.act(**{**given, "expected_seq": match.seq}, action=action).seq == first.seq
    assert facts(match) == before


def test_a_repeated_command_is_answered_after_the_match_too(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    match = make_match()
    player, action = choose_move(match)
    given = {"match_id": match.pk, "player": player, "expected_seq": match.seq, "client_id": "c"}
    first = services.act(**given, action=action)
    services.resign(match_id=match.pk, player=player)
    assert services.act(**given, action=action) == first


def test_another_seats_client_id_is_another_command(
    make_match: Make, move: Callable[..., services.Ack]
) -> None:
    """S14: an id counts for the seat that sent it."""
    match = make_match({"preset": "block"})
    first = move(match, client_id="same")
    match.refresh_from_db()
    turn = match.turn
    second = move(match, client_id="same" if turn != match.events.get(seq=first.seq).actor else "b")
    assert second.seq > first.seq


def test_a_second_play_meant_for_the_same_table_is_stale(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    """cases.md G14, S10: two plays of one seat, the second unaware of the first."""
    match = make_match()
    player, action = choose_move(match)
    seq = match.seq
    services.act(match_id=match.pk, player=player, expected_seq=seq, action=action, client_id="a")
    before = facts(match)
    for wrong in (seq, seq - 1, before[0]["seq"] + 1):
        with pytest.raises(GameError) as refused:
            services.act(
                match_id=match.pk, player=player, expected_seq=wrong, action=action, client_id="b"
            )
        assert refused.value.code == "stale_seq"
    assert facts(match) == before


def test_what_happens_beside_the_turn_does_not_make_a_move_stale(
    make_match: Make,
    choose_move: Callable[..., tuple[Player, Any]],
    player_at: Find,
) -> None:
    match = make_match()
    player, action = choose_move(match)
    assert match.turn is not None
    seen = match.seq
    services.leave(match_id=match.pk, player=player_at(match, 1 - match.turn))
    match.refresh_from_db()
    assert match.seq == seen + 1
    ack = services.act(match_id=match.pk, player=player, expected_seq=seen, action=action)
    assert ack.seq == seen + 2


def refused_with(match: Match, player: Player, action: Any) -> str:
    match.refresh_from_db()
    before = facts(match)
    with pytest.raises((Refusal, GameError)) as refused:
        services.act(match_id=match.pk, player=player, expected_seq=match.seq, action=action)
    assert facts(match) == before
    return refused.value.code


def test_what_is_not_allowed_changes_nothing(make_match: Make, player_at: Find) -> None:
    """S12."""
    match = make_match()
    turn = match.turn
    assert turn is not None
    mine, other = player_at(match, turn), player_at(match, 1 - turn)
    hand = selectors.snapshot_for(match.pk, mine)["hand"]
    lead = selectors.snapshot_for(match.pk, mine)["legal"][0]["play"]
    foreign = next(t for t in ("6-5", "4-3", "2-1", "1-0", "5-3") if t not in hand)
    spare = next(t for t in hand if t != lead)
    assert refused_with(match, other, Pass()) == "not_your_turn"
    assert refused_with(match, mine, Play(parse(foreign))) == "not_in_hand"
    assert refused_with(match, mine, Play(parse(spare))) == "must_lead"
    assert refused_with(match, mine, Play(parse(lead), "left")) == "no_such_end"
    assert refused_with(match, mine, Pass()) == "must_play"
    assert refused_with(match, mine, Draw()) == "must_play"
    assert refused_with(match, other, Claim(10)) == "not_called"


def test_a_stranger_and_a_spectator_do_nothing(
    make_match: Make, make_player: Callable[..., Player]
) -> None:
    match = make_match()
    assert refused_with(match, make_player(), Pass()) == "not_seated"


def test_after_the_round_and_after_the_match_nothing_is_played(
    make_match: Make, player_at: Find, move: Callable[..., Any]
) -> None:
    """cases.md G23."""
    match = make_match({"preset": "block"})
    while match.phase == "play":
        move(match)
        match.refresh_from_db()
    assert match.phase == "between"
    players = [player_at(match, 0), player_at(match, 1)]
    for player in players:
        for action in (Draw(), Pass(), Play(parse("6-6")), Play(parse("1-0"), "left")):
            assert refused_with(match, player, action) == "round_over"
    services.resign(match_id=match.pk, player=players[0])
    for player in players:
        for action in (Draw(), Pass(), Play(parse("6-6"))):
            assert refused_with(match, player, action) == "match_over"
    with pytest.raises(GameError) as refused:
        services.resign(match_id=match.pk, player=players[1])
    assert refused.value.code == "match_over"


def test_forced_draws_and_passes_come_with_the_move_before(
    make_match: Make, play_out: Callable[[Match], None]
) -> None:
    match = make_match({"preset": "draw", "target": 30})
    play_out(match)
    rows = list(match.events.order_by("seq"))
    drawn = [row for row in rows if row.kind == "drew"]
    assert drawn
    assert all(row.actor is None for row in drawn)
    for before, after in itertools.pairwise(rows):
        if before.kind == after.kind == "drew":
            assert before.data["seat"] != after.data["seat"]


def test_everyone_ready_deals_at_once(
    make_match: Make, player_at: Find, move: Callable[..., Any]
) -> None:
    match = make_match({"preset": "block"})
    while match.phase == "play":
        move(match)
        match.refresh_from_db()
    people = [player_at(match, 0), player_at(match, 1)]
    for player in people:
        services.arrive(match_id=match.pk, player=player)
    services.ready(match_id=match.pk, player=people[0])
    services.ready(match_id=match.pk, player=people[0])
    match.refresh_from_db()
    assert (match.phase, match.events.filter(kind="ready").count()) == ("between", 1)
    assert selectors.snapshot_for(match.pk, None)["seats"][0]["ready"]
    services.ready(match_id=match.pk, player=people[1])
    match.refresh_from_db()
    assert match.phase == "play"
    assert not any(seat["ready"] for seat in selectors.snapshot_for(match.pk, None)["seats"])


def test_the_ready_do_not_wait_for_the_absent(
    make_match: Make, player_at: Find, move: Callable[..., Any]
) -> None:
    match = make_match({"preset": "block"}, bots={1: "easy"}, bot_delay_ms=0)
    while match.phase == "play":
        if match.turn == 1:
            services.wake(match_id=match.pk)
        else:
            move(match)
        match.refresh_from_db()
    services.ready(match_id=match.pk, player=player_at(match, 0))
    match.refresh_from_db()
    assert match.phase == "play"


def test_the_second_round_knows_nothing_of_the_first(
    make_match: Make, move: Callable[..., Any]
) -> None:
    """cases.md G11: the spinner of the first round is forgotten."""
    match = make_match({"preset": "allfives", "target": 300})
    while match.phase != "between":
        move(match)
        match.refresh_from_db()
    services.wake(match_id=match.pk, now=match.wake_at)
    view = selectors.snapshot_for(match.pk, None)
    assert view["round"]["number"] == 2
    assert (view["round"]["line"], view["round"]["ends"], view["round"]["total"]) == ([], {}, 0)
    assert view["last_end"]["number"] == 1
    match.refresh_from_db()
    move(match)
    assert selectors.snapshot_for(match.pk, None)["last_end"] is None


def test_a_round_without_doubles_is_led_by_the_heaviest(
    make_match: Make, player_at: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cases.md G10: every double lies in the boneyard; no redeal, no stuck table."""
    plain = [text(tile) for tile in range(COUNT) if not is_double(tile)]
    dealt(monkeypatch, " ".join(plain[:7]), " ".join(plain[14:21]))
    match = make_match()
    assert match.turn is not None
    legal = selectors.snapshot_for(match.pk, player_at(match, match.turn))["legal"]
    assert [action["play"] for action in legal] == ["6-5"]


@pytest.mark.parametrize("preset", ["allfives", "classic", "fivecount"])
def test_a_preview_pays_what_the_play_pays(make_match: Make, player_at: Find, preset: str) -> None:
    """cases.md G3: for whatever is played of what was offered."""
    match = make_match({"preset": preset, "target": 500, "arms": "any"})
    compared = 0
    for step in range(30):
        match.refresh_from_db()
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
            continue
        player = player_at(match, match.turn)
        legal = selectors.snapshot_for(match.pk, player)["legal"]
        chosen = legal[step % len(legal)]
        ack = services.act(
            match_id=match.pk,
            player=player,
            expected_seq=match.seq,
            action=Play(parse(chosen["play"]), chosen.get("at")),
        )
        played = match.events.get(seq=ack.seq).data
        assert (played["total"], played["score"]) == (chosen["total"], chosen["pays"])
        compared += 1
    assert compared > 20


def dealt(monkeypatch: pytest.MonkeyPatch, *hands: str) -> None:
    """Deal these hands, each as tiles with spaces between; the rest is the boneyard."""
    given = tuple(tuple(parse(name) for name in hand.split()) for hand in hands)
    held = {tile for hand in given for tile in hand}
    tiles = Tiles(given, tuple(tile for tile in range(COUNT) if tile not in held))
    monkeypatch.setattr(dealer, "_derive", lambda row, seed, rules: (tiles, 0))


def test_a_lead_nobody_can_answer_blocks_at_once(
    make_match: Make, move: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """cases.md G12: the passes are not played out."""
    dealt(monkeypatch, "6-6 1-0 2-0 2-1", "3-0 3-1 3-2 4-0")
    match = make_match({"preset": "block", "hand_sizes": 4, "target": 500})
    move(match)
    match.refresh_from_db()
    kinds = list(match.events.order_by("seq").values_list("kind", flat=True))
    assert kinds[-2:] == ["played", "round_ended"]
    end = selectors.snapshot_for(match.pk, None)["last_end"]
    assert (end["reason"], end["winner"], end["pips"]) == ("blocked", 0, [6, 16])
    assert match.scores == [16, 0]


def test_draws_go_on_until_a_tile_fits(
    make_match: Make, move: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The boneyard's order is the deal's; the turn stays with who draws."""
    dealt(monkeypatch, "6-6 6-5", "1-0 2-0")
    match = make_match({"preset": "draw", "hand_sizes": 2, "target": 500})
    move(match)
    match.refresh_from_db()
    drew = match.events.get(kind="drew")
    boneyard = store.load(match).tiles[1].boneyard
    first_fit = next(n for n, tile in enumerate(boneyard) if tile in (parse("6-0"), parse("6-1")))
    assert drew.data == {"seat": 1, "count": first_fit + 1, "round": 1, "first": 0}
    assert match.turn == 1


def test_resigning_ends_a_match_of_two(make_match: Make, player_at: Find) -> None:
    match = make_match()
    player = player_at(match, 0)
    first = services.resign(match_id=match.pk, player=player, client_id="r")
    assert services.resign(match_id=match.pk, player=player, client_id="r") == first
    match.refresh_from_db()
    assert (match.status, match.reason, match.winner, match.places) == (
        "finished",
        "resigned",
        1,
        [2, 1],
    )
    assert match.events.filter(kind="match_ended").count() == 1
    assert Message.objects.filter(key=match.pk).count() == 1
    assert store.verify(match.pk) == []


def test_three_play_on_when_a_fourth_resigns(
    make_match: Make, player_at: Find, move: Callable[..., Any]
) -> None:
    match = make_match({"preset": "allfives", "target": 30}, seats=4, bot_delay_ms=0)
    quitter = player_at(match, 2)
    services.resign(match_id=match.pk, player=quitter)
    match.refresh_from_db()
    assert match.status == "running"
    with pytest.raises(GameError) as refused:
        services.act(match_id=match.pk, player=quitter, expected_seq=match.seq, action=Pass())
    assert refused.value.code == "resigned"
    while match.status != "finished":
        if match.turn in (None, 2):
            assert services.wake(match_id=match.pk, now=match.wake_at)
        else:
            move(match)
        match.refresh_from_db()
    assert match.places is not None
    assert match.places[2] == 4
    result = selectors.result_of(match.pk)
    assert result is not None
    assert result.left == [2]
    assert store.verify(match.pk) == []


def test_an_arbiter_takes_a_seat_out(make_match: Make) -> None:
    match = make_match()
    services.forfeit(match_id=match.pk, seats=[0], reason="forfeit")
    services.forfeit(match_id=match.pk, seats=[1], reason="forfeit")
    match.refresh_from_db()
    assert (match.reason, match.winner) == ("forfeit", 1)
    assert store.verify(match.pk) == []
