"""A part of an event played by one format, and its rounds."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.tournament import Entrant, Tournament


class Stage(models.Model):
    """Which format, by which rules, with which randomness: all that is needed to fold it again.

    `rules_id` names the exact rules of the format; `size` entrants have the seedings 1 to `size`.
    `rules` are those of the games, empty for the event's; `turn_seconds` and `round_minutes` stand
    in `config` where they are not the event's.

    `origin` is what its field was taken from, empty for the first stage: ``{"stage": 1, "step": 1,
    "out": [ids], "disqualified": [ids]}``: the number of the stage whose table was cut, which of
    the event's later stages this is, counted from 1, and which entrants had left by then. A
    play-off has ``"play_off": {"places": 1, "group": 0}`` too, and the step of the stage that it
    belongs to. `ties` is how people broke ties across the cut of this stage: ``[{"how": "lot" |
    "decision", "order": [ids], "after": 2}]``, `after` the number of the last stage at the time.

    A stage is `annulled` when a correction has changed who plays in it. It stays, with all that was
    played, and counts for nothing; another is made in its place.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=30)
    rules_id = models.CharField(max_length=40)
    config = models.JSONField(default=dict, blank=True)
    seed = models.CharField(max_length=64)
    size = models.PositiveSmallIntegerField()
    rules = models.JSONField(default=dict, blank=True)
    origin = models.JSONField(default=dict, blank=True)
    ties = models.JSONField(default=list, blank=True)
    annulled = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
            models.CheckConstraint(name="stage_number_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(name="stage_has_entrants", condition=Q(size__gte=2)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}.{self.number} {self.format}"

    @property
    def step(self) -> int:
        """Which stage of the event's plan it is, from 0; of a play-off, the one it belongs to."""
        step = self.origin.get("step", 0)
        return int(step)

    @property
    def turn_seconds(self) -> int:
        """Seconds a turn: its own, or the event's."""
        return int(self.config.get("turn_seconds", self.tournament.turn_seconds))

    @property
    def round_minutes(self) -> int:
        """Minutes a round, 0 for no limit: its own, or the event's."""
        return int(self.config.get("round_minutes", self.tournament.round_minutes))

    @property
    def is_play_off(self) -> bool:
        return "play_off" in self.origin


class Seeding(models.Model):
    """The seed an entrant has in a stage, and the rating it had then; frozen at the start."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="seedings")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    rating = models.IntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("seeding")
        verbose_name_plural = _("seedings")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="seeding_number_once"),
            models.UniqueConstraint(fields=["stage", "entrant"], name="seeding_entrant_once"),
            models.CheckConstraint(name="seeding_from_1", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}: {self.number}"


class Round(models.Model):
    """One step of a stage. Not a round of a match: that is one deal.

    A round that was drawn keeps what it was drawn from: ``{"rules": "swiss/1", "seed": …, "input":
    hash of field and verdicts, "rematches": 0}``.

    Where the arbiter starts rounds, a round is a "draft" that only the arbiters see, then
    "published", then "started"; elsewhere it is started at once. `ends_at` is when its time is
    called; from `called_at` on, the rounds in hand are finished and nothing else. While
    `paused_at` is set its clock stands and no table opens. A draft without pairings is still to
    be drawn by a worker, with the seed in `draw`.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("round", "draft")
        PUBLISHED = "published", _("published")
        STARTED = "started", _("started")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    draw = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STARTED)
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    called_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once"),
            models.CheckConstraint(name="round_number_from_1", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}: {self.number}"

    @property
    def is_draft(self) -> bool:
        return self.status == self.Status.DRAFT

    @property
    def is_started(self) -> bool:
        return self.status == self.Status.STARTED
