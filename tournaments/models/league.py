"""Leagues: divisions, season after season."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.pairing import Pairing
from tournaments.models.tournament import Tournament


class League(models.Model):
    """What all its seasons share. `sizes` are those of the divisions from the top, the last one
    again for all below it; `moves` how many go up and down at each border between two. `settings`
    are those of the events (tournaments.options): rules, best of, legs. One of a club is for its
    members, and run by its owners too.
    """

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=60)
    text = models.TextField(_("description"), blank=True, default="")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="leagues"
    )
    club = models.ForeignKey(
        "players.Club",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="leagues",
        verbose_name=_("club"),
    )
    sizes = models.JSONField(_("places in the divisions"), default=list)
    moves = models.PositiveSmallIntegerField(_("up and down"), default=2)
    days = models.PositiveSmallIntegerField(
        _("days of a season"),
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(400)],
    )
    settings = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("pages:league", args=[self.slug])


class LeaguePlayer(models.Model):
    """Somebody who plays in the league, or will from the next season on; `leaving` at its end."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    leaving = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("league player")
        verbose_name_plural = _("league players")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "player"], name="league_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.league_id}"


class Season(models.Model):
    """One run of a league, from its first day to its last."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveSmallIntegerField()
    begins_on = models.DateField()
    ends_on = models.DateField()

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["league", "number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="season_number_once"),
            models.CheckConstraint(
                name="season_ends_after_it_begins", condition=Q(ends_on__gte=F("begins_on"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"


class Division(models.Model):
    """A division of a season, 1 at the top: a round robin of its own."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField()
    tournament = models.OneToOneField(Tournament, on_delete=models.PROTECT, related_name="division")

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="division_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.number}"


class PlayWish(models.Model):
    """Somebody is there to play a match at a live table, and waits for the other side."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="wishes")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("wish to play")
        verbose_name_plural = _("wishes to play")
        constraints = [
            models.UniqueConstraint(fields=["pairing", "player"], name="play_wish_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.pairing_id}"
