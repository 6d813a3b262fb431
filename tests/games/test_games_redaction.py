"""Nobody is told of a tile that they may not know (cases.md G18, S20): by non-interference.

Two worlds that differ only in tiles hidden from a viewer must look the same to that viewer.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib import admin

from engine.errors import EngineError
from engine.round import Deal as Tiles
from engine.tiles import bits, text
from games import dealer, scenes, selectors, services, store
from games.models import Match
from games.replays import replay_for
from players.models import Player

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]
TILE = re.compile(r"\b[0-6]-[0-6]\b")


def messages(match: Match, viewer: Player | None) -> str:
    """All that a viewer can be sent: every event from the first, and the whole view."""
    at = match.created_at
    update = selectors.update_for(match.pk, viewer, 0, now=at)
    text = json.loads(selectors.update_text(scenes.read(match.pk), viewer, 0, now=at))
    assert text == {"t": "state", "seq": update.seq, "events": update.events, "view": update.view}
    record, replay = selectors.record_of(match.pk), replay_for(match.pk, viewer)
    glance = selectors.glance_of(scenes.read(match.pk))
    told = [update.seq, update.events, update.view, record, replay, glance]
    return json.dumps(told, sort_keys=True)


def hidden_slots(state: store.State, seat: int | None) -> list[tuple[int, int]]:
    """Where the tiles lie that `seat` does not know: (hand or -1 for the boneyard, place)."""
    round, tiles = state.game.round, state.tiles[state.game.number]
    assert round is not None
    known = {placed.tile for placed in state.game.line}
    if seat is not None:
        known |= set(bits(round.hands[seat])) | set(tiles.hands[seat])
    slots = [(s, i) for s, hand in enumerate(tiles.hands) for i in range(len(hand))]
    slots += [(-1, i) for i in range(len(tiles.boneyard))]
    return [slot for slot in slots if _at(tiles, slot) not in known]


def _at(tiles: Tiles, slot: tuple[int, int]) -> int:
    return (tiles.boneyard if slot[0] == -1 else tiles.hands[slot[0]])[slot[1]]


def swapped(tiles: Tiles, slots: list[tuple[int, int]], order: list[int]) -> Tiles:
    """The same deal with the tiles of `slots` in another order."""
    hands, boneyard = [list(hand) for hand in tiles.hands], list(tiles.boneyard)
    for slot, tile in zip(slots, order, strict=True):
        (boneyard if slot[0] == -1 else hands[slot[0]])[slot[1]] = tile
    return Tiles(tuple(map(tuple, hands)), tuple(boneyard))


def other_worlds(
    match: Match, seat: int | None, monkeypatch: pytest.MonkeyPatch, chance: random.Random
) -> Iterator[None]:
    """Deal the running round in other ways in which the same log could have come about."""
    store.cache.clear()
    state = store.load(match)
    number, slots = state.game.number, hidden_slots(state, seat)
    real, derive = state.tiles[number], dealer.derive
    for _ in range(10):
        order = [_at(real, slot) for slot in slots]
        if chance.random() < 0.5 and len(order) > 1:
            a, b = chance.sample(range(len(order)), 2)
            order[a], order[b] = order[b], order[a]
        else:
            chance.shuffle(order)
        world = swapped(real, slots, order)
        if world == real:
            continue
        monkeypatch.setattr(
            dealer,
            "derive",
            lambda row, rules, w=world: w if row.number == number else derive(row, rules),
        )
        store.cache.clear()
        try:
            known = store.load(match)
        except (store.LogBroken, EngineError):
            continue
        # Whose turn it is, everyone sees: another leader's world would be another log.
        if known.game.turn == match.turn:
            yield
    monkeypatch.setattr(dealer, "derive", derive)
    store.cache.clear()


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ({"preset": "allfives"}, 2),
        ({"preset": "draw"}, 2),
        ({"preset": "muggins"}, 3),
        ({"preset": "allfives", "partners": True}, 4),
        ({"preset": "classic"}, 4),
    ],
)
def test_what_a_viewer_cannot_know_changes_nothing_they_are_told(
    make_match: Make,
    move: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    rules: dict[str, Any],
    seats: int,
) -> None:
    match = make_match({**rules, "target": 400}, seats, turn_seconds=300)
    players: list[Player | None] = [s.player for s in match.seat_set.order_by("index")]
    chance, compared, looked, moves = random.Random(5), 0, 0, 0
    while moves < 16:
        match.refresh_from_db()
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
            continue
        if moves % 6 == 3:
            for seat in [None, *range(seats)]:
                viewer = None if seat is None else players[seat]
                told = messages(match, viewer)
                looked += 1
                for _ in other_worlds(match, seat, monkeypatch, chance):
                    assert messages(match, viewer) == told
                    compared += 1
        move(match)
        moves += 1
    assert looked == 3 * (seats + 1)
    assert compared > looked


def test_the_comparison_would_notice_a_leak(
    make_match: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above can fail: a view of the next seat's tiles differs between the worlds."""
    match = make_match()
    told, differed = _leak(match), 0
    for _ in other_worlds(match, None, monkeypatch, random.Random(5)):
        differed += _leak(match) != told
    assert differed > 2


def _leak(match: Match) -> str:
    return repr(selectors.engine_view(match.pk, 1).legal) + repr(store.load(match).tiles[1].hands)


def tiles_in(told: object) -> set[str]:
    return set(TILE.findall(json.dumps(told)))


