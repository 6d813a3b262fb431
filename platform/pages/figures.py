"""Numbers as people write them, in the language of the page."""

from __future__ import annotations

import re
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import get_language

MINUS: Final = "\N{MINUS SIGN}"
_TILE: Final = re.compile(r"(?<=\d)-(?=\d)")
PERCENT: Final = {"hr": "{}\N{NO-BREAK SPACE}%", "pl": "{}\N{NO-BREAK SPACE}%", "tr": "%{}"}
"""How a language writes a share where it is not "71%" (CLDR)."""


def signed(value: int) -> str:
    """ "+15", "−10", "0"."""
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value else "0"


def unbroken(text: str) -> str:
    """A text whose tiles, and what they lead to, stay in one line: "5-5", "6-1 → 1"."""
    whole = _TILE.sub("\N{NON-BREAKING HYPHEN}", text)
    return whole.replace(" → ", "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}")


def hundredths(value: float) -> str:
    """A value with two decimals, or with none if it is whole: "32.33", in Turkish "32,33"; "30"."""
    whole = round(value)
    text = number_format(abs(value), 0 if value == whole else 2, use_l10n=True)
    return f"{MINUS}{text}" if value < 0 else text


def tenths(value: float) -> str:
    """A value with one decimal, or with none if it is whole: "1.5", in Polish "1,5"; "2"."""
    return number_format(value, 0 if value == round(value) else 1, use_l10n=True)


def percent(whole: int) -> str:
    """A share in hundredths: "71%", in Polish "71 %", in Turkish "%71"."""
    return PERCENT.get(get_language() or "", "{}%").format(whole)
