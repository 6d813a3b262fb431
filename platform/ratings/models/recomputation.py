"""A pool rated anew in the background: who asked for it, how far it is, and what it works with."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.glicko import State
from ratings.models.change import ChangeFacts, RatingCorrection, SeasonFacts
from ratings.models.match import MATCH_ID_LENGTH


class Recomputation(models.Model):
    """A correction whose consequences are worked out in the background. Rows are never removed.

    `since` is when the corrected match ended (None: from the pool's first match). All that are open
    in a pool are worked off by one run; `run` is its number, `beat_at` its last sign of life,
    `done` of `total` matches its progress.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    pool = models.CharField(_("pool"), max_length=20)
    since = models.DateTimeField(_("since"), null=True)
    cause = models.CharField(_("cause"), max_length=12, choices=RatingCorrection.Cause.choices)
    match_id = models.CharField(_("match"), max_length=MATCH_ID_LENGTH, blank=True, default="")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField(_("asked at"), default=timezone.now)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.WAITING)
    run = models.PositiveIntegerField(_("run"), default=0)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"), default=0)
    beat_at = models.DateTimeField(_("last sign of life"), null=True)
    ended_at = models.DateTimeField(_("ended at"), null=True)
    error = models.TextField(_("error"), blank=True, default="")

    class Meta:
        verbose_name = _("recomputation")
        verbose_name_plural = _("recomputations")
        indexes = [models.Index(fields=["pool", "state"], name="recomputation_open")]

    def __str__(self) -> str:
        return f"{self.pool}: {self.cause} ({self.state})"


class ShadowChange(ChangeFacts):
    """A change as a run has worked it out; it takes its place in RatingChange when the run ends.

    `change_id` is the change whose numbers it replaces; None where there is to be a new one.
    """

    match_id = models.CharField(max_length=MATCH_ID_LENGTH)
    player_id = models.BigIntegerField()
    change_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match_id", "player_id"], name="shadow_match_player"),
        ]


class RatingSnapshot(SeasonFacts):
    """A player's state at the end of a month (`month`: its first day) in which he or she played.

    The pool's `snapshots_until` says up to which month they are complete.
    """

    pool = models.CharField(_("pool"), max_length=20)
    month = models.DateField(_("month"))
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    mean = models.FloatField()
    variance = models.FloatField()
    last_at = models.DateTimeField(_("last match finished"))
    matches = models.PositiveIntegerField(_("matches"))

    class Meta:
        verbose_name = _("rating snapshot")
        verbose_name_plural = _("rating snapshots")
        constraints = [
            models.UniqueConstraint(fields=["pool", "month", "player"], name="snapshot_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pool} {self.month}"

    @property
    def as_state(self) -> State:
        return State(self.mean, self.variance, self.last_at.toordinal(), self.matches)
