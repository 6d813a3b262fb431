"""Who was kept off the site, by whom, why, and until when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Suspension(models.Model):
    """While one of a player's stands, their account is not active. `until` null: until lifted."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="suspensions"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=300)
    since = models.DateTimeField(_("since"), default=timezone.now, editable=False)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("suspension")
        verbose_name_plural = _("suspensions")
        ordering = ["-since"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(lifted_at__isnull=True), name="suspension_one_stands"
            ),
            models.CheckConstraint(
                name="suspension_ends_later",
                condition=Q(until__isnull=True) | Q(until__gt=F("since")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.reason}"
