"""Clubs: people who play together."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Club(models.Model):
    """A club; whoever founded it is its first owner."""

    class Joining(models.TextChoices):
        OPEN = "open", _("anyone may join")
        ASK = "ask", _("an owner lets people in")

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=60)
    text = models.TextField(_("description"), blank=True, default="")
    place = models.CharField(
        pgettext_lazy("location", "place"), max_length=80, blank=True, default=""
    )
    joining = models.CharField(
        _("joining"), max_length=10, choices=Joining.choices, default=Joining.OPEN
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player in a club, or one who asks to be."""

    class Rank(models.TextChoices):
        OWNER = "owner", _("owner")
        MEMBER = "member", _("member")
        ASKING = "asking", _("asks to join")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    rank = models.CharField(max_length=10, choices=Rank.choices, default=Rank.MEMBER)
    since = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.club_id}"
