"""Whom a player doesn't want to hear at tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Mute(models.Model):
    """`player` is neither told what `muted` says at tables, nor asked anything by them."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes"
    )
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        ordering = ["muted__name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["player", "muted"], name="mute_once"),
            models.CheckConstraint(name="mute_of_another", condition=~Q(player=F("muted"))),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.muted_id}"
