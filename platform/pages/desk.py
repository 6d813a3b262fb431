"""What the buttons of the arbiter's desk do, and what its rows say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from pages import behind, ties, words
from players.models import Player
from ratings import selectors as ratings
from tournaments import board as boards
from tournaments import desk, services, stages
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Report, Result, Tournament
from tournaments.options import pool_of
from tournaments.permissions import Right, rights_of, tables_of
from tournaments.scores import score
from tournaments.services import Sheet
from tournaments.services.exchanging import can_exchange

FILTERS = {
    "all": pgettext_lazy("tables", "All"),
    "open": pgettext_lazy("tables", "Open"),
    "disputed": pgettext_lazy("tables", "Disputed"),
    "reported": pgettext_lazy("tables", "To confirm"),
    "absent": pgettext_lazy("tables", "Not sat down"),
    "slow": pgettext_lazy("tables", "Slow"),
    "done": pgettext_lazy("tables", "Finished"),
}
_STATES = {
    "disputed": pgettext_lazy("table", "disputed"),
    "reported": gettext_lazy("to be confirmed"),
    "absent": gettext_lazy("not sat down"),
    "slow": pgettext_lazy("table", "slow"),
    "running": gettext_lazy("being played"),
    "ready": gettext_lazy("not started"),
    "done": pgettext_lazy("table", "finished"),
}
_NOTHING_TO_PLAY = {
    "bye": gettext_lazy("bye"),
    "nobody": gettext_lazy("no match"),
    "undecided": gettext_lazy("not yet paired"),
}
_RIGHTS: tuple[Right, ...] = ("settings", "entrants", "check_in", "rounds", "results", "correct")
_NUMBER = re.compile(r"-?\d{1,6}")


@dataclass(slots=True)
class Quick:
    """The form for results by table number, as it was sent: what is wrong stands beside it."""

    table: str = ""
    values: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def context(event: Tournament, viewer: Player, show: str) -> dict[str, Any]:
    """Everything for pages/desk.html and its live part."""
    shown = desk.desk(event)
    wanted = show if show in FILTERS else "all"
    held, own_tables = rights_of(event, viewer), tables_of(event, viewer)
    rights = {right: right in held for right in _RIGHTS}
    tie = stages.tie_of(event)
    return {
        "event": event,
        "places": behind.links(event, viewer, "pages:desk"),
        "desk": shown,
        "recomputation": ratings.recomputation_of(pool_of(event)) if event.rated else None,
        "tie": tie,
        "tie_group": words.group_name(tie.group) if tie is not None and tie.group else "",
        "tie_url": reverse("pages:desk_do", args=[event.slug, "tie"]) if rights["rounds"] else "",
        "show": wanted,
        "filters": [
            (key, title, _count(shown, key))
            for key, title in FILTERS.items()
            if key in ("all", "open", "done", wanted) or _count(shown, key)
        ],
        "hands": [
            (hand, [_line(row, own_tables) for row in hand.rows if _is_in(row, wanted)])
            for hand in shown.hands
        ],
        "draft": shown.draft,
        "draft_lines": [_line(row) for row in shown.draft.rows] if shown.draft else [],
        "rights": rights,
        "exchanges": rights["rounds"] and _can_exchange(event),
        "enters": rights["results"]
        and event.play != Tournament.Play.LIVE
        and any(hand.round.is_started and not hand.is_over for hand in shown.hands),
        "double": event.reports == Tournament.Reports.DOUBLE,
        "games": [f"g{n}" for n in range(1, shown.best_of + 1)] if shown.best_of > 1 else [],
        "quick_sides": _quick_sides(shown),
        "quick_names": [_SEATS[side] for side in _quick_sides(shown)],
    }


_SEATS = (
    pgettext_lazy("side", "First"),
    pgettext_lazy("side", "Second"),
    pgettext_lazy("side", "Third"),
    pgettext_lazy("side", "Fourth"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A row with its words; `own` if it is among those that the viewer enters results of."""

    row: desk.Row
    own: bool
    state: str
    result: str
    reports: tuple[tuple[Report, str], ...]


