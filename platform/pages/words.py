"""The games and bots as pages name them; sentences about a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils.translation import get_language, gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.formats import groups
from tournaments.models import Tournament

PRESETS = {
    "allfives": _("All Fives"),
    "classic": _("All Fives, classic"),
    "fivecount": _("Five-count"),
    "muggins": _("Muggins, called"),
    "draw": pgettext_lazy("game", "Draw"),
    "block": pgettext_lazy("game", "Block"),
}
ABOUT = {
    "allfives": _("Score whenever the open ends add up to a five. To 150."),
    "classic": _("Nine tiles for two; what you hold at the end is taken off. To 250."),
    "fivecount": _("Seven tiles each, the winner leads the next round. To 250."),
    "muggins": _("You call your points yourself. Miss some, and they may be claimed. To 200."),
    "draw": _("No points in play: go out first. Who can't play, draws. To 100."),
    "block": _("No points in play and no drawing: who can't play, passes. To 100."),
}
FORMATS = {
    "single_elimination": _("Knockout"),
    "double_elimination": _("Double elimination"),
    "round_robin": _("Round robin"),
    "swiss": _("Swiss"),
    "groups": _("Groups"),
    "pods": _("Tables of three and four"),
    "pod_elimination": _("Knockout at tables of three and four"),
    "rotating": _("Rotating partners"),
    "arena": _("Arena"),
}
ABOUT_FORMATS = {
    "single_elimination": _("Whoever loses is out, and the last one wins."),
    "double_elimination": _("Out after the second loss: who loses once goes on among the losers."),
    "round_robin": _("Everybody meets everybody; the points decide. Up to 64 places."),
    "groups": _("Everybody meets everybody in a group. The best can go on to a knockout."),
    "swiss": _("A few rounds, each against somebody with as many points. Nobody is out."),
    "pods": _("A few rounds at tables of three and four; each place brings points. Nobody is out."),
    "pod_elimination": _("The best of each table go on, round after round, to a last table."),
    "rotating": _("Two against two, another partner each round; everyone counts for themselves."),
    "arena": _("For a set time: whoever is free is paired again. Come and go as you like."),
}
BEST_OF = {
    1: _("One match"),
    3: _("Best of three"),
    5: _("Best of five"),
    7: _("Best of seven"),
}
OF_SEVERAL = {
    3: _("best of three"),
    5: _("best of five"),
    7: _("best of seven"),
}
NEXT = {
    "single_elimination": _("You play on. Your next opponent is still to be decided."),
    "double_elimination": _("You play on. Your next opponent is still to be decided."),
    "round_robin": _("Your next table opens when your opponent is free too."),
    "groups": _("Your next table opens when your opponent is free too."),
    "swiss": _("You play on. The next round is drawn when this one is over."),
    "pods": _("You play on. The next round is drawn when this one is over."),
    "pod_elimination": _("You play on. Who sits at your next table is still to be decided."),
    "rotating": _("You play on. The next round is drawn when this one is over."),
    "arena": _("You play on. Your next opponent comes as soon as one is free."),
}
NEXT_ROUND = _("You play on. A bar leads you to your next table when it is ready.")
BOTS = {
    "easy": pgettext_lazy("bot level", "Easy"),
    "medium": pgettext_lazy("bot level", "Medium"),
    "hard": pgettext_lazy("bot level", "Hard"),
}


def zone_of(name: str) -> ZoneInfo:
    """The time zone of that name; UTC for one that is not known here."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def preset(key: str) -> str:
    return str(PRESETS.get(key, key))


def format_line(event: Tournament) -> str:
    """How an event is played: "Double elimination, best of three"."""
    parts = [str(FORMATS.get(event.format, event.format))]
    if "groups" in event.options:
        wished = event.options["groups"]
        n = wished if event.is_before_start else groups.count(wished, event.taken)
        parts = [ngettext("%(n)s group", "%(n)s groups", n) % {"n": n}]
    if event.options.get("third_place"):
        parts.append(gettext("with a match for third place"))
    if "rounds" in event.options:
        rounds = event.options["rounds"]
        parts.append(ngettext("%(n)s round", "%(n)s rounds", rounds) % {"n": rounds})
    if "advance" in event.options:
        best = event.options["advance"]
        said = ngettext("the best %(n)s of each goes on", "the best %(n)s of each go on", best)
        parts.append(said % {"n": best})
    if "minutes" in event.options:
        minutes = event.options["minutes"]
        parts.append(ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes})
    if event.sides == Tournament.Sides.PAIRS:
        parts.append(gettext("in fixed pairs"))
    if event.options.get("legs") == 2:
        parts.append(gettext("everybody twice"))
    if event.best_of > 1:
        parts.append(str(OF_SEVERAL[event.best_of]))
    first = ", ".join(parts)
    return "; ".join([first, *(later_line(stage) for stage in event.later_stages)])


def later_line(stage: Mapping[str, Any]) -> str:
    """A later stage in words: "then Knockout, 2 of each group"."""
    facts = {"format": FORMATS.get(stage["format"], stage["format"]), "n": stage["take"]}
    said = (
        gettext("then %(format)s of the best %(n)s of each group")
        if stage["per_group"]
        else gettext("then %(format)s of the best %(n)s")
    )
    text = said % facts
    return f"{text}, {OF_SEVERAL[stage['best_of']]}" if stage["best_of"] > 1 else text


def capital(text: str) -> str:
    """A text with a capital at its beginning, as the active language writes it (Turkish i: İ)."""
    start = len(text) - len(text.lstrip())
    first = text[start : start + 1]
    is_dotted = first == "i" and (get_language() or "").startswith("tr")
    return text[:start] + ("İ" if is_dotted else first.upper()) + text[start + 1 :]


def quoted(text: str) -> str:
    """Somebody's own words, in the quotation marks of the language."""
    return gettext("“%(text)s”") % {"text": text}


def stage_title(format_id: str, *, play_off: bool = False) -> str:
    """What a stage is called."""
    return gettext("Play-off") if play_off else str(FORMATS.get(format_id, format_id))


def group_name(number: int) -> str:
    """A, B … Z, then AA: the group of that number, from 1."""
    before, last = divmod(number - 1, 26)
    return (chr(64 + before) if before else "") + chr(65 + last)


def table_size(seats: int, partners: bool) -> str:
    """How many play: "2 players", or "partners"."""
    if partners:
        return gettext("two against two")
    return ngettext("%(n)s player", "%(n)s players", seats) % {"n": seats}


def target_of(rules: dict[str, Any], resolved: int) -> str:
    return gettext("target: %(points)s") % {"points": rules.get("target") or resolved}


# In this order: Edge and Opera call themselves Chrome too, and Chrome Safari.
_BROWSERS = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Mac OS", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_of(user_agent: str) -> str:
    """A browser and its system, by what it calls itself.

    >>> browser_of("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")
    'Firefox, Linux'
    """
    found = (
        next((name for sign, name in table if sign in user_agent), "")
        for table in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found)) or user_agent[:60]
