"""Results from physical tables: by the score sheet, by the players, by two scorers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from players.models import Player
from tournaments import audit, tally
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Report, Result, Tournament
from tournaments.options import clean_line
from tournaments.permissions import may
from tournaments.services import tables
from tournaments.services.reporting import (
    Entry,
    check_seats,
    completed,
    enter,
    entry_of,
    report_result,
)
from tournaments.services.work import lock, running

State, Outcome = Report.State, Result.Outcome
MOST_GAMES = 9


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands on a score sheet, by side: the points of the match; or of each game, one by one;
    or only how many games each side won. `absent` are the sides of a table of three or four that
    never came: they are last, for no points, and the places of the others are counted without them.
    `seats` are the entrants (ids) who sat there as the sheet was seen: it is theirs alone.
    """

    scores: Sequence[int] = ()
    game_scores: Sequence[Sequence[int]] = ()
    games: Sequence[int] = ()
    absent: Sequence[int] = ()
    seats: Sequence[int] = ()


def enter_sheet(*, pairing_id: int, by: Player, sheet: Sheet, reason: str = "") -> Result | Report:
    """Takes a score sheet from an official. Where two scorers are needed it is a report until
    somebody else enters the same; else it is the result.

    Raises TournamentError as `report_result` does, and decided, bad_games.
    """
    pairing = Pairing.objects.select_related("stage__tournament", "round").filter(pk=pairing_id)
    found = pairing.first()
    if found is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    if found.stage.tournament.reports == Tournament.Reports.DOUBLE:
        return report(pairing_id=pairing_id, by=by, sheet=sheet)
    board = boards.load_one(found.stage, found.number)
    check_seats(board, found.number, sheet.seats)
    entry = entry_from(board, found.number, sheet)
    if found.results.exclude(outcome=Outcome.VOID).exists() and not clean_line(reason):
        current = found.results.order_by("version").last()
        if current is not None and _says(current, entry):
            return current
        raise TournamentError("decided", match=found.number)
    return _entered(pairing_id, by, entry, reason, seats=_seats(board, found.number))


def hand_in(*, pairing_id: int, by: Player, sheet: Sheet) -> Result | Report:
    """A score sheet from whoever it comes from: a report of a player where those report, else an
    official's. Raises TournamentError as `report` and `enter_sheet` do.
    """
    pairing = Pairing.objects.select_related("stage__tournament").filter(pk=pairing_id).first()
    if pairing is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    players_report = pairing.stage.tournament.reports == Tournament.Reports.PLAYERS
    side = boards.load_one(pairing.stage, pairing.number).side_of_player(pairing.number, by.pk)
    if players_report and side is not None:
        return report(pairing_id=pairing_id, by=by, sheet=sheet)
    return enter_sheet(pairing_id=pairing_id, by=by, sheet=sheet)


@transaction.atomic
def report(*, pairing_id: int, by: Player, sheet: Sheet, note: str = "") -> Report:
    """Says what a match's result is: a player of it for the own side, or one of two scorers.

    What the other side, or another scorer, has said the same becomes the result; something else
    is a dispute that an arbiter decides. The same again changes nothing.

    Raises TournamentError no_pairing, not_allowed, not_running, not_started, decided, plays_live,
    bad_score, bad_games, no_draws.
    """
    board, pairing, side = _open(pairing_id, by)
    number = pairing.number
    check_seats(board, number, sheet.seats)
    entry = completed(board, number, entry_from(board, number, sheet))
    if entry.forfeits and side is not None:
        raise TournamentError("not_allowed", right="results")
    standing = list(pairing.reports.filter(state__in=Report.STANDING))
    own = next((each for each in standing if each.by_id == by.pk), None)
    if own is not None and _says(own, entry):
        return own
    if own is not None:
        own.state = State.REPLACED
        own.save(update_fields=["state"])
    others = [each for each in standing if each.by_id != by.pk and _may_confirm(each, side)]
    made = Report(pairing=pairing, by=by, side=side, note=clean_line(note)[:200])
    made.scores, made.games = entry.scores or [], entry.games or []
    made.places, made.game_scores = entry.places or [], entry.game_scores
    made.forfeits = entry.forfeits
    agreed = next((each for each in others if _says(each, entry)), None)
    if agreed is not None:
        _confirm(board, number, made, agreed, entry)
    elif others:
        made.state = State.DISPUTED
        made.save()
        pairing.reports.filter(pk__in=[each.pk for each in others]).update(state=State.DISPUTED)
        audit.note(board.stage.tournament, by, "disputed", made.note, **_where(pairing))
    else:
        made.save()
        facts = {**_where(pairing), "outcome": summary(entry)}
        audit.note(board.stage.tournament, by, "reported", made.note, **facts)
    return made


