"""Places and challenges. Each service is one transaction under the ladder's lock, and harmless when
it comes twice. Lock order: the ladder's row, then a match.
"""

from __future__ import annotations

import datetime as dt
import logging
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from games import services as games
from games.models import Match
from players import clubs
from players.models import Player
from tournaments.ladders.errors import LadderError
from tournaments.ladders.log import append
from tournaments.ladders.running import create, edit, lock, may_run
from tournaments.models import Challenge, Ladder, LadderGame, LadderLine, LadderPlace
from tournaments.options import clean_line

__all__ = [
    "accept",
    "challenge",
    "correct",
    "create",
    "edit",
    "handle_finished_match",
    "is_ready",
    "join",
    "leave",
    "may_run",
    "ready",
    "refuse",
    "report",
    "sweep",
    "take_back",
]

State, Kind = Challenge.State, LadderLine.Kind
READY_FOR = dt.timedelta(minutes=5)
REFUSALS_WITHIN = dt.timedelta(days=30)
FORFEIT_AWAY_SECONDS = 120  # rules.md 8
log = logging.getLogger(__name__)


@transaction.atomic
def join(*, ladder_id: int, player: Player) -> LadderPlace:
    """A place at the bottom; the one they have, if they do. Raises LadderError no_account,
    members_only.
    """
    ladder = lock(ladder_id)
    if player.is_guest or player.is_bot:
        raise LadderError("no_account")
    if ladder.club is not None and not clubs.is_member(ladder.club, player):
        raise LadderError("members_only")
    known = _place(ladder, player)
    if known is None:
        append(ladder, Kind.JOINED, player)
        known = _place(ladder, player)
    assert known is not None
    return known


@transaction.atomic
def leave(*, ladder_id: int, player: Player) -> None:
    """Gives the place up; open challenges with it. Raises LadderError being_played."""
    ladder = lock(ladder_id)
    if _place(ladder, player) is None:
        return
    own = _open(ladder).filter(Q(challenger=player) | Q(defender=player))
    if LadderGame.objects.filter(challenge__in=own, over_at__isnull=True).exists():
        raise LadderError("being_played")
    own.update(state=State.WITHDRAWN, ended_at=timezone.now())
    append(ladder, Kind.LEFT, player)


@transaction.atomic
def challenge(*, ladder_id: int, player: Player, defender: Player) -> Challenge:
    """The player challenges somebody higher, who has `answer_days` to answer.

    Two have one open challenge at most. Raises LadderError not_on_it, not_higher, too_high,
    open_already.
    """
    ladder = lock(ladder_id)
    own, other = _place(ladder, player), _place(ladder, defender)
    if own is None or other is None or own.rank is None or other.rank is None:
        raise LadderError("not_on_it")
    if own.rank <= other.rank:
        raise LadderError("not_higher")
    if ladder.reach and own.rank - other.rank > ladder.reach:
        raise LadderError("too_high", reach=ladder.reach)
    low, high = sorted((player.pk, defender.pk))
    if _open(ladder).filter(low=low, high=high).exists():
        raise LadderError("open_already")
    return Challenge.objects.create(
        ladder=ladder,
        challenger=player,
        defender=defender,
        low=low,
        high=high,
        deadline=timezone.now() + dt.timedelta(days=ladder.answer_days),
    )


@transaction.atomic
def accept(*, challenge_id: int, player: Player, now: dt.datetime | None = None) -> Challenge:
    """The defender will play, within `play_days`. Again, it changes nothing.

    Raises LadderError not_yours, not_open, too_late.
    """
    found, moment = _locked(challenge_id), now or timezone.now()
    if player.pk != found.defender_id:
        raise LadderError("not_yours")
    if found.state == State.ACCEPTED:
        return found
    _in_time(found, State.OFFERED, moment)
    found.state = State.ACCEPTED
    found.deadline = moment + dt.timedelta(days=found.ladder.play_days)
    found.save(update_fields=["state", "deadline"])
    return found


@transaction.atomic
def refuse(*, challenge_id: int, player: Player) -> Challenge:
    """The defender will not play; what that costs follows from the ladder's settings.

    Raises LadderError not_yours, not_open, being_played.
    """
    found = _locked(challenge_id)
    if player.pk != found.defender_id:
        raise LadderError("not_yours")
    if found.state == State.REFUSED:
        return found
    _not_playing(found)
    _refused(found, State.REFUSED, Kind.REFUSED)
    return found


@transaction.atomic
def take_back(*, challenge_id: int, player: Player) -> None:
    """The challenger takes the challenge back before it is accepted."""
    found = _locked(challenge_id)
    if player.pk != found.challenger_id:
        raise LadderError("not_yours")
    if found.state == State.WITHDRAWN:
        return
    if found.state != State.OFFERED:
        raise LadderError("not_open")
    _end(found, State.WITHDRAWN)


