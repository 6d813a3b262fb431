"""The log is the truth: replays, the cache, the hash, and deals that can be checked."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from engine import record, shuffle
from engine.tiles import texts
from games import dealer, selectors, services, store
from games.models import Match
from players.models import Player

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]


def forget(match: Match) -> store.State:
    """The state as a process that has never seen the match replays it."""
    store.cache.clear()
    match.refresh_from_db()
    return store.load(match)


def same(one: store.State, other: store.State) -> bool:
    names = [f.name for f in dataclasses.fields(store.State) if f.name != "deals"]
    return all(getattr(one, name) == getattr(other, name) for name in names)


@pytest.mark.parametrize("preset", ["allfives", "muggins", "draw", "block"])
def test_after_every_change_the_replay_is_the_card(
    make_match: Make, move: Callable[..., Any], preset: str
) -> None:
    match = make_match({"preset": preset, "target": 300}, seats=3)
    for _ in range(20):
        match.refresh_from_db()
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
        else:
            move(match)
        match.refresh_from_db()
        assert store.verify(match.pk) == []


def test_the_cached_state_is_the_replayed_one(
    make_match: Make, move: Callable[..., Any], django_capture_on_commit_callbacks: Any
) -> None:
    match = make_match({"preset": "draw"})
    for _ in range(12):
        with django_capture_on_commit_callbacks(execute=True):
            match.refresh_from_db()
            if match.turn is None:
                services.wake(match_id=match.pk, now=match.wake_at)
            else:
                move(match)
        match.refresh_from_db()
        cached = store.load(match)
        assert cached is store.cache.get(match.pk)
        assert same(cached, store.replay(match))


def test_a_known_state_is_caught_up_by_the_events_since(
    make_match: Make, move: Callable[..., Any]
) -> None:
    match = make_match()
    known = forget(match)
    move(match)
    match.refresh_from_db()
    store.cache.clear()
    store.cache.put(match.pk, known)
    with CaptureQueriesContext(connection) as made:
        caught_up = store.load(match)
    assert len(made) == 1
    assert same(caught_up, store.replay(match))
    assert known.seq < caught_up.seq


def test_a_state_of_a_write_that_was_undone_is_forgotten(
    make_match: Make, move: Callable[..., Any], player_at: Callable[..., Player]
) -> None:
    match = make_match()
    before = forget(match)
    try:
        with transaction.atomic():
            services.leave(match_id=match.pk, player=player_at(match, 0))
            match.refresh_from_db()
            undone = store.load(match)
            raise RuntimeError
    except RuntimeError:
        pass
    match.refresh_from_db()
    store.cache.clear()
    store.cache.put(match.pk, undone)
    assert same(store.load(match), before)
    services.leave(match_id=match.pk, player=player_at(match, 1))
    store.cache.clear()
    store.cache.put(match.pk, undone)
    match.refresh_from_db()
    assert match.seq == undone.seq
    assert same(store.load(match), store.replay(match))
    move(match)
    store.cache.clear()
    store.cache.put(match.pk, undone)
    match.refresh_from_db()
    assert same(store.load(match), store.replay(match))


def test_working_on_a_state_leaves_the_cached_one_as_it_is(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    match = make_match()
    player, action = choose_move(match)
    cached = forget(match)
    told = (cached.seq, cached.head, repr(cached.game), list(cached.recent), dict(cached.tiles))
    services.act(match_id=match.pk, player=player, expected_seq=match.seq, action=action)
    assert told == (
        cached.seq,
        cached.head,
        repr(cached.game),
        list(cached.recent),
        dict(cached.tiles),
    )


def test_the_cache_keeps_the_states_last_used() -> None:
    cache = store._Cache(2)
    states = [store.State(game=None, seq=n) for n in range(3)]  # type: ignore[arg-type]
    for name, state in zip("abc", states, strict=True):
        cache.put(name, state)
    assert cache.get("a") is None
    assert cache.get("b") is states[1]
    cache.put("d", states[0])
    assert cache.get("c") is None
    cache.put("b", states[0])
    assert cache.get("b") is states[1]


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"seat": 0, "tile": "0-0", "end": None, "call": None, "total": 0, "score": 0}},
        {"kind": "passed", "data": {"seat": 0}},
        {"seq": 900},
    ],
)
def test_a_log_that_was_changed_is_noticed(
    make_match: Make, move: Callable[..., Any], change: dict[str, Any]
) -> None:
    match = make_match()
    ack = move(match)
    match.events.filter(seq=ack.seq).update(**change)
    assert store.verify(match.pk) != []
    with pytest.raises(store.LogBroken):
        forget(match)


@pytest.mark.parametrize(
    "change", [{"scores": [5, 5]}, {"turn_seconds": 20, "head": "0" * 64}, {"phase": "between"}]
)
def test_a_card_that_was_changed_is_noticed(make_match: Make, change: dict[str, Any]) -> None:
    match = make_match()
    if "phase" in change:
        change = {**change, "turn": None}
    Match.objects.filter(pk=match.pk).update(**change)
    assert store.verify(match.pk) != []


def test_verify_names_what_differs(make_match: Make) -> None:
    match = make_match()
    Match.objects.filter(pk=match.pk).update(scores=[5, 0])
    assert store.verify(match.pk) == [f"match {match.pk}: scores is [5, 0], by the log [0, 0]"]
    assert store.verify("nosuchtable0") == ["match nosuchtable0: there is none"]


# Deals


def test_anyone_can_check_a_deal_once_its_round_is_over(
    make_match: Make, play_out: Callable[[Match], None]
) -> None:
    """shuffle.md: from what the log publishes alone, with the verifier's own functions."""
    match = make_match({"preset": "classic", "target": 25}, seats=3)
    play_out(match)
    events = selectors.events_since(match.pk, None, 0)
    starts = [event for event in events if event["kind"] == "round_started"]
    ends = [event for event in events if event["kind"] == "round_ended"]
    assert len(starts) == len(ends) >= 1
    rounds = selectors.record_of(match.pk)["rounds"]
    head, prev = bytes(32), bytes(32)
    expected_prev = []
    for row in match.events.order_by("seq"):
        if row.kind == "round_started":
            expected_prev.append(prev)
        fact = {"seq": row.seq, "kind": row.kind, "data": row.data}
        text = json.dumps(fact, sort_keys=True, separators=(",", ":"))
        head = hashlib.sha256(head + text.encode()).digest()
        if row.kind == "round_ended":
            prev = head
    assert match.head == head.hex()
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        deal_id, seed = bytes.fromhex(start["deal"]["id"]), bytes.fromhex(end["deal"]["seed"])
        assert shuffle.commitment(deal_id, seed).hex() == start["deal"]["commit"]
        assert bytes.fromhex(start["deal"]["prev"]) == expected_prev[number]
        key = shuffle.deal_key(seed, deal_id, expected_prev[number], [bytes(32)] * 3)
        dealt = shuffle.deal(key, 3, 7)
        told = rounds[number]  # type: ignore[index]
        assert [list(texts(hand)) for hand in dealt.hands] == told["hands"]
        assert list(texts(dealt.boneyard)) == told["boneyard"]
        if start["leader"] is not None and number == 0:
            assert start["leader"] == shuffle.leader(key, 3)


