from __future__ import annotations

import pytest
from django.utils.translation import override

from pages import figures


@pytest.mark.parametrize(
    ("language", "share", "times", "whole"),
    [
        ("en", "71%", "1.5", "2"),
        ("ms", "71%", "1.5", "2"),
        ("vi", "71%", "1,5", "2"),
        ("hr", "71\N{NO-BREAK SPACE}%", "1,5", "2"),
        ("pl", "71\N{NO-BREAK SPACE}%", "1,5", "2"),
        ("tr", "%71", "1,5", "2"),
    ],
)
def test_a_share_and_a_fraction_are_written_as_the_language_does(
    language: str, share: str, times: str, whole: str
) -> None:
    with override(language):
        assert figures.percent(71) == share
        assert (figures.tenths(1.5), figures.tenths(2.0)) == (times, whole)
