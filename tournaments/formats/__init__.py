"""The formats by id. To add one: write its module (see model.Format) and list it here."""

from __future__ import annotations

from tournaments.formats import single_elimination
from tournaments.formats.model import Format

FORMATS: dict[str, Format] = {
    single_elimination.ID: single_elimination,
}


def get(format_id: str) -> Format:
    """The format of that id; KeyError if there is none."""
    return FORMATS[format_id]
