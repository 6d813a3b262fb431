"""The published answers of rules.md 9, by hand and at random."""

from __future__ import annotations

import json
from typing import Any

from engine.record import replay_line


def test_vector(vector: dict[str, Any]) -> None:
    answer = replay_line(json.dumps(vector["record"]))
    assert json.loads(json.dumps(answer, allow_nan=False)) == vector["expected"]
