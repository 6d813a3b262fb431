"""Where each player stands in each pool: the fold of the log so far."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.glicko import State


class RatingPool(models.Model):
    """One row a pool, locked by whoever writes in it: one writer at a time.

    `runs` counts its recomputations; months before `snapshots_until` have their snapshots.
    """

    key = models.CharField(max_length=20, primary_key=True)
    runs = models.PositiveIntegerField(_("recomputations"), default=0)
    snapshots_until = models.DateField(_("snapshots until"), null=True, editable=False)

    class Meta:
        verbose_name = _("rating pool")
        verbose_name_plural = _("rating pools")

    def __str__(self) -> str:
        return self.key


class Known(models.Model):
    """What is known of a player in a pool: mean and variance on the logit scale (glicko.py)."""

    pool = models.CharField(_("pool"), max_length=20)
    mean = models.FloatField()
    variance = models.FloatField()
    last_day = models.DateField(_("last day"), null=True)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    opponents = models.PositiveIntegerField(_("different opponents"), default=0)

    class Meta:
        abstract = True

    @property
    def state(self) -> State:
        day = self.last_day.toordinal() if self.last_day else None
        return State(self.mean, self.variance, day, self.matches)

    @state.setter
    def state(self, state: State) -> None:
        self.mean, self.variance, self.matches = state.mean, state.variance, state.matches
        self.last_day = None if state.day is None else date.fromordinal(state.day)


class Rating(Known):
    """A player's state in a pool over all of its matches.

    `start_mean` is where the player entered the pool; it is a fact, as the log's entries are.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings"
    )
    start_mean = models.FloatField(default=0.0)
    last_at = models.DateTimeField(_("last match finished"), null=True)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["player", "pool"], name="rating_player_pool"),
            models.CheckConstraint(
                name="rating_variance_positive", condition=models.Q(variance__gt=0)
            ),
        ]
        indexes = [models.Index(fields=["pool", "last_at"], name="rating_pool_last")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pool}: {self.state.rating:.0f}"
