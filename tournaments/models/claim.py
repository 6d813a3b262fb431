"""Entries of people without an account, to be taken over by whom they are about."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from tournaments.models.tournament import Entrant


class Claim(models.Model):
    """A link by which a guest that an official entered by name, `player`, becomes somebody's own;
    once. `taken_by` is who it became: the guest itself, or the account that was signed in.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="claims")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=32, unique=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = pgettext_lazy("entry", "claim")
        verbose_name_plural = pgettext_lazy("entry", "claims")
        constraints = [
            models.UniqueConstraint(
                fields=["entrant", "player"],
                condition=Q(taken_at__isnull=True),
                name="claim_one_open",
            ),
            models.CheckConstraint(
                name="claim_taken_by_somebody",
                condition=Q(taken_at__isnull=True, taken_by__isnull=True)
                | Q(taken_at__isnull=False, taken_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.player_id}"
