"""The formats by id. To add one: write its module (see model.Format) and list it here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.formats import (
    arena,
    double_elimination,
    groups,
    pod_elimination,
    pods,
    rotating,
    round_robin,
    single_elimination,
    swiss,
)
from tournaments.formats.model import Format, SizedFormat

FORMATS: dict[str, Format] = {
    single_elimination.ID: single_elimination,
    double_elimination.ID: double_elimination,
    round_robin.ID: round_robin,
    swiss.ID: swiss,
    pods.ID: pods,
    pod_elimination.ID: pod_elimination,
    rotating.ID: rotating,
    arena.ID: arena,
    groups.ID: groups,
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


def sides_of(format_id: str) -> tuple[str, ...]:
    """Who can play a format: "single", fixed "pairs" where two sides meet, "rotating" partners
    where nobody plays alone. The first is the usual.
    """
    seats = get(format_id).SEATS
    return ("rotating",) if not seats else ("single", "pairs") if seats == (2,) else ("single",)


def misfit(format_id: str, size: int, options: Mapping[str, Any]) -> str | None:
    """Why that many can't play a format with those settings: a code of tournaments.errors."""
    module = get(format_id)
    if isinstance(module, SizedFormat) and (code := module.misfit(size, options)):
        return code
    return "too_few" if size < module.MIN_SIZE else None