@transaction.atomic
def ready(*, challenge_id: int, player: Player, now: dt.datetime | None = None) -> Challenge:
    """The player would play now; when both have said so within five minutes, their table opens.

    Raises LadderError not_yours, not_live, not_open, too_late.
    """
    found, moment = _locked(challenge_id), now or timezone.now()
    side = _side(found, player)
    if found.ladder.play != Ladder.Play.LIVE:
        raise LadderError("not_live")
    if _table(found) is not None:
        return found
    _in_time(found, State.ACCEPTED, moment)
    found.ready = {**found.ready, str(side): moment.isoformat()}
    found.save(update_fields=["ready"])
    if is_ready(found, 1 - side, moment):
        _open_table(found, moment)
    return found


def is_ready(found: Challenge, side: int, now: dt.datetime) -> bool:
    """Whether that side has said, a moment ago, that it would play now."""
    said = found.ready.get(str(side))
    return said is not None and now - dt.datetime.fromisoformat(said) < READY_FOR


@transaction.atomic
def report(*, challenge_id: int, player: Player, winner: Player) -> Challenge:
    """One side says who won over the board; the other confirms. Both saying the same is a result.

    Raises LadderError not_yours, not_board, not_open, bad_winner.
    """
    found = _locked(challenge_id)
    _side(found, player)
    if found.ladder.play != Ladder.Play.BOARD:
        raise LadderError("not_board")
    if found.state != State.ACCEPTED:
        raise LadderError("not_open")
    if winner.pk not in (found.challenger_id, found.defender_id):
        raise LadderError("bad_winner")
    if found.reported_by_id not in (None, player.pk) and found.reported_id == winner.pk:
        _won(found, winner)
        return found
    found.reported, found.reported_by = winner, player
    found.save(update_fields=["reported", "reported_by"])
    return found


@transaction.atomic
def correct(*, challenge_id: int, by: Player, winner: Player, reason: str) -> Challenge:
    """Whoever runs the ladder decides, or corrects, who won: the order is folded anew.

    Raises LadderError not_allowed, bad_winner, no_reason, being_played.
    """
    found = _locked(challenge_id)
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
        _not_playing(found)
        _won(found, winner, by=by, reason=why)
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


def sweep(now: dt.datetime | None = None) -> int:
    """What is due on all ladders: answers and matches that are overdue, matches that are over and
    were not noticed, people who have not played. How many things were done.
    """
    moment, done = now or timezone.now(), 0
    due = Challenge.objects.filter(state__in=[State.OFFERED, State.ACCEPTED], deadline__lte=moment)
    for pk in list(due.values_list("pk", flat=True)):
        done += _guarded(_expire, pk, moment)
    over = Match.objects.filter(status__in=[Match.Status.FINISHED, Match.Status.CANCELLED])
    unnoticed = LadderGame.objects.filter(over_at__isnull=True, match_id__in=over.values("pk"))
    for match_id in list(unnoticed.values_list("match_id", flat=True)):
        done += _guarded(handle_finished_match, match_id)
    for ladder in Ladder.objects.filter(idle_days__gt=0):
        limit = moment - dt.timedelta(days=ladder.idle_days)
        idle = LadderPlace.objects.filter(ladder=ladder, rank__isnull=False, active_at__lte=limit)
        for pk in list(idle.order_by("-rank").values_list("player", flat=True)):
            done += _guarded(_idle, ladder.pk, pk, moment)
    return done


def handle_finished_match(match_id: str) -> bool:
    """What follows from a match of a ladder; nothing from any other match, or a second time."""
    game = LadderGame.objects.filter(match_id=match_id).first()
    if game is None:
        return False
    with transaction.atomic():
        found = _locked(game.challenge_id)
        game, match = LadderGame.objects.get(pk=game.pk), Match.objects.get(pk=match_id)
        if game.over_at is not None or match.is_open or match.is_running:
            return False
        game.over_at, game.winner = match.finished_at or timezone.now(), match.winner
        game.scores = match.scores
        game.save(update_fields=["over_at", "winner", "scores"])
        found.ready = {}
        found.save(update_fields=["ready"])
        if found.is_open:
            _count(found, match.reason)
    return True


def _guarded(work: Any, *given: Any) -> int:
    try:
        return int(work(*given))
    except Exception:
        log.exception("A ladder's sweep: %s%r", work.__name__, given)
        return 0


@transaction.atomic
def _expire(challenge_id: int, now: dt.datetime) -> bool:
    """An answer that didn't come costs as a refusal does; a match that wasn't played is lost by
    whoever never said that they would, if the other did.
    """
    found = _locked(challenge_id)
    if not found.is_open or found.deadline > now or _table(found) is not None:
        return False
    if found.state == State.OFFERED:
        _refused(found, State.EXPIRED, Kind.EXPIRED)
        return True
    if found.ladder.play == Ladder.Play.BOARD and found.reported is not None:
        _won(found, found.reported)  # nobody has denied it in time
        return True
    came = [side for side in (0, 1) if str(side) in found.ready]
    if len(came) == 1:
        _won(found, (found.challenger, found.defender)[came[0]])
    else:
        _end(found, State.UNPLAYED)
    return True