@transaction.atomic
def confirm(*, report_id: int, by: Player) -> Report:
    """Says the same as a report of the other side: the result is then official.

    Raises TournamentError no_report if it has been replaced meanwhile, own_report, and what
    `report` raises.
    """
    found = _standing(report_id, by)
    sheet = Sheet(found.scores, found.game_scores, found.games, found.forfeits)
    return report(pairing_id=found.pairing_id, by=by, sheet=sheet)


@transaction.atomic
def dispute(*, report_id: int, by: Player, note: str) -> Report:
    """Says that a report of the other side is wrong; an arbiter decides. The errors of `confirm`,
    and no_reason.
    """
    if not clean_line(note):
        raise TournamentError("no_reason")
    found = _standing(report_id, by)
    board, pairing, side = _open(found.pairing_id, by)
    pairing.reports.filter(state__in=Report.STANDING).update(state=State.DISPUTED)
    made, new = Report.objects.get_or_create(
        pairing=pairing,
        by=by,
        state=State.DISPUTED,
        defaults={"side": side, "note": clean_line(note)[:200]},
    )
    if new:
        audit.note(board.stage.tournament, by, "disputed", made.note, **_where(pairing))
    return made


def settle_by(*, report_id: int, by: Player, reason: str) -> Result:
    """An arbiter decides a dispute by one of its reports, for a stated reason.

    Raises TournamentError no_report, no_reason, not_allowed, and as `report_result` does.
    """
    found = Report.objects.select_related("pairing__stage").filter(pk=report_id).first()
    if found is None or found.state not in Report.STANDING:
        raise TournamentError("no_report")
    if not clean_line(reason):
        raise TournamentError("no_reason")
    tournament = found.pairing.stage.tournament
    if not may(tournament, by, "correct"):
        raise TournamentError("not_allowed", right="correct")
    sheet = Sheet(found.scores, found.game_scores, found.games, found.forfeits)
    board = boards.load_one(found.pairing.stage, found.pairing.number)
    entry = entry_from(board, found.pairing.number, sheet)
    version = None if found.pairing.results.exists() else 0
    seats = _seats(board, found.pairing.number)
    return _entered(found.pairing_id, by, entry, reason, version, seats=seats)


def _seats(board: Board, number: int) -> list[int]:
    """The entrants of a match, by side; none if one is still to be decided."""
    found = [side[0].entrant_id for side in board.sides(number)]
    return [] if None in found else [pk for pk in found if pk is not None]


def _entered(
    pairing_id: int,
    by: Player,
    entry: Entry,
    reason: str,
    version: int | None = None,
    *,
    seats: Sequence[int],
) -> Result:
    return report_result(
        pairing_id=pairing_id,
        by=by,
        outcome=entry.outcome,
        winner=entry.winner,
        games=entry.games,
        scores=entry.scores,
        places=entry.places,
        game_scores=entry.game_scores,
        forfeits=entry.forfeits,
        reason=reason,
        expected_version=version,
        seats=seats,
    )


def entry_from(board: Board, number: int, sheet: Sheet) -> Entry:
    """The result that a sheet means: who wins, by how much. Raises TournamentError bad_score,
    bad_games, bad_absent.
    """
    sides = board.sides(number)
    absent = _absent(sheet, len(sides))
    games = [list(each) for each in sheet.game_scores]
    if any(len(each) != len(sides) for each in (*games, sheet.scores or sides)):
        raise TournamentError("bad_score", sides=len(sides))
    entry_of("played", None, sheet.games or None, sheet.scores or None, None, "")
    for each in games:
        entry_of("played", None, None, each, None, "")
    scores, won = list(sheet.scores), list(sheet.games)
    if games and len(sides) == 2:
        won = _won(games, board.stage.config["best_of"])
    if games:
        scores = [sum(points) for points in zip(*games, strict=True)]
    ranks = _ranks(won or scores, absent)
    if len(ranks) != len(sides):
        raise TournamentError("bad_score", sides=len(sides))
    most = board.stage.config["best_of"]
    if won and (any(n < 0 for n in won) or sum(won) > most):
        raise TournamentError("bad_games", best_of=most)
    first = [side for side, rank in enumerate(ranks) if rank == 1]
    shared = len(first) > 1
    winner = None if shared else sides[first[0]][0].entrant_id
    entry = entry_of(
        Outcome.DRAWN if shared else Outcome.PLAYED,
        winner,
        won or None,
        scores or None,
        list(ranks) if len(sides) > 2 or shared else None,
        "",
    )
    entry.game_scores.extend(games)
    entry.forfeits.extend(absent)
    return entry


