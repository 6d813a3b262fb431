"""Spectators of a delayed table see it as it was some turns ago, and nothing else of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from games import scenes, selectors, services, store
from games.errors import GameError
from games.models import Match
from games.replays import replay_for
from players.models import Player

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]
Move = Callable[..., services.Ack]
MOMENT = ("now", "left_ms", "deadline")
TURNS = ("round_started", "played", "passed")


def seen(match: Match, viewer: Player | None) -> dict[str, Any]:
    """What a viewer is told of the table, without what passes by itself."""
    at = match.created_at
    update = selectors.update_for(match.pk, viewer, 0, now=at)
    text = json.loads(selectors.update_text(scenes.read(match.pk), viewer, 0, now=at))
    assert text == {"t": "state", "seq": update.seq, "events": update.events, "view": update.view}
    view = {name: value for name, value in update.view.items() if name not in MOMENT}
    return {"seq": update.seq, "events": update.events, "view": view}


@pytest.mark.parametrize("delay", [1, 2, 3])
@pytest.mark.parametrize("rules", [{"preset": "allfives"}, {"preset": "block"}])
def test_a_spectator_sees_the_table_of_some_turns_ago(
    make_match: Make, move: Move, rules: dict[str, Any], delay: int
) -> None:
    match = make_match(rules, spectator_delay=delay, turn_seconds=300)
    compared = 0
    for _ in range(8):
        match.refresh_from_db()
        if match.turn is None:
            break
        compared += 1
        Match.objects.filter(pk=match.pk).update(spectator_delay=0)
        now = seen(match, None)
        Match.objects.filter(pk=match.pk).update(spectator_delay=delay)
        behind = seen(match, None)
        ended = [e["seq"] for e in now["events"] if e["kind"] in TURNS]
        last = ended[max(0, len(ended) - 1 - delay)]
        assert behind["seq"] == behind["view"]["seq"] == last
        assert behind["events"] == [e for e in now["events"] if e["seq"] <= last]
        round, line = behind["view"]["round"], now["view"]["round"]["line"]
        assert round["line"] == [placed for placed in line if placed["seq"] <= last]
        assert sum(behind["view"]["scores"]) == sum(placed["score"] for placed in round["line"])
        move(match)
    assert compared > 3


@pytest.mark.parametrize("delay", [1, 3])
def test_what_is_played_in_the_hidden_turns_changes_nothing(
    make_match: Make, move: Move, player_at: Callable[[Match, int], Player], delay: int
) -> None:
    match = make_match({"preset": "allfives"}, spectator_delay=delay)
    compared = 0
    for _ in range(5):
        move(match)
        match.refresh_from_db()
        told = set()
        if match.turn is None:
            break
        for action in selectors.engine_view(match.pk, match.turn).legal:
            with transaction.atomic():
                services.act(
                    match_id=match.pk,
                    player=player_at(match, match.turn),
                    action=action,
                    expected_seq=match.seq,
                )
                told.add(json.dumps(without_moments(seen(match, None))))
                transaction.set_rollback(True)
            store.cache.clear()
            compared += 1
        assert len(told) == 1
    assert compared >= 5


def without_moments(told: dict[str, Any]) -> dict[str, Any]:
    """Each of the tries happens at a moment of its own."""
    return {**told, "events": [{**event, "time": 0} for event in told["events"]]}


def test_the_players_themselves_are_not_behind(
    make_match: Make, move: Move, player_at: Callable[[Match, int], Player]
) -> None:
    match = make_match(spectator_delay=3)
    for _ in range(3):
        match.refresh_from_db()
        move(match)
    match.refresh_from_db()
    for index in range(2):
        assert seen(match, player_at(match, index))["seq"] == match.seq
    assert seen(match, None)["seq"] < match.seq


def test_when_the_round_is_over_nothing_of_it_is_kept(make_match: Make, move: Move) -> None:
    match = make_match({"preset": "allfives", "target": 400}, spectator_delay=3)
    while match.turn is not None:
        move(match)
        match.refresh_from_db()
    assert match.phase == "between"
    assert seen(match, None)["seq"] == match.seq
    services.wake(match_id=match.pk, now=match.wake_at)
    match.refresh_from_db()
    view = seen(match, None)["view"]
    assert (view["round"]["number"], view["round"]["line"], view["phase"]) == (2, [], "play")
    assert len(replay_for(match.pk)["rounds"]) == 1


def test_a_match_that_is_over_is_seen_whole(
    make_match: Make, play_out: Callable[[Match], None]
) -> None:
    match = make_match({"preset": "allfives", "target": 20}, spectator_delay=3)
    play_out(match)
    assert seen(match, None)["seq"] == match.seq
    assert seen(match, None)["view"]["result"]["winner"] == match.winner


@pytest.mark.parametrize("turns", [-1, 4, True, "2"])
def test_a_delay_is_from_none_to_three_turns(make_match: Make, turns: Any) -> None:
    with pytest.raises(GameError) as refused:
        make_match(spectator_delay=turns)
    assert refused.value.code == "bad_setting"


def test_a_rematch_keeps_the_delay(
    make_match: Make, play_out: Callable[[Match], None], player_at: Callable[[Match, int], Player]
) -> None:
    match = make_match({"preset": "allfives", "target": 20}, spectator_delay=2)
    play_out(match)
    again = services.rematch(match_id=match.pk, player=player_at(match, 0))
    assert again.spectator_delay == 2
