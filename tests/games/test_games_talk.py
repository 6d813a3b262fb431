"""What players write at a table: where, how long, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import scenes, selectors, services
from games.errors import GameError
from games.handlers import handle_player_erased
from games.models import Match
from players import moderation, muting
from players.models import Player

pytestmark = pytest.mark.django_db
Make = Callable[..., Match]


def told(match: Match, viewer: Player | None = None) -> list[str]:
    words = selectors.snapshot_for(match.pk, viewer)["words"]
    return [said.get("text", said.get("word")) for said in words]


def refusal(**saying: Any) -> str:
    with pytest.raises(GameError) as refused:
        services.say(**saying)
    return refused.value.code


def test_a_text_is_told_as_one_line_and_is_no_part_of_the_log(make_match: Make, player_at) -> None:
    match = make_match(talk="text")
    before = (match.seq, match.head)
    services.say(match_id=match.pk, player=player_at(match, 0), text=" Well\u202e\n <b>played</b> ")
    [said] = selectors.snapshot_for(match.pk, player_at(match, 1))["words"]
    assert said == {"n": 1, "seat": 0, "text": "Well <b>played</b>"}
    match.refresh_from_db()
    assert (match.seq, match.head) == before


def test_a_table_has_words_alone_unless_it_says_otherwise(make_match: Make, player_at) -> None:
    match = make_match()
    saying = {"match_id": match.pk, "player": player_at(match, 0)}
    assert refusal(**saying, text="Hello there") == "no_free_text"
    services.say(**saying, word="hello")
    assert told(match) == ["hello"]


def test_a_text_has_1_to_140_characters(make_match: Make, player_at) -> None:
    match = make_match(talk="text")
    saying = {"match_id": match.pk, "player": player_at(match, 0)}
    assert [refusal(**saying, text=text) for text in (" \n", "x" * 141)] == ["bad_text"] * 2
    services.say(**saying, text="é" * 140)
    assert told(match) == ["é" * 140]


def test_texts_and_words_are_counted_together(make_match: Make, player_at) -> None:
    match = make_match(talk="text")
    saying = {"match_id": match.pk, "player": player_at(match, 0)}
    services.say(**saying, text="One")
    services.say(**saying, word="wow")
    services.say(**saying, text="Three", client_id="k-1")
    services.say(**saying, text="Three", client_id="k-1")
    assert refusal(**saying, text="Four") == "too_many_words"
    assert told(match) == ["One", "wow", "Three"]


def test_who_is_muted_is_not_told_to_those_who_muted_them(
    make_match: Make, make_player, player_at
) -> None:
    match = make_match(talk="text")
    one, two, watcher = player_at(match, 0), player_at(match, 1), make_player()
    for deaf in (one, watcher):
        muting.mute(player=deaf, other=two)
    services.say(match_id=match.pk, player=two, text="Slowpoke")
    services.say(match_id=match.pk, player=one, word="hello")
    assert told(match, one) == told(match, watcher) == ["hello"]
    assert told(match, two) == told(match) == ["Slowpoke", "hello"]
    scene = scenes.read(match.pk)
    assert [scene.has_muted(each) for each in (one, watcher, two, None)] == [
        True,
        True,
        False,
        False,
    ]
    muting.unmute(player=one, other=two)
    assert told(match, one) == ["Slowpoke", "hello"]


def test_a_move_tells_nobody_what_they_do_not_hear(make_match: Make, player_at, move) -> None:
    """The picture after a move is made from what was read before it."""
    match = make_match(talk="text")
    one, two = player_at(match, 0), player_at(match, 1)
    muting.mute(player=one, other=two)
    scenes.read(match.pk)
    services.say(match_id=match.pk, player=two, text="Slowpoke")
    move(match)
    match.refresh_from_db()
    scene = scenes.at_least(match.pk, match.seq)
    assert selectors.update_of(scene, one, None).view["words"] == []
    assert "Slowpoke" not in selectors.update_text(scene, one, None)
    assert "Slowpoke" in selectors.update_text(scene, two, None)


def test_who_has_no_word_says_and_writes_nothing(make_match: Make, player_at) -> None:
    match = make_match(talk="text")
    one = player_at(match, 0)
    staff = Player.objects.create_superuser("boss", "double-six-leads")
    moderation.silence(player=one, by=staff, reason="Insults", days=7)
    saying = {"match_id": match.pk, "player": one}
    assert [refusal(**saying, text="Hi"), refusal(**saying, word="hello")] == ["silenced"] * 2
    moderation.unsilence(player=one, by=staff)
    services.say(**saying, word="sorry")
    assert told(match) == ["sorry"]


def test_who_is_erased_leaves_no_text_behind(make_match: Make, player_at) -> None:
    match = make_match(talk="text")
    one, two = player_at(match, 0), player_at(match, 1)
    services.say(match_id=match.pk, player=one, text="My name is Ana")
    services.say(match_id=match.pk, player=one, word="hello")
    services.say(match_id=match.pk, player=two, text="Mine is Ivan")
    handle_player_erased({"player": one.pk})
    assert told(match) == ["hello", "Mine is Ivan"]


def test_delayed_spectators_read_nothing_while_a_round_is_played(
    make_match: Make, player_at
) -> None:
    match = make_match(spectator_delay=2, talk="text")
    services.say(match_id=match.pk, player=player_at(match, 0), text="I hold the 6-6")
    assert told(match) == []
    assert told(match, player_at(match, 1)) == ["I hold the 6-6"]


def test_muting_oneself_or_twice_changes_nothing(make_player) -> None:
    one, two = make_player(), make_player()
    for other in (one, two, two):
        muting.mute(player=one, other=other)
    assert muting.muted_by(one) == [two]
    assert muting.is_muted(player=one, other=two)
    assert not muting.is_muted(player=two, other=one)