def _absent(sheet: Sheet, sides: int) -> list[int]:
    """The sides that never came. Raises TournamentError("bad_absent")."""
    absent = sorted(set(sheet.absent))
    if absent and (sides < 3 or len(absent) == sides or not set(absent) <= set(range(sides))):
        raise TournamentError("bad_absent")
    return absent


def _ranks(values: Sequence[int], absent: Sequence[int]) -> tuple[int, ...]:
    """The places by value, those who never came behind everybody."""
    if not values:
        return ()
    least = min(values) - 1
    return tally.places_by(
        [least if side in absent else value for side, value in enumerate(values)]
    )


def summary(entry: Entry) -> str:
    """The score in figures: "150 – 95"."""
    return " – ".join(str(n) for n in entry.scores or entry.games or [])


def _won(games: Sequence[Sequence[int]], best_of: int) -> list[int]:
    won = [0, 0]
    for at, (one, other) in enumerate(games, start=1):
        if one == other or max(won) > best_of // 2 or at > best_of:
            raise TournamentError("bad_games", game=at, best_of=best_of)
        won[other > one] += 1
    return won


def _open(pairing_id: int, by: Player) -> tuple[Board, Pairing, int | None]:
    """The pairing, under its event's lock, if `by` may report it; and the side they play for."""
    known = Pairing.objects.select_related("stage").filter(pk=pairing_id).first()
    if known is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    tournament = lock(known.stage.tournament_id)
    board = boards.load_for(tournament.stages.get(pk=known.stage_id), known)
    board.stage.tournament = tournament
    pairing = board.pairings.get(known.number)
    if pairing is None or pairing.round.is_draft:
        raise TournamentError("no_pairing", pairing=pairing_id)
    side = _side_allowed(board, pairing, by)
    running(tournament)
    if not pairing.round.is_started:
        raise TournamentError("round_not_started")
    if board.result(pairing.number) is not None:
        raise TournamentError("decided", match=pairing.number)
    if tables.plays_live(tournament, pairing) and board.live_game(pairing.number) is not None:
        raise TournamentError("plays_live")
    return board, pairing, side


def _side_allowed(board: Board, pairing: Pairing, by: Player) -> int | None:
    """The side of a player who reports; None for a scorer. Raises TournamentError not_allowed."""
    tournament, reports = board.stage.tournament, Tournament.Reports
    side = board.side_of_player(pairing.number, by.pk)
    if tournament.reports == reports.PLAYERS and side is not None:
        return side
    if tournament.reports == reports.DOUBLE and may(tournament, by, "results", pairing.at_table):
        return None
    raise TournamentError("not_allowed", right="results")


def _standing(report_id: int, by: Player) -> Report:
    """A report of somebody else that still stands, the event being locked."""
    known = Report.objects.select_related("pairing__stage").filter(pk=report_id).first()
    if known is None:
        raise TournamentError("no_report")
    lock(known.pairing.stage.tournament_id)
    found = Report.objects.filter(pk=report_id, state__in=Report.STANDING).first()
    if found is None:
        raise TournamentError("no_report")
    if found.by_id == by.pk:
        raise TournamentError("own_report")
    return found


def _may_confirm(other: Report, side: int | None) -> bool:
    """Partners don't confirm each other; two scorers do."""
    return side is None or other.side != side


def _says(told: Report | Result, entry: Entry) -> bool:
    return (told.scores, told.games, told.places, told.forfeits) == (
        entry.scores or [],
        entry.games or [],
        entry.places or [],
        entry.forfeits,
    )


def _confirm(board: Board, number: int, made: Report, agreed: Report, entry: Entry) -> None:
    """Both say the same: it is the result, entered by who said it first."""
    made.state = State.CONFIRMED
    made.save()
    made.pairing.reports.filter(pk=agreed.pk).update(state=State.CONFIRMED)
    enter(board, number, entry, agreed.by)
    facts = {**_where(made.pairing), "outcome": summary(entry)}
    audit.note(board.stage.tournament, made.by, "confirmed", made.note, **facts)
    event = board.stage.tournament_id
    transaction.on_commit(lambda: tables.open_ready(event), robust=True)


def _where(pairing: Pairing) -> dict[str, int]:
    return {"match": pairing.number, "stage": pairing.stage.number}
