"""Players and clubs as a request names them."""

from __future__ import annotations

from django.http import Http404

from players.models import Club, Player


def player_named(handle: str) -> Player:
    """The player of that handle. Raises Http404."""
    found = Player.objects.filter(handle=handle).first()
    if found is None:
        raise Http404
    return found


def club_named(slug: str | None) -> Club | None:
    """The club at that address, None where none is named. Raises Http404."""
    if slug is None:
        return None
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise Http404
    return found
