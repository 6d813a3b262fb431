"""Why a pairing was made, in sentences: from what was kept when it was drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pages.criteria_words import points_text

Why = Mapping[str, Any]
Names = Mapping[int, str]

RULED_OUT: Final = {
    "apart": gettext_lazy("the two are kept apart"),
    "seat": gettext_lazy("both were owed the same seat"),
    "down": gettext_lazy("one of them was needed in another group of points"),
    "up": gettext_lazy("one of them was needed in another group of points"),
    "whole": gettext_lazy("the round as a whole comes out better so"),
}


def sentences(why: Why, names: Names) -> list[str]:
    """Why this pairing; empty where nothing is known. `names` are by seed."""
    say = _SAYS.get(str(why.get("rule", "")))
    found = [] if say is None else [text for text in say(why, names) if text]
    if apart := int(why.get("apart") or 0):
        found.append(_together(apart))
    if why.get("exchanged"):
        found.append(_("Two entrants exchanged their seats here by hand."))
    if why.get("swapped"):
        found.append(_("The two seats were swapped by hand."))
    return found


def _swiss(why: Why, names: Names) -> Iterator[str]:
    one, other = (points_text(points) for points in why["points"])
    if one == other:
        yield _("Both have %(points)s points.") % {"points": one}
    else:
        facts = {"one": one, "other": other}
        yield _("They have %(one)s and %(other)s points: the nearest there was.") % facts
    if "float" in why:
        name = names.get(why["float"], "")
        if why.get("odd"):
            text = _("%(name)s came from a group of points with an odd number of players.")
        else:
            text = _("%(name)s came from another group, where nobody fitting was left.")
        yield text % {"name": name}
    yield _met(why.get("met_before"))
    yield _instead(why, names)


def _instead(why: Why, names: Names) -> str:
    """Whom the order had wanted, and what ruled that out."""
    name = names.get(why.get("wanted", 0))
    if name is None:
        return ""
    if why.get("ruled_out") == "met":
        facts = {"name": name, "round": why.get("met_in")}
        text = _("By the order %(name)s would have sat here; the two met in round %(round)s.")
        return text % facts
    reason = RULED_OUT.get(str(why.get("ruled_out")))
    if reason is None:
        return ""
    text = _("By the order %(name)s would have sat here; %(reason)s.")
    return text % {"name": name, "reason": reason}


def _swiss_bye(why: Why, names: Names) -> Iterator[str]:
    yield _("The number of players is odd: one rests, and gets a point.")
    yield _("It goes to who had the fewest byes, and of those to the last by points.")


def _berger(why: Why, names: Names) -> Iterator[str]:
    yield _("From the table of the round robin, in which everybody meets everybody.")


def _seeds(why: Why, names: Names) -> Iterator[str]:
    seeds = " – ".join(map(str, why.get("seeds", ())))
    yield _("From the bracket by seeds: %(seeds)s.") % {"seeds": seeds}


def _bye(why: Why, names: Names) -> Iterator[str]:
    yield _("The bracket has more places than players: the best seeds go on without playing.")


def _from_matches(why: Why, names: Names) -> Iterator[str]:
    facts = {"matches": ", ".join(map(str, dict.fromkeys(why.get("of", ()))))}
    yield {
        "winners": _("The winners of matches %(matches)s."),
        "losers": _("The losers of matches %(matches)s."),
        "ranks": _("The best of matches %(matches)s."),
    }.get(str(why["rule"]), _("By way of matches %(matches)s.")) % facts


def _table(why: Why, names: Names) -> Iterator[str]:
    points = why.get("points")
    if points and len(set(points)) > 1:
        listed = ", ".join(points_text(each) for each in points)
        yield _("Seated by points: %(points)s.") % {"points": listed}
    yield _again(int(why.get("met_before") or 0))


def _again(times: int) -> str:
    if not times:
        return _("Nobody at this table has met before.")
    said = ngettext(
        "%(n)s of the meetings at this table is a second one; there were no fewer.",
        "%(n)s of the meetings at this table are second ones; there were no fewer.",
        times,
    )
    return said % {"n": times}


def _together(pairs: int) -> str:
    """That a wish to be kept apart is not met."""
    said = ngettext(
        "Two here should not meet if it can be helped; there was no better round.",
        "%(n)s pairs here should not meet if it can be helped; there was no better round.",
        pairs,
    )
    return said % {"n": pairs}


def _rests(why: Why, names: Names) -> Iterator[str]:
    yield _("The tables don't come out even: who rested least so far rests.")


def _met(before: Any) -> str:
    return _("They have met before: no round without a rematch was left.") if before else ""


_SAYS: Final[dict[str, Callable[[Why, Names], Iterator[str]]]] = {
    "swiss": _swiss,
    "swiss_bye": _swiss_bye,
    "berger": _berger,
    "seeds": _seeds,
    "bye": _bye,
    "winners": _from_matches,
    "losers": _from_matches,
    "mixed": _from_matches,
    "ranks": _from_matches,
    "pods": _table,
    "pods_mixed": _table,
    "pods_bye": _rests,
    "rotating_bye": _rests,
}
