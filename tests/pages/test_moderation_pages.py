"""Reports and cases on their pages: who sees them, what they say, what is done there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from fairplay import reporting, services
from fairplay.detectors.rows import Finding
from fairplay.models import Case, Report
from games import services as games
from games.models import Match
from outbox.services import drain
from pages import case_words
from players.models import Player
from ratings.models import RatedMatch

Make = Callable[..., Player]


@pytest.fixture
def staff(db: None) -> Player:
    return Player.objects.create_superuser("boss", "double-six-leads", name="Boss")


def a_case(one: Player, two: Player, *matches: str) -> Case:
    facts = {
        "pool": "allfives-1v1", "count": 22, "wins": 21, "expected": 11.4, "gain": 180,
        "percent": 71, "p": 0.0000123, "signs": ["given_up"],
    }  # fmt: skip
    ids = matches or ("nosuchmatch1",)
    services.open_case(Finding("farming", (one.pk, two.pk), facts, ids))
    return Case.objects.get(kind="farming")


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_cases_are_for_staff_alone(
    client: Client, make_player: Make, as_player: Any, staff: Player
) -> None:
    one, two = make_player(), make_player()
    case = a_case(one, two)
    for path in ("/moderation", f"/moderation/{case.pk}", f"/@{one.handle}/moderate"):
        for somebody in (client, as_player(one)):
            assert somebody.get(path).status_code == 403
            assert somebody.post(path, {"action": "dismiss", "reason": "x"}).status_code in (
                403,
                405,
            )
        assert as_player(staff).get(path).status_code == 200
    case.refresh_from_db()
    assert case.is_open


def test_a_case_says_its_evidence_in_words(
    make_player: Make, as_player: Any, staff: Player
) -> None:
    case = a_case(make_player("Zoe"), make_player("Adam"))
    page = text_of(as_player(staff).get(f"/moderation/{case.pk}"))
    assert "Zoe won 21 of 22 matches against Adam, where 11.4 were to be expected" in page
    assert "(1 in 81,000). They are 71% of all that Zoe played, and brought 180 points." in page
    assert "The loser gave up many of these matches." in page
    assert "Zoe won 21 of 22" in text_of(as_player(staff).get("/moderation"))


@pytest.mark.parametrize("kind", [kind for kind in Case.Kind if kind != "report"])
def test_every_kind_of_case_has_its_sentence(kind: str) -> None:
    facts = dict.fromkeys(
        ("count", "wins", "lost", "expected", "gain", "percent", "feeders", "limit", "before",
         "after", "given_up", "others", "of", "surplus"), 2,
    ) | {"p": 0.0, "name": "Cup", "signs": list(case_words.SIGNS)}  # fmt: skip
    case = Case(kind=kind, evidence={"facts": facts})
    said = case_words.sentences(case, ["Zoe", "Adam"])
    assert "Zoe" in said[0]
    assert "less than 1 in 1,000,000" in said[0]
    assert "%(" not in said[0]


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.5, "1 in 2"),
        (0.001, "1 in 1,000"),
        (1 / 1234, "1 in 1,200"),
        (0, "less than 1 in 1,000,000"),
    ],
)
def test_chances_in_words(p: float, words: str) -> None:
    assert case_words.odds(p) == words


def test_matches_are_chosen_and_taken_out_of_the_ratings(
    make_player: Make, as_player: Any, staff: Player, finished_match: Callable[..., Match]
) -> None:
    one, two = make_player("Zoe"), make_player("Adam")
    first, second = finished_match(one, two), finished_match(one, two)
    drain()
    path = f"/moderation/{a_case(one, two, first.pk, second.pk).pk}"
    client = as_player(staff)
    form = {"action": "annul", "player": one.pk, "reason": "Thrown", "days": "7"}
    assert "Choose the matches" in text_of(client.post(path, form))
    assert client.post(path, form | {"match": [first.pk, "elsewhere123"]}).status_code == 302
    assert dict(RatedMatch.objects.values_list("pk", "annulled")) == {
        first.pk: True, second.pk: False,
    }  # fmt: skip
    page = text_of(client.get(path))
    assert "<b>Take matches out of the ratings</b> <b>1 match</b>" in page
    assert f'value="{first.pk}" disabled' in page
    assert "Thrown" in page


def test_a_report_from_a_table_carries_what_was_said_and_becomes_a_case(
    make_player: Make, as_player: Any, staff: Player
) -> None:
    one, two = make_player("Zoe"), make_player("Adam")
    match = games.open_match(rules={"preset": "allfives"}, seats=2, players=[one, two])
    games.say(match_id=match.pk, player=two, word="cry")
    client, path = as_player(one), f"/@{two.handle}/report?table={match.pk}"
    assert "The report names the table" in text_of(client.get(path))
    assert 'id="id_reason_error"' in client.post(path, {"text": "x"}).content.decode()
    sent = {"reason": "talk", "text": "<b>Crying</b> all the time"}
    page = text_of(client.post(path, sent, follow=True))
    assert "Your report waits to be looked at." in page
    [report] = Report.objects.all()
    assert (report.match, report.words) == (match.pk, ["cry"])
    seen = text_of(as_player(staff).get(f"/moderation/{report.case.pk}"))
    assert "&lt;b&gt;Crying&lt;/b&gt;" in seen
    assert "What they say or write" in seen
    assert seen.count("<q>") == 1


def test_nobody_reports_themselves_or_without_a_sign_in(
    client: Client, make_player: Make, as_player: Any
) -> None:
    one = make_player()
    path = f"/@{one.handle}/report"
    assert client.get(path).headers["Location"].startswith("/accounts/sign-in")
    page = text_of(as_player(one).post(path, {"reason": "name"}))
    assert "Only other people can be reported." in page
    assert not Report.objects.exists()


def test_the_reporter_is_told_that_it_is_decided_and_not_how(
    make_player: Make, as_player: Any, staff: Player
) -> None:
    one, two = make_player("Zoe"), make_player("Adam")
    reporting.report(reporter=one, subject=two, reason="talk", text="Rude")
    case = Case.objects.get()
    as_player(staff).post(f"/moderation/{case.pk}", {"action": "warn", "reason": "Be kind"})
    assert "A moderator has looked at your report about Adam." in text_of(
        as_player(one).get("/notices")
    )
    assert "A moderator warns you: Be kind" in text_of(as_player(two).get("/notices"))
