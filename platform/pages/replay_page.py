"""A match to look back at, in words and pictures: what the page of a replay shows.

The sentences of the moves are those of the live table, from the same catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.rules import RuleSet
from pages import charts, lesson, table_strings, words

Replay = Mapping[str, Any]
ENDED: Final = "round_ended"


@dataclass(frozen=True, slots=True)
class Line:
    """A step in words, and what it left lying."""

    n: int
    text: str
    tone: str
    missed: int


@dataclass(frozen=True, slots=True)
class Part:
    """A round: its steps, its final line as a picture, and what proves its deal."""

    number: int
    lines: tuple[Line, ...]
    picture: SafeString
    deal: Mapping[str, Any]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The play of the match that was paid most."""

    name: str
    tile: str
    points: int
    n: int


def strings() -> dict[str, str | list[str]]:
    """The sentences of a replay's script: the live table's, and its own."""
    return {
        **table_strings.table_strings(),
        "step": _("Move {n} of {all}"),
        "dealt": _("Round {n}: the deal"),
        "play": _("Play the moves"),
        "pause": pgettext("replay", "Pause"),
        "hand_of": _("Hand: {tiles}"),
        "hand_gone": _("No tile left"),
        "option": _("{tile}, {side}"),
        "option_lead": _("{tile}, lead"),
        "chosen": pgettext("tile", "played"),
        "drawn": pgettext("tile", "drawn"),
        "no_choice": _("There was nothing to choose here."),
        "chose_best": _("{name}: the best paid, +{points}"),
        "chose_nothing": _("{name}: nothing to be paid here"),
        "chose_missed": _("{name}: missed {points}"),
    }


def context(replay: Replay) -> dict[str, Any]:
    """Everything for pages/replay.html but what depends on the request."""
    parts = [_part(replay, each) for each in replay["rounds"]]
    best = best_play(replay)
    return {
        "replay": replay,
        "parts": parts,
        "sides": side_names(replay),
        "game": words.preset(replay["preset"]),
        "is_over": replay["status"] == "finished",
        "scoring": replay["rules"]["multiple"] > 0,
        "missed": _missed(replay),
        "best": best,
        "curve": _curve(replay),
        "title": title(replay),
        "summary": summary(replay, best),
        "strings": strings(),
    }


def side_names(replay: Replay) -> list[str]:
    """ "Marta", or "Marta + Ana" for a side of two."""
    count = 1 + max(seat["side"] for seat in replay["seats"])
    return [
        " + ".join(seat["name"] for seat in replay["seats"] if seat["side"] == side)
        for side in range(count)
    ]


def title(replay: Replay) -> str:
    """ "Marta 150 – Béla 95", or the names alone while it is played."""
    names = side_names(replay)
    scores = replay["scores"]
    if scores is None:
        return " – ".join(names)
    return " – ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))


def summary(replay: Replay, best: Best | None) -> str:
    """What to say of a match in a line or two, to be passed on."""
    said = [f"{title(replay)}.", f"{words.preset(replay['preset'])}."]
    if replay["title"]:
        said.insert(0, f"{replay['title']}:")
    if best is not None:
        facts = {"name": best.name, "tile": best.tile, "points": best.points}
        said.append(_("Best play: %(name)s, %(tile)s, +%(points)s.") % facts)
    return " ".join(said)


def best_play(replay: Replay) -> Best | None:
    """The first of the plays that were paid most; None when none was paid."""
    paid = [step for step in _steps(replay) if step["kind"] == "played" and step["score"]]
    if not paid:
        return None
    step = max(paid, key=lambda each: each["score"])
    name = replay["seats"][step["seat"]]["name"]
    return Best(name, step["tile"], step["score"], step["n"])


def _steps(replay: Replay) -> Iterator[Mapping[str, Any]]:
    for each in replay["rounds"]:
        yield from each["steps"]


