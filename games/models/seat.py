"""A place at a table, and how its player stands."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Seat(models.Model):
    """`index` is the place in turn order. No player: the seat is free.

    `sat_at` is null while a reserved seat waits for its player; `timeouts` counts turns run out in
    a row; `time_percent` is how much of the table's time for a turn, and of its bank, the seat is
    given; `trip_ms` is how long messages took to it and back, as the server measured it, and
    `lag_ms` what is left of its allowance for that in the round (games.clock); `away_since` says
    that the server plays; `ready` is for the next round's deal.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE)
    index = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    name = models.CharField(max_length=80, blank=True, default="")
    bot_level = models.CharField(max_length=10, blank=True, default="")
    sat_at = models.DateTimeField(null=True, blank=True)
    time_percent = models.PositiveSmallIntegerField(default=100)
    bank_ms = models.PositiveIntegerField(default=0)
    trip_ms = models.PositiveSmallIntegerField(null=True, blank=True)
    lag_ms = models.PositiveSmallIntegerField(default=2000)
    timeouts = models.PositiveSmallIntegerField(default=0)
    away_since = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    ready = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["match", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_index"),
            models.UniqueConstraint(fields=["match", "player"], name="seat_player"),
            models.CheckConstraint(
                name="seat_time_percent", condition=Q(time_percent__in=[100, 150, 200])
            ),
            models.CheckConstraint(name="seat_index_range", condition=Q(index__lte=3)),
            models.CheckConstraint(
                name="seat_bot_is_never_away",
                condition=Q(bot_level="") | Q(away_since__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.index} {self.name}"

    @property
    def is_bot(self) -> bool:
        return self.bot_level != ""

    @property
    def is_taken(self) -> bool:
        """Whether somebody has the seat, or had it (a deleted account leaves its name)."""
        return self.name != ""
