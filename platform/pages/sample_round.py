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
from engine.match import Match
from engine.round import Round
from engine.rules import RuleSet
from engine.scoring import in_play
from engine.tiles import bits, text
from engine.view import view
from pages import figures, lesson, replay_page, rule_words

NAMES: Final = ("Ana", "Béla", "Chi")
SHUFFLES: Final = {"all-fives": 374, "draw": 33, "block": 144}
"""A deal that shows much of a game and is soon over, by the page's address."""


@dataclass(frozen=True, slots=True)
class Option:
    """A play that was allowed: the pip it is put to (None: it leads), and what it pays."""

    tile: str
    pip: int | None
    pays: int


@dataclass(frozen=True, slots=True)
class Moment:
    """The round after an event: `hands` as text by seat, `moves` what lies, `scores` by side.

    `joined` is the pip that a tile was put to, and `options` what could have been played instead.
    """

    event: Event
    joined: int | None
    options: tuple[Option, ...]
    moves: tuple[lesson.Move, ...]
    hands: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A moment in words and as a picture; `why` says what it is paid, or why it had to be, and
    `choice` what else there was.
    """

    n: int
    text: str
    why: str
    choice: str
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


_Made = tuple[tuple[Event, ...], int | None, tuple[Option, ...]]


def _next(match: Match) -> _Made:
    """What happens next, the pip that a tile is put to, and what could be played."""
    for seat in range(match.rules.seats):
        claim = bots.claim("medium", view(match, seat), match.number)
        if isinstance(claim, Claim):
            return match.act(seat, claim), None, ()
    if match.turn is None:
        return match.settle(), None, ()
    seat, round = match.turn, match.round
    assert round is not None
    action = bots.choose("medium", view(match, seat), round.drawn)
    options = tuple(_option(match, round, each) for each in match.legal() if isinstance(each, Play))
    pip = round.ends()[action.end] if isinstance(action, Play) and action.end else None
    return match.act(seat, action), pip, options


def _option(match: Match, round: Round, play: Play) -> Option:
    total, _pays = match.preview(play)
    score = match.scores[match.rules.side_of(match.turn or 0)]
    pip = round.ends()[play.end] if play.end else None
    return Option(text(play.tile), pip, in_play(match.rules, total, score))


def _note(found: list[Moment], match: Match, made: _Made) -> None:
    events, pip, options = made
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
                options if isinstance(event, Played) else (),
                tuple((text(each.tile), each.end) for each in match.line),
                tuple(tuple(map(text, bits(hand))) for hand in round.hands),
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
    return Step(
        n=n,
        text=said,
        why=_why(rules, moment, scene, before),
        choice=_choice(rules, moment.options),
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
    if isinstance(event, Played) and scene is not None and rules.multiple:
        return rule_words.verdict(rules, scene.sum, event.total, event.score)
    if isinstance(event, (Drew, Passed)) and before is not None:
        ends = lesson.ends(before.moves, rules)
        return _("No tile in hand fits the open ends: %(pips)s.") % {
            "pips": ", ".join(str(pip) for pip in sorted(set(ends.values())))
        }
    return ""


def _choice(rules: RuleSet, options: Sequence[Option]) -> str:
    """What could be played, with what it would pay; "" where there was no choice."""
    if len(options) < 2:
        return ""
    said = [f"{each.tile} → {each.pip}" if each.pip is not None else each.tile for each in options]
    if rules.multiple:
        said = [
            f"{text} ({figures.signed(each.pays)})"
            for text, each in zip(said, options, strict=True)
        ]
    return _("To choose from: %(plays)s.") % {"plays": ", ".join(said)}


def settlement(rules: RuleSet, ended: RoundEnded) -> str:
    """What was left, and what it paid: "Béla: 13 → 15." """
    if ended.reason == "target" or (ended.winner is None and rules.settle != "each_deducts"):
        return ""
    return rule_words.settled(rules, ended.pips, ended.points, NAMES)
