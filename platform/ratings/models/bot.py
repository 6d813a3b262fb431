"""How strong a level of the bots is in a pool: measured, and never rated."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.glicko import State


class BotRating(models.Model):
    """What `manage.py calibrate_bots` found: mean and variance on the logit scale, from how many
    matches among bots, and how many with people.
    """

    pool = models.CharField(_("pool"), max_length=20)
    level = models.CharField(_("bot level"), max_length=10)
    mean = models.FloatField()
    variance = models.FloatField()
    matches = models.PositiveIntegerField(_("matches"))
    with_people = models.PositiveIntegerField(_("matches with people"))
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("bot's strength")
        verbose_name_plural = _("bots' strengths")
        constraints = [
            models.UniqueConstraint(fields=["pool", "level"], name="botrating_pool_level"),
            models.CheckConstraint(
                name="botrating_variance_positive", condition=models.Q(variance__gt=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.pool}"

    @property
    def state(self) -> State:
        return State(self.mean, self.variance)
