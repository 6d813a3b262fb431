"""Pseudo-languages: English with accents, a third longer, in brackets; and one from right to left.

What isn't in brackets isn't translated; what breaks a page would break it in other languages too.
``MUGGINS_PSEUDO=1 make run`` offers both among the languages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog

from config.languages.catalogues import write
from config.languages.known import PSEUDO
from config.languages.messages import HOLE, extract

OPEN, CLOSE = "⟦", "⟧"
_PLAIN: Final = "aceinosuyzACEINOSUYZ"
_ACCENTED: Final = "áçéíñóšúýžÁÇÉÍÑÓŠÚÝŽ"
_LETTERS: Final = str.maketrans(_PLAIN, _ACCENTED)
_FILLING: Final = " ēxťŕā łőñģ ŵōřďś ţø fīłł ťĥę ļīńē"
_MIRRORED, _END = "\u202e", "\u202c"


def pseudo(text: str, mirrored: bool = False) -> str:
    """A message in the pseudo-language; placeholders, tags and outer line breaks stay.

    >>> pseudo("Save %(name)s")
    '⟦Šávé %(name)s ēxť⟧'
    """
    inner = text.strip("\n")
    before, _inner, after = text.partition(inner) if inner else (text, "", "")
    parts, at = [], 0
    for hole in HOLE.finditer(inner):
        parts += [_turned(inner[at : hole.start()], mirrored), hole[0]]
        at = hole.end()
    parts.append(_turned(inner[at:], mirrored))
    longer = _FILLING[: max(2, len(inner) // 3)].rstrip()
    return f"{before}{OPEN}{''.join(parts)}{longer}{CLOSE}{after}"


def _turned(text: str, mirrored: bool) -> str:
    accented = text.translate(_LETTERS)
    return f"{_MIRRORED}{accented}{_END}" if mirrored and accented.strip() else accented


def catalogue(language: str, source: Catalog) -> Catalog:
    """The whole source in a pseudo-language."""
    made = Catalog(charset="utf-8", fuzzy=False)
    mirrored = language.startswith("ar")
    for message in source:
        if not message.id:
            continue
        counted = isinstance(message.id, (list, tuple))
        forms = tuple(pseudo(text, mirrored) for text in message.id) if counted else None
        made.add(
            message.id,
            forms or pseudo(str(message.id), mirrored),
            context=message.context or None,
        )
    return made


def make(folder: Path) -> None:
    """Writes the pseudo-languages' catalogues into `folder`, where Django looks for them."""
    source = extract()
    for code, _name in PSEUDO:
        language, region = code.split("-")
        name = f"{language}_{region.upper()}"
        write(catalogue(code, source), folder / name / "LC_MESSAGES/django.mo")
