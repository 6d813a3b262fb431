"""The engine stands alone: the standard library, and of that nothing that tells time or chance."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[2] / "engine"
ALLOWED = {
    "__future__", "collections", "dataclasses", "functools", "hashlib", "hmac", "itertools",
    "json", "random", "types", "typing", "engine",
}  # fmt: skip


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            found.add(str(node.module).split(".")[0])
    return found


def test_the_engine_imports_only_what_is_pure() -> None:
    modules = sorted(ENGINE.glob("**/*.py"))
    assert len(modules) > 10
    for path in modules:
        assert imports(path) <= ALLOWED, path.name


def test_chance_is_always_seeded() -> None:
    for path in sorted(ENGINE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "random":
                assert [alias.name for alias in node.names] == ["Random"], path.name
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Random":
                assert node.args, f"{path.name}: an unseeded Random"
            if isinstance(node, ast.Call):
                assert getattr(node.func, "id", "") not in ("open", "print", "input"), path.name


def test_the_engine_runs_without_anything_installed() -> None:
    """In isolated mode without site-packages, from the source alone."""
    code = (
        f"import sys; sys.path.insert(0, {str(ENGINE.parent)!r});"
        "import engine.record, engine.bots, engine.shuffle, engine.playout;"
        "print(engine.record.replay_line('{}')['error']['detail'])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "format: must be domino-record/1", done.stderr