def _line(row: desk.Row, own_tables: Collection[int] = ()) -> Line:
    said = tuple((report, score_text(report.scores, report.games, report.game_scores))
                 for report in row.reports)  # fmt: skip
    over = row.result
    return Line(
        row,
        not own_tables or row.table in own_tables,
        str(_NOTHING_TO_PLAY[row.bye] if row.bye else _STATES[row.state]),
        result_text(over) if over is not None else "",
        said,
    )


def result_text(result: Result) -> str:
    """What came of a match, in a few words: "150–95", or why it was not played."""
    score = score_text(result.scores, result.games, result.game_scores)
    if result.outcome == Result.Outcome.PLAYED and score:
        return score
    label = str(Result.Outcome(result.outcome).label)
    return f"{label}, {score}" if score and result.outcome == Result.Outcome.DRAWN else label


def score_text(scores: Iterable[int], games: Iterable[int], each: Iterable[Iterable[int]]) -> str:
    """The score as it is said: games won first where there were several."""
    one_by_one = ", ".join(map(score, each))
    won, points = score(games), score(scores)
    if one_by_one:
        return f"{won} ({one_by_one})"
    if won and sum(games) > 1:
        return f"{won} ({points})" if points else won
    return points or won


def sheet_of(data: Any, sides: int, best_of: int) -> Sheet:
    """The score sheet that was sent: ``score-0``, ``score-1``; or ``g1-0`` … for each game; and
    ``absent-2`` for a side of more than two that never came, whose score need not be given;
    ``seat-0`` … are the entrants who were seen there.

    Raises TournamentError("bad_score") with the `field` that is wrong.
    """
    absent = [side for side in range(sides) if sides > 2 and data.get(f"absent-{side}")]

    def score(prefix: str, side: int) -> int:
        name = f"{prefix}-{side}"
        return 0 if side in absent and not data.get(name) else _score(data, name)

    games: list[list[int]] = []
    for game in range(1, best_of + 1) if best_of > 1 else ():
        fields = [f"g{game}-{side}" for side in range(sides)]
        if any(str(data.get(name, "")).strip() for name in fields):
            games.append([score(f"g{game}", side) for side in range(sides)])
    seen = [whole(data.get(f"seat-{side}")) for side in range(sides)]
    seats = [entrant for entrant in seen if entrant is not None]
    if games:
        return Sheet(game_scores=games, absent=absent, seats=seats)
    values = [score("score", side) for side in range(sides)]
    if best_of > 1:
        return Sheet(games=values, absent=absent, seats=seats)
    return Sheet(scores=values, absent=absent, seats=seats)


def _score(data: Any, name: str) -> int:
    text = str(data.get(name, "")).strip()
    if not _NUMBER.fullmatch(text) or not text.isascii():
        raise TournamentError("bad_score", field=name)
    return int(text)


def quick(event: Tournament, by: Player, data: Any) -> tuple[str, Quick]:
    """A result by table number: what to say, or the form with what is wrong."""
    form = Quick(str(data.get("table", "")).strip()[:6], {k: str(v)[:12] for k, v in data.items()})
    stage = stages.current(event)
    number = int(form.table) if form.table.isascii() and form.table.isdigit() else None
    board = None if stage is None else boards.load(stage)
    pairing = None if board is None or number is None else desk.at_table(board, number)
    if board is None or pairing is None:
        form.errors["table"] = str(TournamentError("no_table"))
        return "", form
    sides = len(board.sides(pairing.number))
    try:
        sheet = sheet_of(data, sides, board.stage.config["best_of"])
        made = services.enter_sheet(
            pairing_id=pairing.pk, by=by, sheet=sheet, reason=str(data.get("reason", ""))
        )
    except TournamentError as refused:
        at = "table" if refused.code in ("not_allowed", "decided", "plays_live") else "score"
        form.errors[str(refused.facts.get("field", at))] = str(refused)
        return "", form
    return said_of(board, pairing, number or 0, made), Quick()


