"""Preset words at a table: who has them, how many, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import clock, selectors, services
from games.errors import GameError
from games.models import Match
from games.services import talking
from pages.table_strings import table_strings
from players.models import Player

pytestmark = pytest.mark.django_db
Make = Callable[..., Match]


def words(match: Match, viewer: Player | None = None) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = selectors.snapshot_for(match.pk, viewer)["words"]
    return told


def test_a_word_is_told_to_everybody_by_its_code(make_match: Make, player_at) -> None:
    match = make_match()
    one, two = player_at(match, 0), player_at(match, 1)
    services.say(match_id=match.pk, player=one, word="hello")
    services.say(match_id=match.pk, player=two, word="clap")
    expected = [{"n": 1, "seat": 0, "word": "hello"}, {"n": 2, "seat": 1, "word": "clap"}]
    assert words(match, one) == words(match, two) == words(match) == expected


def test_a_word_is_no_part_of_the_log(make_match: Make, player_at) -> None:
    match = make_match()
    before = (match.seq, match.head, match.turn_seq, match.deadline)
    services.say(match_id=match.pk, player=player_at(match, 0), word="hello")
    match.refresh_from_db()
    assert (match.seq, match.head, match.turn_seq, match.deadline) == before


def test_the_same_word_sent_again_is_said_once(make_match: Make, player_at) -> None:
    match = make_match()
    for _ in range(2):
        services.say(match_id=match.pk, player=player_at(match, 0), word="hello", client_id="k2-1")
    assert [said["n"] for said in words(match)] == [1]


def test_who_only_watches_says_nothing(make_match: Make, make_player) -> None:
    match = make_match()
    for watcher in (make_player(), None):
        with pytest.raises(GameError) as refused:
            services.say(match_id=match.pk, player=watcher, word="hello")
        assert refused.value.code == "not_seated"
    assert words(match) == []


def test_there_are_no_words_but_those_of_the_list(make_match: Make, player_at) -> None:
    match = make_match()
    with pytest.raises(GameError) as refused:
        services.say(match_id=match.pk, player=player_at(match, 0), word="you_cheat")
    assert refused.value.code == "no_such_word"


def test_a_seat_says_three_words_in_ten_seconds_and_the_other_its_own(
    make_match: Make, player_at
) -> None:
    match, now = make_match(), clock.now()
    one, two = player_at(match, 0), player_at(match, 1)
    for _ in range(talking.MOST):
        services.say(match_id=match.pk, player=one, word="wow", now=now)
    with pytest.raises(GameError) as refused:
        services.say(match_id=match.pk, player=one, word="wow", now=now + timedelta(seconds=9.9))
    assert refused.value.code == "too_many_words"
    services.say(match_id=match.pk, player=two, word="wow", now=now)
    services.say(match_id=match.pk, player=one, word="wow", now=now + timedelta(seconds=10))
    assert [said["seat"] for said in words(match)] == [0, 0, 0, 1, 0]


def test_the_card_keeps_the_last_words_alone(make_match: Make, player_at) -> None:
    match, now = make_match(), clock.now()
    for n in range(12):
        services.say(
            match_id=match.pk, player=player_at(match, 0), word="hello",
            now=now + timedelta(minutes=n),
        )  # fmt: skip
    assert [said["n"] for said in words(match)] == [5, 6, 7, 8, 9, 10, 11, 12]


def test_a_move_keeps_what_was_said_meanwhile(make_match: Make, player_at, move) -> None:
    match = make_match()
    services.say(match_id=match.pk, player=player_at(match, 0), word="hello")
    move(match)
    assert [said["word"] for said in words(match)] == ["hello"]


def test_delayed_spectators_are_told_no_word_while_a_round_is_played(
    make_match: Make, player_at
) -> None:
    match = make_match(spectator_delay=2)
    services.say(match_id=match.pk, player=player_at(match, 0), word="well_played")
    assert words(match) == []
    assert len(words(match, player_at(match, 1))) == 1


def test_every_word_has_its_sentence() -> None:
    keys = {key.removeprefix("word_") for key in table_strings() if key.startswith("word_")}
    assert keys == {*talking.SENTENCES, *talking.REACTIONS}
