"""Who may come into an event, and when they say that they are there."""

from __future__ import annotations

import datetime as dt
import secrets

from django.utils import timezone

from players import clubs
from players.models import Player
from ratings import selectors as ratings
from tournaments.models import Tournament
from tournaments.options import pool_of
from tournaments.permissions import may

UNKNOWN_RATING = 1500
"""What somebody without a rating counts as, when seeds are given and limits are looked at."""

Access = Tournament.Access


def refusal(tournament: Tournament, player: Player | None, key: str = "") -> str | None:
    """The code of what keeps somebody out, None if they may enter; `key` is the link's.

    A visitor who is not signed in yet is looked at as the guest they would become. Who may enter
    others needs no link.
    """
    by_link = tournament.access == Access.LINK
    if by_link and not (_fits(tournament.link_key, key) or may(tournament, player, "entrants")):
        return "no_link"
    if tournament.access == Access.CLUB:
        club = tournament.club
        if club is None or not clubs.is_member(club, player):
            return "not_member"
    return _by_rating(tournament, player)


def check_in_from(tournament: Tournament) -> dt.datetime | None:
    """When people can say that they are there; None if they need not, or can all the time."""
    if not tournament.check_in_minutes or tournament.starts_at is None:
        return None
    return tournament.starts_at - dt.timedelta(minutes=tournament.check_in_minutes)


def is_check_in_open(tournament: Tournament, now: dt.datetime | None = None) -> bool:
    """Whether people are asked to say that they are there: from the window's beginning to the
    start; of an event that starts when somebody presses, from registration on.
    """
    if not tournament.check_in_minutes or not tournament.is_before_start:
        return False
    if tournament.status == Tournament.Status.DRAFT:
        return False
    begins = check_in_from(tournament)
    return begins is None or begins <= (now or timezone.now())


def _fits(link_key: str, key: str) -> bool:
    return bool(link_key) and secrets.compare_digest(link_key.encode(), key.encode())


def _by_rating(tournament: Tournament, player: Player | None) -> str | None:
    low, high = tournament.min_rating, tournament.max_rating
    if low is None and high is None:
        return None
    rating = UNKNOWN_RATING
    if player is not None and player.pk:
        rating = _counted(tournament, player.pk)
    if low is not None and rating < low:
        return "rating_low"
    if high is None or rating <= high:
        return None
    return "peak_high" if tournament.by_peak else "rating_high"


def _counted(tournament: Tournament, player: int) -> int:
    """The rating that the event's limits look at."""
    pool = pool_of(tournament)
    if tournament.by_peak:
        return ratings.peaks_in(pool, [player]).get(player, UNKNOWN_RATING)
    shown = ratings.ratings_in(pool, [player]).get(player)
    return UNKNOWN_RATING if shown is None else shown.rating
