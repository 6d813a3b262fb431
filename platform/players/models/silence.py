"""Who may say nothing at tables, by whose word, why, and until when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Silence(models.Model):
    """While one stands, its player says and writes nothing at tables."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="silences"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=300)
    since = models.DateTimeField(_("since"), default=timezone.now, editable=False)
    until = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        ordering = ["-since"]
        constraints = [
            models.CheckConstraint(name="silence_ends_later", condition=Q(until__gte=F("since"))),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.reason}"
