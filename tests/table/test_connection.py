"""The socket's side of the protocol, with a pretend socket and a clock that the test turns."""

from __future__ import annotations

import json

import pytest

MACHINE = """
const sent = [], heard = [], timers = new Map();
let sockets = 0, clock = 1000, next = 1;
const machine = {
  open: () => {
    sockets++;
    return { readyState: 0, send: (text) => sent.push(JSON.parse(text)), close() {} };
  },
  later: (ms, run) => { timers.set(next, { at: clock + ms, run }); return next++; },
  cancel: (timer) => timers.delete(timer),
  now: () => clock,
  random: () => 0.5,
  id: (() => { let n = 0; return () => `id-${++n}`; })(),
};
const hooks = {};
for (const name of ["state", "ack", "refused", "status", "closed"]) {
  hooks[name] = (value) => heard.push([name, value]);
}
const link = new Connection("ws://table", hooks, machine);
link.open();
function accept() { link.socket.readyState = 1; link.socket.onopen(); }
function give(message) { link.socket.onmessage({ data: JSON.stringify(message) }); }
function breakOff() { const socket = link.socket; socket.readyState = 3; socket.onclose(); }
function wait(ms) {
  const end = clock + ms;
  for (;;) {
    const ripe = [...timers].filter(([, { at }]) => at <= end);
    const due = ripe.sort(([, p], [, q]) => p.at - q.at)[0];
    if (!due) break;
    timers.delete(due[0]);
    clock = Math.max(clock, due[1].at);
    due[1].run();
  }
  clock = end;
}
const take = (list) => JSON.stringify(list.splice(0));
"""


class Link:
    def __init__(self, racer) -> None:
        self.racer = racer

    def run(self, code: str):
        return self.racer.eval(code)

    def sent(self, kind: str | None = None) -> list[dict]:
        messages = json.loads(self.racer.eval("take(sent)"))
        return [each for each in messages if kind is None or each["t"] == kind]

    def heard(self, kind: str) -> list:
        return [value for name, value in json.loads(self.racer.eval("take(heard)")) if name == kind]

    def state(self, seq: int, *events: int, now: int = 1000) -> None:
        message = {
            "t": "state",
            "seq": seq,
            "events": [{"seq": each, "kind": "passed"} for each in events],
            "view": {"seq": seq, "now": now},
        }
        self.run(f"give({json.dumps(message)})")

    def give(self, **message) -> None:
        self.run(f"give({json.dumps(message)})")


@pytest.fixture
def link(script) -> Link:
    racer = script("clock", "connection")
    racer.eval(MACHINE)
    return Link(racer)


@pytest.fixture
def live(link) -> Link:
    link.run("accept()")
    link.state(7)
    link.sent(), link.heard("state")
    return link


def test_the_first_hello_asks_for_everything(link):
    link.run("accept()")
    assert link.sent() == [{"t": "hello", "seq": None}]


def test_after_a_break_hello_names_the_last_change_seen(live):
    live.run("breakOff(); wait(600); accept()")
    assert {"t": "hello", "seq": 7} in live.sent()


def test_an_action_is_sent_again_under_the_same_id_after_a_break(live):
    live.run('link.request({ t: "act", seq: 7, action: { play: "6-4", at: "left" } })')
    (first,) = live.sent("act")
    live.run("breakOff(); wait(600); accept()")
    assert live.sent("act") == [], "not before the server has told where the table stands"
    live.state(8, 8)
    assert live.sent("act") == [first]


def test_an_answered_action_is_not_sent_again(live):
    live.run('link.request({ t: "act", seq: 7, action: { pass: true } })')
    live.give(t="ack", id="id-1", seq=8)
    live.run("breakOff(); wait(600); accept()")
    live.state(8, 8)
    assert len(live.sent("act")) == 1


def test_a_refused_action_is_not_sent_again(live):
    live.run('link.request({ t: "act", seq: 7, action: { pass: true } })')
    live.give(t="refused", id="id-1", code="must_play", detail="You can play.", seq=7)
    assert [each["code"] for each in live.heard("refused")] == ["must_play"]
    live.run("breakOff(); wait(600); accept()")
    live.state(7)
    assert len(live.sent("act")) == 1


def test_an_action_in_a_break_waits_for_the_connection(live):
    live.run("breakOff()")
    live.run('link.request({ t: "act", seq: 7, action: { pass: true } })')
    assert live.sent("act") == []
    live.run("wait(600); accept()")
    live.state(7)
    assert [each["id"] for each in live.sent("act")] == ["id-1"]


def test_a_gap_in_the_changes_is_asked_for_and_not_shown(live):
    live.state(9, 9)
    assert live.sent("hello") == [{"t": "hello", "seq": 7}]
    assert live.heard("state") == []
    live.state(9, 8, 9)
    assert [each["seq"] for each in live.heard("state")] == [9]


def test_an_answer_to_hello_with_numbers_left_out_is_taken_as_it_is(live):
    live.state(9, 9)
    live.sent()
    live.state(9, 9)
    assert live.sent("hello") == []
    assert len(live.heard("state")) == 1


def test_an_overtaken_state_is_left_aside(live):
    live.state(6)
    assert live.heard("state") == []


def test_a_pong_that_knows_more_makes_us_ask(live):
    live.run("wait(100)")
    live.give(t="pong", sent=1000, now=1000, seq=8)
    assert live.sent("hello") == [{"t": "hello", "seq": 7}]


def test_tries_come_slower_and_slower_and_no_slower_than_eight_seconds(live):
    opened = []
    for wait in (500, 1000, 2000, 4000, 8000, 8000):
        live.run(f"breakOff(); wait({wait - 1})")
        before = live.run("sockets")
        live.run("wait(1)")
        opened.append(live.run("sockets") - before)
    assert opened == [1] * 6


def test_a_short_break_is_not_spoken_of(live):
    live.run("breakOff(); wait(600); accept()")
    live.state(7)
    assert live.heard("status") == ["live"]


def test_a_longer_break_is(live):
    live.run("breakOff(); wait(600)")
    live.run("breakOff()")
    assert "reconnecting" in live.heard("status")


def test_no_pong_counts_as_a_break(live):
    before = live.run("sockets")
    live.run("wait(10000)")
    assert live.run("sockets") > before


def test_a_table_that_is_closed_is_not_tried_again(live):
    live.give(t="closed", code="not_found")
    before = live.run("sockets")
    live.run("wait(60000)")
    assert live.run("sockets") == before
    assert live.heard("closed") == ["not_found"]


def test_a_late_word_from_a_dropped_socket_is_not_heard(live):
    live.run("const old = link.socket; breakOff(); wait(600); accept()")
    live.sent()
    live.run('old.onmessage({ data: JSON.stringify({ t: "pong", sent: 0, now: 0, seq: 99 }) })')
    assert live.sent() == []
