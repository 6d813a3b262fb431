"""Personal tokens: made, shown once, and found again by their digest.

A token is ``mug_pat_``, 30 random characters of base 62, and 6 that check the rest (CRC-32). One
that is mistyped, cut or made up fails the check and never reaches the database.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import PersonalToken, Player

PREFIX = "mug_pat_"
RANDOM_LENGTH = 30
CHECK_LENGTH = 6
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
SHAPE = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{RANDOM_LENGTH + CHECK_LENGTH}}}")

READ = "read"
TABLES_WRITE = "tables:write"
TOURNAMENTS_WRITE = "tournaments:write"
RESULTS_WRITE = "results:write"
ACCOUNT_WRITE = "account:write"

# What a token may be allowed, as its owner is asked.
SCOPES = {
    READ: _("Read: tables, tournaments and ratings"),
    TABLES_WRITE: _("Tables: open them in your name"),
    TOURNAMENTS_WRITE: _("Tournaments: enter and leave them, make and run your own"),
    ACCOUNT_WRITE: _("Account: change your name and country, read your notices"),
    RESULTS_WRITE: _("Results: report and correct those of tournaments you run"),
}

# A token used all day long writes its row this often at most.
USE_NOTED_EVERY = timedelta(minutes=1)


def issue(
    *, player: Player, name: str, scopes: Iterable[str], expires: datetime | None = None
) -> tuple[PersonalToken, str]:
    """A new token and its text, which can't be had again. Unknown scopes raise ValueError."""
    granted = sorted(set(scopes))
    if unknown := set(granted) - SCOPES.keys():
        raise ValueError(f"No such scope: {', '.join(sorted(unknown))}.")
    body = PREFIX + "".join(secrets.choice(BASE62) for _ in range(RANDOM_LENGTH))
    text = body + check_of(body)
    token = PersonalToken.objects.create(
        player=player,
        name=name,
        digest=digest_of(text),
        prefix=text[: len(PREFIX) + 4],
        scopes=granted,
        expires=expires,
    )
    return token, text


def find(text: str) -> PersonalToken | None:
    """The live token of an active player, with its player; None for any other text."""
    if not is_well_formed(text):
        return None
    now = timezone.now()
    token = (
        PersonalToken.objects.select_related("player")
        .filter(digest=digest_of(text), player__is_active=True)
        .filter(Q(expires__isnull=True) | Q(expires__gt=now))
        .first()
    )
    if token and (token.last_used is None or now - token.last_used > USE_NOTED_EVERY):
        PersonalToken.objects.filter(pk=token.pk).update(last_used=now)
    return token


def revoke(*, player: Player, token_id: int) -> bool:
    """Deletes a token of this player; False when there is none, as on a second click."""
    return PersonalToken.objects.filter(player=player, pk=token_id).delete()[0] > 0


def is_well_formed(text: str) -> bool:
    """Whether `text` has a token's shape and its last six characters check the rest."""
    if not SHAPE.fullmatch(text):
        return False
    return secrets.compare_digest(check_of(text[:-CHECK_LENGTH]), text[-CHECK_LENGTH:])


def check_of(body: str) -> str:
    """Six base-62 digits of the CRC-32 of `body`."""
    rest, digits = zlib.crc32(body.encode()), ""
    for _place in range(CHECK_LENGTH):
        rest, digit = divmod(rest, 62)
        digits = BASE62[digit] + digits
    return digits


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
