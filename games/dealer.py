"""Makes deals and derives them again (DSH-1, shuffle.md). Only `games.store` may import it.

The master key lies outside of the database, so that neither a reader of the database nor of a
backup sees a hidden tile; the row holds what the server's seed is derived from, and the commit it
is held to.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings

from engine import shuffle
from engine.round import Deal as Tiles
from engine.rules import RuleSet
from games.models.deal import Deal

# Seats give no randomness of their own yet: DSH-1 writes 32 zero bytes for each.
NO_CLIENT_SEED: Final = bytes(32)


class DealBroken(Exception):
    """A deal that can't be derived, or not to what was committed: nobody may play on with it."""


@dataclass(frozen=True)
class Dealt:
    """A deal ready to play, and what everyone may know of it (`public`, `voided`)."""

    row: Deal = field(repr=False)
    tiles: Tiles = field(repr=False)
    leader: int | None
    voided: tuple[dict[str, str], ...] = ()

    @property
    def public(self) -> dict[str, object]:
        """What a round's start publishes; deals that were void are shown whole, seed and all."""
        out: dict[str, object] = {
            "id": self.row.deal_id,
            "commit": self.row.commit,
            "prev": self.row.prev,
        }
        if self.voided:
            out["voided"] = list(self.voided)
        return out


def deal(match_id: str, number: int, rules: RuleSet, prev: str, *, draws_leader: bool) -> Dealt:
    """A new deal, dealt anew while it is void by the rules (rules.md 3)."""
    voided: list[dict[str, str]] = []
    while True:
        row = Deal(
            match_id=match_id,
            number=number,
            deal_id=secrets.token_hex(16),
            nonce=secrets.token_hex(16),
            key_id=settings.MUGGINS_MASTER_KEY_ID,
            prev=prev,
        )
        seed = _seed(row)
        row.commit = shuffle.commitment(bytes.fromhex(row.deal_id), seed).hex()
        tiles, leader = _derive(row, seed, rules)
        if not tiles.void(rules):
            return Dealt(row, tiles, leader if draws_leader else None, tuple(voided))
        voided.append({"id": row.deal_id, "commit": row.commit, "seed": seed.hex()})


def derive(row: Deal, rules: RuleSet) -> Tiles:
    """The tiles of a stored deal. Raises DealBroken, loudly, if the commit does not hold."""
    return _derive(row, _checked_seed(row), rules)[0]


def reveal(row: Deal) -> str:
    """The server's seed, to be published once the round is over."""
    return _checked_seed(row).hex()


def _checked_seed(row: Deal) -> bytes:
    seed = bytes.fromhex(row.seed) if row.seed else _seed(row)
    commit = shuffle.commitment(bytes.fromhex(row.deal_id), seed)
    if not hmac.compare_digest(commit.hex(), row.commit):
        raise DealBroken(
            f"The deal of round {row.number} of match {row.match_id} does not come out as "
            f"committed: is master key {row.key_id!r} the one it was dealt with?"
        )
    return seed


def _seed(row: Deal) -> bytes:
    master = settings.MUGGINS_MASTER_KEYS.get(row.key_id)
    if master is None:
        raise DealBroken(f"Master key {row.key_id!r} of match {row.match_id} is missing.")
    return shuffle.server_seed(master, bytes.fromhex(row.deal_id), bytes.fromhex(row.nonce))


def _derive(row: Deal, seed: bytes, rules: RuleSet) -> tuple[Tiles, int]:
    key = shuffle.deal_key(
        seed, bytes.fromhex(row.deal_id), bytes.fromhex(row.prev), [NO_CLIENT_SEED] * rules.seats
    )
    return shuffle.deal(key, rules.seats, rules.hand_size), shuffle.leader(key, rules.seats)