def said_of(board: Board, pairing: Pairing, table: int, made: Result | Report) -> str:
    """The confirmation, with names, so that a wrong table number is noticed."""
    names = [" & ".join(board.entrants[seed].label for slot in slots
                        if (seed := board.seed_of(slot.entrant_id)) is not None)
             for slots in board.sides(pairing.number)]  # fmt: skip
    facts = {
        "table": table,
        "names": " – ".join(names),
        "score": score_text(made.scores, made.games, made.game_scores),
    }
    if isinstance(made, Result) or made.state == Report.State.CONFIRMED:
        return _("Table %(table)s: %(names)s %(score)s") % facts
    if made.state == Report.State.DISPUTED:
        return _("Table %(table)s: %(score)s is not what the other one entered.") % facts
    return _("Table %(table)s: %(names)s %(score)s, to be entered by a second scorer too.") % facts


def _can_exchange(event: Tournament) -> bool:
    """Whether seats are there to exchange: those of matches that are still to be decided."""
    stage = stages.current(event)
    if stage is None or not can_exchange(stage):
        return False
    return stage.pairings.exclude(status=Pairing.Status.DECIDED).exists()


def _quick_sides(shown: desk.Desk) -> range:
    most = max((len(row.sides) for hand in shown.hands for row in hand.rows), default=2)
    return range(max(2, most))


def _count(shown: desk.Desk, key: str) -> int:
    """How many tables: a bye is none."""
    return sum(_is_in(row, key) and not row.bye for hand in shown.hands for row in hand.rows)


def _is_in(row: desk.Row, key: str) -> bool:
    return key == "all" or (row.is_open if key == "open" else row.state == key)


