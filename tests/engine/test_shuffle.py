"""DSH-1: the published vectors, proofs, and the fairness of the shuffle."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine import shuffle
from engine.errors import EngineError
from engine.tiles import parse

ZEROS = bytes(32)
PREV = hashlib.sha256(b"prev hand log").digest()
V1 = {
    "master": ZEROS, "deal_id": bytes(16), "nonce": bytes(16), "prev": ZEROS,
    "clients": [ZEROS, ZEROS],
    "seed": "e0b8bb1b9b350e7d92db5fe2f434e5a2de33864c05aa858f858caf269d43dc02",
    "commit": "df8933784ab29d7232c59137ad6781fbb0c963451714d6a76acd2d2014e7b36b",
    "key": "3b617a5bbf197210f9b9c9c7f741fcae06a57f1f0eca6a44135c3df691d93581",
    "root": "76632ad154bc344d5279e252f001b67ed5701391415c4450f8330ba70e986cb7",
    "order": "26,2,10,7,11,12,4,0,25,15,21,3,20,9,27,5,1,19,22,24,14,17,18,8,23,13,16,6",
    "hands": ["5-6 0-2 1-4 1-1 1-5 1-6 0-4", "0-0 5-5 2-4 3-6 0-3 3-5 1-3"],
    "boneyard": "6-6 0-5 0-1 3-4 4-4 4-6 2-3 2-6 3-3 1-2 4-5 2-2 2-5 0-6",
}  # fmt: skip
V2 = {
    "master": bytes(range(32)), "deal_id": bytes(range(16)), "nonce": bytes(range(16, 32)),
    "prev": PREV, "clients": [bytes([i]) * 32 for i in (1, 2, 3, 4)],
    "seed": "cfc016f268687fce231f30c8b8c3cdcab87e3bb23be3e6ab9afc8e459d8d3f1d",
    "commit": "c60122511a6531af6a97da06dc18a4a9f9fa593736a3b994d4bcf8abe8ce87c3",
    "key": "841ac47a611d66d3cc4b41bc34b07d5f002d45df45226b00552354081d697257",
    "root": "753b977c25b7a29e4cb4dcc203b2dbe3e7bf5afe502072ed3bb27ee65ea2a6bf",
    "order": "21,0,22,4,6,3,13,24,27,8,23,5,18,15,26,10,16,1,9,17,7,25,11,2,20,19,12,14",
    "hands": [
        "3-6 0-0 4-4 0-4 0-6 0-3 2-2", "4-6 6-6 1-2 4-5 0-5 3-3 2-4",
        "5-6 1-4 2-5 0-1 1-3 2-6 1-1", "5-5 1-5 0-2 3-5 3-4 1-6 2-3",
    ],
    "boneyard": "",
}  # fmt: skip


@pytest.mark.parametrize("v", [V1, V2], ids=["V1", "V2"])
def test_the_published_vectors(v: dict) -> None:  # type: ignore[type-arg]
    seed = shuffle.server_seed(v["master"], v["deal_id"], v["nonce"])
    assert seed.hex() == v["seed"]
    assert shuffle.commitment(v["deal_id"], seed).hex() == v["commit"]
    key = shuffle.deal_key(seed, v["deal_id"], v["prev"], v["clients"])
    assert key.hex() == v["key"]
    assert shuffle.permutation(key) == tuple(map(int, v["order"].split(",")))
    assert shuffle.merkle_root(key).hex() == v["root"]
    deal = shuffle.deal(key, len(v["hands"]), 7)
    assert deal.hands == tuple(tuple(map(parse, hand.split())) for hand in v["hands"])
    assert deal.boneyard == tuple(map(parse, v["boneyard"].split()))


def test_the_previous_log_of_v2_is_as_published() -> None:
    assert PREV.hex() == "6627423329386b017207933223aaf9c10ee45a1611af18fbbb824f6c2635569e"


def test_the_client_commitments_of_v2() -> None:
    made = [
        shuffle.client_commitment(V2["deal_id"], seat, V2["clients"][seat]).hex()  # type: ignore[arg-type, index]
        for seat in (0, 1)
    ]
    assert made == [
        "999b0d56c6b0ff07dba3c4335cc5e0260a63e778719d13e2625f2ded7be5f66e",
        "52bd092d364498f9e4850f85b83e44d396fa982da4f89ae8aa5dbdc291b8010d",
    ]


def test_the_opening_of_position_5_of_v2() -> None:
    opening = shuffle.opening(bytes.fromhex(str(V2["key"])), 5)
    assert opening.tile == 3
    assert opening.salt.hex() == "4b22c9f7129f26c202c43276f61cac2a"
    assert opening.leaf.hex() == "c5d0eee7e5b130a96b8256d3ff7afe278f75f916c330b13fc28633484d0c8058"
    starts = ["589522ec", "be26eba8", "2432df68", "4713aef5", "47753397"]
    assert [node.hex()[:8] for node in opening.path] == starts
    assert opening.root().hex() == V2["root"]


def test_every_opening_leads_to_the_root_and_no_other_tile_does() -> None:
    key = bytes.fromhex(str(V1["key"]))
    root = shuffle.merkle_root(key)
    order = shuffle.permutation(key)
    for index in range(28):
        opening = shuffle.opening(key, index)
        assert (opening.index, opening.tile) == (index, order[index])
        assert opening.root() == root
        forged = shuffle.Opening(index, (opening.tile + 1) % 28, opening.salt, opening.path)
        assert forged.root() != root
    for index in (-1, 28):
        with pytest.raises(EngineError):
            shuffle.opening(key, index)


def test_no_repr_of_an_opening_shows_its_tile() -> None:
    assert repr(shuffle.opening(bytes(32), 5)) == "Opening(index=5)"


def test_everything_that_goes_into_a_deal_changes_it() -> None:
    seed, seats = bytes(32), [bytes(32), bytes(32)]
    keys = {
        shuffle.deal_key(seed, bytes(16), ZEROS, seats),
        shuffle.deal_key(b"\1" * 32, bytes(16), ZEROS, seats),
        shuffle.deal_key(seed, b"\1" * 16, ZEROS, seats),
        shuffle.deal_key(seed, bytes(16), PREV, seats),
        shuffle.deal_key(seed, bytes(16), ZEROS, [bytes(32), b"\1" * 32]),
        shuffle.deal_key(seed, bytes(16), ZEROS, [b"\1" * 32, bytes(32)]),
        shuffle.deal_key(seed, bytes(16), ZEROS, [*seats, bytes(32)]),
        shuffle.deal_key(seed, bytes(16), ZEROS, seats, beacon=b"round 7"),
    }
    assert len(keys) == 8


@pytest.mark.parametrize("bad", [b"", bytes(31), bytes(33)])
def test_seeds_of_a_wrong_length_are_refused(bad: bytes) -> None:
    calls = [
        lambda: shuffle.server_seed(bad, bytes(16), bytes(16)),
        lambda: shuffle.server_seed(ZEROS, bad, bytes(16)),
        lambda: shuffle.server_seed(ZEROS, bytes(16), bad),
        lambda: shuffle.commitment(bytes(16), bad),
        lambda: shuffle.commitment(bad, ZEROS),
        lambda: shuffle.client_commitment(bytes(16), 0, bad),
        lambda: shuffle.deal_key(bad, bytes(16), ZEROS, [ZEROS]),
        lambda: shuffle.deal_key(ZEROS, bytes(16), bad, [ZEROS]),
        lambda: shuffle.deal_key(ZEROS, bytes(16), ZEROS, [bad]),
    ]
    for call in calls:
        with pytest.raises(EngineError) as caught:
            call()
        assert caught.value.code == "bad_seed"


def keys(count: int) -> list[bytes]:
    return [hashlib.sha256(b"fairness %d" % number).digest() for number in range(count)]


def tile_by_place(orders: list[tuple[int, ...]]) -> float:
    """Chi-square over which tile lies at which place: 729 degrees of freedom."""
    counts = Counter(pair for order in orders for pair in enumerate(order))
    expected = len(orders) / 28
    cells = ((place, tile) for place in range(28) for tile in range(28))
    return sum((counts[cell] - expected) ** 2 for cell in cells) / expected * 27 / 28


def with_modulo_bias(key: bytes) -> tuple[int, ...]:
    """The shuffle as it must not be: every byte taken, none thrown away."""
    stream = b"".join(
        hmac.digest(key, b"dsh1:stream\0" + block.to_bytes(4, "big"), "sha256")
        for block in range(2)
    )
    order = list(range(28))
    for byte, i in zip(stream, range(27, 0, -1), strict=False):
        j = byte % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


# One in 100,000 fair samples is above this.
CRITICAL = 904


def test_each_tile_is_as_likely_at_each_place_and_modulo_bias_would_show() -> None:
    sample = keys(20_000)
    assert tile_by_place([shuffle.permutation(key) for key in sample]) < CRITICAL
    assert tile_by_place([with_modulo_bias(key) for key in sample]) > CRITICAL


def test_all_orders_of_a_small_set_are_as_likely() -> None:
    counts = Counter(shuffle.permutation(key, n=4) for key in keys(12_000))
    expected = 12_000 / 24
    assert len(counts) == 24
    # 23 degrees of freedom: above 63 in one of 100,000 fair samples.
    assert sum((seen - expected) ** 2 / expected for seen in counts.values()) < 63


def test_leaders_are_drawn_evenly_and_apart_from_the_deal() -> None:
    for seats in (2, 3, 4):
        counts = Counter(shuffle.leader(key, seats) for key in keys(6_000))
        assert set(counts) == set(range(seats))
        assert max(counts.values()) - min(counts.values()) < 6_000 * 0.05
