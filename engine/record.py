"""Game records, domino-record/1: written from a match's log, and replayed (rules.md 9).

>>> replay_line('{"format": "domino-record/2"}')["error"]
{'round': None, 'move': None, 'detail': 'format: must be domino-record/1'}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from engine import events as ev
from engine.actions import Claim, Draw, from_json
from engine.errors import BadRecord, EngineError, Refusal
from engine.events import Event
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import parse, text, texts

FORMAT: Final = "domino-record/1"
_UNPAID: Final = ("no_claim_open", "already_claimed")


# Writing


def dump(
    rules_source: Mapping[str, object],
    players: Sequence[str],
    rounds: Iterable[tuple[Deal, Sequence[Event]]],
) -> dict[str, object]:
    """A match as a record: `rules_source` as given, names by seat, each round's deal and events."""
    return {
        "format": FORMAT,
        "rules": dict(rules_source),
        "players": list(players),
        "rounds": [_dump_round(deal, events) for deal, events in rounds],
    }


def _dump_round(deal: Deal, events: Sequence[Event]) -> dict[str, object]:
    out: dict[str, object] = {
        "hands": [list(texts(hand)) for hand in deal.hands],
        "boneyard": list(texts(deal.boneyard)),
    }
    moves: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event, ev.RoundStarted) and event.leader is not None:
            out["leader"] = event.leader
        elif isinstance(event, ev.Drew) and moves and _is_draw_of(moves[-1], event.seat):
            moves[-1]["draw"] += event.count
        elif isinstance(event, (ev.Played, ev.Drew, ev.Passed, ev.Claimed)):
            moves.append(_dump_move(event))
    out["moves"] = moves
    return out


def _is_draw_of(move: Mapping[str, object], seat: int) -> bool:
    return "draw" in move and move["seat"] == seat


def _dump_move(event: ev.Played | ev.Drew | ev.Passed | ev.Claimed) -> dict[str, Any]:
    if isinstance(event, ev.Drew):
        return {"seat": event.seat, "draw": event.count}
    if isinstance(event, ev.Passed):
        return {"seat": event.seat, "pass": True}
    if isinstance(event, ev.Claimed):
        return {"seat": event.seat, "muggins": event.points}
    move: dict[str, Any] = {"seat": event.seat, "play": text(event.tile)}
    if event.end is not None:
        move["at"] = event.end
    if event.call is not None:
        move["call"] = event.call
    return move


# Replaying


def replay(record: object) -> dict[str, object]:
    """Play a record through the engine: the answers of rules.md 9. Raises BadRecord."""
    data = _object(record, "a record")
    if data.get("format") != FORMAT:
        raise BadRecord(f"format: must be {FORMAT}")
    _known(data, "format", "rules", "players", "rounds")
    players = data.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise BadRecord("players: must be a list of names")
    if not 2 <= len(players) <= 4:
        raise BadRecord("players: must be two to four")
    try:
        match = Match(RuleSet.parse(_object(data.get("rules"), "rules"), len(players)))
    except EngineError as error:
        raise BadRecord(error.detail) from None
    rounds = data.get("rounds")
    if not isinstance(rounds, list):
        raise BadRecord("rounds: must be a list")
    answers = [
        _replay_round(match, number, given, last=number == len(rounds) - 1)
        for number, given in enumerate(rounds)
    ]
    return {"rounds": answers, "scores": list(match.scores), "winner": match.winner}


def replay_line(line: str) -> dict[str, object]:
    """Replay a record written as JSON: its answers, or {"error": {round, move, detail}}.

    `round` and `move` count from 0, and are null where the fault lies outside of them.
    """
    try:
        return replay(json.loads(line, parse_constant=_no_constant))
    except BadRecord as error:
        return _error(error.detail, error.round, error.move)
    except (ValueError, RecursionError) as error:
        return _error(f"not JSON: {error}"[:200])


