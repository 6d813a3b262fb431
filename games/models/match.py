"""The index card of a match: where it stands, and when the server must look at it next."""

from __future__ import annotations

import secrets
import string
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

ID_LENGTH: Final = 12
MOST_DELAY: Final = 3
LIMITS: Final = {
    "seats": (2, 4),
    "turn_seconds": (5, 300),
    "bank_seconds": (0, 3600),
    "break_seconds": (0, 300),
    "bot_delay_ms": (0, 60_000),
    "away_after": (1, 100),
    "spectator_delay": (0, MOST_DELAY),
}
"""The least and the most of each number that whoever opens a table may choose."""
ID_ALPHABET: Final = string.digits + string.ascii_letters


def new_id() -> str:
    """Twelve random letters and digits (71 bits): a link that can't be guessed."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def _within_limits() -> list[models.CheckConstraint]:
    return [
        models.CheckConstraint(
            name=f"match_{field.removesuffix('_ms')}",
            condition=Q(**{f"{field}__gte": low, f"{field}__lte": high}),
        )
        for field, (low, high) in LIMITS.items()
    ]


class Match(models.Model):
    """What the log adds up to, for queries and for the clock; the log is the truth.

    `seq` is the log's last number and `head` the hash of the log up to it; `turn_seq` the number
    of the last event that changed the line, a hand or the turn. `deadline` is the end that people
    are shown of the turn, the claims or the break, and `wake_at` when the server must look.
    """

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("match", "open")
        RUNNING = "running", pgettext_lazy("match", "running")
        FINISHED = "finished", pgettext_lazy("match", "finished")
        CANCELLED = "cancelled", pgettext_lazy("match", "cancelled")

    class Phase(models.TextChoices):
        OPEN = "open", pgettext_lazy("phase of a match", "open")
        PLAY = "play", pgettext_lazy("phase of a match", "play")
        CLAIMS = "claims", pgettext_lazy("points", "claims")
        BETWEEN = "between", _("between rounds")
        OVER = "over", pgettext_lazy("phase of a match", "over")

    class Talk(models.TextChoices):
        WORDS = "words", _("preset words")
        TEXT = "text", _("words of one's own")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    rules = models.JSONField(default=dict)
    rules_version = models.PositiveSmallIntegerField()
    preset = models.CharField(max_length=20)
    game = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.OPEN)
    seq = models.PositiveIntegerField(default=0)
    turn_seq = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, default="0" * 64)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    wake_at = models.DateTimeField(null=True, blank=True)

    turn_seconds = models.PositiveSmallIntegerField(default=15)
    bank_seconds = models.PositiveSmallIntegerField(default=0)
    break_seconds = models.PositiveSmallIntegerField(default=8)
    bot_delay_ms = models.PositiveIntegerField(default=900)
    away_after = models.PositiveSmallIntegerField(default=3)
    forfeit_away_seconds = models.PositiveIntegerField(null=True, blank=True)
    sit_by = models.DateTimeField(null=True, blank=True)
    starts_when_full = models.BooleanField(default=True)
    # How many turns spectators are behind.
    spectator_delay = models.PositiveSmallIntegerField(default=0)
    rated = models.BooleanField(default=True)
    listed = models.BooleanField(default=True)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="hosted_matches",
    )
    context = models.JSONField(default=dict, blank=True)
    # Time has been called: the round in hand is the last ("any" result), or the last in which
    # somebody is ahead ("winner").
    time_called = models.CharField(max_length=10, blank=True, default="")

    # Whether players may write to each other, besides the preset words.
    talk = models.CharField(max_length=5, choices=Talk.choices, default=Talk.WORDS)
    # The last few things that were said at the table, which are no part of the log:
    # [{"n", "seat", "word" or "text", "at", "id"}], `n` from 1 without a gap.
    words = models.JSONField(default=list, blank=True)
    scores = models.JSONField(default=list)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    places = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=20, blank=True, default="")
    rematch = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch_of"
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-created_at"]
        constraints = [
            *_within_limits(),
            models.CheckConstraint(name="match_talk", condition=Q(talk__in=["words", "text"])),
            models.CheckConstraint(name="match_turn_seq", condition=Q(turn_seq__lte=F("seq"))),
            # A running match that nobody will ever look at again would stand still for good.
            models.CheckConstraint(
                name="match_alive_is_woken",
                condition=~Q(status__in=["open", "running"]) | Q(wake_at__isnull=False),
            ),
            models.CheckConstraint(
                name="match_over_is_left_alone",
                condition=Q(status__in=["open", "running"])
                | Q(wake_at__isnull=True, turn__isnull=True, phase="over"),
            ),
            models.CheckConstraint(
                name="match_turn_in_play",
                condition=Q(phase="play", turn__isnull=False) | Q(turn__isnull=True),
            ),
            models.CheckConstraint(
                name="match_finished_at",
                condition=~Q(status="finished") | Q(finished_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                fields=["wake_at"], condition=Q(wake_at__isnull=False), name="match_wake_at"
            ),
            models.Index(
                fields=["-created_at"], condition=Q(status="open", listed=True), name="match_open"
            ),
            models.Index(
                fields=["-started_at"], condition=Q(status="running"), name="match_running"
            ),
            models.Index(
                fields=["-finished_at"], condition=Q(status="finished"), name="match_finished"
            ),
        ]

    def __str__(self) -> str:
        return self.id

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.FINISHED

    @property
    def told_scores(self) -> list[int]:
        """The scores that lists show: none while spectators are kept some turns behind."""
        return [] if self.is_running and self.spectator_delay else list(self.scores)
