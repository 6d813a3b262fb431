"""Players by strength. They see a view and no more, and the same view gives the same move.

- easy: any two plays that fit, and the better paid of them; overlooks points now and then.
- medium: points now, heavy tiles out, suits kept, the next seat starved where it can be.
- hard: deals the unseen tiles again and again as they could be, plays each deal out with every
  move, and takes the move that did best.

In a called game they call what a play pays; `claim` takes what others left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from engine import scoring
from engine.actions import Action, Claim, Play
from engine.errors import EngineError
from engine.events import Played
from engine.inference import Unseen
from engine.search import best_move
from engine.tiles import PIPS, mask_of
from engine.view import View

LEVELS: Final = ("easy", "medium", "hard")
_EASY_OVERLOOKS: Final = 0.3


def choose(level: str, view: View, seed: int) -> Action:
    """What a player of `level` does in its turn; `seed` decides where chance would.

    Raises EngineError: bad_level, or no_turn when the view's seat can't act.
    """
    player = _PLAYERS.get(level)
    if player is None:
        raise EngineError("bad_level", f"a level is one of {', '.join(LEVELS)}")
    if not view.legal:
        raise EngineError("no_turn", "this seat is not in turn")
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return view.legal[0]
    chance = Random(seed)  # noqa: S311
    play = plays[0] if len(plays) == 1 else player(view, plays, chance)
    return _called(level, view, play, chance)


def claim(level: str, view: View, seed: int) -> Claim | None:
    """The claim that a player of `level` makes on the last play, or None (rules.md 5)."""
    if not view.claim or view.seat is None:
        return None
    played = next((e for e in reversed(view.history) if isinstance(e, Played)), None)
    score = view.scores[view.rules.side_of(view.seat)]
    if played is None or not scoring.in_play(view.rules, played.total, score):
        return None
    if level == "easy" and Random(seed).random() < _EASY_OVERLOOKS:  # noqa: S311
        return None
    return Claim(played.total)


def _called(level: str, view: View, play: Play, chance: Random) -> Play:
    if not view.rules.called:
        return play
    total = _total(Unseen(view), play)
    if not view.rules.multiple or total <= 0 or total % view.rules.multiple:
        return play
    if level == "easy" and chance.random() < _EASY_OVERLOOKS:
        return play
    return replace(play, call=total)


def _total(unseen: Unseen, play: Play) -> int:
    line, arms = unseen.after(play)
    return line.worth + arms.worth


def _pays(view: View, total: int) -> int:
    side = view.rules.side_of(view.seat or 0)
    return scoring.in_play(view.rules, total, view.scores[side])


def _easy(view: View, plays: list[Play], chance: Random) -> Play:
    unseen = Unseen(view)
    two = chance.choice(plays), chance.choice(plays)
    return max(two, key=lambda play: _pays(view, _total(unseen, play)))


def _medium(view: View, plays: list[Play], chance: Random) -> Play:
    unseen = Unseen(view)
    hand = mask_of(view.hand or ())
    following = ((view.seat or 0) + 1) % view.rules.seats
    hostile = view.rules.side_of(following) != view.rules.side_of(view.seat or 0)
    possible = unseen.pool & ~unseen.void(following)

    def worth(play: Play) -> float:
        line, arms = unseen.after(play)
        fits = line.fits | arms.fits
        answers = (possible & fits).bit_count() / max(1, unseen.pool.bit_count())
        kept = (hand & ~(1 << play.tile) & fits).bit_count()
        points = _pays(view, line.worth + arms.worth)
        return points + 0.5 * PIPS[play.tile] + kept - 4 * answers * hostile

    return max(plays, key=lambda play: (worth(play), chance.random()))


def _hard(view: View, plays: list[Play], chance: Random) -> Play:
    return best_move(view, plays, chance.random)


_PLAYERS: Final[Mapping[str, Callable[[View, list[Play], Random], Play]]] = {
    "easy": _easy,
    "medium": _medium,
    "hard": _hard,
}
