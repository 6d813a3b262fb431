"""An event, and who plays in it."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LIMITS: Final = {
    "capacity": (2, 1024),
    "turn_seconds": (5, 300),
    "bank_seconds": (0, 3600),
    "no_show_seconds": (10, 3600),
    "break_seconds": (0, 300),
    "bot_delay_ms": (0, 60_000),
}
"""The lowest and highest value of each number that an organiser sets."""


def _within_limits(field: str) -> models.CheckConstraint:
    low, high = LIMITS[field]
    return models.CheckConstraint(
        name=f"tournament_{field}", condition=Q(**{f"{field}__gte": low, f"{field}__lte": high})
    )


class Tournament(models.Model):
    """What an organiser sets, and where the event stands.

    `taken` counts the places given away; that it never exceeds `capacity` is the database's own
    rule. Whoever changes anything of an event, its stages included, locks this row first.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        REGISTRATION = "registration", _("registration is open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Seeding(models.TextChoices):
        RATING = "rating", _("by rating")
        MANUAL = "manual", _("by hand")
        RANDOM = "random", _("drawn by lot")

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=80)
    text = models.TextField(_("description"), blank=True, default="")
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="organised"
    )
    status = models.CharField(
        _("status"), max_length=12, choices=Status.choices, default=Status.DRAFT
    )
    reason = models.CharField(_("why cancelled"), max_length=200, blank=True, default="")

    format = models.CharField(_("format"), max_length=30, default="single_elimination")
    options = models.JSONField(_("settings of the format"), default=dict, blank=True)
    rules = models.JSONField(_("rules"), default=dict)
    preset = models.CharField(max_length=20)
    game = models.CharField(max_length=20)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    rated = models.BooleanField(_("rated"), default=True)

    capacity = models.PositiveSmallIntegerField(_("places"), default=16)
    taken = models.PositiveSmallIntegerField(default=0, editable=False)
    seeding = models.CharField(
        _("seeding"), max_length=10, choices=Seeding.choices, default=Seeding.RATING
    )
    seed = models.CharField(max_length=64, editable=False)

    turn_seconds = models.PositiveSmallIntegerField(_("seconds a turn"), default=15)
    bank_seconds = models.PositiveSmallIntegerField(_("extra seconds a match"), default=0)
    no_show_seconds = models.PositiveSmallIntegerField(_("seconds to sit down"), default=180)
    break_seconds = models.PositiveSmallIntegerField(_("seconds between rounds"), default=8)
    bot_delay_ms = models.PositiveIntegerField(_("a bot's thinking, in ms"), default=900)

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                name="tournament_never_overbooked", condition=Q(taken__lte=F("capacity"))
            ),
            models.CheckConstraint(name="tournament_best_of", condition=Q(best_of__in=[1, 3])),
            *map(_within_limits, LIMITS),
            models.CheckConstraint(
                name="tournament_started_at",
                condition=Q(status__in=["draft", "registration"], started_at__isnull=True)
                | Q(status__in=["running", "finished"], started_at__isnull=False)
                | Q(status="cancelled"),
            ),
            models.CheckConstraint(
                name="tournament_finished_at",
                condition=Q(status__in=["finished", "cancelled"], finished_at__isnull=False)
                | Q(status__in=["draft", "registration", "running"], finished_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["status", "-created_at"], name="tournament_by_status"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("pages:tournament", args=[self.slug])

    @property
    def is_before_start(self) -> bool:
        return self.status in (self.Status.DRAFT, self.Status.REGISTRATION)

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING


class Entrant(models.Model):
    """A player in an event.

    "waiting" has no place yet, in the order of `id`. `seed` is the organiser's order before the
    start and the seed from then on; `place` the final rank, recomputed from the results.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("in")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries"
    )
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.ACTIVE)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entrant_once"),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                condition=Q(seed__isnull=False),
                name="entrant_seed_once",
            ),
            models.CheckConstraint(
                name="entrant_waiting_has_no_seed",
                condition=~Q(status="waiting") | Q(seed__isnull=True, place__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.tournament}"

    @property
    def is_active(self) -> bool:
        return self.status == self.Status.ACTIVE
