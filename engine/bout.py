"""Whole matches between players who are functions of a view: for yardsticks and statistics.

The chance given deals and decides, so that the same chance plays the same match. In a called game
nobody claims.

>>> from engine.rules import RuleSet
>>> played(RuleSet.parse({"preset": "allfives"}, 2), [of_level("easy")] * 2, Random(1))
MatchEnded(reason='target', winner=1, scores=(40, 150), places=(2, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engine.actions import Action
from engine.bots import choose
from engine.events import MatchEnded
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import COUNT
from engine.view import View, view

Mind = Callable[[View, Random], Action]


def of_level(level: str) -> Mind:
    """A bot's mind."""
    return lambda view, chance: choose(level, view, chance.getrandbits(32))


def between(weaker: Mind, stronger: Mind, share: float) -> Mind:
    """A mind that makes this share of its moves as the stronger would, the rest as the other."""
    return lambda view, chance: (stronger if chance.random() < share else weaker)(view, chance)


def played(rules: RuleSet, minds: Sequence[Mind], chance: Random) -> MatchEnded:
    """A match played to its target, a mind a seat; how it ended."""
    match = Match(rules)
    while match.phase != "over":
        if match.phase == "deal":
            match.start_round(_deal(rules, chance), _leader(match, chance))
        elif match.phase == "claims":
            match.settle()
        else:
            _move(match, minds, chance)
    ended = match.history[-1]
    assert isinstance(ended, MatchEnded)
    return ended


def _move(match: Match, minds: Sequence[Mind], chance: Random) -> None:
    seat, legal = match.turn, match.legal()
    assert seat is not None
    # A view takes longer to make than most moves; what is forced needs none.
    forced = len(legal) == 1 and not match.rules.called
    match.act(seat, legal[0] if forced else minds[seat](view(match, seat), chance))


def _deal(rules: RuleSet, chance: Random) -> Deal:
    size, order = rules.hand_size, list(range(COUNT))
    while True:
        chance.shuffle(order)
        hands = tuple(tuple(order[seat * size : (seat + 1) * size]) for seat in range(rules.seats))
        deal = Deal(hands, tuple(order[rules.seats * size :]))
        if not deal.void(rules):
            return deal


def _leader(match: Match, chance: Random) -> int | None:
    return chance.randrange(match.rules.seats) if match.next_leader() == "random" else None
