"""Letters to players who are away: what they have not read, in one letter, in their language."""

from __future__ import annotations

import datetime as dt

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from letters import services as letters
from notices import kinds
from notices.models import Notice
from players import languages
from players.models import Player

AWAY_AFTER = dt.timedelta(minutes=5)
"""How long no page of the site has been open when a player counts as away."""
MOST_AN_HOUR = 6
MOST_IN_ONE = 20
SALT = "notices.mail"


def write_due(*, limit: int = 100, now: dt.datetime | None = None) -> int:
    """Writes the letters that are due, one for each player; answers how many."""
    moment = now or timezone.now()
    due = Notice.objects.filter(mail_at__lte=moment).order_by("mail_at")
    players = list(dict.fromkeys(due.values_list("player_id", flat=True)[: 10 * limit]))[:limit]
    return sum(_write(player_id, moment) for player_id in players)


def token_of(player: Player, kind: str = "") -> str:
    """What a link to stop mail carries: about one kind, or all."""
    return signing.dumps([player.pk, kind], salt=SALT)


def read_token(token: str) -> tuple[Player, str] | None:
    """Whose mail is to stop, about which kind; None for a token that was not made here."""
    try:
        player_id, kind = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError):
        return None
    player = Player.objects.filter(pk=player_id).first()
    return None if player is None else (player, str(kind))


def _write(player_id: int, now: dt.datetime) -> bool:
    """One player's letter. The notices and the letter are written in one transaction, so that
    neither a second worker nor a crash makes another or none.
    """
    with transaction.atomic():
        rows = Notice.objects.filter(player=player_id, mail_at__lte=now).order_by("pk")
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True)
        notices = list(rows[:MOST_IN_ONE])
        if not notices:
            return False
        player = Player.objects.get(pk=player_id)
        ids = [notice.pk for notice in notices]
        address = address_of(player)
        if address is None or not _is_away(player, now):
            Notice.objects.filter(pk__in=ids).update(mail_at=None)
            return False
        if _written_lately(player, now) >= MOST_AN_HOUR:
            Notice.objects.filter(pk__in=ids).update(mail_at=now + dt.timedelta(minutes=30))
            return False
        _letter(player, address, notices)
        Notice.objects.filter(pk__in=ids).update(mail_at=None, mailed_at=now)
        return True


def _letter(player: Player, address: str, notices: list[Notice]) -> None:
    known = {notice.kind for notice in notices}
    only = notices[0].kind if len(known) == 1 else ""
    with translation.override(languages.spoken(player.language or settings.LANGUAGE_CODE)):
        lines = [(kinds.sentence(n.kind, n.facts), _whole(n.url)) for n in notices]
        stop = settings.PUBLIC_URL + reverse("pages:stop_mail", args=[token_of(player, only)])
        context = {
            "name": player.name,
            "lines": lines,
            "about": kinds.KINDS[only].title if only else "",
            "stop": stop,
            "settings_url": settings.PUBLIC_URL + reverse("pages:notice_settings"),
            "site_url": settings.PUBLIC_URL,
            "language": translation.get_language(),
            "rtl": translation.get_language_bidi(),
        }
        subject = (
            lines[0][0]
            if len(lines) == 1
            else ngettext(
                "%(count)d thing happened on Muggins",
                "%(count)d things happened on Muggins",
                len(lines),
            )
            % {"count": len(lines)}
        )
        letters.write(
            to=address,
            subject=subject,
            text=render_to_string("notices/letter.txt", context),
            html=render_to_string("notices/letter.html", context),
            headers={
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
            },
            key=f"notices-{player.pk}-{notices[0].pk}-{len(notices)}",
        )


def address_of(player: Player) -> str | None:
    """The confirmed address of somebody who may be written to."""
    if not player.is_active or player.is_guest or player.is_bot:
        return None
    found = EmailAddress.objects.filter(user=player, verified=True).order_by("-primary").first()
    return found.email if found else None


def _is_away(player: Player, now: dt.datetime) -> bool:
    return player.last_seen_at is None or player.last_seen_at < now - AWAY_AFTER


def _written_lately(player: Player, now: dt.datetime) -> int:
    since = now - dt.timedelta(hours=1)
    return player.notices.filter(mailed_at__gt=since).values("mailed_at").distinct().count()


def _whole(url: str) -> str:
    return settings.PUBLIC_URL + languages.in_language(url, languages.active()) if url else ""
