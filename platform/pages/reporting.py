"""The page on which those at a table say how their match ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from pages.desk import result_text, score_text, sheet_of, whole
from players.models import Player
from tournaments import board as boards
from tournaments import selectors, services
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Report, Tournament
from tournaments.permissions import may


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the match; `mine` is the viewer's."""

    index: int
    entrant: int | None
    label: str
    mine: bool
    won: bool


def report_url(event: Tournament, stage: int, number: int) -> str:
    """Where the result of exactly this pairing is reported, also once the next stage has begun."""
    url = reverse("pages:report", args=[event.slug, number])
    return f"{url}?stage={stage}" if event.later_stages else url


def context(event: Tournament, pairing: Pairing, viewer: Player | None) -> dict[str, Any]:
    """Everything for pages/report.html."""
    board = boards.load_one(event.stages.get(pk=pairing.stage_id), pairing.number)
    number, row = pairing.number, board.pairings[pairing.number]
    result = board.result(number)
    side = None if viewer is None else board.side_of_player(number, viewer.pk)
    standing = list(
        pairing.reports.filter(state__in=Report.STANDING).select_related("by").order_by("at", "pk")
    )
    own = next((each for each in standing if viewer and each.by_id == viewer.pk), None)
    others = [each for each in standing if each is not own and (side is None or each.side != side)]
    scorer = viewer is not None and may(event, viewer, "results", row.at_table)
    plays = side is not None and event.reports == Tournament.Reports.PLAYERS
    live = board.live_game(number)
    return {
        "event": event,
        "pairing": row,
        "name": selectors.round_name(board.stage, row.round.number),
        "sides": _sides(board, number, side),
        "result": result,
        "said": result_text(result) if result is not None else "",
        "unrated": not board.games.get(number),
        "own": own,
        "own_score": _score(own) if own is not None else "",
        "others": [(each, _score(each)) for each in others],
        "confirms": next((each for each in others if each.scores or each.games), None),
        "disputed": any(each.state == Report.State.DISPUTED for each in standing),
        "may_report": (plays or scorer) and result is None and row.round.is_started,
        "plays": plays,
        "marks_absent": scorer and not plays and len(board.sides(number)) > 2,
        "scorer": scorer,
        "double": event.reports == Tournament.Reports.DOUBLE,
        "live": live.match_id if live is not None else "",
        "games": _games(board.stage.config["best_of"]),
        "draws": board.format.DRAWS,
        "viewer": viewer,
    }


def act(request: HttpRequest, event: Tournament, pairing: Pairing, viewer: Player) -> str:
    """What a button of the page does; what to say then. Raises TournamentError."""
    if "confirm" in request.POST:
        services.confirm(report_id=_report(request, pairing), by=viewer)
        return _("Confirmed: the result is official.")
    if "dispute" in request.POST:
        note = str(request.POST.get("note", ""))
        services.dispute(report_id=_report(request, pairing), by=viewer, note=note)
        return _("The arbiter will come to you and decide.")
    board = boards.load_one(event.stages.get(pk=pairing.stage_id), pairing.number)
    sides = len(board.sides(pairing.number))
    sheet = sheet_of(request.POST, sides, board.stage.config["best_of"])
    made = services.hand_in(pairing_id=pairing.pk, by=viewer, sheet=sheet)
    return _said(made) if isinstance(made, Report) else _("The result is entered.")


def _said(made: Report) -> str:
    return {
        Report.State.CONFIRMED: _("Both say the same: the result is official."),
        Report.State.DISPUTED: _("The two reports differ: the arbiter will decide."),
    }.get(Report.State(made.state), _("Reported. It counts once the other side confirms it."))


def _sides(board: Board, number: int, own: int | None) -> list[Side]:
    result, found = board.result(number), []
    winner = None if result is None else board.side_of(number, board.seed_of(result.winner_id))
    for index, slots in enumerate(board.sides(number)):
        names = [
            board.entrants[seed].label
            for slot in slots
            if (seed := board.seed_of(slot.entrant_id)) is not None
        ]
        entrant = slots[0].entrant_id
        found.append(Side(index, entrant, " & ".join(names), index == own, index == winner))
    return found


def _score(report: Report) -> str:
    return score_text(report.scores, report.games, report.game_scores)


def _games(best_of: int) -> list[str]:
    return [f"g{number}" for number in range(1, best_of + 1)] if best_of > 1 else []


def _report(request: HttpRequest, pairing: Pairing) -> int:
    """The report that is meant, if it is one of this pairing."""
    named = whole(request.POST.get("report")) or 0
    if not pairing.reports.filter(pk=named).exists():
        raise TournamentError("no_report")
    return named
