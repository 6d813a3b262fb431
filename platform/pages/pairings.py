"""Who meets whom in a round: by table, by name, and how far the round is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import bracket
from pages.bracket import Meeting, Round, Side
from pages.look import Look
from pages.words import capital
from players import alphabet
from tournaments import arena, formats
from tournaments.board import Board
from tournaments.bracket import step_name
from tournaments.formats import arena as arenas
from tournaments.formats.model import DrawnFormat
from tournaments.models import Pairing, Slot, Stage, Tournament
from tournaments.models import Round as RoundRow

A_PAGE: Final = 100
NAMED: Final = 3
FIND_UP_TO: Final = 60
Status = Pairing.Status


@dataclass(frozen=True, slots=True)
class NameRow:
    """Where somebody plays: a row of the list by name."""

    name: str
    meeting: Meeting
    mine: bool

    @property
    def others(self) -> list[Side]:
        """Whom they meet."""
        return [side for side in self.meeting.sides if side.text != self.name]


def progress_line(stage: Stage | None, rounds: Sequence[RoundRow]) -> str:
    """How far the stage is: "Round 3 of 5: 18 of 24 tables are done."."""
    if stage is not None and stage.format == arenas.ID:
        return _arena_line(stage)
    by_hand = Tournament.RoundStart.ARBITER
    if stage is not None and not rounds and stage.tournament.round_start == by_hand:
        return _("Running. The first round has not been published yet.")
    if stage is None or not rounds:
        return _("Running. The first round is being drawn.")
    counts = _counts(stage)
    steps = {step.number: step for step in Board(stage).steps()}
    number = _number_in_hand(counts)
    step = steps.get(number)
    if step is not None and step.part in ("winners", "losers", "final"):
        done, of = (sum(values) for values in zip(*counts.values(), strict=True))
        facts: dict[str, Any] = {"done": done, "of": of}
        return _("%(done)s of %(of)s matches are decided.") % facts
    done, of = counts.get(number, (0, 0))
    begun = any(row.number == number and row.is_started for row in rounds)
    what = step_name(step) if step is not None else _("round %(number)d") % {"number": number}
    if step is not None and step.part == "rounds" and step.of:
        what = _("round %(number)d of %(of)d") % {"number": step.ordinal, "of": step.of}
    facts = {"round": capital(what), "done": done, "of": of}
    if done == of:
        said = _("%(round)s is over.") % facts
        is_drawn = isinstance(formats.get(stage.format), DrawnFormat)
        if is_drawn and step is not None and step.ordinal < step.of:
            by_itself = stage.tournament.round_start == Tournament.RoundStart.AUTO
            coming = (
                _("Round %(next)s is being paired…") if by_itself else _("Next: round %(next)s.")
            )
            said = f"{said} {coming % {'next': step.ordinal + 1}}"
        return said
    if not begun:
        return _("%(round)s is published and about to begin.") % facts
    if of == 1:
        return _("%(round)s: the match is still to be decided.") % facts
    if not done:
        return _("%(round)s: %(of)s tables are playing.") % facts
    said = _("%(round)s: %(done)s of %(of)s tables are done.") % facts
    waited = _waited_for(stage, number) if done and of - done <= NAMED else []
    if not waited:
        return said
    tables = ngettext(
        "Waiting for table %(tables)s.", "Waiting for tables %(tables)s.", len(waited)
    )
    return f"{said} {tables % {'tables': ', '.join(map(str, waited))}}"


def _arena_line(stage: Stage) -> str:
    clock = arena.clock_of(stage)
    if clock.phase == "ready":
        return _("The arena begins when the arbiter starts it.")
    played = stage.pairings.filter(status=Status.DECIDED).count()
    said = ngettext("%(n)s match has been played.", "%(n)s matches have been played.", played)
    return said % {"n": played}


def section(look: Look) -> dict[str, Any]:
    """The round that was asked for (`?round=`), by table or by name (`?by=`), found (`?find=`);
    of an arena all matches, the latest first.
    """
    if look.stage is not None and look.stage.format == arenas.ID:
        return _matches_of_arena(look, look.stage)
    rounds = [each for _part, each in look.rounds]
    asked = look.query.get("round")
    is_annulled = look.stage is not None and look.stage.annulled
    current = next(iter(rounds), None) if is_annulled else in_hand(rounds)
    shown = next((each for each in rounds if str(each.number) == asked), current)
    by_name = look.query.get("by") == "name"
    find = asked_for(look)
    meetings = [each for each in shown.meetings if not each.idle] if shown else []
    rows: Sequence[Meeting | NameRow] = names(meetings) if by_name else by_table(meetings)
    if find:
        rows = [row for row in rows if _matches(row, find)]
    return {
        "rounds": rounds,
        "round": shown,
        "current_round": current,
        "by_name": by_name,
        "find": find,
        "mine": [each for each in meetings if each.mine],
        "labels": look.labels,
        "page": paged(rows, look.query.get("page")),
    }


def _matches_of_arena(look: Look, stage: Stage) -> dict[str, Any]:
    """Rounds say nothing in an arena: its matches are found by name, or by their number."""
    find = asked_for(look)
    found = arena.matches(stage)
    if find.isdecimal():
        found = found.filter(number=int(find[:6]))
    elif find:
        seeded = stage.seedings.select_related("entrant__player", "entrant__partner")
        called = [s.entrant_id for s in seeded if is_called(s.entrant.label, find)]
        found = arena.matches(stage, called)
    page = paged(found.values_list("number", flat=True), look.query.get("page"), size=A_PAGE // 2)
    return {
        "arena": stage,
        "find": find,
        "page": page,
        "meetings": bracket.meetings_of(stage, look.viewer, list(page.object_list)),
    }


def current(look: Look, limit: int) -> list[dict[str, Any]]:
    """The rounds in hand in short: one's own table, and the first that play."""
    found = []
    for shown in all_in_hand([each for _part, each in look.rounds]):
        real = [each for each in by_table(shown.meetings) if not each.idle]
        order = sorted(real, key=lambda each: (not each.mine, each.decided, each.bye))
        more = max(0, len(real) - limit)
        found.append({"round": shown, "meetings": order[:limit], "more": more})
    return found


