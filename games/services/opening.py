"""Tables before they are played at: opened, joined, left, filled with bots, and played again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Required, TypedDict, Unpack

from django.db import transaction

from engine.bots import LEVELS
from engine.errors import EngineError
from engine.match import Match as Game
from engine.rules import RULES_VERSION, RuleSet, game_of
from games import clock, ledger, store
from games.errors import GameError
from games.models import Match, Seat
from games.models.match import LIMITS
from games.services.ending import call_off
from games.services.work import Refused, at_table, send_away, welcome_back
from games.table import Table
from outbox.services import publish_all
from players.services import bot_player

TIME_PERCENTS: Final = (100, 150, 200)


class Opening(TypedDict, total=False):
    """A table as it is wished for; what is left out is as the model has it.

    `players` reserves seats, by seat (None: free); without it the host takes the first free seat.
    `bots` seats bots by strength. With `sit_by`, people with a reserved seat must come (`sit`)
    until then, and who does not come loses; without it they are taken to be there. They are told
    (`match.reserved`), unless `told` is off. A full table starts at once, unless
    `starts_when_full` is off. Spectators are `spectator_delay` turns behind. `talk` says whether
    players may write to each other ("text"), or have preset words alone. `time_percents` gives
    seats 150 or 200 percent of the time for a turn and of the bank. `context` is plain data for
    whoever opened the table.
    """

    rules: Required[Mapping[str, object]]
    seats: Required[int]
    host: Any
    players: Sequence[Any] | None
    bots: Mapping[int, str] | None
    turn_seconds: int
    bank_seconds: int
    break_seconds: int
    bot_delay_ms: int
    away_after: int
    rated: bool
    listed: bool
    context: Mapping[str, object]
    sit_by: datetime | None
    told: bool
    forfeit_away_seconds: int | None
    starts_when_full: bool
    spectator_delay: int
    talk: str
    time_percents: Mapping[int, int] | None
    now: datetime | None


_NOT_OF_THE_CARD: Final = frozenset(("seats", "players", "bots", "told", "time_percents", "now"))


def open_match(**opening: Unpack[Opening]) -> Match:
    """Open a table. Raises BadRules, or GameError (bad_setting, no_such_bot, taken)."""
    (answer,) = open_matches([opening])
    if isinstance(answer, GameError | EngineError):
        raise answer
    return answer


def open_matches(openings: Sequence[Opening]) -> list[Match | Refused]:
    """Open many tables in one transaction, each as if it was the only one: it, or its refusal.

    Whoever has hundreds to open does so by some dozens, so that no lock is held for long.
    """
    with transaction.atomic():
        answers = [_set_up(opening) for opening in openings]
        opened = [answer for answer in answers if isinstance(answer, Table)]
        ledger.save(*opened)
        told = [
            answer.card.pk
            for opening, answer in zip(openings, answers, strict=True)
            if isinstance(answer, Table) and answer.card.sit_by and opening.get("told", True)
        ]
        publish_all("match.reserved", {match_id: {"match": match_id} for match_id in told})
    return [answer.card if isinstance(answer, Table) else answer for answer in answers]


def _set_up(opening: Opening) -> Table | Refused:
    """The table that is to be stored, begun if it is full."""
    try:
        table = _furnished(opening)
    except (GameError, EngineError) as refusal:
        return refusal
    _log_opened(table)
    _start_if_full(table)
    return table


def _furnished(opening: Opening) -> Table:
    """A table with everybody at their seats. Raises BadRules, GameError."""
    settings: dict[str, Any] = {
        name: value for name, value in opening.items() if name not in _NOT_OF_THE_CARD
    }
    settings |= {"rules": dict(opening["rules"]), "context": dict(opening.get("context", {}))}
    percents = opening.get("time_percents") or {}
    if not set(percents.values()) <= set(TIME_PERCENTS):
        raise GameError("bad_setting", key="time_percents")
    table = _opened(Match(**settings), opening["seats"], opening.get("now"))
    for seat in table.seats:
        _give_time(seat, percents.get(seat.index, 100), table.card)
    _seat_bots(table, opening.get("bots") or {})
    _seat_people(table, opening)
    return table


def _seat_people(table: Table, opening: Opening) -> None:
    """The reserved seats, or else the host's own."""
    players, host = opening.get("players"), opening.get("host")
    for index, player in enumerate(players or ()):
        if player is not None:
            _reserve(table, index, player, sat=table.card.sit_by is None)
    if players is None and host is not None:
        free = _free_seat(table)
        if free is not None:
            _take(table, free, host)


