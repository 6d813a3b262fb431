"""Countries and their two-letter codes, as the time zone database lists them (ISO 3166)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def names() -> dict[str, str]:
    """English names by code, in alphabetical order; browsers put them in the reader's language."""
    text = (files("tzdata") / "zoneinfo" / "iso3166.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return dict(sorted(((code, name) for code, name in rows), key=lambda row: row[1]))
