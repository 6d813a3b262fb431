"""What people ask about the rules, and the game in a few steps: answered by the rule set."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules import RuleSet
from engine.scoring import rounded
from engine.tiles import COUNT, HIGH, WITH_PIP

Question = tuple[str, str]
_PIPS: Final = range(max(HIGH) + 1)


def questions(rules: RuleSet) -> list[Question]:
    """Questions that people ask, with the answers of this rule set."""
    middle = _scoring(rules) if rules.multiple else _plain()
    spinner = _spinner() if rules.spinner else []
    return [*_turns(rules), *middle, *spinner, *_ends(rules), *_set()]


def _turns(rules: RuleSet) -> list[Question]:
    found = [
        (
            _("Must I play if I can?"),
            _(
                "Yes. Whoever holds a tile that fits has to play one; "
                "nobody draws or passes to wait."
            ),
        ),
        (
            _("May I choose where to play a tile that fits at several ends?"),
            _("Yes. Each end is a choice of its own, and the totals can differ.")
            if rules.multiple
            else _("Yes. Each end is a choice of its own."),
        ),
    ]
    if rules.draw:
        found += [
            (
                _("Must I play the tile that I draw?"),
                _("If it fits, yes, and at once. If not, you keep it and draw on."),
            ),
            (
                _("Who sees what I draw?"),
                _("Everybody sees how many tiles you draw, only you see which."),
            ),
        ]
        if rules.keep:
            kept = ngettext(
                "%(keep)s tile stays in the boneyard. Whoever would need it passes.",
                "%(keep)s tiles stay in the boneyard. Whoever would need them passes.",
                rules.keep,
            )
            found.append((_("Can the boneyard be emptied?"), kept % {"keep": rules.keep}))
        else:
            found.append(
                (
                    _("Can the boneyard be emptied?"),
                    _("Yes, to the last tile. Only then does anybody pass."),
                )
            )
    else:
        found.append(
            (
                _("What is the boneyard for?"),
                _("For nothing but luck: those tiles stay hidden until the round is over."),
            )
        )
    return found


def _scoring(rules: RuleSet) -> list[Question]:
    facts = {"multiple": rules.multiple, "most": most(rules), "target": rules.target}
    found = [
        (
            _("Does a total of nothing pay?"),
            _("No. Only a total of %(multiple)s or a multiple of it pays.") % facts,
        ),
        (
            _("What is the most that one play can pay?"),
            ngettext(
                "With the tiles of this set and these rules: %(most)s point.",
                "With the tiles of this set and these rules: %(most)s points.",
                facts["most"],
            )
            % facts,
        ),
    ]
    if rules.called:
        found.append(
            (
                _("What if I call a wrong number?"),
                _(
                    "Then you are paid nothing, and until the next play, draw or pass an opponent "
                    "may claim the right number. A wrong claim costs nothing."
                ),
            )
        )
    else:
        found.append(
            (
                _("Can I miss points, or can somebody take them from me?"),
                _("No. Every total is counted for you as soon as the tile lies."),
            )
        )
    return found


def _plain() -> list[Question]:
    return [
        (
            _("Does a play pay points?"),
            _("No. In this game points are only won at the end of a round."),
        ),
        (
            _("Can the line branch at a double?"),
            _("No. A double lies across the line, but the line keeps its two ends."),
        ),
        (
            _("Do I also get the pips of my own hand when I win a blocked round?"),
            _("No. Only the pips of your opponents are paid."),
        ),
    ]


def _spinner() -> list[Question]:
    return [
        (
            _("What if nobody plays a double?"),
            _("Then there is no spinner yet: the line has two ends until a first double comes."),
        ),
        (
            _("Does the spinner count when both its sides are covered?"),
            _("No. Then it is inside the line; its arms count from their first tile on."),
        ),
    ]


def _ends(rules: RuleSet) -> list[Question]:
    found = [
        (
            _("What if two have the same number of pips when the game is blocked?"),
            _("Then fewer tiles win; still equal, nobody wins the round and nobody is paid.")
            if rules.settle != "each_deducts"
            else _("It makes no difference: everybody’s own pips are taken off anyway."),
        )
    ]
    if rules.rounding > 1:
        half = rules.rounding // 2
        facts = {
            "rounding": rules.rounding,
            "low": rules.rounding + half,
            "down": rounded(rules.rounding + half, rules.rounding),
            "high": rules.rounding + half + 1,
            "up": rounded(rules.rounding + half + 1, rules.rounding),
        }
        said = _(
            "To the nearest multiple of %(rounding)s: %(low)s becomes %(down)s, and %(high)s "
            "becomes %(up)s."
        )
        found.append((_("How are the pips rounded?"), said % facts))
    if rules.multiple and rules.match_end == "immediate":
        found.append(
            (
                _("Two reach %(target)s in the same round: who wins?") % {"target": rules.target},
                _(
                    "Who reaches it first in play wins there and then. After settlement the "
                    "higher score wins."
                ),
            )
        )
    else:
        found.append(
            (
                _("Two reach %(target)s in the same round: who wins?") % {"target": rules.target},
                _("The higher score. If they are equal, another round is played."),
            )
        )
    if rules.settle == "each_deducts":
        found.append(
            (
                _("Can a score fall below nothing?"),
                _("Yes, when more is taken off at the end of a round than was made in it."),
            )
        )
    return found


def _set() -> list[Question]:
    facts = {"each": WITH_PIP[0].bit_count(), "doubles": len(_PIPS), "tiles": COUNT}
    return [
        (
            _("How many tiles carry the same pip?"),
            ngettext(
                "Each pip stands on %(each)s of the %(tiles)s tile, its double among them. When "
                "all of them lie, that pip is closed.",
                "Each pip stands on %(each)s of the %(tiles)s tiles, its double among them. When "
                "all of them lie, that pip is closed.",
                COUNT,
            )
            % facts,
        ),
        (
            _("How do partners play?"),
            _(
                "Two against two, partners across from each other. They share one score and don’t "
                "show their tiles; when the round is blocked, both hands count together."
            ),
        ),
    ]


def most(rules: RuleSet) -> int:
    """The most that one play can pay: the best multiple that the ends of a layout can add up to.

    With a spinner four ends count, without one two; each is a single half, or a double counted
    twice, and no double lies at two ends, nor does the one inside the line as the spinner.
    """
    return _best_total(4 if rules.spinner else 2, rules.multiple)


@cache
def _best_total(ends: int, multiple: int) -> int:
    totals = {
        2 * sum(doubles) + sum(halves)
        for k in range(ends + 1)
        for doubles in combinations(_PIPS, k)
        for halves in product(_PIPS, repeat=ends - k)
    }
    return max((total for total in totals if total % multiple == 0), default=0)


def steps(rules: RuleSet) -> list[str]:
    """The game in short, step by step."""
    facts = {
        "tiles": COUNT,
        "hand": rules.hand_size,
        "multiple": rules.multiple,
        "target": rules.target,
        "gate": rules.gate,
    }
    found = [
        ngettext(
            "Shuffle the %(tiles)s tile face down; two players take %(hand)s each.",
            "Shuffle the %(tiles)s tiles face down; two players take %(hand)s each.",
            COUNT,
        ),
        _("Whoever holds the highest double leads it.")
        if rules.first_lead == "highest_double"
        else _("Draw lots for the first lead; the leader may play any tile."),
        _("In turn, add one tile to an open end, equal halves touching."),
        _("If none fits, draw until one does; when nothing can be drawn, pass.")
        if rules.draw
        else _("If none fits, pass."),
    ]
    if rules.multiple:
        found.append(
            _("Add up the open ends after your play: a multiple of %(multiple)s pays its total.")
        )
    if rules.gate:
        found.append(_("Your first points in play must be %(gate)s or more at once."))
    if rules.called:
        found.append(_("Call your points: what you miss, an opponent may claim."))
    found += [
        _("The round ends when somebody plays the last tile of a hand, or nobody can go on."),
        ngettext(
            "Settle the pips that are left, and deal again until somebody has %(target)s point.",
            "Settle the pips that are left, and deal again until somebody has %(target)s points.",
            rules.target,
        ),
    ]
    return [said % facts for said in found]
