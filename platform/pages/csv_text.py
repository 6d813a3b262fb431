"""Tables as text, in and out: files as spreadsheets write them, and cells that no spreadsheet runs.

Pure. What comes in may be in any common coding, with commas, semicolons or tabs between cells.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from charset_normalizer import from_bytes

CODINGS: Final = ("utf-8", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "utf-16")
"""Those that a file may be read in: Unicode, and what Windows writes in Europe."""
GUESSED_FROM: Final = 24
"""Letters beyond ASCII that a guess at the coding needs; with fewer, Western Europe's is taken."""
DELIMITERS: Final = ";\t,|"
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Table:
    """A file as read: `rows` without empty ones, each with the number of its line from 1."""

    coding: str
    delimiter: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read(data: bytes, coding: str = "") -> Table:
    """The cells of a file, stripped. Raises ValueError if it is no text in that coding.

    >>> read(b" Name ;TEAM\\r\\nM\\xfcller;Kiel\\r\\n").rows[1]
    (2, ('Müller', 'Kiel'))
    """
    found = coding or coding_of(data)
    text = data.decode("utf-8-sig" if found == "utf-8" else found)
    if "\x00" in text:
        raise ValueError("not text")
    delimiter = delimiter_of(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = []
    try:
        for cells in reader:
            clean = tuple(cell.strip() for cell in cells)
            if any(clean):
                rows.append((reader.line_num, clean))
    except csv.Error as error:
        raise ValueError("no table") from error
    return Table(found, delimiter, tuple(rows))


def coding_of(data: bytes) -> str:
    """The coding that a text is most likely in.

    >>> coding_of("José".encode()), coding_of(b"Jos\\xe9")
    ('utf-8', 'cp1252')
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return name.removesuffix("-sig")
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        pass
    if sum(byte > 127 for byte in data) >= GUESSED_FROM:
        best = from_bytes(data, cp_isolation=[c for c in CODINGS if c.startswith("cp")]).best()
        if best is not None:
            return str(best.encoding)
    return "cp1252"


def delimiter_of(text: str) -> str:
    """What stands between the cells: of the usual signs the one most often in the first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(DELIMITERS, key=first.count) if any(map(first.count, DELIMITERS)) else ","


def safe(cell: object) -> str:
    """A cell that a spreadsheet shows and doesn't run (cases.md Z5); numbers stay numbers.

    >>> safe("=1+1"), safe(-5), safe("Ann")
    ("'=1+1", '-5', 'Ann')
    """
    if isinstance(cell, int | float):
        return str(cell)
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def write(rows: Iterable[Sequence[object]]) -> str:
    """The rows as a file that spreadsheets open: UTF-8 with its mark, commas, CRLF."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([safe(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()
