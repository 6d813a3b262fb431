"""Many tables' moves in one commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.actions import Pass
from engine.errors import EngineError
from games import services, store, writer
from games.errors import GameError
from games.models import Match
from games.writer import Act, Command
from players.models import Player

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]
Choose = Callable[..., tuple[Player, Any]]


def command(match: Match, choose_move: Choose, client_id: str = "c", **given: Any) -> Command:
    player, action = choose_move(match)
    values = {
        "match_id": match.pk,
        "player": player,
        "expected_seq": match.seq,
        "action": action,
        "client_id": client_id,
        "received": timezone.now(),
    }
    return Act(**{**values, **given})


def outcome(command: Command) -> Any:
    """The number it was stored as, or the refusal's code."""
    error = command.answer.exception(timeout=20)
    if isinstance(error, GameError | EngineError):
        return error.code
    return command.answer.result(timeout=20).seq


def test_moves_at_many_tables_are_one_transaction(make_match: Make, choose_move: Choose) -> None:
    matches = [make_match() for _ in range(8)]
    commands = [command(match, choose_move) for match in matches]
    with CaptureQueriesContext(connection) as made:
        writer.carry_out(commands)
    assert [outcome(c) for c in commands] == [match.seq + 1 for match in matches]
    statements = [q["sql"] for q in made if "SAVEPOINT" not in q["sql"]]
    assert len([sql for sql in statements if sql.startswith("SELECT")]) == 2
    assert len([sql for sql in statements if sql.startswith("INSERT")]) == 1
    for match in matches:
        assert store.verify(match.pk) == []


def test_a_refusal_keeps_nobody_else_from_moving(
    make_match: Make, choose_move: Choose, make_player: Callable[..., Player]
) -> None:
    matches = [make_match() for _ in range(5)]
    commands = [
        command(matches[0], choose_move),
        command(matches[1], choose_move, expected_seq=1),
        command(matches[2], choose_move, action=Pass()),
        command(matches[3], choose_move, player=make_player()),
        command(matches[4], choose_move, match_id="nosuchtable0"),
    ]
    writer.carry_out(commands)
    assert [outcome(c) for c in commands] == [
        matches[0].seq + 1,
        "stale_seq",
        "must_play",
        "not_seated",
        "not_found",
    ]
    for match in matches[1:]:
        assert match.events.count() == match.seq


def test_two_commands_for_one_table_come_after_one_another(
    make_match: Make, choose_move: Choose
) -> None:
    one, other = make_match(), make_match()
    commands = [
        command(one, choose_move, "a"),
        command(other, choose_move, "a"),
        command(one, choose_move, "a"),
        command(one, choose_move, "b"),
    ]
    writer.carry_out(commands)
    first = one.seq + 1
    assert [outcome(c) for c in commands] == [first, other.seq + 1, first, "stale_seq"]
    assert one.events.filter(client_id__gt="").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_fails_is_done_one_by_one(
    make_match: Make, choose_move: Choose, move: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A client's id used again for a new turn breaks the commit; only its sender is answered so."""
    repeated, whole = make_match({"preset": "block", "target": 500}), make_match()
    first = move(repeated, client_id="again")
    actor = repeated.events.get(seq=first.seq).actor
    while True:
        choose_move(repeated)
        if repeated.turn == actor:
            break
        move(repeated)
    commands = [command(repeated, choose_move, "again"), command(whole, choose_move)]
    with caplog.at_level(logging.WARNING, logger="games"):
        writer.carry_out(commands)
    assert [outcome(c) for c in commands] == [first.seq, whole.seq + 1]
    assert len(caplog.records) == 1
    for match in (repeated, whole):
        assert store.verify(match.pk) == []


@pytest.mark.django_db(transaction=True)
def test_a_database_that_does_not_answer_is_told_to_whoever_waits(
    make_match: Make, choose_move: Choose, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any, **given: Any) -> Any:
        raise OperationalError("away")

    commands = [command(make_match(), choose_move) for _ in range(2)]
    monkeypatch.setattr(writer, "at_tables", away)
    monkeypatch.setattr(services, "act", away)
    writer.carry_out(commands)
    for each in commands:
        assert isinstance(each.answer.exception(timeout=1), OperationalError)


@pytest.mark.django_db(transaction=True)
async def test_the_writers_thread_answers_everyone(make_match: Make, choose_move: Choose) -> None:
    def prepare() -> tuple[list[Match], list[Command]]:
        matches = [make_match() for _ in range(12)]
        return matches, [command(match, choose_move) for match in matches]

    matches, commands = await asyncio.to_thread(prepare)
    answers = await asyncio.gather(*[asyncio.wrap_future(writer.submit(c)) for c in commands])
    assert [ack.seq for ack in answers] == [match.seq + 1 for match in matches]
    assert all(isinstance(ack, services.Ack) for ack in answers)
