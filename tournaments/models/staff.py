"""Who helps to run an event, and what they did."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class Role(models.TextChoices):
    """From the most that one may do to the least; the owner is the event's organiser."""

    CHIEF = "chief", _("chief arbiter")
    ARBITER = "arbiter", _("arbiter")
    SCORER = "scorer", _("scorer")
    DESK = "desk", _("check-in desk")
    DISPLAY = "display", _("display")


class Official(models.Model):
    """A player with a role. A scorer's `tables` are the numbers of those it enters results of;
    empty for all.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="officials")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="offices"
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    since = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("official")
        verbose_name_plural = _("officials")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="official_one_role"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.role}"


class Invitation(models.Model):
    """A link that gives a role to whoever opens it, until it is used up, expires or is revoked.

    Of the link's key only the SHA-256 is kept.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    key_hash = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    left = models.PositiveSmallIntegerField(_("times it can still be used"), default=1)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.role}"


class AuditLine(models.Model):
    """One thing somebody did to an event: who, when, what, why. Appended, never changed.

    `action` is a key that tournaments.audit has a sentence for, `facts` what the sentence names.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="audit")
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    action = models.CharField(max_length=30)
    facts = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("audit line")
        verbose_name_plural = _("audit lines")
        ordering = ["tournament", "pk"]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.action}"
