"""All that changes a seek. Each is harmless when it comes twice.

Rows are locked in this order: the player, their seeks. Whoever holds a seek's lock may close it;
the match that it leads to is opened in the same transaction, so that nobody is seated twice,
whatever processes match at once, and a seek that is cancelled in the same instant is one or the
other.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from games import events
from games import selectors as games
from games import services as tables
from games.errors import GameError
from games.models import Match, Seat
from players.models import Player
from quickplay import bots, pairing
from quickplay.errors import QuickError
from quickplay.models import OPEN, Seek
from quickplay.queues import QUEUES, Queue, queue_of
from quickplay.selectors import PRESENT, own_seek
from ratings import selectors as ratings

LAPSE: Final = timedelta(seconds=60)
"""A seek without a sign of life for so long is closed."""
FRESH: Final = timedelta(seconds=1)
"""A sign of life so soon after another isn't written down."""
WAVE: Final = timedelta(seconds=2)
"""How often those who wait on are looked at again: their reach has grown."""
SIT_WITHIN: Final = timedelta(seconds=20)
"""How long a table waits for those it was made for."""
JUST_MET: Final = timedelta(minutes=10)
KEPT: Final = timedelta(days=1)
UNKNOWN: Final = (1500.0, 130.0)
"""Rating and deviation of somebody who has none in the pool."""
AT_ONCE: Final = 100
"""Tables opened in one transaction, which holds the seeks of all who wait in the queue."""
QUICK: Final = "quick"
"""The topic of pages that show how many wait."""

log = logging.getLogger(__name__)


def seek(
    *,
    player: Player,
    queue: str,
    rated: bool = True,
    unrated: bool = False,
    party: str = "",
    now: datetime | None = None,
) -> Seek:
    """Waits for a match in a queue, and looks at once whether there is one.

    The same wish again is the same seek, and a sign of life; another one takes its place. Whoever
    waits at an open table gives up that seat. `party` joins the seek that invited to it (see
    `invite`). A guest's matches are never rated. Raises QuickError no_such_queue, no_stakes,
    seated, no_party, party_full.
    """
    row = _open(player, queue_of(queue), rated, unrated, party, now or timezone.now())
    match_waiting(queue=queue, rounds=1, now=now)
    row.refresh_from_db()
    return row


def invite(
    *,
    player: Player,
    queue: str,
    rated: bool = True,
    unrated: bool = False,
    now: datetime | None = None,
) -> Seek:
    """Waits for a partner, who joins by the `party` of the seek; then both wait for a match.

    Asked for twice it is the same invitation. Raises QuickError no_such_queue, no_stakes, seated.
    """
    wanted = queue_of(queue)
    if not wanted.offer.partners:
        raise QuickError("no_such_queue", key="queue")
    with transaction.atomic():
        _lock(player)
        known = own_seek(player)
        party = known.party if known is not None and known.queue == queue else ""
        party = party or secrets.token_hex(6)
        return _open(player, wanted, rated, unrated, party, now or timezone.now(), hosts=True)


def cancel(*, player: Player, now: datetime | None = None) -> bool:
    """Stops waiting; whether they did wait."""
    with transaction.atomic():
        own = _locked_seek(player)
        if own is not None:
            own.close(Seek.End.CANCELLED, now or timezone.now())
            _changed([own, *_beside(own)])
    return own is not None


def heartbeat(*, player: Player, now: datetime | None = None) -> None:
    """A sign of life of somebody who waits."""
    moment = now or timezone.now()
    stale = _open_seeks().filter(player=player, seen_at__lte=moment - FRESH)
    stale.update(seen_at=moment)


def go_away(*, player: Player, now: datetime | None = None) -> None:
    """The page that waits was left: the player is not seated until the next sign of life."""
    moment = now or timezone.now()
    _open_seeks().filter(player=player).update(seen_at=moment - PRESENT - timedelta(seconds=1))


