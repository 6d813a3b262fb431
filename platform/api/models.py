"""What the API keeps for itself: answers to requests that may be sent again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class IdempotentRequest(models.Model):
    """The answer to a request that its sender gave a key; `digest` is of method, path and body."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("repeatable request")
        verbose_name_plural = _("repeatable requests")
        constraints = [
            models.UniqueConstraint(fields=["player", "key"], name="idempotent_player_key")
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotent_created")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.key}"
