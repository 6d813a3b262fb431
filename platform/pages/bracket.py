"""A bracket as the page draws it, from the one that tournaments.selectors gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import words
from players.models import Player
from tournaments import bracket as shapes
from tournaments import models
from tournaments.board import Board
from tournaments.models import Result, Stage
from tournaments.standings.cards import POINT

Slot = Mapping[str, Any]
Pairing = Mapping[str, Any]
Outcome = Result.Outcome
GATHERED = frozenset({"pods", "pods_mixed", "pods_bye", "whist", "rotating", "rotating_bye"})


@dataclass(frozen=True, slots=True)
class Side:
    """A place in a match. Without an `entrant`, `text` says who is still to come, or that nobody
    is. `side` is the side it plays for: partners have the same. `goes_on`: whether who is here goes
    on from a table that sends several. `picked`: the entrant whose way is to be seen."""

    entrant: int | None
    seed: int | None
    text: str
    score: str
    won: bool
    mine: bool
    side: int = 0
    place: int | None = None
    forfeited: bool = False
    picked: bool = False
    goes_on: bool | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match of the bracket; `url` leads to its live table if there is one, `table` is the
    number of its table in the room. It is `known` once nobody at it is still to be decided."""

    id: int
    number: int
    position: int
    table: int
    status: str
    url: str
    live: bool
    decided: bool
    bye: bool
    say: str
    idle: bool
    sources: tuple[int, ...]
    sides: tuple[Side, ...]
    because: Mapping[str, Any] = field(default_factory=dict)
    known: bool = True

    @property
    def can_be_decided(self) -> bool:
        return self.known and sum(side.entrant is not None for side in self.sides) > 1

    @property
    def ranked(self) -> list[Side]:
        """The places by how they came in, where a table has been decided."""
        last = len(self.sides)
        return sorted(self.sides, key=lambda side: (side.forfeited, side.place or last))

    @property
    def can_be_corrected(self) -> bool:
        """Whether it has a result that people may correct."""
        return self.decided and not self.bye and self.can_be_decided

    @property
    def can_be_entered(self) -> bool:
        """Whether people may enter a result, or correct the one it has."""
        is_open = self.status in ("ready", "live") and self.can_be_decided
        return self.can_be_corrected or is_open

    @property
    def mine(self) -> bool:
        return any(side.mine for side in self.sides)

    @property
    def teams(self) -> list[list[Side]]:
        """The places by the side they play for: one each, or two partners."""
        found: dict[int, list[Side]] = {}
        for side in self.sides:
            found.setdefault(side.side, []).append(side)
        return [found[key] for key in sorted(found)]

    @property
    def shown(self) -> list[list[Side]]:
        """The teams that a list names: a bye is said once."""
        if self.bye and self.say:
            return [team for team in self.teams if team[0].entrant is not None]
        return self.teams

    @property
    def is_plain(self) -> bool:
        """Whether two meet, each for themselves."""
        return len(self.sides) == 2


@dataclass(frozen=True, slots=True)
class Row:
    """A place in a column: None if it is none; `loose` if no match of the tree leads to it."""

    meeting: Meeting | None
    loose: bool


@dataclass(frozen=True)
class Round:
    """A column, its meetings made when first asked for. `statuses` are those of its pairings;
    `leads` says how it joins the next one: "pairs" (two to one), "straight" or ""."""

    number: int
    title: str
    read: Callable[[], tuple[Meeting, ...]]
    statuses: frozenset[str]
    rows: tuple[Row, ...] = ()
    leads: str = ""

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        return self.read()


@dataclass(frozen=True, slots=True)
class Tree:
    """A part of a bracket, drawn for itself: rounds that lead from one to the next."""

    part: str
    title: str
    rounds: tuple[Round, ...]


def rounds_of(
    board: Board, viewer: Player | None, path: int | None = None
) -> list[tuple[str, Round]]:
    """Part and round, the first one first. `path` is the entrant whose way is to be seen."""
    handle = viewer.handle if viewer is not None else ""
    return [
        (
            step.part,
            Round(
                number=step.number,
                title=shapes.round_title(board.stage, step),
                read=cache(partial(_meetings, board, pairings, handle, path)),
                statuses=frozenset(pairing.status for pairing in pairings),
            ),
        )
        for step, pairings in shapes.by_step(board)
    ]


def meetings_of(stage: Stage, viewer: Player | None, numbers: Sequence[int]) -> list[Meeting]:
    """Some matches of a stage, in the order of the numbers."""
    handle = viewer.handle if viewer is not None else ""
    return [_meeting(each, handle, None) for each in shapes.pairings_of(stage, numbers)]


def _meetings(
    board: Board, pairings: Sequence[models.Pairing], handle: str, path: int | None
) -> tuple[Meeting, ...]:
    return tuple(_meeting(each, handle, path) for each in shapes.shown(board, pairings))


def trees_of(rounds: Sequence[tuple[str, Round]]) -> list[Tree]:
    """The rounds of a knockout by the part they belong to."""
    titles = {
        "main": _("Bracket"),
        "tables": _("Bracket"),
        "third": _("Match for third place"),
        "winners": _("Winners’ bracket"),
        "losers": _("Losers’ bracket"),
        "final": _("Finals"),
    }
    by_part: dict[str, list[Round]] = {}
    for part, each in rounds:
        by_part.setdefault(part, []).append(each)
    return [
        Tree(part, titles[part], _joined(by_part[part], alone=part == "tables"))
        for part in ("main", "tables", "winners", "losers", "final", "third")
        if part in by_part
    ]


