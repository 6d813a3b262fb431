from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from players import tokens
from players.models import PersonalToken, Player

Make = Callable[..., Player]


def issue(player: Player, **fields: Any) -> str:
    return tokens.issue(player=player, name="script", scopes=["read"], **fields)[1]


def test_only_a_tokens_digest_is_stored(make_player: Make) -> None:
    text = issue(make_player())
    row = PersonalToken.objects.get()
    assert row.digest == hashlib.sha256(text.encode()).hexdigest()
    assert text.startswith("mug_pat_")
    assert len(text) == 8 + 30 + 6
    stored = " ".join(str(value) for value in PersonalToken.objects.values().get().values())
    assert text[12:] not in stored


def test_a_token_finds_its_player(make_player: Make) -> None:
    player = make_player()
    found = tokens.find(issue(player))
    assert found is not None
    assert found.player == player
    assert PersonalToken.objects.get().last_used is not None


def test_a_token_of_another_time_or_player_finds_nobody(make_player: Make) -> None:
    player = make_player()
    old = issue(player, expires=timezone.now() - timedelta(seconds=1))
    assert tokens.find(old) is None
    live = issue(player)
    player.is_active = False
    player.save()
    assert tokens.find(live) is None


def test_a_revoked_token_is_gone_and_only_its_owner_may_revoke(make_player: Make) -> None:
    owner, other = make_player("marta"), make_player("ivan")
    token, text = tokens.issue(player=owner, name="script", scopes=["read"])
    assert not tokens.revoke(player=other, token_id=token.pk)
    assert tokens.find(text)
    assert tokens.revoke(player=owner, token_id=token.pk)
    assert not tokens.revoke(player=owner, token_id=token.pk)
    assert tokens.find(text) is None


def test_a_malformed_token_never_reaches_the_database(
    make_player: Make, django_assert_num_queries: Any
) -> None:
    text = issue(make_player())
    changed = text[:-7] + ("A" if text[-7] != "A" else "B") + text[-6:]
    with django_assert_num_queries(0):
        for wrong in ("", "x", text[:-1], text + "a", text.upper(), changed, text + "\n"):
            assert tokens.find(wrong) is None


def test_an_unknown_scope_is_refused(make_player: Make) -> None:
    with pytest.raises(ValueError, match="everything"):
        tokens.issue(player=make_player(), name="script", scopes=["everything"])


@given(st.text(alphabet=tokens.BASE62, min_size=30, max_size=30), st.integers(0, 29))
def test_one_changed_letter_is_noticed(body: str, place: int) -> None:
    text = tokens.PREFIX + body
    text += tokens.check_of(text)
    assert tokens.is_well_formed(text)
    at = len(tokens.PREFIX) + place
    other = "x" if text[at] != "x" else "y"
    assert not tokens.is_well_formed(text[:at] + other + text[at + 1 :])
