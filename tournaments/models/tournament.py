"""An event, and who plays in it."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

LIMITS: Final = {
    "capacity": (2, 10_000),
    "turn_seconds": (5, 300),
    "bank_seconds": (0, 3600),
    "no_show_seconds": (10, 3600),
    "break_seconds": (0, 300),
    "bot_delay_ms": (0, 60_000),
    "check_in_minutes": (0, 1440),
    "late_rounds": (0, 30),
    "round_minutes": (0, 600),
    "rests_allowed": (0, 30),
    "spectator_delay": (0, 3),
    "slow_minutes": (0, 600),
    "confirm_minutes": (1, 240),
}
"""The lowest and highest value of each number that an organiser sets."""


def _within_limits(field: str) -> models.CheckConstraint:
    low, high = LIMITS[field]
    return models.CheckConstraint(
        name=f"tournament_{field}", condition=Q(**{f"{field}__gte": low, f"{field}__lte": high})
    )


BEST_OF: Final = (1, 3, 5, 7)
"""A pairing is the best of so many matches."""


class Tournament(models.Model):
    """What an organiser sets, and where the event stands.

    A table counts as slow after `slow_minutes`, with 0 once it takes much longer than the others of
    its round; a report that nobody has confirmed is pointed out after `confirm_minutes`.

    `taken` counts the places given away; that it never exceeds `capacity` is the database's own
    rule. Whoever changes anything of an event, its stages included, locks this row first.

    Events that were copied week by week have one `series` and a number in it; `weekly` ones are
    followed by the next when they are over. `held` says why an event did not start at its time,
    by a code of tournaments.errors: the clock leaves it alone from then on.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("tournament", "draft")
        ANNOUNCED = "announced", _("announced")
        REGISTRATION = "registration", _("registration is open")
        RUNNING = "running", pgettext_lazy("tournament", "running")
        FINISHED = "finished", pgettext_lazy("tournament", "finished")
        CANCELLED = "cancelled", pgettext_lazy("tournament", "cancelled")

    class Seeding(models.TextChoices):
        RATING = "rating", _("by rating")
        MANUAL = "manual", _("by hand")
        RANDOM = "random", _("drawn by lot")

    class Sides(models.TextChoices):
        SINGLE = "single", _("everyone for themselves")
        PAIRS = "pairs", _("fixed pairs")
        ROTATING = "rotating", _("partners that rotate")

    class Play(models.TextChoices):
        LIVE = "live", _("at live tables")
        BOARD = "board", _("over the board")
        MIXED = "mixed", _("some at live tables, some over the board")

    class Access(models.TextChoices):
        OPEN = "open", _("for everyone")
        LINK = "link", _("by link")
        CLUB = "club", _("for the members of a club")

    class RoundStart(models.TextChoices):
        AUTO = "auto", _("by themselves")
        ARBITER = "arbiter", _("when the arbiter presses")

    class Reports(models.TextChoices):
        ARBITER = "arbiter", _("by an arbiter or scorer")
        PLAYERS = "players", _("by the players, confirmed by the other side")
        DOUBLE = "double", _("by two scorers, independently")

    class Missed(models.TextChoices):
        NOTHING = "nothing", _("no points")
        HALF = "half", _("half a point each")

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
    sides = models.CharField(_("sides"), max_length=10, choices=Sides.choices, default=Sides.SINGLE)
    later_stages = models.JSONField(_("stages after the first"), default=list, blank=True)
    criteria = models.JSONField(_("what decides between equals"), default=list, blank=True)
    play = models.CharField(
        pgettext_lazy("where", "played"), max_length=10, choices=Play.choices, default=Play.LIVE
    )
    reports = models.CharField(
        _("results are entered"), max_length=10, choices=Reports.choices, default=Reports.ARBITER
    )
    round_start = models.CharField(
        _("rounds start"), max_length=10, choices=RoundStart.choices, default=RoundStart.AUTO
    )
    round_minutes = models.PositiveSmallIntegerField(_("minutes a round"), default=0)
    rated = models.BooleanField(_("rated"), default=True)
    slow_minutes = models.PositiveSmallIntegerField(_("minutes until a table is slow"), default=0)
    confirm_minutes = models.PositiveSmallIntegerField(_("minutes to confirm a result"), default=10)

    access = models.CharField(
        pgettext_lazy("for whom", "open"),
        max_length=10,
        choices=Access.choices,
        default=Access.OPEN,
    )
    link_key = models.CharField(max_length=32, blank=True, default="", editable=False)
    club = models.ForeignKey(
        "players.Club",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tournaments",
        verbose_name=_("club"),
    )
    min_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    # The limits look at the highest rating of the last 12 months, not at today's.
    by_peak = models.BooleanField(_("limits by the highest of a year"), default=False)
    fee = models.CharField(_("entry fee"), max_length=120, blank=True, default="")
    prizes = models.TextField(_("prizes"), blank=True, default="")

    zone = models.CharField(_("time zone"), max_length=40, default="UTC")
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    closes_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    check_in_minutes = models.PositiveSmallIntegerField(_("minutes to check in"), default=0)
    late_rounds = models.PositiveSmallIntegerField(_("late entry up to round"), default=30)
    missed = models.CharField(
        _("a missed round is worth"), max_length=10, choices=Missed.choices, default=Missed.NOTHING
    )
    rests_allowed = models.PositiveSmallIntegerField(_("rounds that one may rest"), default=0)
    rest_worth = models.CharField(
        _("a rest is worth"), max_length=10, choices=Missed.choices, default=Missed.HALF
    )
    copied_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="copies"
    )
    series = models.CharField(max_length=32, blank=True, default="", editable=False)
    series_number = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    weekly = models.BooleanField(_("every week"), default=False)
    held = models.CharField(max_length=20, blank=True, default="", editable=False)

    capacity = models.PositiveSmallIntegerField(pgettext_lazy("capacity", "places"), default=16)
    taken = models.PositiveSmallIntegerField(default=0, editable=False)
    seeding = models.CharField(
        _("seeding"), max_length=10, choices=Seeding.choices, default=Seeding.RATING
    )
    seed = models.CharField(max_length=64, editable=False)

    turn_seconds = models.PositiveSmallIntegerField(_("seconds a turn"), default=15)
    bank_seconds = models.PositiveSmallIntegerField(_("extra seconds a match"), default=0)
    no_show_seconds = models.PositiveSmallIntegerField(_("seconds to sit down"), default=180)
    break_seconds = models.PositiveSmallIntegerField(_("seconds between rounds"), default=8)
    spectator_delay = models.PositiveSmallIntegerField(_("turns spectators are behind"), default=0)
    bot_delay_ms = models.PositiveIntegerField(_("a bot's thinking, in ms"), default=900)

    # Counted on by whoever takes the event's lock; what was read at a revision is that one's.
    revision = models.PositiveBigIntegerField(default=0, editable=False)
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
            models.CheckConstraint(name="tournament_best_of", condition=Q(best_of__in=BEST_OF)),
            models.UniqueConstraint(
                fields=["series", "series_number"],
                condition=~Q(series=""),
                name="tournament_once_in_its_series",
            ),
            *map(_within_limits, LIMITS),
            models.CheckConstraint(
                name="tournament_started_at",
                condition=Q(
                    status__in=["draft", "announced", "registration"], started_at__isnull=True
                )
                | Q(status__in=["running", "finished"], started_at__isnull=False)
                | Q(status="cancelled"),
            ),
            models.CheckConstraint(
                name="tournament_finished_at",
                condition=Q(status__in=["finished", "cancelled"], finished_at__isnull=False)
                | Q(
                    status__in=["draft", "announced", "registration", "running"],
                    finished_at__isnull=True,
                ),
            ),
        ]
        indexes = [
            models.Index(fields=["status", "-created_at"], name="tournament_by_status"),
            models.Index(
                fields=["starts_at"],
                condition=Q(starts_at__isnull=False, status__in=["announced", "registration"]),
                name="tournament_to_start",
            ),
            models.Index(fields=["status"], condition=Q(weekly=True), name="tournament_to_follow"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("pages:tournament", args=[self.slug])

    @property
    def title(self) -> str:
        """Its name in the reader's language: a league's division is called by its number."""
        division = getattr(self, "division", None) if self.options.get("any_order") else None
        if division is None:
            return self.name
        return gettext("%(league)s %(season)s, division %(division)s") % {
            "league": division.season.league.name,
            "season": division.season.number,
            "division": division.number,
        }

    @property
    def is_before_start(self) -> bool:
        status = self.Status
        return self.status in (status.DRAFT, status.ANNOUNCED, status.REGISTRATION)

    @property
    def is_open(self) -> bool:
        """Whether people can register: that is open, and its end has not come."""
        closed = self.closes_at is not None and self.closes_at <= timezone.now()
        return self.status == self.Status.REGISTRATION and not closed

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING


class Entrant(models.Model):
    """A player in an event, or a fixed pair: `player` and `partner`, under a `name` if it has one.

    "waiting" has no place yet, in the order of `id`. `seed` is the organiser's order before the
    start and the seed from then on; `place` the final rank, recomputed from the results. Who can't
    move about always sits at their `fixed_table`; who needs it has `time_percent` of the time at
    live tables.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", pgettext_lazy("entrant", "in")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries"
    )
    seed = models.PositiveSmallIntegerField(
        pgettext_lazy("of an entrant", "seed"), null=True, blank=True
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.ACTIVE)
    place = models.PositiveSmallIntegerField(pgettext_lazy("rank", "place"), null=True, blank=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="entries_as_partner",
    )
    name = models.CharField(_("name of the pair"), max_length=80, blank=True, default="")
    checked_in_at = models.DateTimeField(null=True, blank=True)
    time_percent = models.PositiveSmallIntegerField(
        _("time at live tables, in percent"), default=100
    )
    fixed_table = models.PositiveSmallIntegerField(_("always at table"), null=True, blank=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entrant_once"),
            models.UniqueConstraint(
                fields=["tournament", "partner"],
                condition=Q(partner__isnull=False),
                name="entrant_partner_once",
            ),
            models.CheckConstraint(
                name="entrant_not_its_own_partner",
                condition=Q(partner__isnull=True) | ~Q(partner=F("player")),
            ),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                condition=Q(seed__isnull=False),
                name="entrant_seed_once",
            ),
            models.UniqueConstraint(
                fields=["tournament", "fixed_table"],
                condition=Q(fixed_table__isnull=False),
                name="entrant_fixed_table_once",
            ),
            models.CheckConstraint(
                name="entrant_time_percent", condition=Q(time_percent__in=[100, 150, 200])
            ),
            models.CheckConstraint(
                name="entrant_waiting_has_no_seed",
                condition=~Q(status="waiting") | Q(seed__isnull=True, place__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} in {self.tournament}"

    @property
    def is_active(self) -> bool:
        return self.status == self.Status.ACTIVE

    @property
    def label(self) -> str:
        """What an entrant is called: the player's name, or the pair's."""
        if self.partner is None:
            return self.player.name
        return self.name or f"{self.player.name} & {self.partner.name}"


class Rest(models.Model):
    """A round that an entrant is not in: by request, or missed by coming late.

    `stage` counts the stages of the event's plan from 1: it may be named before there is one.
    `points` is what it is worth, in twelfths.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="rests")
    stage = models.PositiveSmallIntegerField(default=1)
    round = models.PositiveSmallIntegerField()
    points = models.PositiveSmallIntegerField(default=0)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("rest")
        verbose_name_plural = _("rests")
        constraints = [
            models.UniqueConstraint(fields=["entrant", "stage", "round"], name="rest_once_a_round"),
            models.CheckConstraint(
                name="rest_round_from_1", condition=Q(stage__gte=1, round__gte=1)
            ),
            models.CheckConstraint(name="rest_points", condition=Q(points__lte=12)),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} rests in round {self.round} of stage {self.stage}"

    @property
    def when(self) -> tuple[int, int]:
        """Stage and round."""
        return self.stage, self.round
