"""Each deed has its line, in words; lines are only ever added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import translation

from players.services import create_guest
from tournaments import audit, services
from tournaments.models import AuditLine, Pairing, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]


def actions(cup: Tournament) -> list[str]:
    return [line.action for line in audit.lines(cup, newest_first=False)]


def test_a_line_is_never_changed(event: Event) -> None:
    cup = event()
    line = AuditLine.objects.filter(tournament=cup).first()
    assert line is not None
    for change in (
        lambda: AuditLine.objects.update(reason="Nothing happened"),
        lambda: AuditLine.objects.filter(pk=line.pk).update(by=None),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    line.refresh_from_db()
    assert (line.reason, line.by) == ("", cup.organiser)


def test_what_is_refused_or_changes_nothing_leaves_no_line(event: Event) -> None:
    cup = event()
    before = actions(cup)
    services.open_registration(tournament_id=cup.pk, by=cup.organiser)  # open already
    services.edit(tournament_id=cup.pk, by=cup.organiser, text=cup.text)
    services.withdraw(tournament_id=cup.pk, player=create_guest())
    with pytest.raises(Exception, match="places"):
        services.add_bots(tournament_id=cup.pk, by=cup.organiser, count=999, level="easy")
    assert actions(cup) == before == ["created", "registration_opened"]


def test_the_course_of_an_event_can_be_read(event: Event) -> None:
    cup = event(play="board")
    olga, guest = cup.organiser, create_guest()
    services.edit(tournament_id=cup.pk, by=olga, break_seconds=7)
    services.add_bots(tournament_id=cup.pk, by=olga, count=2, level="easy")
    services.join(tournament_id=cup.pk, player=guest)
    services.withdraw(tournament_id=cup.pk, player=guest, by=olga, reason="Ill")
    services.start(tournament_id=cup.pk, by=olga)
    final = Pairing.objects.get(stage__tournament=cup)
    winner = final.slots.get(index=0).entrant_id
    services.report_result(
        pairing_id=final.pk, by=olga, outcome="decision", winner=winner, reason="Power cut"
    )
    told = {line.action: audit.sentence(line) for line in audit.lines(cup)}
    assert told["edited"] == "Settings were changed: seconds between rounds."
    assert told["bots_added"] == "2 bots were entered."
    assert told["withdrawn"] == f"{guest.name} was taken out."
    assert "match 1" in told["result"]
    assert "decision of the arbiter" in told["result"]
    assert told["finished"] == "The tournament was finished."
    authors = {line.action: line.by for line in audit.lines(cup)}
    assert (authors["result"], authors["finished"]) == (olga, None)
    reasons = {line.action: line.reason for line in audit.lines(cup)}
    assert (reasons["withdrawn"], reasons["result"]) == ("Ill", "Power cut")


def test_a_line_is_in_its_readers_language_not_in_its_writers(event: Event) -> None:
    cup = event()
    with translation.override("de"):
        audit.note(cup, None, "corrected", match=1, outcome="forfeit")
    line = audit.lines(cup).first()
    assert line is not None
    assert line.facts["outcome"] == "forfeit"
    assert audit.sentence(line) == "The result of match 1 was corrected: forfeit."


@pytest.mark.parametrize("facts", [{}, {"entrant": "%(x)s"}, {"keys": ["nothing"]}, {"role": 7}])
def test_a_sentence_never_fails(event: Event, facts: dict[str, Any]) -> None:
    cup = event()
    for action in audit.SENTENCES:
        assert audit.sentence(AuditLine(tournament=cup, action=action, facts=facts))
    assert audit.sentence(AuditLine(tournament=cup, action="from_the_future", facts={}))


def test_each_action_is_of_one_kind() -> None:
    found = [action for kind in audit.KINDS for action in audit.actions_of(kind)]
    assert sorted(found) == sorted(audit.SENTENCES)
