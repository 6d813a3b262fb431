"""Counters of attempts, in the database so that every process counts together."""

from __future__ import annotations

from django.db import models


class Throttle(models.Model):
    """How often something was tried since the window began; see `players.throttle`."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    resets_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key[:8]}…: {self.count}"
