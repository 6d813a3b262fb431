"""`manage.py replay` (rules.md 9): its lines, and its exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[2]
VECTORS = Path(__file__).parent / "vectors"


def written(path: Path, vectors: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(vector["record"]) + "\n" for vector in vectors))
    return str(path)


def golden() -> list[dict[str, Any]]:
    lines = (VECTORS / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_each_record_has_its_line(tmp_path: Path) -> None:
    vectors, out = golden(), io.StringIO()
    first = written(tmp_path / "a.jsonl", vectors[:3])
    second = written(tmp_path / "b.jsonl", vectors[3:])
    call_command("replay", first, second, stdout=out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers == [vector["expected"] for vector in vectors]


def test_a_bad_record_sets_the_exit_status_and_stops_nothing(tmp_path: Path) -> None:
    vectors, out = golden()[:2], io.StringIO()
    path = written(tmp_path / "a.jsonl", vectors)
    Path(path).write_text("nope\n" + Path(path).read_text())
    with pytest.raises(CommandError) as caught:
        call_command("replay", path, stdout=out)
    assert caught.value.returncode == 1
    first, *others = [json.loads(line) for line in out.getvalue().splitlines()]
    assert first["error"]["detail"].startswith("not JSON")
    assert others == [vector["expected"] for vector in vectors]


def test_a_file_that_is_not_there_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("replay", str(tmp_path / "none"))


def test_the_process_reads_standard_input_and_exits_with_1_if_any_was_bad() -> None:
    vectors = golden()[:2]
    good = "".join(json.dumps(vector["record"]) + "\n" for vector in vectors)
    command = [sys.executable, "manage.py", "replay", "-"]
    done = subprocess.run(command, cwd=ROOT, input=good + "{}\n", capture_output=True, text=True)
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[:2] == [vector["expected"] for vector in vectors]
    assert lines[2]["error"]["detail"] == "format: must be domino-record/1"
