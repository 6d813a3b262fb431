"""All that changes a player: guests, accounts, bots, names, sign-in."""

from __future__ import annotations

import secrets
from datetime import timedelta

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from players import bots, countries, guest_names, languages, names, throttle, zones
from players.models import Player
from players.names import NameRefused

SEEN_EVERY = timedelta(minutes=1)
SIGN_IN_TRIES = 10
SIGN_IN_WINDOW = 15 * 60

_HANDLE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


class SignInRefused(Exception):
    """`code`: wrong (name or password), too_many (attempts; wait), or closed: the password is
    right, but the account of `player` may not be used.
    """

    def __init__(self, code: str, player: Player | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.player = player


def create_guest(*, name: str | None = None, longest: int = names.MAX_GRAPHEMES) -> Player:
    """A player without account: the name given, of at most `longest` characters, or a pleasant
    one.
    """
    shown = names.clean_name(name, longest) if name else guest_names.pick()
    if name:
        _refuse_taken(shown)
    handle = "guest-" + "".join(secrets.choice(_HANDLE_LETTERS) for _ in range(10))
    guest = Player(handle=handle, name=shown, is_guest=True)
    guest.set_unusable_password()
    guest.save()
    return guest


def register(
    *, handle: str, name: str, password: str, email: str = "", guest: Player | None = None
) -> Player:
    """An account; made of the guest's own row if given, so that seats and matches stay theirs.

    Raises NameRefused, among its codes handle_taken and name_taken.
    """
    login_name, shown = names.clean_handle(handle), names.clean_name(name)
    with transaction.atomic():
        player = _guest_row(guest) or Player()
        if Player.objects.filter(handle=login_name).exclude(pk=player.pk).exists():
            raise NameRefused("handle_taken", "That sign-in name is taken.")
        _refuse_taken(shown, but=player)
        player.handle, player.name, player.email = login_name, shown, email
        player.name_key, player.is_guest = names.skeleton(shown), False
        player.set_password(password)
        _save_unless_taken(player)
    return player


def rename(*, player: Player, name: str) -> Player:
    """Gives a person another name at the table. Raises NameRefused; bots keep theirs."""
    return _rename(player, names.clean_name(name))


def take_name(*, player: Player) -> Player:
    """Leaves a person a number for a name. Raises NameRefused; bots keep theirs."""
    return _rename(player, names.number(player.pk))


def _rename(player: Player, shown: str) -> Player:
    if player.is_bot:
        raise NameRefused("bot", "A bot keeps its name.")
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if row.name == shown:
            return row
        _refuse_taken(shown, but=row)
        row.name, row.name_key = shown, None if row.is_guest else names.skeleton(shown)
        _save_unless_taken(row)
    return row


def change_profile(
    *, player: Player, name: str = "", handle: str = "", country: str | None = None
) -> Player:
    """Another name, sign-in name or country; what is empty or None stays, all of it if one part is
    refused. Raises NameRefused.
    """
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if name and name != row.name:
            row = rename(player=row, name=name)
        wanted = names.clean_handle(handle) if handle else row.handle
        if wanted != row.handle:
            if row.is_guest or Player.objects.filter(handle=wanted).exists():
                raise NameRefused("handle_taken", "That sign-in name is taken.")
            row.handle = wanted
        if country is not None:
            if country and country not in countries.names():
                raise ValueError(f"No country {country!r}.")
            row.country = country
        _save_unless_taken(row)
    return row


def set_theme(*, player: Player, theme: str) -> None:
    """Light, dark, or as the device has it (""). Raises ValueError for any other."""
    Player.objects.filter(pk=player.pk).update(theme=Player.Theme(theme).value)


def set_language(*, player: Player, language: str) -> None:
    """The language that a player has chosen. Raises ValueError for one the site doesn't speak."""
    if language not in languages.names():
        raise ValueError(f"No language {language!r}.")
    Player.objects.filter(pk=player.pk).update(language=language)


def set_zone(*, player: Player, zone: str) -> None:
    """The place whose clocks times are shown by; empty: the browser's. ValueError for no place."""
    if zone and zone not in zones.names():
        raise ValueError(f"No time zone {zone!r}.")
    Player.objects.filter(pk=player.pk).update(zone=zone)


def set_invites(*, player: Player, invites: str) -> None:
    """Who may ask the player to be a partner. Raises ValueError for anything unknown."""
    Player.objects.filter(pk=player.pk).update(invites=Player.Invites(invites).value)


def note_seen(*, player: Player) -> None:
    """A page of the site is open before them; written once a minute at most."""
    now = timezone.now()
    if player.last_seen_at is None or player.last_seen_at < now - SEEN_EVERY:
        Player.objects.filter(pk=player.pk).update(last_seen_at=now)


def bot_player(*, level: str, number: int = 1) -> Player:
    """The one row of a bot, made when first asked for. Unknown levels raise ValueError."""
    if level not in bots.FIRST_NAMES or number < 1:
        raise ValueError(f"No bot {number} of level {level!r}.")
    name = bots.name_of(level, number)
    bot, _made = Player.objects.get_or_create(
        handle=f"bot-{level}-{number}",
        defaults={
            "name": name,
            "name_key": names.skeleton(name),
            "bot_level": level,
            "password": "!" + secrets.token_hex(20),
        },
    )
    return bot


def sign_in(*, request: HttpRequest, handle: str, password: str) -> Player:
    """Whose password it is; `handle` may be the e-mail address of an account, too.

    Raises SignInRefused; ten wrong passwords from one place make it wait.

    They are counted for account and address together, so that nobody can lock another out.
    """
    key = f"sign_in:{handle.strip().lower()}:{throttle.client_address(request)}"
    if not throttle.spend(key, limit=SIGN_IN_TRIES, seconds=SIGN_IN_WINDOW):
        raise SignInRefused("too_many")
    AuthenticationBackend.unstash_authenticated_user()
    player = authenticate(request, username=handle.strip(), password=password)
    closed = AuthenticationBackend.unstash_authenticated_user()
    if isinstance(player, Player):
        throttle.forgive(key)
        return player
    if isinstance(closed, Player):
        raise SignInRefused("closed", closed)
    raise SignInRefused("wrong")


def _guest_row(guest: Player | None) -> Player | None:
    """The guest's row, locked; None when it is an account by now (a second click)."""
    if guest is None:
        return None
    return Player.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()


def _refuse_taken(shown: str, but: Player | None = None) -> None:
    others = Player.objects.filter(name_key=names.skeleton(shown))
    if but is not None and but.pk:
        others = others.exclude(pk=but.pk)
    if others.exists():
        raise NameRefused("name_taken", "That name is taken, or looks like one that is.")


def _save_unless_taken(player: Player) -> None:
    """Saves; two who take one name in the same instant meet the database's own constraint."""
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        raise NameRefused("name_taken", "That name was taken a moment ago.") from error


def is_verified(player: Player) -> bool:
    """Whether the account's address is proven; where the site sends no mail, nobody's need be."""
    if not settings.MAIL_IS_SET_UP:
        return True
    return bool(EmailAddress.objects.filter(user=player, verified=True).exists())
