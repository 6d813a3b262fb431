"""The log of a match: what everyone may know, in order, never changed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class MatchEvent(models.Model):
    """One fact. `data` is the event's public JSON without its kind; `actor` the seat that sent
    it, if a player did, with that client's own id for it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    actor = models.PositiveSmallIntegerField(null=True, blank=True)
    client_id = models.CharField(max_length=40, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("match event")
        verbose_name_plural = _("match events")
        ordering = ["match", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="event_seq"),
            models.UniqueConstraint(
                fields=["match", "actor", "client_id"],
                condition=~Q(client_id=""),
                name="event_client_id",
            ),
            models.CheckConstraint(name="event_seq_from_1", condition=Q(seq__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.seq} {self.kind}"
