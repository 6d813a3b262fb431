"""A match: rounds to a target. Takes actions, gives events, and replays its own log.

>>> from engine.actions import Play
>>> from engine.rules import RuleSet
>>> deal = Deal(hands=((27, 26), (25, 21)), boneyard=tuple(range(21)) + (22, 23, 24))
>>> match = Match(RuleSet.parse({"preset": "allfives", "hand_sizes": 2}, 2))
>>> match.start_round(deal)
(RoundStarted(number=1, leader=None),)
>>> match.act(0, Play(27))
(Played(seat=0, tile=27, end=None, call=None, total=12, score=0),)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from engine import scoring
from engine.actions import ENDS, Action, Claim, Draw, Pass, Play
from engine.errors import EngineError, Refusal
from engine.events import (
    Claimed,
    Drew,
    Event,
    MatchEnded,
    Passed,
    Played,
    Resigned,
    RoundEnded,
    RoundStarted,
)
from engine.layout import end_name
from engine.round import Deal, Round
from engine.rules import RuleSet
from engine.tiles import bits, heaviest, pips_of
from engine.view import Placement


class Match:
    """A match in progress.

    `scores` are by side; `number` counts rounds from 1; `round` is the last round dealt. `phase`:
    "deal" (waits for `start_round`), "play", "claims" (the round's last play may be claimed until
    `settle`), "over". `turn` is a seat, or None outside of "play". `resigned` holds sides. `line`
    and `history` are this round's placements and events.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.scores = [0] * rules.sides
        self.number = 0
        self.round: Round | None = None
        self.phase = "deal"
        self.winner: int | None = None
        self.resigned: set[int] = set()
        self.line: list[Placement] = []
        self.history: list[Event] = []
        self._last_play: Played | None = None
        self._claimed = False
        self._awaited: deque[Event] = deque()

    def __repr__(self) -> str:
        return f"Match(phase={self.phase!r}, number={self.number}, scores={self.scores})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._state() == other._state()

    __hash__ = None  # type: ignore[assignment]

    @property
    def turn(self) -> int | None:
        return self.round.turn if self.round and self.phase == "play" else None

    # Rounds

    def next_leader(self) -> int | str:
        """Who leads the next round: "highest_double", "random", or a seat (rules.md 2, 3)."""
        if self.round is None:
            return self.rules.first_lead
        if self.round.out is None:
            return self.rules.block_lead
        return self.round.out if self.rules.next_lead == "winner" else self.rules.next_lead

    def start_round(self, deal: Deal, leader: int | None = None) -> tuple[Event, ...]:
        """Deal the next round; `leader` is needed when `next_leader()` is "random".

        Raises EngineError: bad_deal, void_deal (rules.md 3: deal anew), bad_leader, not_dealing.
        """
        if self.phase != "deal":
            raise EngineError("not_dealing", "a round is running, or the match is over")
        leader = self._leader(leader)
        deal.check(self.rules)
        if deal.void(self.rules):
            raise EngineError("void_deal", f"a hand has {self.rules.redeal_doubles} doubles")
        self.round = Round(self.rules, deal, leader)
        self.number += 1
        self.phase = "play"
        self.line = []
        self.history = []
        self._last_play = None
        return self._log(RoundStarted(self.number, leader))

    def _leader(self, given: int | None) -> int | None:
        due = self.next_leader()
        if due == "highest_double":
            if given is not None:
                raise EngineError("bad_leader", "the highest double leads: no leader is named")
            return None
        if isinstance(due, int):
            if given not in (None, due):
                raise EngineError("bad_leader", f"seat {due} leads, who went out", leader=due)
            return due
        if type(given) is not int or not 0 <= given < self.rules.seats:
            raise EngineError("bad_leader", "a leader must be drawn for this round")
        return given

    # Actions

    def legal(self, seat: int | None = None) -> tuple[Action, ...]:
        """What the seat in turn may do (calls left out); () for a seat that is not in turn."""
        turn = self.turn
        if self.round is None or turn is None or seat not in (None, turn):
            return ()
        moves = self.round.moves()
        if moves:
            return tuple(Play(tile, end_name(end)) for tile, end in moves)
        return (Draw(),) if self.round.drawable else (Pass(),)

    def act(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Carry out `action`; it and all that follows from it, as events.

        Raises Refusal, and then nothing has changed (rules.md 4).
        """
        if type(seat) is not int or not 0 <= seat < self.rules.seats:
            raise Refusal("bad_action", "no such seat")
        if self.phase == "over":
            raise Refusal("match_over", "the match is over")
        if isinstance(action, Claim):
            return self._claim(seat, action.points)
        round = self.round
        if round is None or self.phase != "play":
            raise Refusal("round_over", "the round is over")
        if seat != round.turn:
            raise Refusal("not_your_turn", "it is not your turn", turn=round.turn)
        if isinstance(action, Play):
            return self._play(round, seat, action)
        if isinstance(action, Draw):
            round.check_draw()
            round.draw()
            return self._log(Drew(seat, 1)) + self._after_action(round)
        round.check_skip()
        round.skip()
        return self._log(Passed(seat)) + self._after_action(round)

    def _play(self, round: Round, seat: int, play: Play) -> tuple[Event, ...]:
        end = round.check_play(play.tile, None if play.end is None else ENDS.index(play.end))
        call = play.call if self.rules.called else None
        total = round.play(play.tile, end)
        score = self._pays(self.rules.side_of(seat), total, call)
        self.scores[self.rules.side_of(seat)] += score
        self.line.append(Placement(seat, play.tile, play.end, total, score))
        played = Played(seat, play.tile, play.end, call, total, score)
        events = self._log(played)
        self._last_play, self._claimed = played, False
        if score and self._target_in_play():
            return events + self._end_at_target(round)
        if round.turn is None:
            return events + self._end_round(round)
        return events

    def _after_action(self, round: Round) -> tuple[Event, ...]:
        self._last_play = None
        return self._end_round(round) if round.turn is None else ()

    def preview(self, play: Play) -> tuple[int, int]:
        """The total that a legal `play` of the seat in turn would make, and what it would pay."""
        if self.round is None or self.turn is None:
            raise Refusal("round_over", "no round is running")
        end = self.round.check_play(play.tile, None if play.end is None else ENDS.index(play.end))
        total = self.round.total_after(play.tile, end)
        call = play.call if self.rules.called else None
        return total, self._pays(self.rules.side_of(self.turn), total, call)

    def _pays(self, side: int, total: int, call: int | None) -> int:
        if self.rules.called and call != total:
            return 0
        return scoring.in_play(self.rules, total, self.scores[side])

    def forced(self) -> Action:
        """What the server does for the seat in turn when its time is up (rules.md 8)."""
        if self.round is None or self.turn is None:
            raise Refusal("round_over", "nobody is in turn")
        playable = self.round.playable()
        if not playable:
            return Draw() if self.round.drawable else Pass()
        tile = heaviest(playable)
        return Play(tile, end_name(self.round.ends_for(tile)[0]))

    # Claims

    def claim_open_for(self, seat: int) -> bool:
        """Whether `seat` may claim the last play (rules.md 5).

        Open after any play of another side that was not called exactly, whether there are points
        in it or not: that is for the players to see.
        """
        return self._claim_refused(seat) is None

    def _claim_refused(self, seat: int) -> Refusal | None:
        if not self.rules.called:
            return Refusal("not_called", "in this game points count by themselves")
        played = self._last_play
        if self.phase not in ("play", "claims") or played is None or not self.rules.multiple:
            return Refusal("no_claim_open", "there is nothing to claim")
        if self._claimed:
            return Refusal("already_claimed", "these points have been claimed")
        if self.rules.side_of(played.seat) == self.rules.side_of(seat):
            return Refusal("no_claim_open", "you can't claim what your own side played")
        if self._called_right(played):
            return Refusal("no_claim_open", "the points were called")
        return None

    def _called_right(self, played: Played) -> bool:
        scoring_total = played.total > 0 and played.total % self.rules.multiple == 0
        return scoring_total and played.call == played.total

    def _claim(self, seat: int, points: int) -> tuple[Event, ...]:
        refusal = self._claim_refused(seat)
        if refusal is not None:
            raise refusal
        played, round, side = self._last_play, self.round, self.rules.side_of(seat)
        assert played is not None
        assert round is not None
        right = points == played.total
        score = scoring.in_play(self.rules, played.total, self.scores[side]) if right else 0
        self._claimed = score > 0
        self.scores[side] += score
        events = self._log(Claimed(seat, points, score))
        if score and self._target_in_play():
            return events + self._end_at_target(round)
        if self._claimed and self.phase == "claims":
            return events + self._settle(round)
        return events

    def settle(self) -> tuple[Event, ...]:
        """Close the claims on a round's last play. Raises EngineError outside of "claims"."""
        if self.phase != "claims" or self.round is None:
            raise EngineError("no_claims", "no claims are open on a finished round")
        return self._settle(self.round)

    # Ends

    def _end_round(self, round: Round) -> tuple[Event, ...]:
        if any(self.claim_open_for(seat) for seat in range(self.rules.seats)):
            self.phase = "claims"
            return ()
        return self._settle(round)

    def _settle(self, round: Round) -> tuple[Event, ...]:
        result = scoring.settle(self.rules, round.hands, round.out)
        for side, points in enumerate(result.points):
            self.scores[side] += points
        self.phase = "deal"
        self._last_play = None
        assert round.reason is not None
        ended = RoundEnded(
            round.reason,
            round.out,
            result.winner,
            result.pips,
            result.points,
            tuple(self.scores),
            tuple(bits(hand) for hand in round.hands),
        )
        return self._log(ended) + self._end_if_won()

    def _end_at_target(self, round: Round) -> tuple[Event, ...]:
        pips = tuple(pips_of(hand) for hand in round.hands)
        hands = tuple(bits(hand) for hand in round.hands)
        nothing = (0,) * self.rules.sides
        ended = RoundEnded("target", None, None, pips, nothing, tuple(self.scores), hands)
        return self._log(ended) + self._end_if_won()

    def _end_if_won(self) -> tuple[Event, ...]:
        leader = self._ahead_at_target()
        return () if leader is None else self._end("target", leader)

    def _target_in_play(self) -> bool:
        return self.rules.match_end == "immediate" and self._ahead_at_target() is not None

    def _ahead_at_target(self) -> int | None:
        """The side alone in front with the target reached; a side that resigned can't win."""
        active = self._active()
        best = max(self.scores[side] for side in active)
        ahead = [side for side in active if self.scores[side] == best]
        return ahead[0] if best >= self.rules.target and len(ahead) == 1 else None

    def _active(self) -> list[int]:
        return [side for side in range(self.rules.sides) if side not in self.resigned]

    def _end(self, reason: str, winner: int | None, out: Iterable[int] = ()) -> tuple[Event, ...]:
        self.phase = "over"
        self.winner = winner
        self._last_play = None
        places = self._places(self.resigned | set(out))
        return self._log(MatchEnded(reason, winner, tuple(self.scores), places))

    def _places(self, out: set[int]) -> tuple[int, ...]:
        """By score; sides that resigned or forfeited share the last place."""
        active = [side for side in range(self.rules.sides) if side not in out]
        last = len(active) + 1 if active else self.rules.sides
        return tuple(
            last if side in out else 1 + sum(self.scores[other] > score for other in active)
            for side, score in enumerate(self.scores)
        )

    def resign(self, seat: int) -> tuple[Event, ...]:
        """Give up for the seat's side. With one side left the match ends."""
        if type(seat) is not int or not 0 <= seat < self.rules.seats:
            raise Refusal("bad_action", "no such seat")
        if self.phase == "over":
            raise Refusal("match_over", "the match is over")
        side = self.rules.side_of(seat)
        if side in self.resigned:
            raise Refusal("bad_action", "your side has resigned already")
        self.resigned.add(side)
        events = self._log(Resigned(seat))
        active = self._active()
        if len(active) == 1:
            return events + self._end("resigned", active[0])
        return events + self._end_if_resigning_decides()

    def _end_if_resigning_decides(self) -> tuple[Event, ...]:
        """A tie at the target may be broken by a side's leaving, between rounds."""
        return self._end_if_won() if self.phase == "deal" else ()

    def forfeit(self, seats: Iterable[int], reason: str) -> tuple[Event, ...]:
        """Take sides out of the match for `reason` ("no_show", "forfeit", …).

        With one side left, or none, the match ends for that reason, nobody winning where none is
        left; otherwise it goes on as after resignations.
        """
        seats = sorted(set(seats))
        if self.phase == "over":
            raise Refusal("match_over", "the match is over")
        if any(type(seat) is not int or not 0 <= seat < self.rules.seats for seat in seats):
            raise Refusal("bad_action", "no such seat")
        out = {self.rules.side_of(seat) for seat in seats}
        left = [side for side in self._active() if side not in out]
        if len(left) <= 1:
            return self._end(reason, left[0] if left else None, out)
        events: tuple[Event, ...] = ()
        for seat in seats:
            if self.rules.side_of(seat) not in self.resigned and self.phase != "over":
                events += self.resign(seat)
        return events

    def call_time(self, needs_winner: bool = False) -> tuple[Event, ...]:
        """End the match between rounds, with the score as it stands; () and no end when the lead is
        shared and a winner is needed. Raises EngineError("not_between").
        """
        if self.phase != "deal" or self.round is None:
            raise EngineError("not_between", "no round has been finished, or one is running")
        active = self._active()
        best = max(self.scores[side] for side in active)
        ahead = [side for side in active if self.scores[side] == best]
        if needs_winner and len(ahead) > 1:
            return ()
        return self._end("time", ahead[0] if len(ahead) == 1 else None)

    # The log

    def apply(self, event: Event, deal: Deal | None = None) -> None:
        """Replay one event of a log; `deal` comes with RoundStarted.

        Raises EngineError when the event can't have followed; the match is then of no more use.
        """
        if self._awaited:
            if self._awaited.popleft() != event:
                raise EngineError("bad_log", f"not what followed: {type(event).__name__}")
            return
        made = self._redo(event, deal)
        if not made or made[0] != event:
            raise EngineError("bad_log", f"not what happened: {type(event).__name__}")
        self._awaited.extend(made[1:])

    def _redo(self, event: Event, deal: Deal | None) -> tuple[Event, ...]:
        if isinstance(event, RoundStarted):
            if deal is None:
                raise EngineError("bad_log", "a round's start needs its deal")
            return self.start_round(deal, event.leader)
        if isinstance(event, Played):
            return self.act(event.seat, Play(event.tile, event.end, event.call))
        if isinstance(event, Drew):
            return self._redraw(event)
        if isinstance(event, Passed):
            return self.act(event.seat, Pass())
        if isinstance(event, Claimed):
            return self.act(event.seat, Claim(event.points))
        if isinstance(event, RoundEnded):
            return self.settle()
        if isinstance(event, Resigned):
            return self.resign(event.seat)
        return self._end_as_told(event)

    def _redraw(self, event: Drew) -> tuple[Event, ...]:
        """Draw `count` tiles: a log may hold draws in a row as one event."""
        made: tuple[Event, ...] = ()
        for _ in range(event.count):
            if len(made) > 1:
                raise EngineError("bad_log", "more tiles drawn than could be")
            made = self.act(event.seat, Draw())
        return (event, *made[1:]) if made else ()

    def _end_as_told(self, event: MatchEnded) -> tuple[Event, ...]:
        """An end that the rules didn't bring about: a forfeit, or time called."""
        if event.reason == "time":
            return self.call_time()
        if self.phase == "over" or len(event.places) != self.rules.sides:
            raise EngineError("bad_log", "the match can't end like this")
        out = {side for side in self._active() if side != event.winner}
        return self._end(event.reason, event.winner, out)

    def _log(self, event: Event) -> tuple[Event, ...]:
        self.history.append(event)
        return (event,)

    def copy(self) -> Match:
        """A match that goes on by itself."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.scores = list(self.scores)
        twin.round = self.round.copy() if self.round else None
        twin.resigned = set(self.resigned)
        twin.line = list(self.line)
        twin.history = list(self.history)
        twin._awaited = deque(self._awaited)
        return twin

    def _state(self) -> tuple[object, ...]:
        return (
            self.rules, self.scores, self.number, self.round.state() if self.round else None,
            self.phase, self.winner, self.resigned, self.line, self.history, self._last_play,
            self._claimed,
        )  # fmt: skip
