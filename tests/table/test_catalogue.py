"""Scripts and catalogue know the same sentences; templates and scripts keep the content policy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.table_strings import table_strings

ROOT = Path(__file__).parents[2]
SCRIPTS = {
    path.name: path.read_text(encoding="utf-8")
    for path in (ROOT / "platform/pages/static/pages/table").glob("*.js")
}
TEMPLATES = {
    path.name: path.read_text(encoding="utf-8")
    for path in [
        ROOT / "templates/pages/table.html",
        *(ROOT / "templates/pages/table").glob("*.html"),
    ]
}
# Keys that the scripts put together, as side_left from side_ and the side.
MADE = re.compile(r"(game|side|link|reason|closed|word|head|event_led|event_played)_")


def said_keys() -> set[str]:
    source = "\n".join(SCRIPTS.values())
    calls = re.findall(
        r"""(?:say|count)\(\s*(?:[^"'`(),]*\?\s*)?"(\w+)"(?:\s*:\s*"(\w+)")?""", source
    )
    return {key for pair in calls for key in pair if key}


def test_every_sentence_that_is_said_is_in_the_catalogue():
    assert said_keys() - set(table_strings()) == set()


def test_every_sentence_of_the_catalogue_is_said():
    source = "\n".join(SCRIPTS.values())
    unsaid = {key for key in table_strings() if f'"{key}"' not in source and not MADE.match(key)}
    assert unsaid == set()


def test_counted_sentences_have_a_form_for_every_number_of_tiles():
    counted = {key: forms for key, forms in table_strings().items() if isinstance(forms, list)}
    assert counted
    assert {len(forms) for forms in counted.values()} == {29}


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_hold_no_inline_script_or_style(name):
    text = TEMPLATES[name]
    assert not re.search(r"\sstyle\s*=", text)
    assert not re.search(r"\son\w+\s*=", text)
    assert not re.search(r"<style|<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_never_make_markup_from_text(name):
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function",
        SCRIPTS[name],
    )


@pytest.mark.parametrize("name", TEMPLATES)
def test_visible_text_of_the_templates_is_translated(name):
    text = TEMPLATES[name].replace("table-page", "")
    text = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", text, flags=re.DOTALL)
    words = re.sub(r"<kbd>[^<]*</kbd>|<[^>]*>", " ", text)
    assert not re.findall(r"[A-Za-z]{2,}", words)