def _give_time(seat: Seat, percent: int, card: Match) -> None:
    seat.time_percent, seat.bank_ms = percent, 10 * percent * card.bank_seconds


def _opened(card: Match, seats: int, now: datetime | None) -> Table:
    """A table that is not stored yet, its settings checked."""
    resolved = RuleSet.parse(card.rules, seats)
    card.seats, card.rules_version, card.preset = seats, RULES_VERSION, resolved.preset
    card.game = game_of(resolved.preset)
    card.created_at = now or clock.now()
    card.wake_at = card.sit_by or card.created_at + clock.OPEN_FOR
    card.scores = [0] * resolved.sides
    _check(card)
    chairs = [
        Seat(match=card, index=index, bank_ms=1000 * card.bank_seconds) for index in range(seats)
    ]
    return Table(card, chairs, store.State(Game(resolved)), card.created_at, is_new=True)


def _check(card: Match) -> None:
    """Raises GameError("bad_setting") naming the setting that the database would refuse."""
    for name, (least, most) in LIMITS.items():
        value = getattr(card, name)
        if type(value) is not int or not least <= value <= most:
            raise GameError("bad_setting", key=name)
    if card.talk not in Match.Talk.values:
        raise GameError("bad_setting", key="talk")
    limit = card.forfeit_away_seconds
    if limit is not None and (type(limit) is not int or limit < 0):
        raise GameError("bad_setting", key="forfeit_away_seconds")


def _log_opened(table: Table) -> None:
    table.log("opened", {"seats": table.card.seats, "game": table.card.game})
    for seat in table.seats:
        if seat.is_taken:
            table.log("joined", {"seat": seat.index, "name": seat.name})


def _seat_bots(table: Table, bots: Mapping[int, str]) -> None:
    for index, level in sorted(bots.items()):
        if type(index) is not int or not 0 <= index < table.card.seats:
            raise GameError("bad_setting", key="bots")
        _reserve(table, index, _next_bot(table, level), sat=True)


def _next_bot(table: Table, level: str) -> Any:
    """A bot of this strength that does not sit at the table yet."""
    if level not in LEVELS:
        raise GameError("no_such_bot", level=str(level)[:20])
    number = 1 + sum(seat.bot_level == level for seat in table.seats)
    taken = {seat.player_id for seat in table.seats}
    while (bot := bot_player(level=level, number=number)).pk in taken:
        number += 1
    return bot


def _reserve(table: Table, index: int, player: Any, *, sat: bool) -> None:
    if not 0 <= index < table.card.seats or table.seats[index].is_taken or table.seat_of(player):
        raise GameError("taken", seat=index)
    seat = table.seats[index]
    seat.player, seat.name, seat.bot_level = player, player.name, player.bot_level
    seat.sat_at = table.now if sat or player.is_bot else None


def _take(table: Table, seat: Seat, player: Any) -> None:
    """A person sits down, here and now."""
    _reserve(table, seat.index, player, sat=True)
    seat.seen_at = table.now


def _free_seat(table: Table) -> Seat | None:
    return next((seat for seat in table.seats if not seat.is_taken), None)


def _start_if_full(table: Table) -> None:
    full = all(seat.is_taken and seat.sat_at is not None for seat in table.seats)
    if full and table.card.starts_when_full and table.card.is_open:
        table.begin()


def join(
    *, match_id: str, player: Any, seat: int | None = None, now: datetime | None = None
) -> Seat:
    """Take a seat at an open table, the first free one unless `seat` says which.

    The same player gets the same seat again, a reserved one too. Raises GameError (full, taken,
    has_begun).
    """

    def work(table: Table) -> Seat:
        own = table.seat_of(player)
        if own is not None:
            _arrive(table, own)
            return own
        if not table.card.is_open:
            raise GameError("has_begun")
        chosen = _chosen_seat(table, seat)
        _take(table, chosen, player)
        table.log("joined", {"seat": chosen.index, "name": chosen.name}, chosen.index)
        _start_if_full(table)
        return chosen

    return at_table(match_id, work, now)


def _chosen_seat(table: Table, index: int | None) -> Seat:
    if index is None:
        free = _free_seat(table)
        if free is None:
            raise GameError("full")
        return free
    if type(index) is not int or not 0 <= index < table.card.seats or table.seats[index].is_taken:
        raise GameError("taken", seat=index)
    return table.seats[index]


def sit(*, match_id: str, player: Any, now: datetime | None = None) -> Seat:
    """The player of a reserved seat is there; when all are, the match starts.

    Raises GameError("not_seated").
    """

    def work(table: Table) -> Seat:
        seat = table.own_seat(player)
        _arrive(table, seat)
        return seat

    return at_table(match_id, work, now)


