"""The log that ratings are a fold of: what was rated, and what was not and why."""

from __future__ import annotations

from datetime import UTC

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.fold import Entry
from ratings.pools import UNRATED

MATCH_ID_LENGTH = 12


class RatedMatch(models.Model):
    """A finished match as far as rating goes: facts, frozen when it was judged.

    `sides` are lists of player ids, `places` are by side (rules.md 1). `weights` are what each
    pair of sides weighed when it was last computed. An annulled match stays, and counts no more.
    """

    match_id = models.CharField(max_length=MATCH_ID_LENGTH, primary_key=True)
    pool = models.CharField(_("pool"), max_length=20)
    finished_at = models.DateTimeField(_("finished at"))
    target = models.PositiveIntegerField(_("target"))
    sides = models.JSONField(_("sides"))
    places = models.JSONField(pgettext_lazy("rank", "places"))
    trust = models.FloatField(default=1.0)
    weights = models.JSONField(_("weights"), default=list)
    annulled = models.BooleanField(_("annulled"), default=False)

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        constraints = [
            models.CheckConstraint(
                name="ratedmatch_target_positive", condition=models.Q(target__gt=0)
            ),
        ]
        indexes = [
            models.Index(fields=["pool", "finished_at", "match_id"], name="ratings_log"),
            models.Index(
                fields=["pool"], name="ratings_annulled", condition=models.Q(annulled=True)
            ),
        ]

    def __str__(self) -> str:
        return self.match_id

    @property
    def entry(self) -> Entry:
        return Entry(
            match_id=self.match_id,
            finished_at=self.finished_at.astimezone(UTC),
            target=self.target,
            sides=tuple(tuple(side) for side in self.sides),
            places=tuple(self.places),
            trust=self.trust,
        )


class UnratedMatch(models.Model):
    """A finished match that is not rated, and why: judged once, by what was so at the time.

    Where somebody had it annulled, `by` says who.
    """

    match_id = models.CharField(max_length=MATCH_ID_LENGTH, primary_key=True)
    reason = models.CharField(_("reason"), max_length=20)
    note = models.CharField(_("note"), max_length=200, blank=True, default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("recorded"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("unrated match")
        verbose_name_plural = _("unrated matches")

    def __str__(self) -> str:
        return f"{self.match_id}: {self.reason}"

    @property
    def sentence(self) -> str:
        """The reason in words, in the reader's language."""
        return str(UNRATED.get(self.reason, self.reason))
