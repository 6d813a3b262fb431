"""Players report players."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction

from fairplay.models import Report
from fairplay.services import open_or_find
from games.models import Match, Seat
from players import throttle
from players.models import Player

MOST: Final = 5
WITHIN: Final = 24 * 3600


class ReportRefused(Exception):
    """`code`: not_reportable (oneself, bots, erased accounts), bad_reason, or too_many."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def report(
    *, reporter: Player, subject: Player, reason: str, text: str = "", match_id: str = ""
) -> Report:
    """Tells moderators of a player. While a report of theirs about that player is open it is the
    one that is answered, as it was. Raises ReportRefused.
    """
    if reporter.pk == subject.pk or subject.is_bot or subject.erased_at:
        raise ReportRefused("not_reportable")
    if reason not in Report.Reason:
        raise ReportRefused("bad_reason")
    if standing := open_report(reporter, subject):
        return standing
    if not throttle.spend(f"report:{reporter.pk}", limit=MOST, seconds=WITHIN):
        raise ReportRefused("too_many")
    said = _said_at(match_id, subject)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=subject.pk)
        if standing := open_report(reporter, subject):
            return standing
        number = Report.objects.filter(subject=subject).count()
        case, _new = open_or_find("report", str(subject.pk), f"report-{number}", [subject.pk], {})
        return Report.objects.create(
            case=case,
            reporter=reporter,
            subject=subject,
            reason=reason,
            text=" ".join(text.split())[:500],
            match="" if said is None else match_id,
            words=said or [],
        )


def open_report(reporter: Player, subject: Player) -> Report | None:
    return Report.objects.filter(reporter=reporter, subject=subject, decided_at=None).first()


def _said_at(match_id: str, subject: Player) -> list[Any] | None:
    """What the table still keeps of the player's words; None where they have no seat there."""
    seat = Seat.objects.filter(match=match_id, player=subject).first() if match_id else None
    if seat is None:
        return None
    words = Match.objects.values_list("words", flat=True).get(pk=match_id)
    return [said.get("text") or said["word"] for said in words if said["seat"] == seat.index]