def _joined(rounds: Sequence[Round], *, alone: bool) -> tuple[Round, ...]:
    """The rounds with their rows: a round has at least as many as the next one. Where each stands
    `alone`, there are no lines between them.
    """
    if alone:
        return tuple(
            replace(each, rows=tuple(Row(meeting, loose=True) for meeting in each.meetings))
            for each in rounds
        )
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


def _meeting(pairing: Pairing, handle: str, path: int | None) -> Meeting:
    result, live = pairing["result"], pairing["live"]
    scores = _scores(pairing)
    table = (live or (pairing["matches"] or [None])[-1] or {}).get("match")
    return Meeting(
        id=pairing["id"],
        number=pairing["number"],
        position=pairing["position"],
        table=pairing["table"],
        status=pairing["status"],
        url=reverse("pages:table" if live else "pages:replay", args=[table]) if table else "",
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
                score=scores.get(slot["side"], ""),
                won=result is not None and result["winner"] == slot["side"],
                mine=bool(handle) and handle in (slot["player"], slot["partner"]),
                side=slot["side"],
                place=_place(result, slot["side"]),
                forfeited=result is not None and slot["side"] in result["forfeits"],
                picked=path is not None and slot["entrant"] == path,
                goes_on=slot["advances"],
            )
            for slot in pairing["slots"]
        ),
        because=pairing["why"],
        known=all(slot["kind"] != "undecided" for slot in pairing["slots"]),
    )


def _place(result: Mapping[str, Any] | None, side: int) -> int | None:
    """The place a side took at a table of more than two."""
    places = result["places"] if result is not None else []
    return int(places[side]) if side < len(places) else None


def _is_idle(result: Mapping[str, Any] | None) -> bool:
    """Whether the match turned out not to be needed."""
    return result is not None and result["outcome"] == Outcome.NOT_NEEDED


def _scores(pairing: Pairing) -> dict[int, str]:
    """By side: points of the match in course or of the only one; games won where there were
    several."""
    result, live = pairing["result"], pairing["live"]
    counted = [match for match in pairing["matches"] if not match["void"]]
    if live is not None:
        values = live["scores"] if live["begun"] else []
    elif result is None:
        values = []
    else:
        several = len(counted) > 1 and len(result["games"]) == 2
        values = result["games"] if several else result["scores"]
    shown = live is not None or any(values)
    return {side: str(value) for side, value in enumerate(values)} if shown else {}


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
    made_by = pairing["why"]
    if made_by.get("rule") in GATHERED and (said := _gathered(made_by, is_open=result is None)):
        return said
    if pairing["why"].get("met_before") and result is None:
        return _("rematch: no round without one was left")
    if pairing["why"].get("rule") == "swiss_bye":
        return _("bye: one point")
    if result is None and _may_not_be_needed(pairing):
        return _("only if the losers’ champion wins the final")
    if result is not None and result["kept"] is not None:
        return _kept(result)
    if result is None or result["outcome"] == Outcome.BYE:
        return ""
    if result["outcome"] in (Outcome.PLAYED, Outcome.DRAWN) and len(pairing["slots"]) > 2:
        return _("level at the cut: decided by lot") if _is_lot(pairing, result) else ""
    if result["outcome"] == Outcome.PLAYED:
        return ""
    said = ": ".join(filter(None, [str(Outcome(result["outcome"]).label), result["why"]]))
    return f"{said} ({words.quoted(result['reason'])})" if result["reason"] else said


def _is_lot(pairing: Pairing, result: Mapping[str, Any]) -> bool:
    """Whether of those who share a place at a table some go on and others don't."""
    places: dict[bool | None, set[int]] = {}
    for slot in pairing["slots"]:
        place = _place(result, slot["side"])
        if place is not None and slot["side"] not in result["forfeits"]:
            places.setdefault(slot["advances"], set()).add(place)
    return not places.get(True, set()).isdisjoint(places.get(False, set()))


def _kept(result: Mapping[str, Any]) -> str:
    """What a correction left as it was (cases.md D11)."""
    if not result["kept"]:
        return _("corrected; later matches stay as they were played")
    said = _("corrected; %(name)s had gone on and stays, as later matches were kept")
    return said % {"name": result["kept"]}


def _gathered(made_by: Mapping[str, Any], *, is_open: bool) -> str:
    """What is to be said of a table that was gathered, and of a round without one."""
    if made_by["rule"] == "pods_bye":
        return _("rests: worth a second place")
    if made_by["rule"] == "rotating_bye":
        worth = {0: _("nothing"), POINT // 2: _("half a win")}.get(made_by["worth"], _("a win"))
        return _("rests: worth %(worth)s") % {"worth": worth}
    again = made_by.get("met_before", 0)
    if not again or not is_open:
        return ""
    if made_by["rule"] in ("whist", "rotating"):
        return _("partners again: no round without was left")
    said = ngettext("%(n)s of its pairs meets again", "%(n)s of its pairs meet again", again)
    return said % {"n": again}


def _may_not_be_needed(pairing: Pairing) -> bool:
    """Whether it would repeat a match: both places come from the same one."""
    sources = {slot["source"] for slot in pairing["slots"]}
    return len(sources) == 1 and None not in sources and pairing["status"] == "waiting"
