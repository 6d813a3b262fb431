"""Telling players, and what they do with it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation

from games import events
from notices.kinds import KINDS
from notices.models import Notice, Wish
from players.models import Player

KEPT_FOR = dt.timedelta(days=90)


def address(name: str, *args: Any) -> str:
    """A page's address without a language: a notice is read in the reader's."""
    with translation.override("en"):
        return reverse(name, args=args)


def tell(
    *,
    players: Iterable[Player],
    kind: str,
    key: str,
    facts: Mapping[str, Any],
    url: str = "",
) -> int:
    """A notice to each of the players who wants it on the site or by mail; told twice under one
    `key`, the second does nothing. Bots and closed accounts are told nothing. Answers how many
    players it was for.
    """
    rows = {p.pk: p for p in players if p.is_active and not p.is_bot}
    wishes = {w.player_id: w for w in Wish.objects.filter(player__in=rows, kind=kind)}
    now, default = timezone.now(), KINDS[kind]
    made = []
    for player in rows.values():
        wish = wishes.get(player.pk)
        page, by_mail = (wish.page, wish.mail) if wish else (True, default.mail)
        if not page and not by_mail:
            continue
        made.append(
            Notice(
                player=player,
                kind=kind,
                key=key[:100],
                facts=dict(facts),
                url=url[:250],
                created_at=now,
                # What is only mailed never counts as unread.
                read_at=None if page else now,
                mail_at=now + default.mail_after if by_mail and not player.is_guest else None,
            )
        )
    Notice.objects.bulk_create(made, ignore_conflicts=True)
    events.changed(*(events.of_player(notice.player_id) for notice in made if not notice.read_at))
    return len(made)


def mark_read(*, player: Player, notice_id: int | None = None, up_to: int | None = None) -> int:
    """Marks one notice as read, or all up to an id, or all; no mail is sent of them any more."""
    found = player.notices.filter(read_at=None)
    if notice_id is not None:
        found = found.filter(pk=notice_id)
    if up_to is not None:
        found = found.filter(pk__lte=up_to)
    events.changed(events.of_player(player.pk))
    return found.update(read_at=timezone.now(), mail_at=None)


def wish(*, player: Player, kind: str, page: bool, mail: bool) -> None:
    """How a player wants to hear of a kind. Raises KeyError for an unknown kind."""
    KINDS[kind]
    Wish.objects.update_or_create(player=player, kind=kind, defaults={"page": page, "mail": mail})


@transaction.atomic
def stop_mail(*, player: Player, kinds: Iterable[str]) -> None:
    """No more mail about these kinds; on the site they stay as they are."""
    stopped = list(kinds)
    known = {w.kind: w for w in player.notice_wishes.filter(kind__in=stopped)}
    for kind in stopped:
        page = known[kind].page if kind in known else True
        wish(player=player, kind=kind, page=page, mail=False)
    player.notices.filter(kind__in=stopped).update(mail_at=None)


def forget_old() -> int:
    """Deletes notices of three months ago; answers how many."""
    return Notice.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()[0]
