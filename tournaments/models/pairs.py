"""Two who want to play as a pair."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class PairInvitation(models.Model):
    """`player` asks somebody to be the partner: `partner`, or whoever opens the link with `key`.

    It takes no place: the pair is entered when the partner accepts.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="pair_invitations"
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pair_invitations"
    )
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="invited_to_pairs",
    )
    name = models.CharField(_("name of the pair"), max_length=80, blank=True, default="")
    key = models.CharField(max_length=32, unique=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("invitation to a pair")
        verbose_name_plural = _("invitations to pairs")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], name="pair_invitation_one_each"
            ),
            models.CheckConstraint(
                name="pair_invitation_not_oneself",
                condition=Q(partner__isnull=True) | ~Q(partner=F("player")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id} asks {self.partner_id or 'somebody'}"
