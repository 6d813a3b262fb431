"""Catalogues are whole, in step with the source, and compiled without gettext."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from config.languages import catalogues, known, messages, pseudo

LANGUAGES = [code for code in known.NAMES if code != "en"]


@pytest.fixture(scope="module")
def source() -> Catalog:
    return messages.extract()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_all_that_the_source_says(language: str, source: Catalog) -> None:
    """To mend: `make messages`, and translate what is empty."""
    po = catalogues.LOCALE / language / "LC_MESSAGES/django.po"
    assert [str(fault) for fault in messages.faults(catalogues.read(po), source)] == []


def test_every_kind_of_call_and_tag_is_found(tmp_path: Path) -> None:
    for folder in messages.SOURCES:
        (tmp_path / folder).mkdir()
    (tmp_path / "games/words.py").write_text(
        '_("one " "sentence")\n'
        'pgettext_lazy("game", "Draw")\n'
        'ngettext("{n} tile", "{n} tiles", n)\n'
        "# Translators: of a table\n"
        'gettext_lazy("with a comment")\n'
    )
    (tmp_path / "templates/page.html").write_text(
        '  <p>{% translate "It\'s here" %}</p>\n'
        "<b>{% translate 'Print' context 'verb' %}</b> 100% {{ x|yesno:_('yes,no') }}\n"
        "    {% blocktranslate count n=n %}{{ n }} % left{% plural %}{{ n }} % lefts"
        "{% endblocktranslate %}\n"
    )
    found = messages.extract(tmp_path)
    assert [(each.context, each.id) for each in found if each.id] == [
        (None, "one sentence"),
        ("game", "Draw"),
        (None, ("{n} tile", "{n} tiles")),
        (None, "with a comment"),
        (None, "It's here"),
        ("verb", "Print"),
        (None, "yes,no"),
        (None, ("%(n)s %% left", "%(n)s %% lefts")),
    ]
    assert found["with a comment"].auto_comments == ["Translators: of a table"]


ENTRIES = {
    "%(n)s table": ("%(n)s table", "%(n)s tables"),
    "<b>%(name)s</b> won": "<b>%(name)s</b> won",
    "\nText\n": "\nText\n",
}


@pytest.fixture
def small() -> Catalog:
    made = Catalog(fuzzy=False)
    for ids in ENTRIES.values():
        made.add(ids)
    return made


@pytest.fixture
def polish(small: Catalog, tmp_path: Path) -> Callable[..., list[str]]:
    """The faults of a Polish catalogue in which some entries are as given."""

    def faults(*, change: Callable[[Catalog], object] | None = None, **given: object) -> list[str]:
        made = messages.empty("pl")
        said = {
            "%(n)s table": ("%(n)s stół", "%(n)s stoły", "%(n)s stołów", "%(n)s stołu"),
            "<b>%(name)s</b> won": "Zwycięstwo: <b>%(name)s</b>",
            "\nText\n": "\nTekst\n",
        }
        for key, ids in ENTRIES.items():
            made.add(ids, given.get(key.split()[-1], said[key]))
        if change:
            change(made)
        return [str(fault) for fault in messages.faults(made, small)]

    return faults


def test_a_whole_catalogue_has_no_fault(polish: Callable[..., list[str]]) -> None:
    assert polish() == []


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"won": ""}, "not translated: '<b>%(name)s</b> won'"),
        ({"won": "<b>%(nom)s</b>"}, "other placeholders or tags in '<b>%(nom)s</b>': "
         "'<b>%(name)s</b> won'"),
        ({"won": "<i>%(name)s</i>"}, "other placeholders or tags in '<i>%(name)s</i>': "
         "'<b>%(name)s</b> won'"),
        ({"table": ("%(n)s stół", "%(n)s stoły")}, "2 plural forms of 4: '%(n)s table'"),
        ({"table": ("%(n)s stół", "", "%(n)s stołów", "%(n)s stołu")},
         "not translated: '%(n)s table'"),
        ({"Text": "Tekst"}, "other line breaks at the ends of 'Tekst': '\\nText\\n'"),
    ],
)  # fmt: skip
def test_a_fault_is_named(
    polish: Callable[..., list[str]], given: dict[str, object], fault: str
) -> None:
    assert polish(**given) == [fault]


def test_what_the_source_has_and_has_not_is_compared(polish: Callable[..., list[str]]) -> None:
    def swap(made: Catalog) -> None:
        made.delete("\nText\n")
        made.add("Gone", "Nie ma")

    assert polish(change=swap) == [
        "not in the catalogue: '\\nText\\n'",
        "not in the source: 'Gone'",
    ]


def test_a_guess_is_a_fault(polish: Callable[..., list[str]]) -> None:
    def guess(made: Catalog) -> None:
        made["<b>%(name)s</b> won"].flags.add("fuzzy")

    assert polish(change=guess) == ["fuzzy: '<b>%(name)s</b> won'"]


def test_an_update_adds_what_is_new_and_keeps_what_is_said(tmp_path: Path, small: Catalog) -> None:
    po = tmp_path / "pl/LC_MESSAGES/django.po"
    assert messages.update(po, small)
    before = po.read_text()
    assert not messages.update(po, small)
    assert po.read_text() == before
    entry = 'msgid "<b>%(name)s</b> won"\nmsgstr "'
    po.write_text(before.replace(entry, f"{entry}Wygrana: <b>%(name)s</b>"))
    small.add("New")
    small.delete("\nText\n")
    assert messages.update(po, small)
    now = catalogues.read(po)
    assert now["<b>%(name)s</b> won"].string == "Wygrana: <b>%(name)s</b>"
    assert now["New"].string == ""
    assert now.get("\nText\n") is None
    assert now.num_plurals == 4


def test_a_catalogue_is_made_when_it_is_missing_or_old(tmp_path: Path, small: Catalog) -> None:
    po = tmp_path / "tr/LC_MESSAGES/django.po"
    messages.update(po, small)
    mo = po.with_suffix(".mo")
    assert catalogues.compile_stale(tmp_path) == [po]
    assert catalogues.compile_stale(tmp_path) == []
    os.utime(po, (mo.stat().st_mtime + 9, mo.stat().st_mtime + 9))
    assert catalogues.stale(tmp_path) == [po]
    with po.open("a") as file:
        file.write('\nmsgid "Text"\nmsgstr "Yazı"\n')
    catalogues.compile_stale(tmp_path)
    with mo.open("rb") as file:
        assert GNUTranslations(file).gettext("Text") == "Yazı"


def test_a_catalogue_that_is_not_made_stops_the_checks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small: Catalog
) -> None:
    po = tmp_path / "tr/LC_MESSAGES/django.po"
    messages.update(po, small)
    monkeypatch.setattr(catalogues.stale, "__defaults__", (tmp_path,))
    with pytest.raises(SystemCheckError, match="The catalogue of tr is missing or older"):
        call_command("check")
    catalogues.compile_stale(tmp_path)
    call_command("check")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Save %(name)s", "⟦Šávé %(name)s ēxť⟧"),
        ("\n<b>Go</b>\n", "\n⟦<b>Gó</b> ēx⟧\n"),
    ],
)
def test_the_pseudo_language_leaves_what_a_message_must_hold(message: str, said: str) -> None:
    assert pseudo.pseudo(message) == said


ALIAS = re.compile(r"\w*gettext\w* as (\w+)")


def test_no_call_has_a_name_that_is_not_looked_for() -> None:
    for folder in messages.SOURCES:
        for module in (catalogues.ROOT / folder).rglob("*.py"):
            names = set(ALIAS.findall(module.read_text(encoding="utf-8")))
            assert names <= messages.KEYWORDS.keys(), module