def test_a_record_replays_to_the_same_scores(
    make_match: Make, play_out: Callable[[Match], None]
) -> None:
    match = make_match({"preset": "fivecount", "target": 80}, seats=2)
    play_out(match)
    answers = record.replay(selectors.record_of(match.pk))
    assert (answers["scores"], answers["winner"]) == (match.scores, match.winner)


def test_a_seed_is_published_only_when_its_round_is_over(
    make_match: Make, move: Callable[..., Any], player_at: Callable[..., Player]
) -> None:
    match = make_match({"preset": "block", "target": 500})
    while match.phase == "play":
        assert set(store.Deal.objects.values_list("seed", flat=True)) == {""}
        move(match)
        match.refresh_from_db()
    services.wake(match_id=match.pk, now=match.wake_at)
    seeds = list(store.Deal.objects.order_by("number").values_list("seed", flat=True))
    assert len(seeds[0]) == 64
    assert seeds[1] == ""
    services.resign(match_id=match.pk, player=player_at(match, 0))
    ended = match.events.get(kind="match_ended")
    assert store.Deal.objects.get(number=2).seed == ended.data["deal"]["seed"]


def test_another_master_key_is_refused_loudly(make_match: Make, settings: Any) -> None:
    match = make_match()
    for keys, words in (
        ({"k1": bytes(32)}, "does not come out as committed"),
        ({"k2": bytes(32)}, "'k1' of match .* is missing"),
    ):
        settings.MUGGINS_MASTER_KEYS = keys
        with pytest.raises(store.DealBroken, match=words):
            forget(match)
        assert len(store.verify(match.pk)) == 1


