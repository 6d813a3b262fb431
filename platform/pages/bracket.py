"""A bracket as the page draws it, from the one that tournaments.selectors gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Player
from tournaments import selectors
from tournaments.models import Result, Tournament

Slot = Mapping[str, Any]
Pairing = Mapping[str, Any]
Outcome = Result.Outcome


@dataclass(frozen=True, slots=True)
class Side:
    """A place in a match. Without an `entrant`, `text` says who is still to come, or that nobody
    is."""

    entrant: int | None
    seed: int | None
    text: str
    score: str
    won: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match of the bracket; `url` leads to its table if there is one."""

    id: int
    number: int
    position: int
    url: str
    live: bool
    decided: bool
    bye: bool
    say: str
    idle: bool
    sources: tuple[int, ...]
    sides: tuple[Side, ...]

    @property
    def can_be_decided(self) -> bool:
        return all(side.entrant is not None for side in self.sides)


@dataclass(frozen=True, slots=True)
class Row:
    """A place in a column: None if it is none; `loose` if no match of the tree leads to it."""

    meeting: Meeting | None
    loose: bool


@dataclass(frozen=True, slots=True)
class Round:
    """A column. `leads` says how it joins the next one: "pairs" (two to one), "straight" or ""."""

    number: int
    title: str
    meetings: tuple[Meeting, ...]
    rows: tuple[Row, ...] = ()
    leads: str = ""


@dataclass(frozen=True, slots=True)
class Tree:
    """A part of a bracket, drawn for itself: rounds that lead from one to the next."""

    part: str
    title: str
    rounds: tuple[Round, ...]


def rounds_of(event: Tournament, viewer: Player | None) -> list[tuple[str, Round]]:
    """Part and round, the first one first; none before the start."""
    handle = viewer.handle if viewer is not None else ""
    return [
        (
            shown["part"],
            Round(
                number=shown["number"],
                title=shown["name"],
                meetings=tuple(_meeting(pairing, handle) for pairing in shown["pairings"]),
            ),
        )
        for shown in selectors.bracket(event)
    ]


def trees_of(rounds: Sequence[tuple[str, Round]]) -> list[Tree]:
    """The rounds of a knockout by the part they belong to."""
    titles = {
        "main": _("Bracket"),
        "third": _("Match for third place"),
        "rounds": _("Rounds"),
        "winners": _("Winners’ bracket"),
        "losers": _("Losers’ bracket"),
        "final": _("Finals"),
    }
    by_part: dict[str, list[Round]] = {}
    for part, each in rounds:
        by_part.setdefault(part, []).append(each)
    return [
        Tree(part, titles[part], (_listed if part == "rounds" else _joined)(by_part[part]))
        for part in ("main", "winners", "losers", "final", "third", "rounds")
        if part in by_part
    ]


def _listed(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """Rounds that lead nowhere: a row for each meeting."""
    return tuple(
        replace(each, rows=tuple(Row(meeting, True) for meeting in each.meetings))
        for each in rounds
    )


def _joined(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """The rounds with their rows: a round has at least as many as the next one."""
    joined: list[Round] = []
    following = 0
    for each in reversed(rounds):
        count = max(following, *(meeting.position for meeting in each.meetings))
        at = {meeting.position: meeting for meeting in each.meetings}
        fed = {meeting.number for other in rounds for meeting in other.meetings}
        rows = tuple(
            Row(at.get(n), n in at and not fed & set(at[n].sources)) for n in range(1, count + 1)
        )
        leads = {0: "", count: "straight"}.get(following, "pairs")
        joined.insert(0, replace(each, rows=rows, leads=leads))
        following = count
    return tuple(joined)


def _meeting(pairing: Pairing, handle: str) -> Meeting:
    result, live = pairing["result"], pairing["live"]
    scores = _scores(pairing)
    table = (live or (pairing["matches"] or [None])[-1] or {}).get("match")
    return Meeting(
        id=pairing["id"],
        number=pairing["number"],
        position=pairing["position"],
        url=reverse("pages:table", args=[table]) if table else "",
        live=live is not None,
        decided=result is not None,
        bye=any(slot["kind"] == "bye" for slot in pairing["slots"]),
        say=_say(pairing),
        idle=_is_idle(result),
        sources=tuple(slot["source"] for slot in pairing["slots"] if slot["source"]),
        sides=tuple(
            Side(
                entrant=slot["entrant"],
                seed=slot["seed"],
                text="–" if _is_idle(result) else slot["text"],
                score=scores[index],
                won=result is not None and result["winner"] == index,
                mine=bool(handle) and slot["player"] == handle,
            )
            for index, slot in enumerate(pairing["slots"])
        ),
    )


def _is_idle(result: Mapping[str, Any] | None) -> bool:
    """Whether the match turned out not to be needed."""
    return result is not None and result["outcome"] == Outcome.NOT_NEEDED


def _scores(pairing: Pairing) -> tuple[str, str]:
    """Points of the match in course or of the only one; games won where there were several."""
    result, live = pairing["result"], pairing["live"]
    counted = [match for match in pairing["matches"] if not match["void"]]
    if live is not None:
        values = live["scores"] if live["begun"] else []
    elif result is None:
        values = []
    else:
        values = result["games"] if len(counted) > 1 else result["scores"]
    shown = len(values) == 2 and (live is not None or any(values))
    return (str(values[0]), str(values[1])) if shown else ("", "")


def _say(pairing: Pairing) -> str:
    result, live = pairing["result"], pairing["live"]
    if live is not None:
        said = _("live") if live["begun"] else _("about to begin")
        if live["game"] == 1:
            return said
        facts = {"said": said, "game": live["game"], "one": live["games"][0]}
        return _("%(said)s, game %(game)d, series %(one)d–%(other)d") % {
            **facts,
            "other": live["games"][1],
        }
    if pairing["why"].get("met_before") and result is None:
        return _("rematch: no round without one was left")
    if pairing["why"].get("rule") == "swiss_bye":
        return _("bye: one point")
    if result is None and _may_not_be_needed(pairing):
        return _("only if the losers’ champion wins the final")
    if result is None or result["outcome"] in (Outcome.PLAYED, Outcome.BYE):
        return ""
    said = ": ".join(filter(None, [str(Outcome(result["outcome"]).label), result["why"]]))
    return f"{said} (“{result['reason']}”)" if result["reason"] else said


def _may_not_be_needed(pairing: Pairing) -> bool:
    """Whether it would repeat a match: both places come from the same one."""
    sources = {slot["source"] for slot in pairing["slots"]}
    return len(sources) == 1 and None not in sources and pairing["status"] == "waiting"
