"""DSH-1: the deal that anyone can check, from a committed seed (shuffle.md).

>>> seed = server_seed(bytes(32), bytes(16), bytes(16))
>>> commitment(bytes(16), seed).hex()[:16]
'df8933784ab29d72'
>>> key = deal_key(seed, bytes(16), bytes(32), [bytes(32), bytes(32)])
>>> permutation(key)[:7]
(26, 2, 10, 7, 11, 12, 4)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.round import Deal
from engine.tiles import COUNT


def _hmac(key: bytes, label: str, *parts: bytes) -> bytes:
    return hmac.digest(key, label.encode() + b"\0" + b"".join(parts), "sha256")


def _hash(label: str, *parts: bytes) -> bytes:
    return hashlib.sha256(label.encode() + b"\0" + b"".join(parts)).digest()


def _u8(number: int) -> bytes:
    return number.to_bytes(1, "big")


def _sized(name: str, value: bytes, size: int) -> bytes:
    if len(value) != size:
        raise EngineError("bad_seed", f"{name} has {len(value)} bytes, not {size}")
    return value


def server_seed(master: bytes, deal_id: bytes, nonce: bytes) -> bytes:
    """The server's secret for a deal (32 bytes), from the master key; never stored."""
    _sized("master", master, 32)
    return _hmac(master, "dsh1:seed", _sized("deal_id", deal_id, 16), _sized("nonce", nonce, 16))


def commitment(deal_id: bytes, seed: bytes) -> bytes:
    """What the server publishes before the deal, and is held to once the seed is revealed."""
    return _hash("dsh1:commit", _sized("deal_id", deal_id, 16), _sized("seed", seed, 32))


def client_commitment(deal_id: bytes, seat: int, client_seed: bytes) -> bytes:
    """What a seat's client publishes before it reveals its own 32 bytes."""
    _sized("deal_id", deal_id, 16)
    return _hash("dsh1:client", deal_id, _u8(seat), _sized("client_seed", client_seed, 32))


def deal_key(
    seed: bytes,
    deal_id: bytes,
    prev: bytes,
    client_seeds: Sequence[bytes],
    beacon: bytes = b"",
) -> bytes:
    """The key (32 bytes) that fixes a deal: the server's seed mixed with each seat's.

    `prev` is the hash of the previous round's log; `client_seeds` are by seat, 32 zero bytes for
    a seat that gave none. Raises EngineError("bad_seed") on a wrong length.
    """
    _sized("deal_id", deal_id, 16)
    _sized("prev", prev, 32)
    seats = b"".join(
        _u8(seat) + _sized("client_seed", given, 32) for seat, given in enumerate(client_seeds)
    )
    count, length = _u8(len(client_seeds)), len(beacon).to_bytes(2, "big")
    _sized("seed", seed, 32)
    return _hmac(seed, "dsh1:key", deal_id, prev, count, seats, length, beacon)


def _stream(key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from _hmac(key, label, block.to_bytes(4, "big"))
        block += 1


def _drawn(stream: Iterator[int], n: int) -> int:
    """A number below n, each equally likely: bytes that would favour some are thrown away."""
    limit = 256 - 256 % n
    return next(byte for byte in stream if byte < limit) % n


def permutation(key: bytes, n: int = COUNT) -> tuple[int, ...]:
    """The numbers 0 to n−1 (n ≤ 256), shuffled by `key`."""
    stream = _stream(key, "dsh1:stream")
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = _drawn(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def deal(key: bytes, seats: int, hand_size: int) -> Deal:
    """The deal of `key`: seat by seat, and the rest is the boneyard."""
    order = permutation(key)
    hands = tuple(order[seat * hand_size : (seat + 1) * hand_size] for seat in range(seats))
    return Deal(hands, order[seats * hand_size :])


def leader(key: bytes, seats: int) -> int:
    """The seat that leads where the rules say "random"; its bytes are apart from the deal's."""
    return _drawn(_stream(key, "dsh1:leader"), seats)


@dataclass(frozen=True)
class Opening:
    """Proof that position `index` of the shuffle holds `tile`, by the published Merkle root."""

    index: int
    tile: int = field(repr=False)
    salt: bytes = field(repr=False)
    path: tuple[bytes, ...] = field(repr=False)

    @property
    def leaf(self) -> bytes:
        return _hash("dsh1:leaf", _u8(self.index), _u8(self.tile), self.salt)

    def root(self) -> bytes:
        """The Merkle root that this opening leads to."""
        node, at = self.leaf, self.index
        for sibling in self.path:
            pair = (sibling, node) if at & 1 else (node, sibling)
            node, at = _hash("dsh1:node", *pair), at >> 1
        return node


def _salt(key: bytes, index: int) -> bytes:
    return _hmac(key, "dsh1:salt", _u8(index))[:16]


def _levels(key: bytes) -> list[list[bytes]]:
    """The Merkle tree of the shuffled set, leaves first."""
    level = [
        Opening(index, tile, _salt(key, index), ()).leaf
        for index, tile in enumerate(permutation(key))
    ]
    level += [_hash("dsh1:pad")] * ((1 << (COUNT - 1).bit_length()) - COUNT)
    levels = [level]
    while len(level) > 1:
        level = [_hash("dsh1:node", a, b) for a, b in zip(level[::2], level[1::2], strict=True)]
        levels.append(level)
    return levels


def merkle_root(key: bytes) -> bytes:
    """The root that commits to every position of the shuffle."""
    return _levels(key)[-1][0]


def opening(key: bytes, index: int) -> Opening:
    """The opening of position `index`, 0 to 27."""
    if not 0 <= index < COUNT:
        raise EngineError("bad_index", f"a position is 0 to {COUNT - 1}")
    path = tuple(level[index >> up ^ 1] for up, level in enumerate(_levels(key)[:-1]))
    return Opening(index, permutation(key)[index], _salt(key, index), path)