def test_a_new_master_key_leaves_old_deals_alone(
    make_match: Make, move: Callable[..., Any], settings: Any
) -> None:
    match = make_match({"preset": "block", "target": 500})
    settings.MUGGINS_MASTER_KEYS = {**settings.MUGGINS_MASTER_KEYS, "k2": bytes(range(32))}
    settings.MUGGINS_MASTER_KEY_ID = "k2"
    while match.events.filter(kind="round_started").count() < 2:
        match.refresh_from_db()
        if match.turn is None:
            services.wake(match_id=match.pk, now=match.wake_at)
        else:
            move(match)
    assert list(store.Deal.objects.order_by("number").values_list("key_id", flat=True)) == [
        "k1",
        "k2",
    ]
    assert store.verify(match.pk) == []


def test_a_finished_match_needs_no_master_key(
    make_match: Make, play_out: Callable[[Match], None], settings: Any
) -> None:
    match = make_match({"preset": "allfives", "target": 30})
    play_out(match)
    settings.MUGGINS_MASTER_KEYS = {}
    assert store.verify(match.pk) == []


def test_a_void_deal_is_dealt_anew_and_shown(make_match: Make) -> None:
    rules = {"preset": "allfives", "redeal_doubles": 3}
    for _ in range(40):
        match = make_match(rules)
        start = match.events.get(kind="round_started")
        if "voided" in start.data["deal"]:
            break
    void = start.data["deal"]["voided"][0]
    deal_id, seed = bytes.fromhex(void["id"]), bytes.fromhex(void["seed"])
    assert shuffle.commitment(deal_id, seed).hex() == void["commit"]
    key = shuffle.deal_key(seed, deal_id, bytes(32), [bytes(32)] * 2)
    assert shuffle.deal(key, 2, 7).void(store.rules_of(match))
    assert not store.load(match).tiles[1].void(store.rules_of(match))
    assert void["id"] != start.data["deal"]["id"]
    assert store.verify(match.pk) == []


def test_every_deal_is_its_own(make_match: Make) -> None:
    matches = [make_match() for _ in range(5)]
    rows = list(store.Deal.objects.filter(match__in=[m.pk for m in matches]))
    for name in ("deal_id", "nonce", "commit"):
        assert len({getattr(row, name) for row in rows}) == 5
    assert len({dealer.reveal(row) for row in rows}) == 5


def test_reading_a_known_match_takes_two_queries(make_match: Make) -> None:
    match = make_match()
    selectors.snapshot_for(match.pk, None)
    with CaptureQueriesContext(connection) as made:
        selectors.update_for(match.pk, None, 0)
    assert len(made) == 2, [query["sql"][:80] for query in made]
