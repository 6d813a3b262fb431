"""Cases opened, and decided by moderators. Whatever is decided has an author and a reason."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from fairplay.detectors.rows import Finding
from fairplay.models import Case, Decision, Report
from notices.services import address, tell
from players import moderation
from players.models import Player
from ratings import services as ratings

NEW_MATCHES: Final = 5
"""So many matches that no moderator has seen yet are new evidence."""
TWICE_WITHIN: Final = dt.timedelta(minutes=1)
"""The same decision by the same moderator again so soon is the same click."""

Action = Decision.Action


class DecisionRefused(Exception):
    """`code`: not_staff, no_reason, involved (who is part of a case doesn't decide it),
    not_suspendable, past, no_length, or no_match.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@transaction.atomic
def open_case(finding: Finding) -> bool:
    """A case of what was found; an open one takes the newer evidence. What moderators have decided
    on comes again with new matches alone. Answers whether there is a case that wasn't there.
    """
    known = Case.objects.filter(kind=finding.kind, subject=finding.subject)
    evidence = {
        "facts": finding.facts,
        "players": list(finding.players),
        "matches": list(finding.matches),
    }
    if known.filter(state=Case.State.OPEN).update(evidence=evidence):
        return False
    seen = {match for case in known for match in case.matches}
    if seen and len(set(finding.matches) - seen) < NEW_MATCHES:
        return False
    return open_or_find(
        finding.kind, finding.subject, finding.matches[-1], finding.players, evidence
    )[1]


def open_or_find(
    kind: str, subject: str, key: str, players: Sequence[int], evidence: Mapping[str, Any]
) -> tuple[Case, bool]:
    """The open case of a subject, and whether it is a new one; two at once open one."""
    try:
        with transaction.atomic():
            case = Case.objects.create(kind=kind, subject=subject, key=key, evidence=dict(evidence))
    except IntegrityError:
        found = Case.objects.filter(kind=kind, subject=subject)
        return found.filter(state=Case.State.OPEN).first() or found[0], False
    case.players.add(*players)
    return case, True


@transaction.atomic
def dismiss(*, case_id: int, by: Player, reason: str) -> bool:
    """There is nothing to do. False when the case had been decided. Raises DecisionRefused."""
    case = _case_for(case_id, by)
    reason = _reason(reason)
    if not case.is_open:
        return False
    _close(case, Case.State.DISMISSED)
    Decision.objects.create(case=case, by=by, action=Action.DISMISS, reason=reason)
    return True


@transaction.atomic
def act(
    *,
    player: Player,
    by: Player,
    action: str,
    reason: str,
    case_id: int | None = None,
    days: int | None = None,
    matches: Sequence[str] = (),
    name: str = "",
) -> bool:
    """Does something about a player, for a case or without one; false when that was done before.

    `days` is for how long they are suspended (None: until lifted) or have no word. Raises
    DecisionRefused, and NameRefused.
    """
    case = None if case_id is None else _case_for(case_id, by)
    _require_staff(by)
    reason = _reason(reason)
    row = Player.objects.select_for_update().get(pk=player.pk)
    again = Decision.objects.filter(
        case=case, player=row, by=by, action=action, reason=reason,
        at__gt=timezone.now() - TWICE_WITHIN,
    )  # fmt: skip
    if again.exists():
        return False
    try:
        facts = _DEEDS[action](row, by, reason, days=days, matches=matches, name=name)
    except moderation.ModerationRefused as refused:
        raise DecisionRefused(refused.code) from refused
    if facts is None:
        return False
    decision = Decision.objects.create(
        case=case, player=row, by=by, action=action, reason=reason, facts=facts
    )
    _tell(decision)
    if case is not None and case.is_open:
        _close(case, Case.State.ACTED)
    return True


def _warn(player: Player, by: Player, reason: str, **_more: Any) -> dict[str, Any]:
    return {}


def _silence(
    player: Player, by: Player, reason: str, *, days: int | None, **_more: Any
) -> dict[str, Any] | None:
    if not days:
        raise DecisionRefused("no_length")
    made = moderation.silence(player=player, by=by, reason=reason, days=days)
    return {"days": days} if made else None


def _unsilence(player: Player, by: Player, reason: str, **_more: Any) -> dict[str, Any] | None:
    return {} if moderation.unsilence(player=player, by=by) else None


def _rename(
    player: Player, by: Player, reason: str, *, name: str, **_more: Any
) -> dict[str, Any] | None:
    before = player.name
    after = moderation.rename_offensive(player=player, by=by, name=name).name
    return {"before": before, "after": after} if after != before else None


def _suspend(
    player: Player, by: Player, reason: str, *, days: int | None, **_more: Any
) -> dict[str, Any] | None:
    until = timezone.now() + dt.timedelta(days=days) if days else None
    stood = not player.is_active
    moderation.suspend(player=player, by=by, reason=reason, until=until)
    return None if stood else {"days": days}


def _lift(player: Player, by: Player, reason: str, **_more: Any) -> dict[str, Any] | None:
    stood = not player.is_active
    moderation.lift(player=player, by=by)
    return {} if stood else None


def _annul(
    player: Player, by: Player, reason: str, *, matches: Sequence[str], **_more: Any
) -> dict[str, Any] | None:
    if not matches:
        raise DecisionRefused("no_match")
    try:
        done = [each for each in matches if ratings.annul(match_id=each, note=reason[:200], by=by)]
    except ratings.NotRatedYet as error:
        raise DecisionRefused("no_match") from error
    return {"matches": done} if done else None


_DEEDS: Final[dict[str, Callable[..., dict[str, Any] | None]]] = {
    Action.WARN: _warn,
    Action.SILENCE: _silence,
    Action.UNSILENCE: _unsilence,
    Action.RENAME: _rename,
    Action.SUSPEND: _suspend,
    Action.LIFT: _lift,
    Action.ANNUL: _annul,
}


def _tell(decision: Decision) -> None:
    """What concerns a player they are told, with the reason; ratings tell of themselves, and who
    is suspended reads why where they sign in.
    """
    kind = {Action.WARN.value: "warned", Action.SILENCE.value: "silenced"}.get(decision.action)
    if kind is not None and decision.player is not None:
        tell(
            players=[decision.player],
            kind=kind,
            key=f"decision-{decision.pk}",
            facts={"reason": decision.reason},
        )


def _close(case: Case, state: Case.State) -> None:
    """The case is decided, and those who reported it hear that it is, not how."""
    case.state, case.decided_at = state, timezone.now()
    case.save(update_fields=["state", "decided_at"])
    reports = Report.objects.filter(case=case, decided_at=None)
    for report in reports.select_related("reporter", "subject"):
        url = address("pages:player", report.subject.handle)
        facts = {"name": report.subject.name}
        tell(
            players=[report.reporter], kind="report", key=f"report-{report.pk}", facts=facts,
            url=url,
        )  # fmt: skip
    reports.update(decided_at=case.decided_at)


def _case_for(case_id: int, by: Player) -> Case:
    """The case, locked, for a moderator who has no part in it."""
    _require_staff(by)
    case = Case.objects.select_for_update().get(pk=case_id)
    about = case.players.filter(pk=by.pk)
    if about.exists() or case.reports.filter(reporter=by).exists():
        raise DecisionRefused("involved")
    return case


def _require_staff(by: Player) -> None:
    if not (by.is_staff and by.is_active):
        raise DecisionRefused("not_staff")


def _reason(text: str) -> str:
    reason = " ".join(text.split())[:300]
    if not reason:
        raise DecisionRefused("no_reason")
    return reason
