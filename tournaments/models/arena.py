"""What an arena keeps besides its pairings: its clock, and who waits, plays or pauses."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.pairing import Pairing
from tournaments.models.stage import Stage
from tournaments.models.tournament import Entrant


class ArenaClock(models.Model):
    """When the arena's time is over. `closed_at` is when that was acted on; what was in course
    then stands in the stage's ``config["closed"]``.
    """

    stage = models.OneToOneField(
        Stage, on_delete=models.CASCADE, primary_key=True, related_name="arena"
    )
    ends_at = models.DateTimeField(_("ends"))
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("arena clock")
        verbose_name_plural = _("arena clocks")
        indexes = [
            models.Index(
                fields=["ends_at"], condition=Q(closed_at__isnull=True), name="arena_running"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} until {self.ends_at:%H:%M:%S}"


class Presence(models.Model):
    """Whether an entrant of an arena waits, plays or pauses.

    One row an entrant, and one `pairing` a row: nobody sits twice. Who has none and is not `paused`
    waits, `since` then. A pause asked for during a match begins when that is over.
    """

    entrant = models.OneToOneField(
        Entrant, on_delete=models.CASCADE, primary_key=True, related_name="presence"
    )
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    paused = models.BooleanField(default=False)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")

    def __str__(self) -> str:
        state = "plays" if self.pairing_id else "pauses" if self.paused else "waits"
        return f"{self.entrant_id} {state}"
