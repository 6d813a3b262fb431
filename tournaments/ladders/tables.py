"""Challenges at live tables: opened when both are there, taken over when the match is over."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone

from games import services as games
from games.models import Match
from players.models import Player
from tournaments import topics
from tournaments.ladders.challenges import in_time, locked, side_of, table_of
from tournaments.ladders.errors import LadderError
from tournaments.ladders.results import won
from tournaments.models import Challenge, Ladder, LadderGame

State = Challenge.State
READY_FOR = dt.timedelta(minutes=5)
FORFEIT_AWAY_SECONDS = 120  # rules.md 8


@transaction.atomic
def ready(*, challenge_id: int, player: Player, now: dt.datetime | None = None) -> Challenge:
    """The player would play now; when both have said so within five minutes, their table opens.

    Raises LadderError not_yours, not_live, not_open, too_late.
    """
    found, moment = locked(challenge_id), now or timezone.now()
    side = side_of(found, player)
    if found.ladder.play != Ladder.Play.LIVE:
        raise LadderError("not_live")
    if table_of(found) is not None:
        return found
    in_time(found, State.ACCEPTED, moment)
    found.ready = {**found.ready, str(side): moment.isoformat()}
    found.save(update_fields=["ready"])
    if is_ready(found, 1 - side, moment):
        _open_table(found, moment)
    return found


def is_ready(found: Challenge, side: int, now: dt.datetime) -> bool:
    """Whether that side has said, a moment ago, that it would play now."""
    said = found.ready.get(str(side))
    return said is not None and now - dt.datetime.fromisoformat(said) < READY_FOR


def handle_finished_match(match_id: str) -> bool:
    """What follows from a match of a ladder; nothing from any other match, or a second time."""
    game = LadderGame.objects.filter(match_id=match_id).first()
    if game is None:
        return False
    with transaction.atomic():
        found = locked(game.challenge_id)
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


def _count(found: Challenge, reason: str) -> None:
    """What the games add up to. Who doesn't come to a table loses the challenge."""
    rows = [game for game in found.games.order_by("number") if game.over_at is not None]
    if not rows or rows[-1].winner is None:
        return  # called off, or nobody came: they may try again until the deadline
    sides = (found.challenger, found.defender)
    wins = [sum(game.winner == side for game in rows) for side in (0, 1)]
    if reason == "no_show":
        won(found, sides[rows[-1].winner])
    elif max(wins) > found.ladder.best_of // 2:
        won(found, sides[wins.index(max(wins))])
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
        context={
            "challenge": found.pk,
            "game": number,
            "topic": topics.of_ladder(found.ladder_id),
        },
        sit_by=now + dt.timedelta(seconds=ladder.no_show_seconds),
        forfeit_away_seconds=FORFEIT_AWAY_SECONDS,
        now=now,
    )
    LadderGame.objects.create(challenge=found, number=number, match_id=match.pk)
