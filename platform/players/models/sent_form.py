"""Forms that were sent, so that a second sending of the same one is known."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class SentForm(models.Model):
    """A form of a page that led on to another page, `led_to`; see `pages.sent_once`. `digest` is of
    its address and all its fields, the token of the page it stood on among them.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    led_to = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "digest"], name="sent_form_once")]
        indexes = [models.Index(fields=["at"], name="sent_form_at")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.digest[:8]}…"
