"""What each match did to each player's rating, and what corrections did afterwards."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.glicko import State, points_of
from ratings.models.match import MATCH_ID_LENGTH, RatedMatch


class SeasonFacts(models.Model):
    """The player's state in the match's season, after it; `season_matches` is 0 outside of any."""

    season_mean = models.FloatField(null=True)
    season_variance = models.FloatField(null=True)
    season_matches = models.PositiveIntegerField(_("matches of the season"), default=0)

    class Meta:
        abstract = True

    def season_state(self, day: int) -> State | None:
        if self.season_mean is None or self.season_variance is None:
            return None
        return State(self.season_mean, self.season_variance, day, self.season_matches)


class ChangeFacts(SeasonFacts):
    """What a match did to a player: the `number`-th rated match in the pool.

    `before_variance` has the time since the last match added; `weight` is the damping, the mean
    over the opponents; `expected` the chance given beforehand; `opponents` are player ids.
    """

    pool = models.CharField(_("pool"), max_length=20)
    finished_at = models.DateTimeField(_("finished at"))
    number = models.PositiveIntegerField(_("number"))
    side = models.PositiveSmallIntegerField(_("side"))
    place = models.PositiveSmallIntegerField(pgettext_lazy("rank", "place"))
    before_mean = models.FloatField()
    before_variance = models.FloatField()
    after_mean = models.FloatField()
    after_variance = models.FloatField()
    expected = models.FloatField(_("expected"))
    weight = models.FloatField(_("weight"))
    opponents = models.JSONField(_("opponents"))

    class Meta:
        abstract = True


class RatingChange(ChangeFacts):
    """One line of a player's history."""

    match = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="changes")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_changes"
    )

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="change_match_player"),
            models.UniqueConstraint(fields=["player", "pool", "number"], name="change_number"),
        ]
        indexes = [models.Index(fields=["pool", "finished_at"], name="change_pool_finished")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.player_id} {self.delta:+d}"

    @property
    def after(self) -> State:
        """The state as the fold left it (its day is the match's, in UTC)."""
        day = self.finished_at.toordinal()
        return State(self.after_mean, self.after_variance, day, self.number)

    @property
    def rating_before(self) -> int:
        return points_of(self.before_mean)

    @property
    def rating_after(self) -> int:
        return points_of(self.after_mean)

    @property
    def delta(self) -> int:
        """The difference of the two numbers that are shown."""
        return self.rating_after - self.rating_before


class RatingCorrection(models.Model):
    """What replaying a pool changed for a player: a line of its own in the history."""

    class Cause(models.TextChoices):
        LATE = "late", _("An earlier match came in late")
        ANNULLED = "annulled", _("A result was annulled")
        REINSTATED = "reinstated", _("An annulled result counts again")
        RECOMPUTED = "recomputed", _("Recomputed")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_corrections"
    )
    pool = models.CharField(_("pool"), max_length=20)
    at = models.DateTimeField(_("at"), default=timezone.now)
    cause = models.CharField(_("cause"), max_length=12, choices=Cause.choices)
    match_id = models.CharField(_("match"), max_length=MATCH_ID_LENGTH, blank=True, default="")
    before_mean = models.FloatField()
    after_mean = models.FloatField()

    class Meta:
        verbose_name = _("rating correction")
        verbose_name_plural = _("rating corrections")
        indexes = [models.Index(fields=["player", "pool", "at"], name="correction_history")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pool}: {self.cause} {self.delta:+d}"

    @property
    def rating_before(self) -> int:
        return points_of(self.before_mean)

    @property
    def rating_after(self) -> int:
        return points_of(self.after_mean)

    @property
    def delta(self) -> int:
        return self.rating_after - self.rating_before
