"""Seasons of the ladders, and how each player stands in one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models.rating import Known
from ratings.seasonal import TOP_DIVISION


class LadderSeason(models.Model):
    """A stretch of days (UTC, the last one included) with a table of its own in each pool.

    Seasons follow one another without a gap. `top_division` is how many the first division holds;
    each further one holds twice as many. `closed_at` is when the tables became final.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    name = models.CharField(_("name"), max_length=40, blank=True, default="")
    begins_on = models.DateField(_("first day"), unique=True)
    ends_on = models.DateField(_("last day"))
    top_division = models.PositiveIntegerField(
        _("places in the first division"), default=TOP_DIVISION
    )
    closed_at = models.DateTimeField(_("closed at"), null=True, editable=False)

    class Meta:
        verbose_name = _("season of the ladders")
        verbose_name_plural = _("seasons of the ladders")
        ordering = ["-number"]
        constraints = [
            models.CheckConstraint(
                name="ladder_season_has_days", condition=Q(ends_on__gte=F("begins_on"))
            ),
            models.CheckConstraint(name="top_division_holds_some", condition=Q(top_division__gt=0)),
        ]

    def __str__(self) -> str:
        return self.name or gettext("Season %(number)d") % {"number": self.number}

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None


class SeasonRating(Known):
    """A player's state in a season of a pool: the career's rule, begun anew.

    `division` follows from the season before (None for who had no rank in it). `rank` is given
    when the season closes, to those who have played enough.
    """

    season = models.ForeignKey(LadderSeason, on_delete=models.PROTECT, related_name="ratings")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_ratings"
    )
    division = models.PositiveSmallIntegerField(_("division"), null=True)
    rank = models.PositiveIntegerField(_("rank"), null=True)

    class Meta:
        verbose_name = _("season rating")
        verbose_name_plural = _("season ratings")
        constraints = [
            models.UniqueConstraint(fields=["season", "pool", "player"], name="season_rating_once"),
            models.CheckConstraint(
                name="season_variance_positive", condition=models.Q(variance__gt=0)
            ),
        ]
        indexes = [
            models.Index(fields=["season", "pool", "rank"], name="season_rating_rank"),
            models.Index(fields=["season", "pool", "division", "rank"], name="season_division"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pool} {self.season_id}: {self.state.rating:.0f}"

    @cached_property
    def last_at(self) -> None:
        """When the last match ended is the career's to tell."""
        return


class OvertakenTable(models.Model):
    """A pool's final table, which stays, where the log as corrected since gives another."""

    season = models.ForeignKey(LadderSeason, on_delete=models.CASCADE, related_name="overtaken")
    pool = models.CharField(_("pool"), max_length=20)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "pool"], name="overtaken_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pool} {self.season_id}"
