"""Events as iCalendar feeds (RFC 5545)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from pages import words
from pages.context import NAME
from players.models import Player
from tournaments.models import Entrant, Tournament

LINE: Final = 75  # octets; RFC 5545 3.1
PAST: Final = dt.timedelta(days=180)
MOST: Final = 500
SALT: Final = "pages.calendar"
Status = Tournament.Status
STATUSES: Final = {Status.DRAFT: "TENTATIVE", Status.CANCELLED: "CANCELLED"}


def feed(events: Iterable[Tournament], *, site: str, name: str) -> str:
    """A calendar of the events that have a time; `site` is the site's address, for the links.

    Times are given in UTC, which says the same moment in every program; the text has the event's
    own time and zone. A cancelled event stays, and says so.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//{NAME}//EN", "METHOD:PUBLISH"]
    lines.append(f"X-WR-CALNAME:{escaped(name)}")
    for event in events:
        lines += _event(event, site)
    lines.append("END:VCALENDAR")
    return "".join(f"{piece}\r\n" for line in lines for piece in folded(line))


def public(limit: int = MOST) -> QuerySet[Tournament]:
    """The events that everybody may find."""
    return _timed(Tournament.objects.filter(access=Tournament.Access.OPEN))[:limit]


def of_club(slug: str) -> QuerySet[Tournament]:
    """A club's events."""
    return _timed(Tournament.objects.filter(club__slug=slug))[:MOST]


def of_player(player: Player) -> QuerySet[Tournament]:
    """The events that somebody plays in, or organises."""
    entries = Entrant.objects.filter(Q(player=player) | Q(partner=player))
    own = entries.exclude(status=Entrant.Status.WITHDRAWN).values("tournament")
    return _timed(Tournament.objects.filter(Q(pk__in=own) | Q(organiser=player)))[:MOST]


def key_of(player: Player) -> str:
    """What makes the address of a player's feed a secret; another one with another password."""
    return salted_hmac(SALT, f"{player.pk}:{player.password}", algorithm="sha256").hexdigest()[:32]


def owner(handle: str, key: str) -> Player | None:
    """Whose feed that address is."""
    player = Player.objects.filter(handle=handle, is_active=True).first()
    return player if player is not None and constant_time_compare(key, key_of(player)) else None


def escaped(text: str) -> str:
    r"""A text as a value of iCalendar; what isn't text is left out.

    >>> escaped("a;b\nc,d")
    'a\\;b\\nc\\,d'
    """
    clean = "".join(c for c in text.replace("\r\n", "\n") if c == "\n" or ord(c) >= 32)
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        clean = clean.replace(plain, written)
    return clean


def folded(line: str) -> Iterator[str]:
    """A line in pieces of at most 75 octets, none of which cuts a character in two."""
    piece, size = "", 0
    for char in line:
        octets = len(char.encode())
        if size + octets > LINE:
            yield piece
            piece, size = " ", 1
        piece, size = piece + char, size + octets
    yield piece


def _timed(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those that have a time, from some months ago on, without drafts."""
    since = timezone.now() - PAST
    timed = events.exclude(status=Status.DRAFT).filter(
        Q(starts_at__gte=since) | Q(starts_at__isnull=True, started_at__gte=since)
    )
    return timed.order_by("starts_at", "pk")


def _event(event: Tournament, site: str) -> Iterator[str]:
    begins = event.starts_at or event.started_at
    if begins is None:
        return
    url = site + event.get_absolute_url()
    status = Status(event.status)
    called_off = status == Status.CANCELLED
    name = _("Cancelled: %(name)s") % {"name": event.title} if called_off else event.title
    yield "BEGIN:VEVENT"
    # The same for ever, wherever the site is served from.
    yield f"UID:tournament-{event.pk}-{event.created_at:%Y%m%dT%H%M%S}@muggins"
    yield f"DTSTAMP:{_moment(event.finished_at or event.created_at)}"
    yield f"SEQUENCE:{1 if called_off else 0}"
    yield f"DTSTART:{_moment(begins)}"
    if event.finished_at is not None and event.finished_at > begins:
        yield f"DTEND:{_moment(event.finished_at)}"
    yield f"SUMMARY:{escaped(name)}"
    yield f"DESCRIPTION:{escaped(_description(event, begins, url))}"
    yield f"URL:{url}"
    yield f"STATUS:{STATUSES.get(status, 'CONFIRMED')}"
    yield "END:VEVENT"


def _description(event: Tournament, begins: dt.datetime, url: str) -> str:
    there = begins.astimezone(words.zone_of(event.zone))
    parts = [
        event.reason if event.status == Status.CANCELLED else "",
        f"{words.preset(event.preset)}, {words.format_line(event)}",
        f"{there:%Y-%m-%d %H:%M} {there.tzname()} ({event.zone})",
        event.text,
        url,
    ]
    return "\n".join(part for part in parts if part)


def _moment(when: dt.datetime) -> str:
    return f"{when.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
