"""The worked examples of the rules pages: positions to play from, hands to settle, points to call.

Each is judged by the engine under the rules that the reader chose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from engine.actions import Claim, Draw, Pass, Play
from engine.errors import Refusal
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.scoring import in_play, rounded, settle
from engine.tiles import COUNT, mask_of, parse, pips_of
from pages import figures, lesson, rule_words
from pages.lesson import Choice, Move
from pages.sample_round import NAMES

PLAYS: Final = {
    None: gettext_lazy("Lead %(tile)s"),
    "left": gettext_lazy("%(tile)s on the left"),
    "right": gettext_lazy("%(tile)s on the right"),
    "up": gettext_lazy("%(tile)s on top"),
    "down": gettext_lazy("%(tile)s at the bottom"),
}
REFUSED: Final = {
    "must_draw": gettext_lazy("No: while something can be drawn, nobody may pass."),
    "cannot_draw": gettext_lazy("No: nothing can be drawn here."),
}


@dataclass(frozen=True, slots=True)
class Try:
    """A choice of an example: its value in the query, its address, its words."""

    value: str
    query: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An example as it stands: before a choice, or after the one that the reader made."""

    key: str
    title: str
    picture: SafeString
    ask: str
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    tries: tuple[Try, ...]
    verdict: str
    good: bool
    note: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A choice before it has an address: its value, its words, and what the engine says to it."""

    value: str
    text: str
    verdict: str
    good: bool


Linker = Callable[[str, str], str]
"""The page's address with an example's choice in it."""


def _held() -> str:
    return _("You hold:")


def _weighed(name: str, hand: Sequence[str]) -> str:
    """ "Béla: 13 pips"."""
    pips = pips_of(mask_of(map(parse, hand)))
    said = ngettext("%(name)s: %(pips)s pip", "%(name)s: %(pips)s pips", pips)
    return said % {"name": name, "pips": pips}


@dataclass(frozen=True, slots=True)
class Position:
    """What lies, and what the reader holds: which play pays?"""

    key: str
    section: str
    title: str | Promise
    moves: tuple[Move, ...]
    hand: tuple[str, ...]

    def fits(self, rules: RuleSet) -> bool:
        """Whether it shows anything under these rules."""
        return (self.section != "spinner" or rules.spinner) and bool(self.choices(rules))

    def choices(self, rules: RuleSet) -> list[Choice]:
        return lesson.choices(self.moves, self.hand, rules)

    def shown(self, rules: RuleSet, wanted: str, link: Linker) -> Shown:
        allowed = self.choices(rules)
        play = next((each for each in allowed if each.key == wanted), None)
        moves = [*self.moves, play.move] if play else list(self.moves)
        scene = lesson.scene(moves, rules) if moves else None
        useless = [t for t in self.hand if all(each.tile != t for each in allowed)]
        return Shown(
            key=self.key,
            title=str(self.title),
            picture=scene.picture if scene else SafeString(),
            ask=self._ask(rules, scene),
            hands=((_held(), tuple(t for t in self.hand if play is None or t != play.tile)),),
            tries=tuple(
                Try(each.key, link(self.key, each.key), _play(each), each == play)
                for each in allowed
            ),
            verdict=rule_words.verdict(rules, scene.sum, scene.total, scene.pays)
            if play and scene
            else "",
            good=bool(play and scene and scene.pays),
            note=self._note(useless),
        )

    def _ask(self, rules: RuleSet, scene: lesson.Scene | None) -> str:
        if scene is None:
            return _("The table is empty, and you lead.")
        if not rules.multiple:
            return ""
        return _("The open ends: %(sum)s.") % {"sum": scene.sum}

    def _note(self, useless: Sequence[str]) -> str:
        if not useless:
            return ""
        facts = {"tiles": ", ".join(useless)}
        if not self.moves:
            return _("Not to be led now: %(tiles)s.") % facts
        return _("Fits nowhere: %(tiles)s.") % facts


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hands at the end of a round (`out`: who has gone out; None: it is blocked). Who gets what?"""

    key: str
    section: str
    title: str | Promise
    hands: tuple[tuple[str, ...], ...]
    out: int | None

    def fits(self, rules: RuleSet) -> bool:
        return True

    def answers(self, rules: RuleSet) -> list[Answer]:
        rules = RuleSet.parse({**rules.source, "hand_sizes": 1}, len(self.hands))
        masks = [mask_of(map(parse, hand)) for hand in self.hands]
        result = settle(rules, masks, self.out)
        working = rule_words.settled(rules, result.pips, result.points, NAMES)
        right = self._asked(rules, result.points)
        said = []
        for value in sorted({right, *self._slips(rules, result.pips, result.winner)}):
            good = value == right
            verdict = _("Right. %(working)s") if good else _("Not quite. %(working)s")
            text = figures.signed(value)
            said.append(Answer(str(value), text, verdict % {"working": working}, good))
        return said

    def _asked(self, rules: RuleSet, points: Sequence[int]) -> int:
        return min(points) if rules.settle == "each_deducts" else max(points)

    def _slips(self, rules: RuleSet, pips: Sequence[int], winner: int | None) -> set[int]:
        """What people say who mistake the rule: no rounding, rounding down, both at once."""
        if rules.settle == "each_deducts":
            most = max(pips)
            return {-most, -(most // 5 * 5), -rounded(sum(pips), rules.rounding)}
        left = [each for seat, each in enumerate(pips) if seat != winner]
        return {
            sum(left),
            max(left),
            rounded(sum(left), 5),
            sum(rounded(each, 5) for each in left),
            sum(pips),
        }

    def shown(self, rules: RuleSet, wanted: str, link: Linker) -> Shown:
        answers = self.answers(rules)
        chosen = next((each for each in answers if each.value == wanted), None)
        said = self._said(rules)
        return _answered(
            self.key, self.title, SafeString(), said, answers, chosen, link,
            tuple(
                (_weighed(name, hand), hand)
                for name, hand in zip(NAMES, self.hands, strict=False)
            ),
        )  # fmt: skip

    def _said(self, rules: RuleSet) -> str:
        if rules.settle == "each_deducts":
            return _("The round is over. What is the most that anybody loses?")
        if self.out is None:
            return _("Nobody can go on. What does the lightest hand win?")
        return _("%(name)s has gone out. What is that worth?") % {"name": NAMES[self.out]}


@dataclass(frozen=True, slots=True)
class Stuck:
    """No tile of the hand fits: what now?"""

    key: str
    section: str
    title: str | Promise
    moves: tuple[Move, ...]
    hand: tuple[str, ...]

    def fits(self, rules: RuleSet) -> bool:
        return not lesson.choices(self.moves, self.hand, rules)

    def answers(self, rules: RuleSet) -> list[Answer]:
        made = []
        for value, text, action, right in (
            ("draw", pgettext("take a tile", "Draw"), Draw(),
             _("Right: you draw until a tile fits, and play it.")),
            ("pass", pgettext("skip the turn", "Pass"), Pass(),
             _("Right: nothing fits and nothing can be drawn.")),
        ):  # fmt: skip
            match, seat = staged(self.moves, self.hand, rules)
            try:
                match.act(seat, action)
            except Refusal as refusal:
                made.append(Answer(value, text, str(REFUSED[refusal.code]), False))
            else:
                made.append(Answer(value, text, right, True))
        return made

    def shown(self, rules: RuleSet, wanted: str, link: Linker) -> Shown:
        answers = self.answers(rules)
        chosen = next((each for each in answers if each.value == wanted), None)
        picture = lesson.scene(self.moves, rules).picture
        ask = _("It is your turn.")
        return _answered(
            self.key, self.title, picture, ask, answers, chosen, link, ((_held(), self.hand),)
        )


@dataclass(frozen=True, slots=True)
class Call:
    """The reader has played; what should be called, and what can others claim?"""

    key: str
    section: str
    title: str | Promise
    moves: tuple[Move, ...]
    play: Move

    def fits(self, rules: RuleSet) -> bool:
        return rules.called and rules.multiple > 0

    def answers(self, rules: RuleSet) -> list[Answer]:
        total = lesson.scene([*self.moves, self.play], rules).total
        calls = [None, total - rules.multiple, total, total + rules.multiple]
        return [self._answer(rules, total, call) for call in calls]

    def _answer(self, rules: RuleSet, total: int, call: int | None) -> Answer:
        match, seat = staged(self.moves, (self.play[0], KEPT), rules)
        tile, end = self.play
        before = match.scores[seat]
        match.act(seat, Play(parse(tile), end, call))
        paid = match.scores[seat] - before
        text = _("Call nothing") if call is None else _("Call %(points)s") % {"points": call}
        value = "none" if call is None else str(call)
        if paid:
            return Answer(value, text, _("Called and paid: %(points)s.") % {"points": paid}, True)
        other = 1 - seat
        match.act(other, Claim(total))
        facts = {"points": match.scores[other]}
        said = _(
            "Paid nothing. Whoever says “muggins, %(points)s” now, is paid %(points)s instead."
        )
        return Answer(value, text, said % facts, False)

    def shown(self, rules: RuleSet, wanted: str, link: Linker) -> Shown:
        answers = self.answers(rules)
        chosen = next((each for each in answers if each.value == wanted), None)
        picture = lesson.scene([*self.moves, self.play], rules).picture
        ask = _("You have just played %(tile)s. What do you call?") % {"tile": self.play[0]}
        return _answered(self.key, self.title, picture, ask, answers, chosen, link, ())


KEPT: Final = "0-0"
"""A tile that whoever calls still holds, so that the play doesn't end the round."""

Example = Position | Sheet | Stuck | Call

_FITS: Final = Position(
    "fits", "turn", gettext_lazy("Where does it fit?"),
    (("6-4", None), ("4-4", "right"), ("6-2", "left")), ("4-1", "3-2", "5-0"),
)  # fmt: skip
_STUCK: Final = Stuck(
    "stuck", "turn", gettext_lazy("Nothing fits"), (("6-4", None), ("6-2", "left")),
    ("5-1", "3-0", "5-5"),
)  # fmt: skip
_OUT: Final = Sheet(
    "out", "end", gettext_lazy("Going out"), ((), ("6-4", "2-1")), 0,
)  # fmt: skip
_THREE: Final = Sheet(
    "three", "end", gettext_lazy("Going out among three"), ((), ("5-2",), ("6-0",)), 0,
)  # fmt: skip
_BLOCKED: Final = Sheet(
    "blocked", "end", gettext_lazy("A blocked round"), (("6-2", "3-1"), ("4-2", "2-0")), None,
)  # fmt: skip

EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    "all-fives": (
        Position("leading", "lead", gettext_lazy("Which tile is led?"), (),
                 ("5-5", "2-2", "4-1", "6-3")),
        _STUCK,
        Position("line", "scoring", gettext_lazy("A plain line"),
                 (("6-3", None), ("3-1", "right")), ("6-4", "4-1", "6-2", "5-2")),
        Position("doubles", "scoring", gettext_lazy("A double at an end counts both its halves"),
                 (("6-4", None), ("4-4", "right")), ("6-2", "6-6", "4-2")),
        Position("nothing", "scoring", gettext_lazy("What pays nothing"),
                 (("3-0", None), ("3-2", "left")), ("2-0", "5-2", "5-0", "2-1")),
        Position("spun", "spinner", gettext_lazy("The spinner as an end of the line"),
                 (("5-5", None), ("6-5", "left")), ("6-0", "6-6", "5-4", "5-2")),
        Position("arms", "spinner", gettext_lazy("The spinner inside the line, and its arms"),
                 (("5-5", None), ("6-5", "left"), ("5-0", "right")),
                 ("5-4", "6-4", "5-1", "0-0")),
        Position("four", "spinner", gettext_lazy("Four ends at once"),
                 (("5-5", None), ("6-5", "left"), ("5-3", "right"), ("5-4", "up")),
                 ("5-2", "5-1", "4-3", "6-6")),
        Call("claim", "claims", gettext_lazy("Call it, or lose it"),
             (("6-4", None), ("4-4", "right")), ("6-6", "left")),
        _OUT, _THREE, _BLOCKED,
        Position("kept", "tips", gettext_lazy("Keep a paying total paying"),
                 (("6-4", None),), ("6-1", "4-4", "4-3")),
    ),
    "draw": (_FITS, _STUCK, _OUT, _THREE, _BLOCKED),
    "block": (_FITS, _STUCK, _OUT, _THREE, _BLOCKED),
}  # fmt: skip


def by_section(slug: str, rules: RuleSet, query: QueryDict, link: Linker) -> dict[str, list[Shown]]:
    """The examples that say something under these rules, by the section they stand in."""
    found: dict[str, list[Shown]] = {}
    for each in EXAMPLES[slug]:
        if each.fits(rules):
            shown = each.shown(rules, query.get(each.key, ""), link)
            found.setdefault(each.section, []).append(shown)
    return found


def staged(moves: Sequence[Move], hand: Sequence[str], rules: RuleSet) -> tuple[Match, int]:
    """A match of two in which the moves were played in turn, and whose turn it is holding `hand`.

    Nobody has called a point; the other hand is filled up from the rest of the set.
    """
    turn = len(moves) % 2
    held = [[parse(tile) for tile, _end in moves[seat::2]] for seat in (0, 1)]
    held[turn] += [parse(tile) for tile in hand]
    spare = [tile for tile in range(COUNT) if tile not in {*held[0], *held[1]}]
    size = max(map(len, held)) + 1
    for tiles in held:
        while len(tiles) < size and tiles is not held[turn]:
            tiles.append(spare.pop())
    size = len(held[turn])
    while len(held[1 - turn]) > size:
        spare.append(held[1 - turn].pop())
    staged_rules = RuleSet.parse(
        {**rules.source, "hand_sizes": size, "first_lead": "random", "target": 1000}, 2
    )
    match = Match(staged_rules)
    match.start_round(Deal((tuple(held[0]), tuple(held[1])), tuple(spare)), 0)
    for n, (tile, end) in enumerate(moves):
        match.act(n % 2, Play(parse(tile), end))
    return match, turn


def leads(rules: RuleSet) -> list[tuple[str, int, int]]:
    """What some first tiles count, and what they pay."""
    scenes = [(tile, lesson.scene([(tile, None)], rules)) for tile in LEADS]
    return [(tile, scene.total, in_play(rules, scene.total, 0)) for tile, scene in scenes]


LEADS: Final = ("5-5", "6-4", "4-1", "6-6", "0-0")


def _answered(
    key: str,
    title: str | Promise,
    picture: SafeString,
    ask: str,
    answers: Sequence[Answer],
    chosen: Answer | None,
    link: Linker,
    hands: tuple[tuple[str, tuple[str, ...]], ...],
) -> Shown:
    tries = tuple(
        Try(each.value, link(key, each.value), each.text, each == chosen) for each in answers
    )
    verdict, good = (chosen.verdict, chosen.good) if chosen else ("", False)
    return Shown(key, str(title), picture, ask, hands, tries, verdict, good, "")


def _play(choice: Choice) -> str:
    return str(PLAYS[choice.end]) % {"tile": choice.tile}
