"""What a deal is derived from. Only `games.store` reads it, and no tile is ever stored."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Deal(models.Model):
    """Round `number`'s deal, by DSH-1, each value as hexadecimal.

    `commit` is public from the deal on, `seed` empty until the round is over. The server's seed
    comes from the master key `key_id`, `deal_id` and `nonce`; `prev` ties the deal to the log
    before it.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveSmallIntegerField()
    deal_id = models.CharField(max_length=32, unique=True)
    nonce = models.CharField(max_length=32)
    key_id = models.CharField(max_length=20)
    prev = models.CharField(max_length=64)
    commit = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="deal_number")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.number}"
