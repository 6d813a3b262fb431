"""Who waits for a match, or has waited."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match

OPEN = Q(closed_at__isnull=True)


class Seek(models.Model):
    """A player's wish for a match in a queue (quickplay.queues), open until `closed_at`.

    Two of one `party` sit down as partners, `place` 0 being who asked. `rating` and `deviation`
    are the player's when it was opened, and `avoid` whom they had just met. `seen_at` is the last
    sign of life, and `due_at` when the clock looks at it next.
    """

    class End(models.TextChoices):
        MATCHED = "matched", pgettext_lazy("seek", "matched")
        BOT = "bot", pgettext_lazy("seek", "plays a bot")
        CANCELLED = "cancelled", pgettext_lazy("seek", "cancelled")
        LAPSED = "lapsed", pgettext_lazy("seek", "lapsed")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seeks"
    )
    queue = models.CharField(max_length=40)
    party = models.CharField(max_length=12, blank=True, default="")
    place = models.PositiveSmallIntegerField(default=0)
    rated = models.BooleanField()
    unrated = models.BooleanField()
    rating = models.FloatField()
    deviation = models.FloatField()
    avoid = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_as = models.CharField(max_length=10, choices=End.choices, blank=True, default="")
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="seeks"
    )

    class Meta:
        verbose_name = _("seek")
        verbose_name_plural = _("seeks")
        constraints = [
            models.UniqueConstraint(fields=["player"], condition=OPEN, name="seek_once_a_player"),
            models.UniqueConstraint(
                fields=["party", "place"], condition=OPEN & ~Q(party=""), name="seek_party_place"
            ),
            models.CheckConstraint(name="seek_place", condition=Q(place__lte=1)),
            models.CheckConstraint(name="seek_stakes", condition=Q(rated=True) | Q(unrated=True)),
            models.CheckConstraint(
                name="seek_closed_as",
                condition=Q(closed_as="", closed_at__isnull=True)
                | (~Q(closed_as="") & Q(closed_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="seek_match",
                condition=Q(closed_as__in=["matched", "bot"], match__isnull=False)
                | (~Q(closed_as__in=["matched", "bot"]) & Q(match__isnull=True)),
            ),
        ]
        indexes = [
            models.Index(fields=["queue", "seen_at"], condition=OPEN, name="seek_queue"),
            models.Index(fields=["due_at"], condition=OPEN, name="seek_due"),
            models.Index(fields=["player", "-id"], name="seek_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.queue}"

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    def close(self, how: Seek.End, now: datetime) -> None:
        self.closed_at, self.closed_as = now, how
        self.save(update_fields=["closed_at", "closed_as"])
