"""Who plays in an entry in place of somebody else."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.stage import Stage
from tournaments.models.tournament import Entrant


class StandIn(models.Model):
    """While an event ran, `into` took the place of `out` in an entry: from `round` of a stage on,
    the first that the entry had not begun to play. Rows are appended, never changed.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="stand_ins")
    out = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    into = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="+")
    round = models.PositiveSmallIntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("stand-in")
        verbose_name_plural = _("stand-ins")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="stand_in_another", condition=~Q(out=F("into"))),
            models.CheckConstraint(name="stand_in_round_from_1", condition=Q(round__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.into_id} for {self.out_id}"
