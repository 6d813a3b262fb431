"""The detectors on people whose skill is known (`manage.py fairplay --trial` does it at length)."""

from __future__ import annotations

from fairplay import trial


def test_honest_people_make_no_cases() -> None:
    made = trial.honest(people=150, matches=6000, seed=3)
    made.rate()
    assert len(made.duels) > 4000
    assert list(made.findings()) == []


def test_most_cheaters_of_every_kind_are_named_and_nobody_else() -> None:
    made = trial.with_cheaters(trial.honest(people=150, matches=6000, seed=3), 5)
    made.rate()
    for kind, score in trial.scores(made).items():
        assert (score.named >= 4, score.false_alarms) == (True, 0), (kind, score)
