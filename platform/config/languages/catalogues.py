"""Catalogues: `.po` files are kept, and the `.mo` files that Django reads are made from them here.

Pure Python, without gettext and without Django, so that any machine can do it:
``python -m config.languages.catalogues`` makes every `.mo` that is missing or older than its `.po`.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

ROOT: Final = Path(__file__).resolve().parents[3]
LOCALE: Final = ROOT / "locale"


def po_files(locale: Path = LOCALE) -> list[Path]:
    """The catalogues that there are, by language."""
    return sorted(locale.glob("*/LC_MESSAGES/django.po"))


def language_of(po: Path) -> str:
    """``locale/tr/LC_MESSAGES/django.po`` → ``tr``."""
    return po.parents[1].name


def read(po: Path) -> Catalog:
    """A catalogue; its plural forms are those that the file itself declares.

    Raises ValueError for a file that is no catalogue, or has more forms than it declares.
    """
    try:
        with po.open("rb") as file:
            return read_po(file, locale=language_of(po), abort_invalid=True)
    except PoFileError as error:
        raise ValueError(f"{po}: {error}") from error


def stale(locale: Path = LOCALE) -> list[Path]:
    """The catalogues whose `.mo` is missing or older than they are."""
    return [po for po in po_files(locale) if _is_stale(po)]


def compile_stale(locale: Path = LOCALE) -> list[Path]:
    """Makes what is missing or old; the catalogues it was made from."""
    found = stale(locale)
    for po in found:
        write(read(po), po.with_suffix(".mo"))
    return found


def write(catalogue: Catalog, mo: Path) -> None:
    """Writes a `.mo` in one step: a process that reads it meanwhile sees the old one or the new."""
    mo.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=mo.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        write_mo(file, catalogue)
    Path(made).chmod(0o644)
    Path(made).replace(mo)


def _is_stale(po: Path) -> bool:
    mo = po.with_suffix(".mo")
    return not mo.exists() or mo.stat().st_mtime < po.stat().st_mtime


if __name__ == "__main__":
    compile_stale()
