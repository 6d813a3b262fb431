"""What the source asks to be translated, and whether a catalogue answers it.

``python -m config.languages.messages`` brings every catalogue up to date with the source: new
messages come in empty, gone ones go, nothing is guessed. References name files without lines and
entries stand in the order of the source, so that a difference shows what has changed and no more.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from config.languages.catalogues import LOCALE, ROOT, language_of, po_files, read
from config.languages.known import NAMES

SOURCES: Final = ("engine", "games", "platform", "templates", "tournaments")
SKIPPED: Final = ("/migrations/", "/static/")
KEYWORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
COMMENT: Final = "Translators:"
HOLE: Final = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w+\}|</?[a-z]+\b[^>]*>|&\w+;")
"""What a translation must hold as its message does: placeholders, escaped per cents, tags."""

Key = tuple[str, str]
"""A message's context ("" for none) and its text (the singular of one with a plural)."""


def extract(root: Path = ROOT) -> Catalog:
    """Every message of the source, in its order."""
    found = Catalog(project="Muggins", charset="utf-8", fuzzy=False)
    for path in _sources(root):
        name = path.relative_to(root).as_posix()
        for line, function, texts, comments in extract_python(
            io.BytesIO(_as_python(path)), KEYWORDS, [COMMENT], {}
        ):
            context, ids = _parted(str(function), texts)
            found.add(
                ids,
                locations=[(name, line)],
                auto_comments=list(comments or ()),
                context=context or None,
            )
    return found


def _sources(root: Path) -> Iterator[Path]:
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root).as_posix()
            if path.suffix in (".py", ".html", ".txt") and not any(
                part in inside for part in SKIPPED
            ):
                yield path


def _as_python(path: Path) -> bytes:
    """A module as it is; a template as Django rewrites it for gettext, its lines unindented."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        text = "\n".join(line.strip() for line in templatize(text).split("\n"))
    return text.encode()


def _parted(function: str, texts: Any) -> tuple[str, Any]:
    """A call's context and its message: one text, or the singular and the plural."""
    given = list(texts) if isinstance(texts, (list, tuple)) else [texts]
    spec = KEYWORDS[function] or (1,)
    context = ""
    ids = []
    for each in spec:
        if isinstance(each, tuple):
            context = given[each[0] - 1]
        else:
            ids.append(given[each - 1])
    return context, ids[0] if len(ids) == 1 else tuple(ids)


# A catalogue's faults


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one entry of a catalogue."""

    what: str
    message: str

    def __str__(self) -> str:
        return f"{self.what}: {self.message!r}"


def faults(catalogue: Catalog, source: Catalog) -> list[Fault]:
    """What keeps a catalogue from saying all that the source does; empty when it is complete."""
    asked, answered = _by_key(source), _by_key(catalogue)
    wanted = django_plurals(str(catalogue.locale))
    found = [] if catalogue.plural_expr == wanted.plural_expr else [Fault("plural rule", "header")]
    found += [Fault("not in the catalogue", key[1]) for key in asked if key not in answered]
    for key, message in answered.items():
        if key not in asked:
            found.append(Fault("not in the source", key[1]))
        else:
            found += [
                Fault(what, key[1])
                for what in _wrong_with(message, asked[key], catalogue.num_plurals)
            ]
    return found


def _by_key(catalogue: Catalog) -> dict[Key, Message]:
    return {(each.context or "", _ids(each)[0]): each for each in catalogue if each.id}


def _ids(message: Message) -> tuple[str, ...]:
    return tuple(message.id) if isinstance(message.id, (list, tuple)) else (message.id,)


def _wrong_with(message: Message, source: Message, plurals: int) -> Iterator[str]:
    ids = _ids(source)
    if _ids(message) != ids:
        yield "another plural"
        return
    if message.fuzzy:
        yield "fuzzy"
    said = message.string
    forms = tuple(said) if isinstance(said, (list, tuple)) else (str(said or ""),)
    if len(ids) == 2 and len(forms) != plurals:
        yield f"{len(forms)} plural forms of {plurals}"
    if not all(form.strip() for form in forms):
        yield "not translated"
        return
    for form in forms:
        if not any(_same_holes(form, each) for each in ids):
            yield f"other placeholders or tags in {form!r}"
        if _edges(form) != _edges(ids[0]):
            yield f"other line breaks at the ends of {form!r}"


def _same_holes(form: str, source: str) -> bool:
    return sorted(HOLE.findall(form)) == sorted(HOLE.findall(source))


def _edges(text: str) -> tuple[bool, bool]:
    return text.startswith("\n"), text.endswith("\n")


def django_plurals(language: str) -> Catalog:
    """How Django itself counts in a language: the head of its own catalogue."""
    po = Path(django.__file__).parent / "conf/locale" / language / "LC_MESSAGES/django.po"
    head = po.read_bytes().split(b"\n\n", 1)[0]
    return read_po(io.BytesIO(head), locale=language)


def empty(language: str) -> Catalog:
    """A catalogue to begin a language with."""
    made = Catalog(
        locale=language,
        header_comment=f"# Muggins in {NAMES.get(language, language)}.",
        project="Muggins",
        version="1",
        last_translator="",
        language_team="",
        charset="utf-8",
        fuzzy=False,
    )
    made.mime_headers = [("Plural-Forms", django_plurals(language).plural_forms)]
    return made


# Keeping catalogues in step


def update(po: Path, source: Catalog) -> bool:
    """Brings one catalogue up to date; whether anything changed. A new language begins empty."""
    before = po.read_bytes() if po.exists() else b""
    catalogue = read(po) if before else empty(language_of(po))
    source.creation_date = catalogue.creation_date
    catalogue.update(source, no_fuzzy_matching=True, update_header_comment=False)
    catalogue.obsolete.clear()
    written = io.BytesIO()
    write_po(written, catalogue, width=100, sort_by_file=True, include_lineno=False)
    if written.getvalue() == before:
        return False
    po.parent.mkdir(parents=True, exist_ok=True)
    po.write_bytes(written.getvalue())
    return True


def main(languages: list[str]) -> None:
    """Updates the catalogues that there are, and begins those of `languages`."""
    source = extract()
    new = {LOCALE / code / "LC_MESSAGES/django.po" for code in languages}
    for po in sorted({*po_files(), *new}):
        changed = update(po, source)
        left = sum(1 for fault in faults(read(po), source) if fault.what == "not translated")
        said = "changed" if changed else "unchanged"
        print(f"{language_of(po)}: {said}, {left} not translated")


if __name__ == "__main__":
    main(sys.argv[1:])
