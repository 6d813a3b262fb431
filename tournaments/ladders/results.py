"""Who won a challenge: reported over the board, or decided by those who run the ladder."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from players.models import Player
from tournaments.ladders.challenges import end, locked, not_playing, side_of
from tournaments.ladders.errors import LadderError
from tournaments.ladders.log import append
from tournaments.ladders.running import may_run
from tournaments.models import Challenge, Ladder, LadderLine, LadderPlace
from tournaments.options import clean_line

State, Kind = Challenge.State, LadderLine.Kind


@transaction.atomic
def report(*, challenge_id: int, player: Player, winner: Player) -> Challenge:
    """One side says who won over the board; the other confirms. Both saying the same is a result.

    Raises LadderError not_yours, not_board, not_open, bad_winner.
    """
    found = locked(challenge_id)
    side_of(found, player)
    if found.ladder.play != Ladder.Play.BOARD:
        raise LadderError("not_board")
    if found.state != State.ACCEPTED:
        raise LadderError("not_open")
    if winner.pk not in (found.challenger_id, found.defender_id):
        raise LadderError("bad_winner")
    if found.reported_by_id not in (None, player.pk) and found.reported_id == winner.pk:
        won(found, winner)
        return found
    found.reported, found.reported_by = winner, player
    found.save(update_fields=["reported", "reported_by"])
    return found


@transaction.atomic
def correct(*, challenge_id: int, by: Player, winner: Player, reason: str) -> Challenge:
    """Whoever runs the ladder decides, or corrects, who won: the order is folded anew.

    Raises LadderError not_allowed, bad_winner, no_reason, being_played.
    """
    found = locked(challenge_id)
    if not may_run(found.ladder, by):
        raise LadderError("not_allowed")
    why = clean_line(reason)[:200]
    if not why:
        raise LadderError("no_reason")
    if winner.pk not in (found.challenger_id, found.defender_id):
        raise LadderError("bad_winner")
    if found.state == State.PLAYED and found.winner_id == winner.pk:
        return found
    if found.is_open:
        not_playing(found)
        won(found, winner, by=by, reason=why)
        return found
    line = found.lines.exclude(kind=Kind.CORRECTED).first()
    found.winner, found.state = winner, State.PLAYED
    found.save(update_fields=["winner", "state"])
    if line is None:
        append(found.ladder, _kind(found, winner), found.challenger, found, by=by, reason=why)
        return found
    append(
        found.ladder,
        Kind.CORRECTED,
        found.challenger,
        found,
        by=by,
        reason=why,
        of=line.number,
        becomes=_kind(found, winner),
    )
    return found


def won(found: Challenge, winner: Player, *, by: Player | None = None, reason: str = "") -> None:
    """The result, and what it does to the order."""
    found.winner = winner
    end(found, State.PLAYED)
    append(found.ladder, _kind(found, winner), found.challenger, found, by=by, reason=reason)
    LadderPlace.objects.filter(
        ladder=found.ladder, player__in=[found.challenger_id, found.defender_id]
    ).update(active_at=timezone.now())


def _kind(found: Challenge, winner: Player) -> str:
    """What the log calls it."""
    return Kind.WON.value if winner.pk == found.challenger_id else Kind.HELD.value