def records(lines: Iterable[str]) -> Iterator[str]:
    """The records in a text: one on each line, or a single one over many lines."""
    rest = iter(lines)
    first = next((line for line in rest if line.strip()), None)
    if first is None:
        return
    others = [] if _is_json(first) else list(rest)
    whole = first + "".join(others)
    if others and _is_json(whole):
        yield whole
        return
    yield first
    yield from (line for line in chain(others, rest) if line.strip())


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _error(detail: str, round: int | None = None, move: int | None = None) -> dict[str, object]:
    return {"error": {"round": round, "move": move, "detail": detail}}


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _replay_round(match: Match, number: int, given: object, *, last: bool) -> dict[str, object]:
    try:
        deal, leader, moves = _read_round(given)
        if match.phase == "over":
            raise BadRecord("the match is over before this round")
        match.start_round(deal, leader)
    except EngineError as error:
        raise BadRecord(error.detail, number) from None
    answers: list[dict[str, object]] = []
    end: ev.RoundEnded | None = None
    for index, move in enumerate(moves):
        try:
            answer, events = _replay_move(match, move)
        except EngineError as error:
            raise BadRecord(error.detail, number, index) from None
        answers.append(answer)
        end = _ended(events) or end
    if match.phase == "claims":
        end = _ended(match.settle())
    if end is None and not last:
        raise BadRecord("the round is broken off, yet another follows", number)
    return {"moves": answers, "end": _end_answer(end)}


def _ended(events: Iterable[Event]) -> ev.RoundEnded | None:
    return next((event for event in events if isinstance(event, ev.RoundEnded)), None)


def _end_answer(end: ev.RoundEnded | None) -> dict[str, object] | None:
    if end is None:
        return None
    return {
        "reason": end.reason,
        "out": end.out,
        "winner": end.winner,
        "pips": list(end.pips),
        "points": list(end.points),
        "scores": list(end.scores),
    }


def _read_round(given: object) -> tuple[Deal, int | None, list[object]]:
    data = _object(given, "a round")
    _known(data, "hands", "boneyard", "leader", "moves")
    hands, moves, leader = data.get("hands"), data.get("moves"), data.get("leader")
    if not isinstance(hands, list) or not isinstance(moves, list):
        raise BadRecord("a round has lists of hands and moves")
    if "leader" in data and type(leader) is not int:
        raise BadRecord("leader: must be a seat")
    deal = Deal(tuple(_tiles(hand) for hand in hands), _tiles(data.get("boneyard")))
    return deal, leader if isinstance(leader, int) else None, moves


def _tiles(given: object) -> tuple[int, ...]:
    if not isinstance(given, list):
        raise BadRecord("hands and boneyard are lists of tiles")
    return tuple(parse(name) for name in given)


def _replay_move(match: Match, given: object) -> tuple[dict[str, object], tuple[Event, ...]]:
    """One move of a record: its answer, and what happened."""
    move = dict(_object(given, "a move"))
    seat = move.pop("seat", None)
    if type(seat) is not int:
        raise BadRecord("a move names its seat")
    count = move.get("draw")
    if type(count) is int:
        _known(move, "draw")
        return {}, _draws(match, seat, count)
    action = from_json(move)
    if isinstance(action, Claim):
        return _replay_claim(match, seat, action)
    events = match.act(seat, action)
    played = events[0]
    if not isinstance(played, ev.Played):
        return {}, events
    assert match.round is not None
    ends = match.round.ends()
    return {"total": played.total, "score": played.score, "ends": ends}, events


def _replay_claim(
    match: Match, seat: int, claim: Claim
) -> tuple[dict[str, object], tuple[Event, ...]]:
    """A claim too late, or on the points of one's own side, pays nothing (rules.md 5)."""
    try:
        events = match.act(seat, claim)
    except Refusal as refusal:
        if refusal.code not in _UNPAID:
            raise
        return {"score": 0}, ()
    claimed = events[0]
    assert isinstance(claimed, ev.Claimed)
    return {"score": claimed.score}, events


def _draws(match: Match, seat: int, count: int) -> tuple[Event, ...]:
    if count < 1:
        raise BadRecord("draw: counts the tiles drawn, at least 1")
    events: tuple[Event, ...] = ()
    for _ in range(count):
        events += match.act(seat, Draw())
    return events


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise BadRecord(f"{what}: must be an object")
    return value


def _known(data: Mapping[str, object], *keys: str) -> None:
    for key in data:
        if key not in keys:
            raise BadRecord(f"{str(key)[:40]}: no such key")
