"""Challenge ladders: who stands where, who has challenged whom, and the log both follow from."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.tournament import BEST_OF

OPEN_STATES = ("offered", "accepted")


class Ladder(models.Model):
    """A standing ladder of two-player matches: of a club, or for everyone with an account.

    `reach` is how many places higher one may challenge, 0 for any. Of a refused or unanswered
    challenge `free_refusals` within 30 days cost nothing, later ones what `refusal` says. Who
    hasn't played for `idle_days` falls a place each time they pass; 0 for never.

    Whoever changes anything of a ladder locks this row first.
    """

    class Play(models.TextChoices):
        LIVE = "live", _("at live tables")
        BOARD = "board", _("over the board")

    class Refusal(models.TextChoices):
        NOTHING = "nothing", _("nothing")
        PLACE = "place", _("one place")
        LOSS = "loss", _("as much as a lost match")

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=80)
    text = models.TextField(_("description"), blank=True, default="")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ladders"
    )
    club = models.ForeignKey(
        "players.Club", null=True, blank=True, on_delete=models.CASCADE, related_name="ladders"
    )
    rules = models.JSONField(default=dict)
    preset = models.CharField(max_length=20)
    game = models.CharField(max_length=20)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    play = models.CharField(
        pgettext_lazy("where", "played"), max_length=10, choices=Play.choices, default=Play.LIVE
    )
    rated = models.BooleanField(_("rated"), default=True)
    turn_seconds = models.PositiveSmallIntegerField(_("seconds a turn"), default=15)
    no_show_seconds = models.PositiveSmallIntegerField(_("seconds to sit down"), default=180)
    reach = models.PositiveSmallIntegerField(_("places up that one may challenge"), default=5)
    answer_days = models.PositiveSmallIntegerField(_("days to answer"), default=3)
    play_days = models.PositiveSmallIntegerField(_("days to play"), default=7)
    free_refusals = models.PositiveSmallIntegerField(_("free refusals in 30 days"), default=1)
    refusal = models.CharField(
        _("a refusal costs"), max_length=10, choices=Refusal.choices, default=Refusal.LOSS
    )
    idle_days = models.PositiveSmallIntegerField(_("days without a match"), default=30)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("challenge ladder")
        verbose_name_plural = _("challenge ladders")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(name="ladder_best_of", condition=Q(best_of__in=BEST_OF)),
            models.CheckConstraint(
                name="ladder_days", condition=Q(answer_days__gte=1, play_days__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("pages:challenge_ladder", args=[self.slug])


class LadderPlace(models.Model):
    """Somebody's place, 1 the highest; None for who has left. It follows from the log.

    `moved` is how the last move went: places up, negative down. `active_at` is when they last
    played, joined, or fell for not playing.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="places")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ladder_places"
    )
    rank = models.PositiveIntegerField(null=True, blank=True)
    moved = models.IntegerField(default=0)
    active_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("place on a ladder")
        verbose_name_plural = _("places on ladders")
        constraints = [
            models.UniqueConstraint(fields=["ladder", "player"], name="ladder_place_once"),
            models.UniqueConstraint(
                fields=["ladder", "rank"],
                condition=Q(rank__isnull=False),
                name="ladder_rank_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}: {self.player_id} at {self.rank}"


class Challenge(models.Model):
    """One player has challenged another, who stands higher.

    "offered" until `deadline` is past or it is answered, "accepted" until it is played or
    `deadline`. `ready` are the sides that have said they would play now, with when: 0 the
    challenger, 1 the defender. Over the board, `reported_by` said that `reported` won, and the
    other side confirms. Two players have one open challenge at most, whoever made it.
    """

    class State(models.TextChoices):
        OFFERED = "offered", _("waits for an answer")
        ACCEPTED = "accepted", _("to be played")
        PLAYED = "played", pgettext_lazy("challenge", "played")
        REFUSED = "refused", _("refused")
        EXPIRED = "expired", _("not answered in time")
        UNPLAYED = "unplayed", _("not played in time")
        WITHDRAWN = "withdrawn", _("taken back")

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="challenges_made"
    )
    defender = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="challenges_met"
    )
    low = models.PositiveBigIntegerField(editable=False)
    high = models.PositiveBigIntegerField(editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OFFERED)
    offered_at = models.DateTimeField(default=timezone.now, editable=False)
    deadline = models.DateTimeField()
    ready = models.JSONField(default=dict, blank=True)
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "low", "high"],
                condition=Q(state__in=OPEN_STATES),
                name="challenge_one_open_a_pair",
            ),
            models.CheckConstraint(
                name="challenge_of_another", condition=~Q(challenger=F("defender"))
            ),
        ]
        indexes = [
            models.Index(
                fields=["deadline"], condition=Q(state__in=OPEN_STATES), name="challenge_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}: {self.challenger_id} challenges {self.defender_id}"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES


class LadderGame(models.Model):
    """One match of a challenge at a live table; side 0 is the challenger."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    match_id = models.CharField(max_length=12, unique=True)
    over_at = models.DateTimeField(null=True, blank=True)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    scores = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("game of a challenge")
        verbose_name_plural = _("games of challenges")
        ordering = ["challenge", "number"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "number"], name="ladder_game_once"),
            models.UniqueConstraint(
                fields=["challenge"],
                condition=Q(over_at__isnull=True),
                name="ladder_game_one_table_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id}.{self.number} {self.match_id}"


class LadderLine(models.Model):
    """One thing that happened on a ladder: appended, never changed; the order is its fold.

    `kind` and the players are those of ladders.climb.Event. A "corrected" line says that the line
    `of` should have been of another kind, `becomes`.
    """

    class Kind(models.TextChoices):
        JOINED = "joined", _("joined")
        LEFT = "left", pgettext_lazy("ladder", "left")
        WON = "won", _("the challenger won")
        HELD = "held", _("the defender won")
        REFUSED = "refused", _("refused")
        EXPIRED = "expired", _("not answered in time")
        IDLE = "idle", _("has not played")
        CORRECTED = "corrected", _("corrected")

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ladder_lines"
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    challenge = models.ForeignKey(
        Challenge, null=True, blank=True, on_delete=models.PROTECT, related_name="lines"
    )
    cost = models.CharField(max_length=10, blank=True, default="")
    of = models.PositiveIntegerField(null=True, blank=True)
    becomes = models.CharField(max_length=10, blank=True, default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("line of a ladder's log")
        verbose_name_plural = _("lines of ladders' logs")
        ordering = ["ladder", "number"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "number"], name="ladder_line_once"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}.{self.number} {self.kind}"
