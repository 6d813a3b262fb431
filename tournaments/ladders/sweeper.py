"""What is due on all ladders: for the clock."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.models import Match
from tournaments.ladders.challenges import end, locked, refused, table_of
from tournaments.ladders.places import fall_idle
from tournaments.ladders.results import won
from tournaments.ladders.tables import handle_finished_match
from tournaments.models import Challenge, Ladder, LadderGame, LadderLine, LadderPlace

State, Kind = Challenge.State, LadderLine.Kind
log = logging.getLogger(__name__)


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
            done += _guarded(fall_idle, ladder.pk, pk, moment)
    return done


@transaction.atomic
def _expire(challenge_id: int, now: dt.datetime) -> bool:
    """An answer that didn't come costs as a refusal does; a match that wasn't played is lost by
    whoever never said that they would, if the other did.
    """
    found = locked(challenge_id)
    if not found.is_open or found.deadline > now or table_of(found) is not None:
        return False
    if found.state == State.OFFERED:
        refused(found, State.EXPIRED, Kind.EXPIRED)
        return True
    if found.ladder.play == Ladder.Play.BOARD and found.reported is not None:
        won(found, found.reported)  # nobody has denied it in time
        return True
    came = [side for side in (0, 1) if str(side) in found.ready]
    if len(came) == 1:
        won(found, (found.challenger, found.defender)[came[0]])
    else:
        end(found, State.UNPLAYED)
    return True


def _guarded(work: Any, *given: Any) -> int:
    try:
        return int(work(*given))
    except Exception:
        log.exception("A ladder's sweep: %s%r", work.__name__, given)
        return 0
