"""What spectators of a delayed table see: the table as it was some turns ago.

Only while a round is being played: when it ends all hands are turned up, and nothing of it is left
to be kept.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games import store
from games.picture import Scene

# Each of these is followed by a new turn.
_TURNS: Final = frozenset(("round_started", "played", "passed"))


def shown_seq(events: Sequence[Mapping[str, Any]], turns: int) -> int:
    """The last number that is shown of a running round's events, so many turns behind.

    >>> round = [{"seq": 4, "kind": "round_started"}, {"seq": 5, "kind": "played"},
    ...          {"seq": 6, "kind": "drew"}, {"seq": 7, "kind": "played"}]
    >>> [shown_seq(round, turns) for turns in (1, 2, 3)]
    [5, 4, 4]
    """
    ended = [event["seq"] for event in events if event["kind"] in _TURNS]
    return int(ended[max(0, len(ended) - 1 - turns)])


def delayed(scene: Scene) -> Scene:
    """The scene of some turns ago, with a card to match; its clock is nobody's any more."""
    card = copy.copy(scene.card)
    turns, card.spectator_delay = card.spectator_delay, 0
    if not card.is_running or scene.state.game.phase not in ("play", "claims"):
        return replace(scene, card=card, told={}, shared={}, earlier=[])
    card.words = []  # a word may tell of what is not shown yet
    card.seq = shown_seq(scene.state.round, turns)
    state = store.as_of(card, card.seq)
    card.phase, card.turn = state.game.phase, state.game.turn
    card.scores, card.deadline = list(state.game.scores), None
    return replace(scene, card=card, state=state, told={}, shared={}, earlier=[])
