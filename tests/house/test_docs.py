"""What the texts of the repository point to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tournaments.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")])
COMMANDS = [path.stem for path in ROOT.glob("**/management/commands/*.py") if path.stem[0] != "_"]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(text: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", text.read_text())
    near = [link for link in links if "://" not in link]
    assert [link for link in near if not (text.parent / link).exists()] == []


def test_every_command_and_target_that_is_named_exists() -> None:
    said = "\n".join(text.read_text() for text in TEXTS)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"manage\.py `?([a-z_]+)", said)) <= {
        *COMMANDS, "migrate", "collectstatic", "check", "createsuperuser", "shell",
    }  # fmt: skip
    assert set(re.findall(r"^    make ([a-z-]+)", said, re.MULTILINE)) <= set(targets)


def test_the_formats_of_the_simulated_example_exist() -> None:
    said = (ROOT / "README.md").read_text()
    named = re.findall(r"--(?:format|stage) ([a-z_]+)", said)
    assert named
    assert set(named) <= set(FORMATS)
