"""Deals checked from public facts alone (docs/protocol.md, "Checking a deal")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine import shuffle
from engine.rules import RuleSet
from engine.tiles import texts
from games.store import ZERO_HEAD, head_after

# What DSH-1 takes where a seat gives no randomness of its own.
NO_CLIENT_SEED: Final = bytes(32)
_NOT_HASHED: Final = ("seq", "kind", "time")

Facts = Mapping[str, Any]


def check_deals(record: Facts, events: Iterable[Facts]) -> dict[int, list[str]]:
    """By finished round, what is wrong with its deal; `events` is the whole public log."""
    rules = RuleSet.parse(record["rules"], len(record["players"]))
    found: dict[int, list[str]] = {}
    started: Facts = {}
    head = prev = ZERO_HEAD
    for event in events:
        data = {name: value for name, value in event.items() if name not in _NOT_HASHED}
        head = head_after(head, event["seq"], event["kind"], data)
        if event["kind"] == "round_started":
            started = event
        elif event["kind"] == "round_ended":
            played = record["rounds"][event["number"] - 1]
            faults = _faults(rules, started, event["deal"]["seed"], played)
            if started["deal"]["prev"] != prev:
                faults.append("it is not tied to the log before it")
            found[event["number"]] = faults
            prev = head
    return found


def _faults(rules: RuleSet, started: Facts, seed: str, played: Facts) -> list[str]:
    told = started["deal"]
    deal_id, secret = bytes.fromhex(told["id"]), bytes.fromhex(seed)
    faults = []
    if shuffle.commitment(deal_id, secret).hex() != told["commit"]:
        faults.append("the seed is not the one committed to")
    clients = [NO_CLIENT_SEED] * rules.seats
    key = shuffle.deal_key(secret, deal_id, bytes.fromhex(told["prev"]), clients)
    tiles = shuffle.deal(key, rules.seats, rules.hand_size)
    hands, boneyard = [set(texts(hand)) for hand in tiles.hands], list(texts(tiles.boneyard))
    if hands != [set(hand) for hand in played["hands"]] or boneyard != played["boneyard"]:
        faults.append("other tiles were played")
    # In later rounds a drawn leader looks like one who won the round before.
    is_drawn = started["number"] == 1 and rules.first_lead == "random"
    if is_drawn and started["leader"] != shuffle.leader(key, rules.seats):
        faults.append("another seat led")
    return faults
