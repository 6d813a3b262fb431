"""The formats by id. To add one: write its module (see model.Format) and list it here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.formats import double_elimination, round_robin, single_elimination, swiss
from tournaments.formats.model import Format

FORMATS: dict[str, Format] = {
    single_elimination.ID: single_elimination,
    double_elimination.ID: double_elimination,
    round_robin.ID: round_robin,
    swiss.ID: swiss,
}


def get(format_id: str) -> Format:
    """The format of that id; KeyError if there is none."""
    return FORMATS[format_id]


def settled(format_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a format: those given, and the defaults of the others. Raises ValueError
    with the key that is wrong.
    """
    options = get(format_id).OPTIONS
    for key, value in given.items():
        if key not in options or not options[key].accepts(value):
            raise ValueError(key)
    return {key: given.get(key, option.default) for key, option in options.items()}
