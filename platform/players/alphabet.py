"""The order of names in a language: where its own letters stand in its alphabet. Pure.

In Turkish ç comes after c and ı before i, in Polish ł after l, in Croatian lj after l, in
Vietnamese ă and â after a, whatever its tone. Letters that a language doesn't have stand with the
letter they are made of; capitals count as small ones.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from players import languages

_LATIN: Final = tuple("abcdefghijklmnopqrstuvwxyz")
_ALPHABETS: Final[dict[str, tuple[str, ...]]] = {
    "hr": (
        *("a", "b", "c", "č", "ć", "d", "dž", "đ", "e", "f", "g", "h", "i", "j", "k", "l", "lj"),
        *("m", "n", "nj", "o", "p", "q", "r", "s", "š", "t", "u", "v", "w", "x", "y", "z", "ž"),
    ),
    "pl": tuple("aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"),
    "tr": tuple("abcçdefgğhıijklmnoöpqrsştuüvwxyz"),
    "vi": tuple("aăâbcdđeêfghijklmnoôơpqrstuưvwxyz"),
}
_TONES: Final = {"\N{COMBINING GRAVE ACCENT}", "\N{COMBINING ACUTE ACCENT}",
                 "\N{COMBINING TILDE}", "\N{COMBINING HOOK ABOVE}",
                 "\N{COMBINING DOT BELOW}"}  # fmt: skip
_MADE_OF: Final = {"ł": "l", "đ": "d", "ø": "o", "ı": "i"}

Key = tuple[tuple[tuple[int, int], ...], str]


def key(name: str, language: str | None = None) -> Key:
    """By what names are put in order, in the active language if none is given.

    >>> sorted(["Cem", "Çağla", "Ceyda", "Irmak", "İrem"], key=lambda name: key(name, "tr"))
    ['Cem', 'Ceyda', 'Çağla', 'Irmak', 'İrem']
    >>> sorted(["Luka", "Ljilja", "Lovro"], key=lambda name: key(name, "hr"))
    ['Lovro', 'Luka', 'Ljilja']
    """
    code = language or languages.active()
    letters = _ALPHABETS.get(code, _LATIN)
    places = {letter: place for place, letter in enumerate(letters)}
    text = _small(name, code)
    weights, at = [], 0
    while at < len(text):
        pair = text[at : at + 2]
        letter = pair if len(pair) == 2 and pair in places else text[at]
        weights.append(_weight(letter, places))
        at += len(letter)
    return tuple(weights), name


def _small(name: str, code: str) -> str:
    if code == "tr":
        name = name.replace("I", "ı").replace("İ", "i")
    text = unicodedata.normalize("NFC", name.casefold())
    if code == "vi":
        plain = "".join(c for c in unicodedata.normalize("NFD", text) if c not in _TONES)
        text = unicodedata.normalize("NFC", plain)
    return text


def _weight(letter: str, places: dict[str, int]) -> tuple[int, int]:
    """Signs and figures first, then the alphabet, then all else; accents alone weigh nothing."""
    if letter not in places:
        base = unicodedata.normalize("NFKD", letter)[0]
        letter = _MADE_OF.get(base, base)
    if letter in places:
        return 1, places[letter]
    return (2 if letter.isalpha() else 0), ord(letter)