def all_in_hand(rounds: Sequence[Round]) -> list[Round]:
    """The round in hand, and those beside it that do not wait for its people: a knockout's."""
    shown = in_hand(rounds)
    if shown is None:
        return []
    found, busy = [shown], _who_plays(shown)
    for each in rounds:
        if each.statuses & {Status.READY, Status.LIVE} and not busy & _who_plays(each):
            found.append(each)
            busy |= _who_plays(each)
    return found


def _who_plays(shown: Round) -> set[int]:
    """The entrants whose match of a round is not decided."""
    return {
        side.entrant
        for meeting in shown.meetings
        if not meeting.decided
        for side in meeting.sides
        if side.entrant is not None
    }


def in_hand(rounds: Sequence[Round]) -> Round | None:
    """The first round in which somebody has to play, else the last one."""
    for wanted in {Status.READY, Status.LIVE}, {Status.WAITING}:
        for each in rounds:
            if each.statuses & wanted:
                return each
    return rounds[-1] if rounds else None


def by_table(meetings: Iterable[Meeting]) -> list[Meeting]:
    """In the order of the tables, whoever rests last."""
    return sorted(meetings, key=lambda each: (each.bye, each.table, each.number))


def names(meetings: Iterable[Meeting]) -> list[NameRow]:
    """A row for each entrant, in the order of the names."""
    rows = [
        NameRow(side.text, meeting, side.mine)
        for meeting in meetings
        for side in meeting.sides
        if side.entrant is not None
    ]
    return sorted(rows, key=lambda row: alphabet.key(row.name))


def folded(text: str) -> str:
    """A name for finding: neither capitals nor accents count.

    >>> folded("Łukasz ÉMILE")
    'łukasz emile'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each))


def paged(rows: Any, asked: str | None, size: int = A_PAGE) -> Page[Any]:
    """The page of the rows that was asked for; the nearest there is."""
    return Paginator(rows, size).get_page(asked)


def asked_for(look: Look) -> str:
    """The name or table that is looked for."""
    return look.query.get("find", "").strip()[:FIND_UP_TO]


def is_called(name: str, find: str) -> bool:
    """Whether a name is one of those looked for; all are when nothing is."""
    return folded(find) in folded(name)


def _matches(row: Meeting | NameRow, find: str) -> bool:
    if isinstance(row, NameRow):
        return is_called(row.name, find)
    if find.isdecimal():
        return row.table == int(find)
    return any(is_called(side.text, find) for side in row.sides if side.entrant is not None)


def _counts(stage: Stage) -> dict[int, tuple[int, int]]:
    """Pairings decided and all, byes left out, by round; one query."""
    seen = Pairing.objects.filter(stage=stage).exclude(round__status=RoundRow.Status.DRAFT)
    found: dict[int, tuple[int, int]] = {}
    counted = (
        seen.exclude(slots__kind=Slot.Kind.BYE)
        .values_list("round__number", "status")
        .annotate(n=Count("pk"))
        .order_by("round__number")
    )
    for number, status, n in counted:
        done, of = found.get(number, (0, 0))
        found[number] = (done + (n if status == Status.DECIDED else 0), of + n)
    return found


def _number_in_hand(counts: dict[int, tuple[int, int]]) -> int:
    """The first round that isn't over, else the last."""
    unfinished = (number for number, (done, of) in counts.items() if done < of)
    return next(unfinished, max(counts, default=1))


def _waited_for(stage: Stage, number: int) -> list[int]:
    """The tables of a round that are still to be decided."""
    left = Pairing.objects.filter(stage=stage, round__number=number).exclude(status=Status.DECIDED)
    return sorted(table or position for table, position in left.values_list("table", "position"))