def _part(replay: Replay, played: Mapping[str, Any]) -> Part:
    names = [seat["name"] for seat in replay["seats"]]
    catalogue = table_strings.table_strings()
    lines = [_line(catalogue, names, side_names(replay), step) for step in played["steps"]]
    moves = [(step["tile"], step["end"]) for step in played["steps"] if step["kind"] == "played"]
    rules = RuleSet.parse(replay["rules"], len(names))
    return Part(
        number=played["number"],
        lines=tuple(lines),
        picture=lesson.scene(moves, rules).picture if moves else SafeString(),
        deal=played["deal"],
        scores=tuple(played["steps"][-1]["scores"] if played["steps"] else played["before"]),
    )


def _line(
    catalogue: Mapping[str, str | list[str]],
    names: Sequence[str],
    sides: Sequence[str],
    step: Mapping[str, Any],
) -> Line:
    text, tone = _said(catalogue, names, sides, step)
    return Line(step["n"], text, tone, step.get("missed", 0))


def sentences(steps: Iterable[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """The steps of a round without partners, in words."""
    catalogue = table_strings.table_strings()
    return [_said(catalogue, names, names, step)[0] for step in steps]


def _said(
    catalogue: Mapping[str, str | list[str]],
    names: Sequence[str],
    sides: Sequence[str],
    step: Mapping[str, Any],
) -> tuple[str, str]:
    key, facts, tone = _told(step, names, sides)
    form = catalogue[key]
    return (form if isinstance(form, str) else form[facts["n"]]).format(**facts), tone


def _told(
    step: Mapping[str, Any], names: Sequence[str], sides: Sequence[str]
) -> tuple[str, dict[str, Any], str]:
    """The sentence of a step, what it is filled with, and its tone: as table/news.js tells it."""
    kind = step["kind"]
    if kind == ENDED:
        return (*_told_end(step, names, sides), "round")
    name = names[step["seat"]]
    if kind == "played":
        facts = {"name": name, "tile": step["tile"], "pips": step["joined"]}
        key = "event_led" if step["end"] is None else "event_played"
        if step["score"]:
            return f"{key}_scored", {**facts, "points": step["score"]}, "paid"
        return key, facts, ""
    if kind == "drew":
        return "event_drew", {"name": name, "n": step["count"]}, "drew"
    if kind == "claimed":
        return "event_claimed", {"name": name, "points": step["points"]}, "paid"
    return f"event_{kind}", {"name": name}, kind


def _told_end(
    step: Mapping[str, Any], names: Sequence[str], sides: Sequence[str]
) -> tuple[str, dict[str, Any]]:
    if step["reason"] == "domino":
        return "end_domino", {"name": names[step["out"]]}
    if step["reason"] == "blocked" and step["winner"] is not None:
        return "end_blocked", {"name": sides[step["winner"]]}
    return ("end_tied" if step["reason"] == "blocked" else "end_target"), {}


def _missed(replay: Replay) -> list[tuple[str, int, int, int]]:
    """By seat: name, points made in play, points missed, and the share of what there was."""
    made = [0] * len(replay["seats"])
    for step in _steps(replay):
        if step["kind"] == "played":
            made[step["seat"]] += step["score"]
    return [
        (seat["name"], got, missed, round(100 * got / (got + missed)) if got + missed else 100)
        for seat, got, missed in zip(replay["seats"], made, replay["missed"], strict=True)
    ]


def _curve(replay: Replay) -> charts.Curves | None:
    """The scores, step by step, a line for each side; rounds' ends are marked."""
    if not replay["rounds"]:
        return None
    rows = [replay["rounds"][0]["before"], *(step["scores"] for step in _steps(replay))]
    ends = [each["steps"][-1]["n"] for each in replay["rounds"] if each["steps"]]
    return charts.curves(list(zip(*rows, strict=True)), ends[:-1], replay["target"])


def state_line(replay: Replay) -> str:
    """What there is to see, and what is still to come."""
    if replay["status"] == "running":
        done = len(replay["rounds"])
        if not done:
            return _("The match is being played: a round can be looked at when it is over.")
        said = ngettext(
            "The match is being played: %(n)s round is over so far.",
            "The match is being played: %(n)s rounds are over so far.",
            done,
        )
        return said % {"n": done}
    return "" if replay["rounds"] else _("No tile was played in this match.")