def _begin(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.start(tournament_id=event.pk, by=by)
    return _("The tournament has started.")


def _begin_arena(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.begin_arena(tournament_id=event.pk, by=by)
    return _("The arena has begun.")


def _draw(request: HttpRequest, event: Tournament, by: Player) -> str:
    made = services.ask(tournament_id=event.pk, by=by)
    return _("Round %(n)s is being drawn.") % {"n": made.number}


def _redraw(request: HttpRequest, event: Tournament, by: Player) -> str:
    made = services.redraw(round_id=_round(request), by=by, reason=_reason(request))
    return _("Round %(n)s is being drawn anew.") % {"n": made.number}


def _discard(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.discard(round_id=_round(request), by=by, reason=_reason(request))
    return _("The draft is deleted; everything stands as before it.")


def _publish(request: HttpRequest, event: Tournament, by: Player) -> str:
    made = services.publish(round_id=_round(request), by=by)
    return _("Round %(n)s is published: everybody sees the pairings.") % {"n": made.number}


def _publish_start(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.publish(round_id=_round(request), by=by)
    return _start(request, event, by)


def _take_back(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.take_back(round_id=_round(request), by=by, reason=_reason(request))
    return _("The round is a draft again.")


def _start(request: HttpRequest, event: Tournament, by: Player) -> str:
    made = services.start_round(round_id=_round(request), by=by)
    return _("Round %(n)s has started.") % {"n": made.number}


def _add_time(request: HttpRequest, event: Tournament, by: Player) -> str:
    minutes = whole(request.POST.get("minutes")) or 0
    services.add_time(round_id=_round(request), by=by, minutes=minutes, reason=_reason(request))
    return _("%(n)s minutes more.") % {"n": minutes}


def _pause(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.pause(round_id=_round(request), by=by, reason=_reason(request))
    return _("The round is paused.")


def _resume(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.resume(round_id=_round(request), by=by)
    return _("The round goes on.")


def _call_time(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.call_time(round_id=_round(request), by=by, reason=_reason(request))
    return _("Time is called: the round in hand is finished, and nothing else.")


def _forfeit(request: HttpRequest, event: Tournament, by: Player) -> str:
    """`loser` is an entrant's id, or "all"."""
    pairing, loser = _pairing(request), request.POST.get("loser", "")
    entrants = list(
        Pairing.objects.filter(pk=pairing, stage__tournament=event).values_list(
            "slots__entrant", flat=True
        )
    )
    others = [pk for pk in entrants if str(pk) != loser]
    if loser != "all" and (len(entrants) != 2 or len(others) != 1):
        raise TournamentError("bad_winner")
    services.report_result(
        pairing_id=pairing,
        by=by,
        outcome="double_forfeit" if loser == "all" else "forfeit",
        winner=None if loser == "all" else others[0],
        reason=_reason(request),
    )
    return _("The forfeit is entered.")


def _to_board(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.set_play(pairing_id=_pairing(request), by=by, play="board", reason=_reason(request))
    return _("The match is played over the board.")


def _to_live(request: HttpRequest, event: Tournament, by: Player) -> str:
    services.set_play(pairing_id=_pairing(request), by=by, play="live", reason=_reason(request))
    return _("The match gets a live table.")


def _swap(request: HttpRequest, event: Tournament, by: Player) -> str:
    pairing = Pairing.objects.filter(pk=_pairing(request), stage__tournament=event).first()
    if pairing is None:
        raise TournamentError("no_pairing")
    services.swap_seats(pairing_id=pairing.pk, by=by)
    return _("The seats are swapped.")


def _result(request: HttpRequest, event: Tournament, by: Player) -> str:
    """The result of a row, in a form of its own."""
    pairing = Pairing.objects.filter(pk=_pairing(request), stage__tournament=event).first()
    if pairing is None:
        raise TournamentError("no_pairing")
    board = boards.load_one(event.stages.get(pk=pairing.stage_id), pairing.number)
    best_of = board.stage.config["best_of"]
    sheet = sheet_of(request.POST, len(board.sides(pairing.number)), best_of)
    made = services.enter_sheet(pairing_id=pairing.pk, by=by, sheet=sheet, reason=_reason(request))
    return said_of(board, pairing, pairing.at_table, made)


def _decide(request: HttpRequest, event: Tournament, by: Player) -> str:
    """An arbiter settles a dispute by one of the reports."""
    report = Report.objects.filter(
        pk=whole(request.POST.get("report")) or 0, pairing__stage__tournament=event
    ).first()
    if report is None:
        raise TournamentError("no_report")
    services.settle_by(report_id=report.pk, by=by, reason=_reason(request))
    return _("The dispute is decided.")


def _tie(request: HttpRequest, event: Tournament, by: Player) -> str:
    return ties.decide(request, event, by)


DEEDS: dict[str, Callable[[HttpRequest, Tournament, Player], str]] = {
    "begin": _begin,
    "begin-arena": _begin_arena,
    "draw": _draw,
    "redraw": _redraw,
    "discard": _discard,
    "publish": _publish,
    "publish-start": _publish_start,
    "take-back": _take_back,
    "start": _start,
    "add-time": _add_time,
    "pause": _pause,
    "call-time": _call_time,
    "resume": _resume,
    "forfeit": _forfeit,
    "to-board": _to_board,
    "to-live": _to_live,
    "swap-seats": _swap,
    "result": _result,
    "decide": _decide,
    "tie": _tie,
}


def whole(text: Any) -> int | None:
    """A whole number of at most nine digits; None for anything else."""
    text = str(text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def _round(request: HttpRequest) -> int:
    return whole(request.POST.get("round")) or 0


def _pairing(request: HttpRequest) -> int:
    return whole(request.POST.get("pairing")) or 0


def _reason(request: HttpRequest) -> str:
    return str(request.POST.get("reason", ""))
