"""What came of a pairing, in versions: appended, never changed. The last one counts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.pairing import Pairing
from tournaments.models.tournament import Entrant

_WITHOUT_WINNER = ["drawn", "double_forfeit", "vacant", "not_needed", "void"]


class Result(models.Model):
    """One version. `by` is None when the event's own rules decided; `cause` is then the rule, and
    `reason` what a person gave as theirs. `why` is the rule in the reader's language.

    `games`, `scores` and `places` are lists by side: games won, points of the games added up, and
    the places (1 the best, equal where shared; empty where two meet and the winner says it all).
    The winner is an entrant, of partners the first, so that a result always says who it was about.
    "drawn": the first place is shared. `game_scores` are the points of each game, where they were
    were entered one by one: ``[[100, 85], [90, 100], [100, 60]]``. `forfeits` are the sides that
    did not appear or were taken out while others played on: their place is worth nothing.

    `keeps` is an earlier version of the same pairing: who won is as this one says, and those who
    had gone on by the earlier one stay where they are (cases.md D11, "keep and note").
    """

    class Outcome(models.TextChoices):
        PLAYED = "played", pgettext_lazy("result", "played")
        DRAWN = "drawn", pgettext_lazy("result", "drawn")
        FORFEIT = "forfeit", _("forfeit")
        WALKOVER = "walkover", _("walk-over")
        DOUBLE_FORFEIT = "double_forfeit", _("forfeit by all")
        DECISION = "decision", _("decision of the arbiter")
        BYE = "bye", _("bye")
        VACANT = "vacant", _("nobody came")
        NOT_NEEDED = "not_needed", _("not needed")
        VOID = "void", _("annulled")

    class Cause(models.TextChoices):
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")
        EMPTY_PLACE = "empty_place", _("no opponent was left")
        REPLACED = "replaced", _("an earlier result was corrected")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="results")
    version = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=15, choices=Outcome.choices)
    winner = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    games = models.JSONField(default=list, blank=True)
    scores = models.JSONField(default=list, blank=True)
    places = models.JSONField(default=list, blank=True)
    game_scores = models.JSONField(default=list, blank=True)
    forfeits = models.JSONField(default=list, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    at = models.DateTimeField(default=timezone.now, editable=False)
    cause = models.CharField(max_length=15, choices=Cause.choices, blank=True, default="")
    reason = models.CharField(_("reason"), max_length=200, blank=True, default="")
    keeps = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.RESTRICT, related_name="+"
    )

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["pairing", "version"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "version"], name="result_version_once"),
            models.CheckConstraint(name="result_version_from_1", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="result_winner_when_there_is_one",
                condition=Q(outcome__in=_WITHOUT_WINNER, winner__isnull=True)
                | (~Q(outcome__in=_WITHOUT_WINNER) & Q(winner__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} v{self.version} {self.outcome}"

    @property
    def why(self) -> str:
        """The rule that decided; empty when none did."""
        return str(self.get_cause_display()) if self.cause else ""

    @property
    def counts(self) -> bool:
        return self.outcome != self.Outcome.VOID


class Report(models.Model):
    """What somebody says a pairing's result is, before it is one.

    Reports of the players become a result when the other side confirms, of two scorers when both
    say the same; else they are disputed, and an arbiter decides. `side` is the side of a player who
    reports, None for a scorer. `scores`, `games` (won) and `places` are by side, `game_scores` and
    `forfeits` as in Result; all empty when somebody only says that another report is wrong.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for the other side")
        CONFIRMED = "confirmed", _("confirmed")
        DISPUTED = "disputed", _("disputed")
        REPLACED = "replaced", _("replaced by another report")

    STANDING = (State.WAITING, State.DISPUTED)
    """Reports that something is still to come of."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    side = models.PositiveSmallIntegerField(null=True, blank=True)
    scores = models.JSONField(default=list)
    places = models.JSONField(default=list)
    games = models.JSONField(default=list, blank=True)
    game_scores = models.JSONField(default=list, blank=True)
    forfeits = models.JSONField(default=list, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["pairing", "at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "by"],
                condition=Q(state__in=["waiting", "disputed"]),
                name="report_one_standing_each",
            ),
        ]
        indexes = [
            models.Index(fields=["pairing"], condition=Q(state="disputed"), name="report_disputed"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} by {self.by_id}: {self.scores}"
