"""What moderators look at, what was reported to them, and what they decided."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.models.match import MATCH_ID_LENGTH


class Case(models.Model):
    """Something for a moderator: found by a detector, or reported. It punishes nobody.

    `subject` is by what the same thing is known again, `key` its newest match or first report, so
    that what was found once is there once. `evidence` is
    ``{"facts": {…}, "players": [ids], "matches": [ids]}``, the players as the facts name them.
    """

    class Kind(models.TextChoices):
        REPORT = "report", _("Reported by players")
        FARMING = "farming", _("Rating from one opponent")
        CIRCLE = "circle", _("Rating from a circle")
        THROWING = "throwing", _("Losing before an event with a limit")
        ACCOUNTS = "accounts", _("Several accounts")
        HELPING = "helping", _("Helping each other at tables")

    class State(models.TextChoices):
        OPEN = "open", _("to be looked at")
        DISMISSED = "dismissed", _("dismissed")
        ACTED = "acted", _("acted upon")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    subject = models.CharField(max_length=60)
    key = models.CharField(max_length=60)
    players = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="cases", verbose_name=_("players")
    )
    evidence = models.JSONField(_("evidence"), default=dict)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField(_("opened"), default=timezone.now, editable=False)
    decided_at = models.DateTimeField(_("decided"), null=True, editable=False)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject", "key"], name="case_once"),
            models.UniqueConstraint(
                fields=["kind", "subject"], condition=Q(state="open"), name="case_one_open"
            ),
            models.CheckConstraint(
                name="case_decided_or_open",
                condition=Q(state="open", decided_at__isnull=True)
                | (~Q(state="open") & Q(decided_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"

    @property
    def facts(self) -> dict[str, Any]:
        return dict(self.evidence.get("facts", {}))

    @property
    def matches(self) -> list[str]:
        return list(self.evidence.get("matches", []))

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN


class Report(models.Model):
    """What one player says of another; open until the case it is part of is decided.

    `words` are those of the reported player that their table kept at the time.
    """

    class Reason(models.TextChoices):
        TALK = "talk", _("What they say or write")
        NAME = "name", _("Their name")
        CHEATING = "cheating", _("Cheating, or playing for somebody else")
        LOSING = "losing", _("Losing on purpose")
        STALLING = "stalling", _("Stalling, or leaving again and again")
        OTHER = "other", _("Something else")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_made"
    )
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_about"
    )
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices)
    text = models.CharField(_("in your words"), max_length=500, blank=True, default="")
    match = models.CharField(max_length=MATCH_ID_LENGTH, blank=True, default="")
    words = models.JSONField(default=list, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = pgettext_lazy("about a player", "report")
        verbose_name_plural = pgettext_lazy("about a player", "reports")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "subject"],
                condition=Q(decided_at__isnull=True),
                name="report_one_open",
            ),
            models.CheckConstraint(
                name="report_of_another", condition=~Q(reporter=models.F("subject"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reporter_id} about {self.subject_id}: {self.reason}"


class Decision(models.Model):
    """What a moderator did, to whom, and why. Appended, never changed.

    Without a case when somebody was moderated from their own page. `facts` say how: ``{"days": 7}``
    or ``{"matches": [ids]}``.
    """

    class Action(models.TextChoices):
        DISMISS = "dismiss", _("No action")
        WARN = "warn", _("Warn")
        SILENCE = "silence", _("Mute at tables")
        UNSILENCE = "unsilence", _("Unmute at tables")
        RENAME = "rename", _("Give another name")
        ANNUL = "annul", _("Take matches out of the ratings")
        SUSPEND = "suspend", _("Suspend")
        LIFT = "lift", _("Lift the suspension")

    case = models.ForeignKey(Case, null=True, on_delete=models.PROTECT, related_name="decisions")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="decisions"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions_made"
    )
    action = models.CharField(_("decision"), max_length=10, choices=Action.choices)
    reason = models.CharField(_("reason"), max_length=300)
    facts = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="decision_has_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="decision_about_somebody",
                condition=Q(case__isnull=False) | Q(player__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action}: {self.reason}"
