"""Who should not meet while it can be helped."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Entrant, Tournament


class Apart(models.Model):
    """A wish that some entrants should not meet: a tier of the draw, never a bar (pairing.md).

    "people": the `members`, a household for example, by a `name` if it has one. "club": all who
    are in the same club. "event": all who met in the event `earlier`. The last two are looked up
    whenever a round is drawn, so that late entrants belong too.
    """

    class Kind(models.TextChoices):
        PEOPLE = "people", _("people named")
        CLUB = "club", _("members of the same club")
        EVENT = "event", _("who met in an earlier tournament")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="aparts")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=60, blank=True, default="")
    members = models.ManyToManyField(Entrant, through="ApartMember", related_name="+")
    earlier = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("wish to be kept apart")
        verbose_name_plural = _("wishes to be kept apart")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(kind="club"), name="apart_clubs_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "earlier"],
                condition=Q(kind="event"),
                name="apart_event_once",
            ),
            models.CheckConstraint(
                name="apart_earlier_when_said",
                condition=Q(kind="event", earlier__isnull=False)
                | (~Q(kind="event") & Q(earlier__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.kind} {self.name}"


class ApartMember(models.Model):
    """One of the people of a wish."""

    apart = models.ForeignKey(Apart, on_delete=models.CASCADE, related_name="+")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("member of a wish")
        verbose_name_plural = _("members of wishes")
        constraints = [
            models.UniqueConstraint(fields=["apart", "entrant"], name="apart_member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.apart_id}: {self.entrant_id}"
