"""The one form of a score."""

from __future__ import annotations

from tournaments.scores import score


def test_a_score_is_one_word_with_a_dash_that_no_line_breaks_at() -> None:
    assert score((150, 95)) == "150–\u206095"
    assert score((2, 1, 0)) == "2–\u20601–\u20600"
