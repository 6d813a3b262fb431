"""Days as each language writes them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils.formats import date_format
from django.utils.translation import override


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", "30 Nov"), ("hr", "30. studenoga"), ("pl", "30 listopada"), ("tr", "30 Kasım")],
)
def test_a_day_is_written_with_its_month_in_the_right_case(language: str, written: str) -> None:
    with override(language):
        assert date_format(dt.date(2026, 11, 30), "MONTH_DAY_FORMAT") == written