def play_bot(*, player: Player, now: datetime | None = None) -> Match:
    """Plays bots instead of waiting on, unrated; a partner who is there too comes along.

    Asked for twice it is the same match. Raises QuickError not_waiting, seated.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        _lock(player)
        known = own_seek(player)
        rows = _lock_seeks(player, known.party if known else "")
        if all(row.player_id != player.pk for row in rows):
            return _last_match(player)
        busy = games.tables_of([row.player_id for row in rows])
        if player.pk in busy:
            raise QuickError("seated", match=busy[player.pk])
        there = [
            row for row in rows if row.seen_at >= moment - PRESENT or row.player_id == player.pk
        ]
        together = [row for row in there if row.player_id not in busy]
        people = Player.objects.in_bulk([row.player_id for row in together])
        queue, seats = QUEUES[together[0].queue], [people[row.player_id] for row in together]
        level = bots.level_for(queue, together[0].rating)
        match = tables.open_match(**_opening(queue, seats, moment, rated=False, bot=level))
        _close(together, [match], Seek.End.BOT, moment)
        return match


def match_waiting(*, queue: str, rounds: int | None = None, now: datetime | None = None) -> int:
    """Opens tables for those who wait in a queue; how many. At most `rounds` transactions.

    Safe to call at any time, from anywhere, twice at once: seeks that somebody else is looking at
    are left to them.
    """
    shape, opened = queue_of(queue), 0
    while rounds is None or rounds > 0:
        moment = now or timezone.now()
        if _present(queue, moment).count() < shape.offer.seats:
            break
        made = _match_some(shape, moment)
        opened += made
        if made < AT_ONCE:
            break
        rounds = None if rounds is None else rounds - 1
    return opened


def sweep(now: datetime | None = None) -> int:
    """Closes what has lapsed, and looks at each queue in which a seek is due; tables opened."""
    moment = now or timezone.now()
    gone = _open_seeks().filter(seen_at__lt=moment - LAPSE)
    if gone.exists():  # writing locks, if only for a moment
        gone.update(closed_at=moment, closed_as=Seek.End.LAPSED)
        events.changed(QUICK)
    due = _open_seeks().filter(due_at__lte=moment).order_by().values_list("queue", flat=True)
    opened = 0
    for queue in sorted(set(due.distinct())):
        try:
            opened += match_waiting(queue=queue, now=now)
        except Exception:
            log.exception("Queue %s was not looked at", queue)
        _open_seeks().filter(queue=queue, due_at__lte=moment).update(due_at=moment + WAVE)
    return opened


def forget_old(now: datetime | None = None) -> int:
    """Deletes seeks that were closed long ago; how many."""
    old = (now or timezone.now()) - KEPT
    return Seek.objects.filter(closed_at__lt=old).delete()[0]


@transaction.atomic
def _open(
    player: Player,
    queue: Queue,
    rated: bool,
    unrated: bool,
    party: str,
    now: datetime,
    *,
    hosts: bool = False,
) -> Seek:
    _lock(player)
    if not (rated or unrated):
        raise QuickError("no_stakes")
    if player.is_guest:
        rated, unrated = False, True
    known = next((s for s in _lock_seeks(player, party) if s.player_id == player.pk), None)
    _leave_open_tables(player)
    if match := games.tables_of([player.pk]).get(player.pk):
        raise QuickError("seated", match=match)
    wish = {"queue": queue.key, "rated": rated, "unrated": unrated, "party": party}
    if known is not None and all(getattr(known, name) == value for name, value in wish.items()):
        known.seen_at = now
        known.save(update_fields=["seen_at"])
        return known
    place = _free_place(player, queue, party) if party and not hosts else 0
    if known is not None:
        known.close(Seek.End.CANCELLED, now)
    shown = ratings.rating_of(player, queue.rating_pool)
    rating, deviation = (shown.rating, shown.deviation) if shown else UNKNOWN
    moments = {"created_at": now, "seen_at": now, "due_at": now}
    made = Seek.objects.create(
        player=player, place=place, rating=rating, deviation=deviation,
        avoid_id=_just_met(player, now) if queue.offer.seats == 2 else None, **wish, **moments,
    )  # fmt: skip
    _changed([made, *_beside(made)])
    return made


def _beside(seek: Seek) -> QuerySet[Seek]:
    """The open seek of their partner, if there is one."""
    same = _open_seeks().exclude(pk=seek.pk)
    return same.filter(party=seek.party) if seek.party else same.none()


def _changed(seeks: Iterable[Seek]) -> None:
    """Tells the pages of those who wait, and of those who see how many do."""
    events.changed(QUICK, *(events.of_player(seek.player_id) for seek in seeks))


def _leave_open_tables(player: Player) -> None:
    for _player, match_id in sorted(games.open_tables_of([player.pk])):
        with suppress(GameError):  # they have left it by themselves
            tables.leave(match_id=match_id, player=player)


def _free_place(player: Player, queue: Queue, party: str) -> int:
    """The place beside whoever invited. Raises QuickError no_party, party_full."""
    there = _open_seeks().filter(party=party, queue=queue.key).exclude(player=player)
    others = set(there.values_list("place", flat=True))
    if not others:
        raise QuickError("no_party")
    if len(others) == 2:
        raise QuickError("party_full")
    return 1 - others.pop()


def _just_met(player: Player, now: datetime) -> int | None:
    """Whom they played last, if that was a moment ago."""
    return (
        Seat.objects.filter(
            match__seat__player=player, match__seats=2, match__finished_at__gte=now - JUST_MET
        )
        .exclude(player=player)
        .order_by("-match__finished_at")
        .values_list("player_id", flat=True)
        .first()
    )


@transaction.atomic
def _match_some(queue: Queue, now: datetime) -> int:
    """Some of the tables that can be opened now, in one transaction."""
    rows = {row.pk: row for row in _locked(_present(queue.key, now))}
    people = [row.player_id for row in rows.values()]
    busy = {*games.tables_of(people), *(player for player, _ in games.open_tables_of(people))}
    for row in list(rows.values()):
        if row.player_id in busy:  # seated elsewhere since
            rows.pop(row.pk).close(Seek.End.CANCELLED, now)
            _changed([row])
    offer = queue.offer
    waiting = _waiting(rows.values(), now)
    made = pairing.pair(waiting, seats=offer.seats, partners=offer.partners)[:AT_ONCE]
    return _seat(queue, list(rows.values()), made, now) if made else 0


def _seat(queue: Queue, rows: Sequence[Seek], made: Sequence[pairing.Table], now: datetime) -> int:
    """Opens the tables that were made of these seeks, which are locked, and closes those; how many.

    One that is refused is logged and doesn't keep the others.
    """
    known = Player.objects.in_bulk([player for table in made for player in table.players])
    answers = tables.open_matches(
        [_opening(queue, [known[pk] for pk in t.players], now, rated=t.rated) for t in made]
    )
    matches = [answer for answer in answers if isinstance(answer, Match)]
    if len(matches) < len(made):
        log.error("Tables of queue %s were refused: %r", queue.key, set(answers) - set(matches))
    _close([row for row in rows if row.player_id in known], matches, Seek.End.MATCHED, now)
    return len(matches)


def _opening(
    queue: Queue, people: Sequence[Player], now: datetime, *, rated: bool, bot: str = ""
) -> tables.Opening:
    """A table for these people, the longest waiting first; bots of that strength beside them."""
    step = 2 if queue.offer.partners and bot else 1
    own = {step * at: each for at, each in enumerate(people)}
    seats = range(queue.offer.seats)
    return {
        "rules": queue.rules,
        "seats": queue.offer.seats,
        "host": people[0],
        "players": [own.get(index) for index in seats],
        "bots": {index: bot for index in seats if index not in own},
        "turn_seconds": queue.turn_seconds,
        "bank_seconds": queue.bank_seconds,
        "rated": rated,
        "listed": not bot,
        "context": {"quick": queue.key},
        "sit_by": now + SIT_WITHIN,
        "told": False,  # their pages wait for it
        "now": now,
    }


def _close(seeks: Iterable[Seek], matches: Sequence[Match], how: Seek.End, now: datetime) -> None:
    """The end of those seeks, which are locked, whose players sit at the matches now."""
    seats = Seat.objects.filter(match__in=matches, player=OuterRef("player"))
    Seek.objects.filter(Exists(seats), pk__in=[row.pk for row in seeks]).update(
        closed_at=now, closed_as=how, match=Subquery(seats.values("match")[:1])
    )
    _changed(seeks)


def _waiting(rows: Iterable[Seek], now: datetime) -> Iterator[pairing.Waiting]:
    """Those rows as pairing takes them; a party counts when both are there."""
    alone = [[row] for row in rows if not row.party]
    in_parties = sorted((row for row in rows if row.party), key=lambda row: (row.party, row.place))
    parties = [list(both) for _party, both in groupby(in_parties, key=lambda row: row.party)]
    for unit in alone + [both for both in parties if len(both) == 2]:
        rated = all(row.rated for row in unit)
        yield pairing.Waiting(
            key=min(row.pk for row in unit),
            players=tuple(row.player_id for row in unit),
            mean=sum(row.rating for row in unit) / len(unit),
            deviation=max(row.deviation for row in unit),
            waited=(now - max(row.created_at for row in unit)).total_seconds(),
            rated=rated,
            unrated=not rated or all(row.unrated for row in unit),
            avoid=frozenset(row.avoid_id for row in unit if row.avoid_id is not None),
        )


def _open_seeks() -> QuerySet[Seek]:
    return Seek.objects.filter(OPEN)


def _present(queue: str, now: datetime) -> QuerySet[Seek]:
    return _open_seeks().filter(queue=queue, seen_at__gte=now - PRESENT).order_by("pk")


def _locked_seek(player: Player) -> Seek | None:
    return next(iter(_lock_seeks(player)), None)


def _lock_seeks(player: Player, party: str = "") -> list[Seek]:
    """The open seeks of the player and of the party, locked in one order everywhere."""
    whose = Q(player=player) | Q(party=party) if party else Q(player=player)
    return list(_open_seeks().filter(whose).order_by("pk").select_for_update())


def _last_match(player: Player) -> Match:
    """The match that their last seek led to, while it is on. Raises QuickError("not_waiting")."""
    last = Seek.objects.filter(player=player, match__isnull=False).order_by("-pk").first()
    if last is None or last.match is None or not (last.match.is_open or last.match.is_running):
        raise QuickError("not_waiting")
    return last.match


def _lock(player: Player) -> None:
    """A double click waits here for the first; a table that seats the player does not."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def _locked(seeks: QuerySet[Seek]) -> QuerySet[Seek]:
    """Locked rows are someone's work. SQLite has no row locks: its writers go one by one."""
    if connection.features.has_select_for_update_skip_locked:
        return seeks.select_for_update(skip_locked=True)
    return seeks
