"""Cases: opened once, decided with an author and a reason, and never by a machine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from fairplay import reporting, services, watching
from fairplay.detectors.rows import Finding
from fairplay.models import Case, Decision, Report
from fairplay.reporting import ReportRefused
from fairplay.services import DecisionRefused
from notices.models import Notice
from outbox.services import drain
from players import erasure, moderation
from players.models import Player
from ratings import services as ratings
from ratings.fold import Entry
from ratings.models import Rating, RatingChange, UnratedMatch
from tournaments import services as tournaments

People = Callable[[int], list[Player]]
POOL = "allfives-1v1"


def found(one: Player, two: Player, matches: range) -> Finding:
    names = tuple(f"match{number:07}" for number in matches)
    return Finding("farming", (one.pk, two.pk), {"count": len(names)}, names)


def play(number: int, winner: Player, loser: Player, *, days: float) -> str:
    """A rated match so many days ago."""
    at = timezone.now() - timedelta(days=days)
    entry = Entry(f"match{number:07}", at, 150, ((winner.pk,), (loser.pk,)), (1, 2))
    ratings.enter(POOL, entry)
    return entry.match_id


def codes(refusals: list[Any]) -> list[str]:
    return [refused.value.code for refused in refusals]


def test_what_is_found_again_is_one_case_with_the_newer_evidence(people: People) -> None:
    _staff, one, two = people(3)
    assert services.open_case(found(one, two, range(20))) is True
    assert services.open_case(found(one, two, range(20))) is False
    assert services.open_case(found(one, two, range(23))) is False
    case = Case.objects.get()
    assert len(case.matches) == case.facts["count"] == 23
    assert set(case.players.all()) == {one, two}


def test_a_dismissed_case_comes_again_with_new_matches_alone(people: People) -> None:
    staff, one, two = people(3)
    services.open_case(found(one, two, range(20)))
    services.dismiss(case_id=Case.objects.get().pk, by=staff, reason="They are sisters")
    assert services.open_case(found(one, two, range(20))) is False
    assert services.open_case(found(one, two, range(24))) is False
    assert services.open_case(found(one, two, range(4, 25))) is True
    assert sorted(Case.objects.values_list("state", flat=True)) == ["dismissed", "open"]


@pytest.mark.django_db(transaction=True)
def test_two_who_look_at_once_open_one_case(people: People, at_once: Any) -> None:
    _staff, one, two = people(3)

    opened = at_once(8, lambda _n: services.open_case(found(one, two, range(20))))
    assert sum(opened) == 1
    assert Case.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_decide_at_once_decide_once(people: People, at_once: Any) -> None:
    staff, one, two, other = people(4)
    Player.objects.filter(pk=other.pk).update(is_staff=True)
    other.refresh_from_db()
    services.open_case(found(one, two, range(20)))
    case = Case.objects.get()

    by = [staff, other] * 3
    done = at_once(6, lambda n: services.dismiss(case_id=case.pk, by=by[n], reason="Sisters"))
    assert sum(done) == 1
    assert Decision.objects.count() == 1


def test_a_decision_has_an_author_and_a_reason_and_is_taken_by_staff(people: People) -> None:
    staff, one, two = people(3)
    services.open_case(found(one, two, range(20)))
    case = Case.objects.get()
    for by, reason, code in ((one, "So", "not_staff"), (staff, "  ", "no_reason")):
        with pytest.raises(DecisionRefused) as refused:
            services.dismiss(case_id=case.pk, by=by, reason=reason)
        assert refused.value.code == code
        with pytest.raises(DecisionRefused) as refused:
            services.act(player=two, by=by, action="warn", reason=reason, case_id=case.pk)
        assert refused.value.code == code
    assert services.dismiss(case_id=case.pk, by=staff, reason=" Sisters, on  holiday ") is True
    assert services.dismiss(case_id=case.pk, by=staff, reason="Again") is False
    [decision] = Decision.objects.all()
    assert (decision.by, decision.action, decision.reason) == (
        staff, "dismiss", "Sisters, on holiday",
    )  # fmt: skip


def test_who_is_part_of_a_case_does_not_decide_it(people: People) -> None:
    staff, one, two = people(3)
    Player.objects.filter(pk=one.pk).update(is_staff=True)
    one.refresh_from_db()
    services.open_case(found(one, two, range(20)))
    reporting.report(reporter=staff, subject=two, reason="losing")
    farming, reported = Case.objects.get(kind="farming"), Case.objects.get(kind="report")
    for by, case in ((one, farming), (staff, reported)):
        with pytest.raises(DecisionRefused) as refused:
            services.dismiss(case_id=case.pk, by=by, reason="Nothing")
        assert refused.value.code == "involved"


def test_a_warning_is_told_once_and_decides_the_case(people: People) -> None:
    staff, one, two = people(3)
    services.open_case(found(one, two, range(20)))
    case = Case.objects.get()
    told = {"player": one, "by": staff, "action": "warn", "reason": "Stop it", "case_id": case.pk}
    assert [services.act(**told), services.act(**told)] == [True, False]
    case.refresh_from_db()
    assert (case.state, case.decided_at is not None) == ("acted", True)
    [notice] = Notice.objects.all()
    assert (notice.player, notice.kind, notice.facts) == (one, "warned", {"reason": "Stop it"})
    assert services.act(**told | {"player": two}) is True
    assert case.decisions.count() == 2


def test_matches_of_a_case_are_taken_out_of_the_ratings_by_somebody(people: People) -> None:
    staff, one, two = people(3)
    ids = [play(number, one, two, days=9 - number) for number in range(4)]
    done = {"player": one, "by": staff, "action": "annul", "reason": "Thrown"}
    services.act(**done, matches=ids[:3])
    assert [row.by for row in UnratedMatch.objects.filter(reason="annulled")] == [staff] * 3
    assert RatingChange.objects.filter(player=one).count() == 1
    assert Decision.objects.get().facts == {"matches": ids[:3]}
    with pytest.raises(DecisionRefused) as refused:
        services.act(**done | {"reason": "Also"}, matches=["nosuchmatch1"])
    assert refused.value.code == "no_match"


def test_the_word_is_taken_for_some_days_and_given_back(people: People) -> None:
    staff, one = people(2)
    facts = {"player": one, "by": staff}
    assert services.act(**facts, action="silence", reason="Insults", days=7) is True
    assert moderation.is_silenced(one)
    assert Notice.objects.get().kind == "silenced"
    assert services.act(**facts, action="silence", reason="Shorter", days=3) is False
    assert services.act(**facts, action="unsilence", reason="Sorry") is True
    assert not moderation.is_silenced(one)
    assert [each.action for each in Decision.objects.all()] == ["silence", "unsilence"]


def test_a_suspension_and_a_new_name_are_decisions_too(people: People) -> None:
    staff, one = people(2)
    facts = {"player": one, "by": staff}
    services.act(**facts, action="rename", reason="Offensive", name="Anna")
    services.act(**facts, action="suspend", reason="Again and again", days=30)
    assert services.act(**facts, action="suspend", reason="Once more", days=30) is False
    services.act(**facts, action="lift", reason="Apology")
    assert [each.facts for each in Decision.objects.all()] == [
        {"before": "Player 1", "after": "Anna"}, {"days": 30}, {},
    ]  # fmt: skip


def test_reports_of_one_player_are_one_case_and_one_report_a_reporter(people: People) -> None:
    staff, bad, one, two = people(4)
    first = reporting.report(reporter=one, subject=bad, reason="talk", text="Rude  words")
    again = reporting.report(reporter=one, subject=bad, reason="name")
    reporting.report(reporter=two, subject=bad, reason="stalling")
    case = Case.objects.get()
    assert (again, first.text) == (first, "Rude words")
    assert (case.reports.count(), list(case.players.all())) == (2, [bad])
    services.act(player=bad, by=staff, action="warn", reason="Be kind", case_id=case.pk)
    told = Notice.objects.filter(kind="report")
    assert {notice.player for notice in told} == {one, two}
    assert {str(notice.facts) for notice in told} == {"{'name': 'Player 1'}"}
    later = reporting.report(reporter=one, subject=bad, reason="talk")
    assert later != first
    assert Case.objects.filter(state="open").get() == later.case


def test_what_cannot_be_reported(people: People) -> None:
    _staff, one, *others = people(8)
    refused = []
    for subject, reason in ((one, "talk"), (others[0], "because")):
        with pytest.raises(ReportRefused) as each:
            reporting.report(reporter=one, subject=subject, reason=reason)
        refused.append(each)
    for subject in others[: reporting.MOST]:
        reporting.report(reporter=one, subject=subject, reason="other")
    with pytest.raises(ReportRefused) as each:
        reporting.report(reporter=one, subject=others[reporting.MOST], reason="other")
    assert codes([*refused, each]) == ["not_reportable", "bad_reason", "too_many"]


@pytest.mark.django_db(transaction=True)
def test_reports_sent_at_once_are_one_case(people: People, at_once: Any) -> None:
    _staff, bad, *others = people(5)

    by = [*others, *others]
    at_once(6, lambda n: reporting.report(reporter=by[n], subject=bad, reason="talk").pk)
    assert Case.objects.count() == 1
    assert Report.objects.count() == len(others)


def test_who_is_erased_leaves_no_words_in_reports(people: People) -> None:
    _staff, bad, one = people(3)
    reporting.report(reporter=one, subject=bad, reason="talk", text="He said …")
    erasure.erase(player_id=one.pk)
    drain()
    assert Report.objects.get().text == ""


def test_the_detectors_read_the_ratings_log_and_change_no_rating(people: People) -> None:
    _staff, one, two, three = people(4)
    Player.objects.filter(pk=two.pk).update(created_at=timezone.now() - timedelta(days=3))
    for number in range(40):
        play(number, one, two, days=2.9 - number / 20)
    play(40, three, one, days=1)
    before = list(Rating.objects.order_by("pk").values_list())
    call_command("fairplay", "--dry")
    assert Case.objects.count() == 0
    assert watching.look() == 1
    assert watching.look() == 0
    case = Case.objects.get()
    assert (case.kind, case.facts["wins"], case.facts["signs"]) == ("farming", 40, ["fresh"])
    assert list(Rating.objects.order_by("pk").values_list()) == before
    assert not Notice.objects.exists()


def test_losing_before_a_capped_event_is_read_from_its_entries(people: People) -> None:
    staff, one, *others = people(12)
    for number in range(40):
        other = others[number % 10]
        winner, loser = (one, other) if number % 3 else (other, one)
        play(number, winner, loser, days=40 - number / 4)
    limit = round(Rating.objects.get(player=one).state.rating) - 1
    for number in range(14):
        play(100 + number, others[number % 10], one, days=20 - number)
    event = tournaments.create(organiser=staff, name="Under it", max_rating=limit)
    tournaments.open_registration(tournament_id=event.pk, by=staff)
    tournaments.join(tournament_id=event.pk, player=one)
    [finding] = watching.findings(timezone.now())
    assert (finding.players, finding.facts["lost"], finding.facts["limit"]) == (
        (one.pk,),
        14,
        limit,
    )
