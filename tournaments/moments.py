"""Moments as people say them: a time on the clocks of a place. Pure.

Clocks jump. A time that they skip doesn't exist, and one that they go through twice is two moments:
both are refused, never guessed (cases.md Z1, Z2).
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

_NOT_PLACES = ("Etc/", "SystemV/", "US/", "posix/", "right/")


class BadMoment(ValueError):
    """No one moment: `code` is bad_zone, bad_moment, no_such_time or time_twice; `offsets` are
    those of the two moments of "time_twice", the earlier one first: ``("-04:00", "-05:00")``.
    """

    def __init__(self, code: str, offsets: tuple[str, ...] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.offsets = offsets


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The names that are offered: UTC, then places ("America/New_York")."""
    places = (name for name in available_timezones() if "/" in name)
    return ("UTC", *sorted(name for name in places if not name.startswith(_NOT_PLACES)))


def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name. Raises BadMoment("bad_zone")."""
    if name not in available_timezones():
        raise BadMoment("bad_zone")
    return ZoneInfo(name)


def find_zone(text: str) -> str | None:
    """The zone that somebody means who types a name, or a city of one; None if that is not one.

    >>> find_zone("lima"), find_zone("utc"), find_zone("Atlantis")
    ('America/Lima', 'UTC', None)
    """
    wanted = text.strip().casefold().replace(" ", "_")
    exact = [name for name in available_timezones() if name.casefold() == wanted]
    cities = [name for name in zones() if name.casefold().rpartition("/")[2] == wanted]
    found = exact or cities
    return found[0] if len(found) == 1 else None


def parse(text: str) -> dt.datetime:
    """An ISO moment with an offset, or a local time without one. Raises BadMoment("bad_moment").

    >>> parse("2017-11-05T01:30").tzinfo is None
    True
    """
    try:
        moment = dt.datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise BadMoment("bad_moment") from error
    if len(text.strip()) < len("2017-11-05T01:30") or not 1970 <= moment.year <= 2200:
        raise BadMoment("bad_moment")
    return moment


def resolve(moment: dt.datetime, zone: str, offset: str = "") -> dt.datetime:
    """The moment in UTC: one with an offset as it is, a local one as on the zone's clocks.

    `offset` says which of two is meant where the clocks show a time twice. Raises BadMoment
    bad_zone, no_such_time, time_twice.

    >>> resolve(parse("2017-11-05T01:30"), "America/New_York", "-05:00").isoformat()
    '2017-11-05T06:30:00+00:00'
    """
    place = zone_of(zone)
    if moment.tzinfo is not None:
        return moment.astimezone(dt.UTC)
    both = [moment.replace(tzinfo=place, fold=fold) for fold in (0, 1)]
    meant = {each.astimezone(dt.UTC) for each in both if _shows(each, place, moment)}
    if not meant:
        raise BadMoment("no_such_time")
    if len(meant) == 1:
        return meant.pop()
    offsets = {offset_of(each, zone): each for each in sorted(meant)}
    if offset not in offsets:
        raise BadMoment("time_twice", tuple(offsets))
    return offsets[offset]


def local(moment: dt.datetime, zone: str) -> dt.datetime:
    """The moment on the zone's clocks, with its offset; in UTC if the zone is not known (any
    more).
    """
    try:
        return moment.astimezone(zone_of(zone))
    except BadMoment:
        return moment.astimezone(dt.UTC)


def offset_of(moment: dt.datetime, zone: str) -> str:
    """How far the zone's clocks are from UTC then: "-04:00"."""
    text = local(moment, zone).strftime("%z")
    return f"{text[:3]}:{text[3:5]}"


def is_twice(moment: dt.datetime, zone: str) -> bool:
    """Whether the zone's clocks show the moment's time at another moment too."""
    shown = local(moment, zone)
    return shown.replace(fold=0).utcoffset() != shown.replace(fold=1).utcoffset()


def days_later(moment: dt.datetime, zone: str, days: int) -> dt.datetime:
    """The same time on the zone's clocks so many days later.

    Where it doesn't exist then, what the clocks show instead; of two, the first.

    >>> start = dt.datetime(2017, 11, 3, 23, 0, tzinfo=dt.UTC)
    >>> days_later(start, "America/New_York", 7).isoformat()
    '2017-11-11T00:00:00+00:00'
    """
    shown = local(moment, zone)
    wall = shown.replace(tzinfo=None, fold=0) + dt.timedelta(days=days)
    return wall.replace(tzinfo=shown.tzinfo).astimezone(dt.UTC)


def _shows(moment: dt.datetime, place: ZoneInfo, wall: dt.datetime) -> bool:
    """Whether the place's clocks show `wall` at the moment."""
    shown = moment.astimezone(dt.UTC).astimezone(place)
    return shown.replace(tzinfo=None, fold=0) == wall.replace(fold=0)
