"""Who is asking, and how a guest comes to be: by doing something, never by looking."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, login
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme

from players.models import Player
from players.services import create_guest

BACKEND = "django.contrib.auth.backends.ModelBackend"
GUEST_LEFT = "guest_left"


def player_of(request: HttpRequest) -> Player | None:
    """The player who is signed in, as account or as guest; None for a mere visitor."""
    user = getattr(request, "user", None)
    return user if isinstance(user, Player) and user.is_authenticated else None


def current_or_guest(request: HttpRequest, name: str | None = None) -> Player:
    """The signed-in player, or a new guest signed in to this session. For POSTs only."""
    player = player_of(request)
    if player is None:
        player = create_guest(name=name)
        enter(request, player)
    return player


def enter(request: HttpRequest, player: Player) -> None:
    """Signs `player` in under a new session key, so that a planted cookie is worth nothing."""
    theme = request.session.get("theme", "")
    login(request, player, backend=BACKEND)
    request.session.cycle_key()
    if theme:
        request.session["theme"] = theme


def leave_guest(request: HttpRequest) -> None:
    """Before an account is signed in to: ends the guest's sign-in, and remembers who it was."""
    user_id = request.session.get(SESSION_KEY)
    guest = Player.objects.filter(pk=user_id, is_guest=True).first() if user_id else None
    if guest is None:
        return
    for key in (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY):
        request.session.pop(key, None)
    request.session[GUEST_LEFT] = guest.pk


def guest_left(request: HttpRequest) -> Player | None:
    """The guest whom this browser was before it signed in to an account."""
    guest_id = request.session.get(GUEST_LEFT)
    return Player.objects.filter(pk=guest_id, is_guest=True).first() if guest_id else None


def forget_guest(request: HttpRequest) -> None:
    request.session.pop(GUEST_LEFT, None)


def is_alive(session: Any, player: Player | None) -> bool:
    """Whether the sign-in that opened a socket still holds: not signed out, here or from
    elsewhere, nor suspended, nor under an old password. Without a session there is nothing to end.
    """
    key = getattr(session, "session_key", None)
    if player is None or not key:
        return True
    kept = session.__class__(key).load()
    row = Player.objects.filter(pk=player.pk, is_active=True).first()
    if row is None or kept.get(SESSION_KEY) != str(row.pk):
        return False
    return constant_time_compare(kept.get(HASH_SESSION_KEY, ""), row.get_session_auth_hash())


def safe_next(request: HttpRequest, default: str) -> str:
    """Where ``next`` leads if that is a page of ours, else `default`."""
    wanted = str(request.POST.get("next") or request.GET.get("next") or "")
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return wanted
    return default
