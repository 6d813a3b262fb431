"""Names that people choose: cleaned, and told apart from names that look like them. Pure.

A name keeps its writing (`clean_name`); `skeleton` is what it looks like, so that two names which
the eye can't tell apart have one skeleton (Unicode Technical Standard 39).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import grapheme
from confusable_homoglyphs import categories
from confusable_homoglyphs.confusables import confusables_data

MAX_GRAPHEMES = 20
MAX_STORED = 80
MAX_MARKS = 2

_RESERVED_WORDS = (
    "admin administrator anonymous api arbiter bot deleted everyone guest help here host mod "
    "moderator muggins null official organiser organizer owner referee root security server site "
    "staff superuser support system undefined you"
)
RESERVED_FIRST_WORDS = ("bot", "guest", "admin", "moderator", "staff")

HANDLE = re.compile(r"[a-z0-9](?:[a-z0-9]|[_-](?![_-])){1,18}[a-z0-9]")

# Letters and marks that draw nothing, besides the format characters (category Cf).
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SCRIPTS_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)


class NameRefused(Exception):
    """A name that can't be taken: `code` for programs, `detail` in English for the log."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def number(pk: int) -> str:
    """Who has lost their name, in every language, and as nobody can call themselves: "#1234"."""
    return f"#{pk}"


def clean_name(text: str, longest: int = MAX_GRAPHEMES) -> str:
    """`text` as it will be shown: composed, on one line, without what can't be seen; at most
    `longest` characters.

    >>> clean_name("  Jose\\u0301  \\u202eP. ")
    'José P.'

    Raises NameRefused: empty, too_long, no_letter, too_many_marks, mixed_scripts, reserved.
    """
    seen = "".join(" " if c.isspace() else c for c in text if c.isspace() or _is_seen(c))
    name = " ".join(unicodedata.normalize("NFC", seen).split())
    _refuse_bad_shape(name, longest)
    _refuse_bad_letters(name)
    if is_reserved(name):
        raise NameRefused("reserved", "That name is kept for the site itself.")
    return name


def clean_line(text: str) -> str:
    """One line of text: composed (NFC), without control, formatting and bidi characters.

    >>> clean_line(" Friday\\u202e  Cup\\n")
    'Friday Cup'
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in composed)
    return " ".join(kept.split())


def clean_handle(text: str) -> str:
    """A sign-in name in lower case: 3 to 20 of a-z, 0-9, single - and _ inside.

    Raises NameRefused: bad_handle, reserved.
    """
    handle = text.strip().lower()
    if not HANDLE.fullmatch(handle):
        raise NameRefused(
            "bad_handle",
            "Use 3 to 20 of the letters a–z and digits, with single dashes or underscores inside.",
        )
    if is_reserved(re.sub(r"[_-]", " ", handle)):
        raise NameRefused("reserved", "That name is kept for the site itself.")
    return handle


def skeleton(name: str) -> str:
    """What a name looks like: equal for names that the eye can't tell apart.

    >>> skeleton("Limes") == skeleton("Iimes") == skeleton("l\\u0456mes")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    shown = [
        c
        for c in unicodedata.normalize("NFD", folded)
        if _is_letter(c) or _is_letter(_prototype(c)[0])
    ]
    # Small i stands for the capital I, whose twin is l.
    return _prototypes(_prototypes("".join(shown)).casefold()).casefold().replace("i", "l")


def is_reserved(name: str) -> bool:
    """Whether a name, or its first word, belongs to the site, its staff or its bots."""
    words = name.split()
    return skeleton(name) in _reserved() or (
        len(words) > 1 and skeleton(words[0]) in {skeleton(word) for word in RESERVED_FIRST_WORDS}
    )


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"


def _is_seen(char: str) -> bool:
    if unicodedata.category(char)[0] == "C" or char in _BLANK:
        return False
    return unicodedata.category(char) != "Mn" or not (
        "\ufe00" <= char <= "\ufe0f" or "\u180b" <= char <= "\u180f" or char >= "\U000e0100"
    )


def _refuse_bad_shape(name: str, longest: int) -> None:
    if not name:
        raise NameRefused("empty", "A name needs at least one letter.")
    length = grapheme.length(name)
    if length > longest or len(name) > MAX_STORED or len(name.encode()) > 4 * longest:
        raise NameRefused(
            "too_long", f"A name has at most {longest} characters; this has {length}."
        )


def _refuse_bad_letters(name: str) -> None:
    if not any(unicodedata.category(c)[0] == "L" for c in name):
        raise NameRefused("no_letter", "A name needs at least one letter.")
    marks = 0
    for char in name:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks > MAX_MARKS:
            raise NameRefused("too_many_marks", "Too many accents are piled on one letter.")
    scripts = {categories.alias(c) for c in name} - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= together for together in _SCRIPTS_TOGETHER):
        raise NameRefused(
            "mixed_scripts", "A name is written in one script: this one mixes several."
        )


def _prototypes(text: str) -> str:
    return unicodedata.normalize("NFD", "".join(_prototype(c) for c in text))


@lru_cache(maxsize=4096)
def _prototype(char: str) -> str:
    """The character, or characters, that stand for all that look like `char`.

    The data lists, for a look-alike, its prototype alone, and for a prototype all its look-alikes.
    """
    twins = confusables_data.get(char, [])
    if len(twins) != 1:
        return char
    twin: str = twins[0]["c"].replace("\u200e", "")
    mutual = len(confusables_data.get(twin, [])) == 1
    return min(char, twin) if mutual else twin


@lru_cache(maxsize=1)
def _reserved() -> frozenset[str]:
    return frozenset(skeleton(word) for word in _RESERVED_WORDS.split())