@transaction.atomic
def _idle(ladder_id: int, player_id: int, now: dt.datetime) -> bool:
    ladder = lock(ladder_id)
    limit = now - dt.timedelta(days=ladder.idle_days)
    row = ladder.places.filter(player=player_id, rank__isnull=False, active_at__lte=limit).first()
    if row is None or not ladder.idle_days:
        return False
    last = ladder.places.aggregate(last=Max("rank"))["last"]
    LadderPlace.objects.filter(pk=row.pk).update(active_at=now)
    if row.rank == last:
        return False
    append(ladder, Kind.IDLE, row.player)
    return True


def _refused(found: Challenge, state: str, kind: str) -> None:
    """A refusal, with its cost: nothing for the first few in 30 days."""
    since = timezone.now() - REFUSALS_WITHIN
    before = LadderLine.objects.filter(
        ladder=found.ladder,
        other=found.defender,
        kind__in=[Kind.REFUSED, Kind.EXPIRED],
        at__gte=since,
    ).count()
    free = before < found.ladder.free_refusals
    cost = Ladder.Refusal.NOTHING.value if free else found.ladder.refusal
    _end(found, state)
    append(found.ladder, kind, found.challenger, found, cost=cost)


def _won(found: Challenge, winner: Player, *, by: Player | None = None, reason: str = "") -> None:
    found.winner = winner
    _end(found, State.PLAYED)
    append(found.ladder, _kind(found, winner), found.challenger, found, by=by, reason=reason)
    LadderPlace.objects.filter(
        ladder=found.ladder, player__in=[found.challenger_id, found.defender_id]
    ).update(active_at=timezone.now())


def _kind(found: Challenge, winner: Player) -> str:
    return Kind.WON.value if winner.pk == found.challenger_id else Kind.HELD.value


def _end(found: Challenge, state: str) -> None:
    found.state, found.ended_at = state, timezone.now()
    found.save(update_fields=["state", "ended_at", "winner"])


def _count(found: Challenge, reason: str) -> None:
    """What the games add up to. Who doesn't come to a table loses the challenge."""
    rows = [game for game in found.games.order_by("number") if game.over_at is not None]
    if not rows or rows[-1].winner is None:
        return  # called off, or nobody came: they may try again until the deadline
    sides = (found.challenger, found.defender)
    wins = [sum(game.winner == side for game in rows) for side in (0, 1)]
    if reason == "no_show":
        _won(found, sides[rows[-1].winner])
    elif max(wins) > found.ladder.best_of // 2:
        _won(found, sides[wins.index(max(wins))])
    else:
        _open_table(found, timezone.now())


def _open_table(found: Challenge, now: dt.datetime) -> None:
    ladder = found.ladder
    number = found.games.count() + 1
    match = games.open_match(
        rules=ladder.rules,
        seats=2,
        players=[found.challenger, found.defender],
        turn_seconds=ladder.turn_seconds,
        rated=ladder.rated,
        context={"challenge": found.pk, "game": number},
        sit_by=now + dt.timedelta(seconds=ladder.no_show_seconds),
        forfeit_away_seconds=FORFEIT_AWAY_SECONDS,
        now=now,
    )
    LadderGame.objects.create(challenge=found, number=number, match_id=match.pk)


def _locked(challenge_id: int) -> Challenge:
    """The challenge, its ladder locked."""
    ladder_id = Challenge.objects.filter(pk=challenge_id).values_list("ladder", flat=True).first()
    if ladder_id is None:
        raise LadderError("no_challenge")
    lock(ladder_id)
    wanted = ("ladder__club", "challenger", "defender", "reported")
    return Challenge.objects.select_related(*wanted).get(pk=challenge_id)


def _place(ladder: Ladder, player: Player) -> LadderPlace | None:
    return ladder.places.filter(player=player, rank__isnull=False).first()


def _open(ladder: Ladder) -> Any:
    return ladder.challenges.filter(state__in=[State.OFFERED, State.ACCEPTED])


def _side(found: Challenge, player: Player) -> int:
    if player.pk not in (found.challenger_id, found.defender_id):
        raise LadderError("not_yours")
    return int(player.pk == found.defender_id)


def _table(found: Challenge) -> LadderGame | None:
    return found.games.filter(over_at__isnull=True).first()


def _not_playing(found: Challenge) -> None:
    if not found.is_open:
        raise LadderError("not_open")
    if _table(found) is not None:
        raise LadderError("being_played")


def _in_time(found: Challenge, state: str, now: dt.datetime) -> None:
    if found.state != state:
        raise LadderError("not_open")
    if found.deadline <= now:
        raise LadderError("too_late")
