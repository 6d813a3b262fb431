"""A whole round, played by the engine for the readers of a rules page, to be gone through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine import bots, shuffle
from engine.actions import Claim, Play
from engine.events import Claimed, Drew, Event, Passed, Played, RoundEnded
from engine.layout import PIP, end_number
from engine.match import Match
from engine.rules import RuleSet
from engine.tiles import bits, text
from engine.view import view
from pages import lesson, replay_page, rule_words

NAMES: Final = ("Ana", "Béla", "Chi")
SHUFFLES: Final = {"all-fives": 374, "draw": 33, "block": 144}
"""A deal that shows much of a game and is soon over, by the page's address."""

_Hands = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """The round after an event: `hands` as text by seat, `moves` what lies, `scores` by side."""

    event: Event
    joined: int | None
    moves: tuple[lesson.Move, ...]
    hands: _Hands
    boneyard: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A moment in words and as a picture; `why` says what it is paid, or why it had to be."""

    n: int
    text: str
    why: str
    paid: bool
    picture: SafeString
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    scores: str


@lru_cache(maxsize=64)
def played(rules: RuleSet, slug: str) -> tuple[Moment, ...]:
    """The round of `slug` by `rules` (for two), from the lead to its settlement."""
    key = sha256(f"rules/{slug}/{SHUFFLES[slug]}".encode()).digest()
    match = Match(rules)
    drawn = shuffle.leader(key, rules.seats) if match.next_leader() == "random" else None
    match.start_round(shuffle.deal(key, rules.seats, rules.hand_size), drawn)
    found: list[Moment] = []
    while match.phase in ("play", "claims"):
        _note(found, match, _next(match))
    return tuple(found)


def _next(match: Match) -> tuple[tuple[Event, ...], int | None]:
    """What happens next, and the pip that a tile is put to."""
    for seat in range(match.rules.seats):
        claim = bots.claim("medium", view(match, seat), match.number)
        if isinstance(claim, Claim):
            return match.act(seat, claim), None
    if match.turn is None:
        return match.settle(), None
    seat, round = match.turn, match.round
    assert round is not None
    action = bots.choose("medium", view(match, seat), round.drawn)
    pip = None
    if isinstance(action, Play) and action.end is not None:
        pip = PIP[(round.line.codes + round.arms.codes)[end_number(action.end)]]
    return match.act(seat, action), pip


def _note(found: list[Moment], match: Match, made: tuple[tuple[Event, ...], int | None]) -> None:
    events, pip = made
    round = match.round
    assert round is not None
    for event in events:
        before = found[-1] if found else None
        if isinstance(event, Drew) and before and isinstance(before.event, Drew):
            # Draws in a row are one step.
            event = Drew(event.seat, event.count + before.event.count)
            found.pop()
        if not isinstance(event, (Played, Drew, Passed, Claimed, RoundEnded)):
            continue
        found.append(
            Moment(
                event,
                pip,
                tuple((text(each.tile), each.end) for each in match.line),
                tuple(tuple(map(text, bits(hand))) for hand in round.hands),
                round.remaining,
                _scores(match.rules, event, before),
            )
        )


def _scores(rules: RuleSet, event: Event, before: Moment | None) -> tuple[int, ...]:
    """The scores after the event: a round's last play and its settlement come in one go."""
    if isinstance(event, RoundEnded):
        return event.scores
    scores = list(before.scores) if before else [0] * rules.sides
    if isinstance(event, (Played, Claimed)):
        scores[rules.side_of(event.seat)] += event.score
    return tuple(scores)


def steps(rules: RuleSet, moments: Sequence[Moment]) -> list[Step]:
    """The round in words and pictures, in the active language."""
    said = replay_page.sentences(map(_fields, moments), NAMES[: rules.seats])
    befores = [None, *moments]
    return [
        _step(rules, n, text, moment, before)
        for n, (text, moment, before) in enumerate(zip(said, moments, befores, strict=False), 1)
    ]


def _step(rules: RuleSet, n: int, said: str, moment: Moment, before: Moment | None) -> Step:
    scene = lesson.scene(moment.moves, rules) if moment.moves else None
    event = moment.event
    return Step(
        n=n,
        text=said,
        why=_why(rules, moment, scene, before),
        paid=isinstance(event, (Played, Claimed)) and event.score > 0,
        picture=scene.picture if scene else SafeString(),
        hands=tuple(zip(NAMES, moment.hands, strict=False)),
        scores=" · ".join(
            f"{name} {score}" for name, score in zip(NAMES, moment.scores, strict=False)
        ),
    )


def _fields(moment: Moment) -> Mapping[str, Any]:
    """A moment as a replay's step."""
    event = moment.event
    if isinstance(event, RoundEnded):
        return {"kind": replay_page.ENDED, "reason": event.reason, "out": event.out,
                "winner": event.winner}  # fmt: skip
    if isinstance(event, Played):
        return {"kind": "played", "seat": event.seat, "tile": text(event.tile), "end": event.end,
                "joined": moment.joined, "score": event.score}  # fmt: skip
    if isinstance(event, Drew):
        return {"kind": "drew", "seat": event.seat, "count": event.count}
    if isinstance(event, Claimed):
        return {"kind": "claimed", "seat": event.seat, "points": event.points}
    assert isinstance(event, Passed)
    return {"kind": "passed", "seat": event.seat}


def _why(rules: RuleSet, moment: Moment, scene: lesson.Scene | None, before: Moment | None) -> str:
    event = moment.event
    if isinstance(event, RoundEnded):
        return settlement(rules, event)
    if isinstance(event, Played) and scene is not None:
        return rule_words.verdict(rules, scene.sum, event.total, event.score)
    if isinstance(event, (Drew, Passed)) and before is not None:
        ends = lesson.ends(before.moves, rules)
        return _("No tile in hand fits the open ends: %(pips)s.") % {
            "pips": ", ".join(str(pip) for pip in sorted(set(ends.values())))
        }
    return ""


def settlement(rules: RuleSet, ended: RoundEnded) -> str:
    """What was left, and what it paid: "Béla: 13 → 15." """
    if ended.reason == "target" or (ended.winner is None and rules.settle != "each_deducts"):
        return ""
    return rule_words.settled(rules, ended.pips, ended.points, NAMES)
