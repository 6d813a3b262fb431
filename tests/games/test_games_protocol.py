"""Frames: what is understood, and what is refused without harm (R15, R16, S17)."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import protocol
from games.protocol import BadFrame

ACT = {"t": "act", "id": "c1", "seq": 4, "action": {"draw": True}}


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"t": "hello", "seq": None}, protocol.Hello(None)),
        ({"t": "hello"}, protocol.Hello(None)),
        ({"t": "hello", "seq": 12}, protocol.Hello(12)),
        (ACT, protocol.Act("c1", 4, {"draw": True})),
        ({"t": "ready"}, protocol.Ready()),
        ({"t": "resign", "id": "r-1"}, protocol.Resign("r-1")),
        ({"t": "back"}, protocol.Back()),
        ({"t": "ping", "sent": 1_790_000_000_000, "seq": 3}, protocol.Ping(1_790_000_000_000, 3)),
        ({"t": "nudge", "seq": 3}, protocol.Nudge(3)),
        ({"t": "rematch", "id": "x" * 40}, protocol.Rematch("x" * 40)),
        ({"t": "bots", "level": "hard"}, protocol.Bots("hard")),
        ({"t": "ready", "later": "versions may say more"}, protocol.Ready()),
    ],
)
def test_every_message_is_parsed(frame: dict[str, Any], message: object) -> None:
    assert protocol.parse(json.dumps(frame)) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{nope",
        "1",
        "[1]",
        "null",
        '"hello"',
        "[" * 9000,
        '{"t":' * 3000,
        '{"t":"ping","sent":' + "1" * 5000 + "}",
        '{"t":"ping","sent":NaN}',
        '{"t":"ping","sent":Infinity}',
        '{"t":"ping","sent":-Infinity}',
        '{"t":"ping","sent":1e999}',
        '{"t":"hello","seq":null,"x":"\\ud800"}',
        '{"t":"hello","seq":null,"\\udfff":1}',
        '{"t":"hello","seq":null,"x":["\\u0000"]}',
        '{"t":"hello","seq":null,"x":"\ud800"}',
        '{"t":"hello","x":"' + "a" * 16_400 + '"}',
        "{}",
        '{"t":"deal"}',
        '{"t":["hello"]}',
        '{"t":null}',
        '{"t":"nudge"}',
    ],
    ids=lambda text: repr(text)[:40],
)
def test_a_bad_frame_is_refused(text: str) -> None:
    with pytest.raises(BadFrame):
        protocol.parse(text)


@pytest.mark.parametrize("seq", [-1, 2**31, 2**63, 10**19, 1.5, 1.0, "1", True, False, [], {}])
@pytest.mark.parametrize("frame", [ACT, {"t": "nudge"}, {"t": "hello"}])
def test_a_number_is_a_whole_number(frame: dict[str, Any], seq: object) -> None:
    with pytest.raises(BadFrame, match="seq must be a whole number"):
        protocol.parse(json.dumps({**frame, "seq": seq}))


@pytest.mark.parametrize("client_id", ["", "a" * 41, "a b", "é", "a\n", 7, None, True, ["a"]])
@pytest.mark.parametrize("kind", ["act", "resign", "rematch"])
def test_an_id_is_short_plain_text(kind: str, client_id: object) -> None:
    with pytest.raises(BadFrame, match="id must be"):
        protocol.parse(json.dumps({**ACT, "t": kind, "id": client_id}))


@pytest.mark.parametrize("action", [None, [], "draw", 1, True])
def test_an_action_is_an_object(action: object) -> None:
    with pytest.raises(BadFrame, match="action"):
        protocol.parse(json.dumps({**ACT, "action": action}))


def test_no_message_holds_what_a_browser_could_not_read() -> None:
    with pytest.raises(ValueError, match="JSON"):
        protocol.dump({"t": "pong", "now": float("nan")})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
FIELDS = st.fixed_dictionaries(
    {"t": st.sampled_from([*protocol._READERS, "deal", None, 3])},
    optional={
        "id": ANYTHING,
        "seq": ANYTHING,
        "sent": ANYTHING,
        "action": ANYTHING,
        "level": ANYTHING,
    },
)


@settings(max_examples=300, deadline=None)
@given(st.text() | st.builds(json.dumps, FIELDS | ANYTHING))
@example('{"t":"hello","seq":' + "9" * 19 + "}")
def test_any_text_is_a_message_or_a_bad_frame(text: str) -> None:
    with contextlib.suppress(BadFrame):
        assert type(protocol.parse(text)).__module__ == "games.protocol"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_read_as_text_are_a_message_or_a_bad_frame(data: bytes) -> None:
    with pytest.raises(BadFrame):
        protocol.parse(data.decode("utf-8", "surrogateescape"))