@pytest.mark.parametrize(("preset", "seats"), [("allfives", 2), ("draw", 3), ("muggins", 2)])
def test_every_tile_told_in_a_round_is_one_the_viewer_may_know(
    make_match: Make, move: Callable[..., Any], preset: str, seats: int
) -> None:
    """S20's oracle: it knows all hands and reads every byte."""
    match = make_match({"preset": preset, "target": 500}, seats)
    players: list[Player | None] = [s.player for s in match.seat_set.order_by("index")]
    for _ in range(25):
        match.refresh_from_db()
        state = store.load(match)
        started = match.events.filter(kind="round_started").order_by("-seq").first()
        running = state.game.number > len(state.ends)
        for seat in [None, *range(seats)]:
            viewer = None if seat is None else players[seat]
            update = selectors.update_for(match.pk, viewer, started.seq - 1)
            if not running:
                continue
            assert state.game.round is not None
            may_know = {text(placed.tile) for placed in state.game.line}
            if seat is not None:
                may_know |= {text(tile) for tile in state.tiles[state.game.number].hands[seat]}
                may_know |= {text(tile) for tile in bits(state.game.round.hands[seat])}
            view = {k: v for k, v in update.view.items() if k not in ("last_end", "rules")}
            assert tiles_in([update.events, view]) <= may_know
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
        else:
            move(match)


def test_a_drawn_tile_is_told_only_to_its_owner(make_match: Make, move: Callable[..., Any]) -> None:
    match = make_match({"preset": "draw", "target": 500})
    players: list[Player | None] = [s.player for s in match.seat_set.order_by("index")]
    while not match.events.filter(kind="drew").exists():
        match.refresh_from_db()
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
        else:
            move(match)
    drew = match.events.filter(kind="drew").order_by("seq").first()
    owner, before = drew.data["seat"], drew.seq - 1
    told = {
        viewer: selectors.events_since(match.pk, viewer, before)[0] for viewer in [None, *players]
    }
    mine = told[players[owner]]
    assert len(mine["tiles"]) == drew.data["count"]
    assert "tiles" not in told[None]
    assert "tiles" not in told[players[1 - owner]]
    hand = selectors.snapshot_for(match.pk, players[owner])["hand"]
    played = set(match.events.filter(kind="played").values_list("data__tile", flat=True))
    assert set(mine["tiles"]) <= set(hand) | played


def test_the_history_of_a_view_is_the_log_of_its_round_as_the_viewer_may_know_it(
    make_match: Make, move: Callable[..., Any]
) -> None:
    match = make_match({"preset": "draw", "target": 500})
    players: list[Player | None] = [s.player for s in match.seat_set.order_by("index")]
    compared, drew = 0, 0
    for _ in range(60):
        match.refresh_from_db()
        started = match.events.filter(kind="round_started").order_by("-seq").first()
        for viewer in [None, *players]:
            view = selectors.snapshot_for(match.pk, viewer)
            told = selectors.events_since(match.pk, viewer, started.seq)
            shown = [event for event in told if event["kind"] != "played"]
            assert view["history"] == shown
            assert [placed["seq"] for placed in view["round"]["line"]] == [
                event["seq"] for event in told if event["kind"] == "played"
            ]
            for event in view["history"]:
                if event["kind"] == "drew":
                    own = view["me"] == event["seat"]
                    assert (len(event.get("tiles", ())) == event["count"]) is own
                    assert ("tiles" in event) is own
                    drew += 1
            compared += bool(shown)
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
        else:
            move(match)
    assert compared >= 20
    assert drew > 10


def test_a_dealt_hand_is_told_only_to_its_owner(make_match: Make) -> None:
    match = make_match()
    players: list[Player | None] = [s.player for s in match.seat_set.order_by("index")]
    hands = []
    for viewer in players:
        started = selectors.events_since(match.pk, viewer, 0)[-1]
        assert started["hand"] == selectors.snapshot_for(match.pk, viewer)["hand"]
        hands.append(started["hand"])
    assert not set(hands[0]) & set(hands[1])
    spectator = selectors.snapshot_for(match.pk, None)
    assert (spectator["hand"], spectator["legal"], spectator["claim"]) == (None, None, False)
    assert not tiles_in(selectors.events_since(match.pk, None, 0))


def test_a_record_holds_finished_rounds_only(make_match: Make, move: Callable[..., Any]) -> None:
    match = make_match({"preset": "block", "target": 500})
    assert selectors.record_of(match.pk)["rounds"] == []
    while match.phase == "play":
        move(match)
        match.refresh_from_db()
    services.wake(match_id=match.pk, now=match.wake_at)
    assert len(selectors.record_of(match.pk)["rounds"]) == 1  # type: ignore[arg-type]


def test_no_representation_shows_a_tile(make_match: Make) -> None:
    match = make_match()
    match.refresh_from_db()
    state = store.load(match)
    player = match.seat_set.get(index=0).player
    shown = [state, state.game, state.tiles[1], selectors.engine_view(match.pk, 0)]
    shown += [selectors.update_for(match.pk, player, 0), scenes.read(match.pk)]
    for thing in shown:
        assert not TILE.search(str(thing)), type(thing)
        assert "hands=[" not in repr(thing)


def test_no_page_of_the_admin_shows_a_deal() -> None:
    names = {model._meta.model_name for model in admin.site._registry}
    assert {"match", "matchevent"} <= names
    assert "deal" not in names


def test_nothing_stored_of_a_running_round_holds_a_hidden_tile(make_match: Make) -> None:
    """E.4 I15: neither the log nor the deal's row, and the seed least of all."""
    match = make_match()
    rows = [*match.events.values(), *Match.objects.values(), *match.seat_set.values()]
    assert not TILE.search(json.dumps(rows, default=str).replace("2026-", ""))
    deal = store.Deal.objects.get(match=match)
    assert deal.seed == ""
    seed = dealer.reveal(deal)
    assert seed not in json.dumps([*rows, *store.Deal.objects.values()], default=str)
