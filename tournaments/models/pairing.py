"""Who meets whom, and the matches they play."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.stage import Round, Stage
from tournaments.models.tournament import Entrant


class Pairing(models.Model):
    """One meeting, `number` in its stage ("match 5") and `position` in its round.

    `status` and the slots follow from the results (services.progress); `why` says by which rule
    the pairing was made, as plain data. `table` is the number of its table in the room, `position`
    if none was given; `play` says otherwise than the event whether it is played at a live table.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting for an opponent")
        READY = "ready", pgettext_lazy("pairing", "ready")
        LIVE = "live", _("being played")
        DECIDED = "decided", _("decided")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    number = models.PositiveIntegerField()
    position = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    why = models.JSONField(default=dict, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    play = models.CharField(max_length=10, blank=True, default="")

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="pairing_number_once"),
            models.UniqueConstraint(fields=["round", "position"], name="pairing_position_once"),
        ]
        indexes = [
            models.Index(
                fields=["stage"], condition=Q(status__in=["ready", "live"]), name="pairing_to_play"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}: {self.number}"

    @property
    def at_table(self) -> int:
        """The number of its table in the room."""
        return self.table or self.position


class Slot(models.Model):
    """A place in a pairing. An entrant, a bye, nobody, and still to be decided are four things.

    `index` is the order of the seats, `side` the side it plays for: at a table of partners 0, 1, 0,
    1, else the index; who plays comes before places that stay empty. `source` is the pairing whose
    winner, or loser (`takes`), the place is for, also once it is filled; of a table from which
    several go on, the one with that `rank`.
    """

    class Kind(models.TextChoices):
        ENTRANT = "entrant", _("entrant")
        BYE = "bye", _("bye")
        UNDECIDED = "undecided", _("to be decided")
        NOBODY = "nobody", _("nobody")

    class Takes(models.TextChoices):
        WINNER = "winner", _("winner")
        LOSER = "loser", _("loser")
        RANK = "rank", _("place")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="slots")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="+")
    index = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    entrant = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="slots"
    )
    source = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    takes = models.CharField(max_length=6, choices=Takes.choices, default=Takes.WINNER)
    rank = models.PositiveSmallIntegerField(default=1)

    class Meta:
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        ordering = ["pairing", "index"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "index"], name="slot_index_once"),
            models.UniqueConstraint(
                fields=["round", "entrant"],
                condition=Q(entrant__isnull=False),
                name="slot_entrant_once_a_round",
            ),
            models.UniqueConstraint(
                fields=["source", "takes", "rank"],
                condition=Q(source__isnull=False),
                name="slot_one_for_a_source",
            ),
            models.CheckConstraint(
                name="slot_entrant_when_said",
                condition=Q(kind="entrant", entrant__isnull=False)
                | (~Q(kind="entrant") & Q(entrant__isnull=True)),
            ),
            models.CheckConstraint(
                name="slot_undecided_has_source",
                condition=~Q(kind__in=["undecided", "nobody"]) | Q(source__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}.{self.index} {self.kind}"


class Game(models.Model):
    """One match of a pairing: the first, say, of the best of three.

    `match_id` is the live table's. `winner` is the side that won; None once it is over means that
    nobody did. `scores` and `places` are by side; `forfeits` are the sides that did not appear or
    were taken out. A game that is `void` counts for nothing.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    match_id = models.CharField(max_length=12, unique=True)
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    sit_by = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    scores = models.JSONField(default=list, blank=True)
    places = models.JSONField(default=list, blank=True)
    forfeits = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=20, blank=True, default="")
    void = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["pairing", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="game_number_once"),
            models.UniqueConstraint(
                fields=["pairing"],
                condition=Q(over_at__isnull=True),
                name="game_one_table_at_a_time",
            ),
            models.CheckConstraint(
                name="game_winner_when_over",
                condition=Q(winner__isnull=True) | Q(over_at__isnull=False),
            ),
            models.CheckConstraint(
                name="game_void_is_over", condition=Q(void=False) | Q(over_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}.{self.number} {self.match_id}"