def _arrive(table: Table, seat: Seat) -> None:
    """A sign of life of the seat's own player."""
    seat.seen_at = table.now
    welcome_back(table, seat)
    if table.card.is_open and seat.sat_at is None:
        seat.sat_at = table.now
        table.log("sat", {"seat": seat.index}, seat.index)
        _start_if_full(table)


def start(*, match_id: str, by: Any, now: datetime | None = None) -> None:
    """The host starts a full table that does not start by itself."""

    def work(table: Table) -> None:
        _hosted_by(table, by)
        if any(not seat.is_taken or seat.sat_at is None for seat in table.seats):
            raise GameError("not_running")
        table.begin()

    at_table(match_id, work, now)


def add_bot(
    *,
    match_id: str,
    by: Any,
    level: str = "medium",
    seat: int | None = None,
    now: datetime | None = None,
) -> Seat:
    """The host gives a free seat to a bot. Raises GameError (not_host, full, has_begun, …)."""

    def work(table: Table) -> Seat:
        _hosted_by(table, by)
        chosen = _chosen_seat(table, seat)
        _add_bot(table, chosen, level)
        _start_if_full(table)
        return chosen

    return at_table(match_id, work, now)


def fill_with_bots(
    *, match_id: str, by: Any, level: str = "medium", now: datetime | None = None
) -> None:
    """The host gives all free seats to bots; nothing when the match has begun already."""

    def work(table: Table) -> None:
        if table.card.is_running and table.card.host_id == getattr(by, "pk", None):
            return
        _hosted_by(table, by)
        while (free := _free_seat(table)) is not None:
            _add_bot(table, free, level)
        _start_if_full(table)

    at_table(match_id, work, now)


def _add_bot(table: Table, seat: Seat, level: str) -> None:
    _reserve(table, seat.index, _next_bot(table, level), sat=True)
    table.log("joined", {"seat": seat.index, "name": seat.name})


def _hosted_by(table: Table, player: Any) -> None:
    pk = getattr(player, "pk", None)
    if pk is None or table.card.host_id != pk:
        raise GameError("not_host")
    if not table.card.is_open:
        raise GameError("has_begun")


def leave(*, match_id: str, player: Any, now: datetime | None = None) -> None:
    """Go away: an open table's seat is free again, at a running one the server plays on.

    A reserved seat stays reserved. An open table that no person sits at any more is closed.
    """

    def work(table: Table) -> None:
        seat = table.own_seat(player)
        if table.card.is_running:
            send_away(table, seat, "left")
        elif table.card.is_open and table.card.sit_by is not None:
            seat.sat_at = None
        elif table.card.is_open:
            _stand_up(table, seat)

    at_table(match_id, work, now)


def _stand_up(table: Table, seat: Seat) -> None:
    leaver = seat.player_id
    seat.player, seat.name, seat.sat_at, seat.seen_at = None, "", None, None
    table.log("left", {"seat": seat.index}, seat.index)
    people = [other for other in table.seats if other.is_taken and not other.is_bot]
    if not people:
        call_off(table, "everyone_left")
    elif table.card.host_id == leaver:
        table.card.host_id = people[0].player_id


def rematch(*, match_id: str, player: Any, now: datetime | None = None) -> Match:
    """The same people, bots and rules again; whoever asks first opens it, the others come to it.

    It waits a while for the others to come. Raises GameError (not_seated, not_over).
    """

    def work(table: Table) -> Match:
        card = table.card
        table.own_seat(player)
        if card.status != Match.Status.FINISHED:
            raise GameError("not_over")
        known = card.rematch
        if known is None or known.status == Match.Status.CANCELLED:
            known = card.rematch = _open_again(table, player)
            table.log("rematch", {"match": known.pk})
        return known

    again = at_table(match_id, work, now)
    sit(match_id=again.pk, player=player, now=now)
    again.refresh_from_db()
    return again


def _open_again(table: Table, host: Any) -> Match:
    old = table.card
    kept = (
        "rules", "turn_seconds", "bank_seconds", "break_seconds", "bot_delay_ms", "away_after",
        "rated", "listed", "spectator_delay", "talk",
    )  # fmt: skip
    card = Match(host=host, **{name: getattr(old, name) for name in kept})
    again = _opened(card, old.seats, table.now)
    card.wake_at = table.now + clock.REMATCH_FOR
    for seat in Seat.objects.filter(match=old, player__isnull=False).select_related("player"):
        _reserve(again, seat.index, seat.player, sat=False)
        _give_time(again.seats[seat.index], seat.time_percent, card)
    _log_opened(again)
    ledger.save(again)
    return card
