"""Tournaments: made, entered, started, followed, and their results reported."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.pagination import Pages
from api.permissions import AccountNeeded
from api.strict import Boolean, Choice, Integer, Object, StrictSerializer, Text
from api.v1.matches import GAMES, LEVELS
from api.views import ApiView, caller
from engine.rules import PRESETS
from players.models import Player
from players.tokens import RESULTS_WRITE, TOURNAMENTS_WRITE
from tournaments import selectors, services
from tournaments.formats import FORMATS
from tournaments.formats.model import Option
from tournaments.models import Entrant, Pairing, Result, Slot, Tournament
from tournaments.models.tournament import LIMITS
from tournaments.permissions import may_run
from tournaments.services.reporting import ENTERABLE


def _values(option: Option) -> str:
    """The values of an option in words: ``true or false, true if left out``."""
    allowed = option.allowed
    if isinstance(allowed, range):
        values = f"{allowed[0]} to {allowed[-1]}"
    else:
        values = " or ".join(json.dumps(value) for value in allowed)
    return f"{values}, {json.dumps(option.default)} if left out"


STATUSES = ("registration", "running", "finished", "cancelled")
OPTIONS_HELP = "The format's own settings: " + "; ".join(
    f"{name} ({key}): {_values(option)}"
    for name, module in sorted(FORMATS.items())
    for key, option in module.OPTIONS.items()
)
SEEDINGS = tuple(Tournament.Seeding.values)


class TournamentOutput(serializers.Serializer[Tournament]):
    """`taken` of `capacity` places are given away; `organiser` is a handle."""

    slug = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    organiser = serializers.CharField(source="organiser.handle")
    status = serializers.ChoiceField(choices=Tournament.Status.values)
    reason = serializers.CharField(allow_blank=True)
    format = serializers.ChoiceField(choices=sorted(FORMATS))
    options = serializers.DictField()
    game = serializers.ChoiceField(choices=GAMES)
    preset = serializers.ChoiceField(choices=sorted(PRESETS))
    rules = serializers.DictField()
    best_of = serializers.IntegerField()
    rated = serializers.BooleanField()
    capacity = serializers.IntegerField()
    taken = serializers.IntegerField()
    seeding = serializers.ChoiceField(choices=SEEDINGS)
    turn_seconds = serializers.IntegerField()
    bank_seconds = serializers.IntegerField()
    no_show_seconds = serializers.IntegerField()
    break_seconds = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


def _limited(name: str, **options: Any) -> Integer:
    low, high = LIMITS[name]
    return Integer(min_value=low, max_value=high, required=False, **options)


class TournamentInput(StrictSerializer):
    """A tournament's settings. What is left out keeps its default, or in a change its value."""

    name = Text(max_length=80)
    text = Text(max_length=10_000, allow_blank=True, required=False)
    rules = Object(required=False)
    format = Choice(choices=sorted(FORMATS), required=False)
    options = Object(required=False, help_text=OPTIONS_HELP)
    best_of = Integer(min_value=1, max_value=3, required=False)
    rated = Boolean(required=False)
    capacity = _limited("capacity")
    seeding = Choice(choices=SEEDINGS, required=False)
    turn_seconds = _limited("turn_seconds")
    bank_seconds = _limited("bank_seconds")
    no_show_seconds = _limited("no_show_seconds")
    break_seconds = _limited("break_seconds")


class EntrantOutput(serializers.Serializer[Entrant]):
    """`player` is a handle, null for guests. `place` is the final one."""

    player = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    bot = serializers.BooleanField()
    seed = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(choices=Entrant.Status.values)
    place = serializers.IntegerField(allow_null=True)
    joined_at = serializers.DateTimeField()

    def to_representation(self, instance: Entrant) -> dict[str, Any]:
        player = instance.player
        return {
            "player": None if player.is_guest else player.handle,
            "name": player.name,
            "bot": player.is_bot,
            "seed": instance.seed,
            "status": instance.status,
            "place": instance.place,
            "joined_at": self.fields["joined_at"].to_representation(instance.joined_at),
        }


class NothingInput(StrictSerializer):
    """An empty object, or no body."""


class BotsInput(StrictSerializer):
    count = Integer(min_value=1, max_value=1024)
    level = Choice(choices=LEVELS, default="medium")


class ReasonInput(StrictSerializer):
    reason = Text(max_length=200)


class SlotOutput(serializers.Serializer[dict[str, Any]]):
    """A place in a pairing: `text` says in words who, or whose winner, it is."""

    kind = serializers.ChoiceField(choices=("entrant", "bye", "undecided", "nobody"))
    text = serializers.CharField()
    source = serializers.IntegerField(allow_null=True)  # type: ignore[assignment]
    takes = serializers.ChoiceField(choices=Slot.Takes.values, allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(allow_null=True)
    partner = serializers.CharField(allow_null=True)
    side = serializers.IntegerField()
    bot = serializers.BooleanField()
    status = serializers.CharField(allow_null=True)


class ShortResultOutput(serializers.Serializer[dict[str, Any]]):
    """The result that counts; `winner` is a side from 0, null when nobody won alone. `places` are
    by side, empty where two meet and the winner says it all. `why` is the rule that decided,
    `reason` what a person gave as theirs; both are often empty."""

    version = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Result.Outcome.values)
    winner = serializers.IntegerField(allow_null=True)
    games = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    why = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_null=True)


class LiveOutput(serializers.Serializer[dict[str, Any]]):
    """The table that is open; `scores` of its match so far, `games` won before it."""

    match = serializers.CharField()
    game = serializers.IntegerField()
    games = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    begun = serializers.BooleanField()


class GameOutput(serializers.Serializer[dict[str, Any]]):
    """A match of a pairing that is over; a void one counts for nothing."""

    match = serializers.CharField()
    game = serializers.IntegerField()
    winner = serializers.IntegerField(allow_null=True)
    scores = serializers.ListField(child=serializers.IntegerField())
    reason = serializers.CharField(allow_blank=True)
    void = serializers.BooleanField()


class PairingOutput(serializers.Serializer[dict[str, Any]]):
    number = serializers.IntegerField()
    position = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Pairing.Status.values)
    why = serializers.DictField()
    slots = SlotOutput(many=True)
    result = ShortResultOutput(allow_null=True)
    live = LiveOutput(allow_null=True)
    matches = GameOutput(many=True)


class BracketRoundOutput(serializers.Serializer[dict[str, Any]]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    part = serializers.ChoiceField(
        choices=("main", "third", "winners", "losers", "final", "rounds")
    )
    pairings = PairingOutput(many=True)


class BracketOutput(serializers.Serializer[dict[str, Any]]):
    rounds = BracketRoundOutput(many=True)


class StandingOutput(serializers.Serializer[Any]):
    """`place` is null for those still in, and for the disqualified, who stand last.

    In formats with a table `place` is the rank so far; `points`, and criteria that are sums of
    points, are in twelfths. `decided` names the criterion that separated the entrant from those
    level on points: "shared" if none did, empty if points did.
    """

    place = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="entrant.player.name")
    player = serializers.CharField(allow_null=True)
    seed = serializers.IntegerField(source="entrant.seed", allow_null=True)
    status = serializers.CharField(source="entrant.status")
    wins = serializers.IntegerField()
    lost_in = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    criteria = serializers.DictField(child=serializers.IntegerField())
    decided = serializers.CharField(allow_blank=True)
    counts = serializers.BooleanField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        player = instance.entrant.player
        return {
            "place": instance.place,
            "name": player.name,
            "player": None if player.is_guest else player.handle,
            "seed": instance.entrant.seed,
            "status": instance.entrant.status,
            "wins": instance.wins,
            "lost_in": instance.lost_in,
            "points": instance.points,
            "criteria": dict(instance.values),
            "decided": instance.decided,
            "counts": instance.counts,
        }


class ResultOutput(serializers.Serializer[Result]):
    """One version of a result; the last one counts. `by` is null when the rules decided.

    `why` is the rule that decided, `reason` what a person gave as theirs."""

    version = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Result.Outcome.values)
    winner = serializers.IntegerField(allow_null=True)
    games = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    why = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()

    def to_representation(self, instance: Result) -> dict[str, Any]:
        winner = self.context["slots"].get(instance.winner_id)
        return {
            "version": instance.version,
            "outcome": instance.outcome,
            "winner": winner,
            "games": instance.games,
            "scores": instance.scores,
            "places": instance.places,
            "why": instance.why,
            "reason": instance.reason,
            "by": None if instance.by is None else instance.by.name,
            "at": self.fields["at"].to_representation(instance.at),
        }


class ResultInput(StrictSerializer):
    """A result to enter, or to correct. `winner` is the slot, 0 or 1; null when both forfeit.

    `expected_version` is the version you have seen: if there is a later one, nothing is changed.
    `force` "void" annuls later matches that have begun because of the old winner.
    """

    outcome = Choice(choices=[str(outcome) for outcome in ENTERABLE])
    winner = Integer(min_value=0, max_value=1, allow_null=True, default=None)
    games = serializers.ListField(
        child=Integer(min_value=0, max_value=9), min_length=2, max_length=2, required=False
    )
    scores = serializers.ListField(
        child=Integer(min_value=-10_000, max_value=10_000),
        min_length=2,
        max_length=2,
        required=False,
    )
    reason = Text(max_length=200, allow_blank=True, default="")
    expected_version = Integer(min_value=0, max_value=10_000, required=False)
    force = Choice(choices=("void",), required=False)


class OneTournament(ApiView):
    """What views of one event share."""

    serializer_class: type[serializers.Serializer[Any]] = TournamentOutput
    scope = TOURNAMENTS_WRITE

    def tournament(self, request: Request, slug: str) -> Tournament:
        """The event of that slug; a draft is there for whoever runs it. Raises Http404."""
        found = selectors.by_slug(slug)
        user = request.user if isinstance(request.user, Player) else None
        if found is None or (found.status == Tournament.Status.DRAFT and not may_run(found, user)):
            raise Http404
        return found

    def shown(self, tournament: Tournament, code: int = status.HTTP_200_OK) -> Response:
        """The event as it is now."""
        fresh = selectors.by_slug(tournament.slug)
        return Response(TournamentOutput(fresh, context=self.get_serializer_context()).data, code)


class TournamentList(OneTournament):
    pagination_class = Pages
    ordering = ("-created_at", "-pk")
    parameters = frozenset({"status"})

    @extend_schema(
        operation_id="tournaments_list",
        summary="List tournaments, newest first; drafts are left out",
        tags=["tournaments"],
        parameters=[OpenApiParameter("status", enum=STATUSES)],
        responses=TournamentOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        state = query.choice(request, "status", STATUSES)
        found = selectors.listed(state) if state is not None else selectors.listed()
        page = self.paginate_queryset(found)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(
        operation_id="tournaments_create",
        summary="Make a tournament: a draft, that only you see",
        tags=["tournaments"],
        request=TournamentInput,
        responses={201: TournamentOutput},
    )
    def post(self, request: Request) -> Response:
        return self.write(request, lambda: self._create(request))

    def _create(self, request: Request) -> Response:
        organiser = caller(request)
        if organiser.is_guest:
            raise AccountNeeded
        settings = self.checked(TournamentInput, request)
        made = services.create(organiser=organiser, **settings)
        return self.shown(made, status.HTTP_201_CREATED)


class TournamentDetail(OneTournament):
    @extend_schema(operation_id="tournaments_get", summary="A tournament", tags=["tournaments"])
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.get_serializer(self.tournament(request, slug)).data)

    @extend_schema(
        operation_id="tournaments_edit",
        summary="Change settings before the start",
        tags=["tournaments"],
        request=TournamentInput,
    )
    def patch(self, request: Request, slug: str) -> Response:
        return self.write(request, lambda: self._edit(request, slug))

    def _edit(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(request, slug)
        changes = self.checked(TournamentInput, request, partial=True)
        services.edit(tournament_id=tournament.pk, by=caller(request), **changes)
        return self.shown(tournament)


class TournamentOpen(OneTournament):
    @extend_schema(
        operation_id="tournaments_open",
        summary="Let people join",
        tags=["tournaments"],
        request=NothingInput,
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.write(request, lambda: self._open(request, slug))

    def _open(self, request: Request, slug: str) -> Response:
        self.checked(NothingInput, request)
        tournament = self.tournament(request, slug)
        services.open_registration(tournament_id=tournament.pk, by=caller(request))
        return self.shown(tournament)


class TournamentStart(OneTournament):
    @extend_schema(
        operation_id="tournaments_start",
        summary="Draw the bracket and open the first tables",
        tags=["tournaments"],
        request=NothingInput,
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.write(request, lambda: self._start(request, slug))

    def _start(self, request: Request, slug: str) -> Response:
        self.checked(NothingInput, request)
        tournament = self.tournament(request, slug)
        services.start(tournament_id=tournament.pk, by=caller(request))
        return self.shown(tournament)


class TournamentCancel(OneTournament):
    @extend_schema(
        operation_id="tournaments_cancel",
        summary="Call a tournament off",
        tags=["tournaments"],
        request=ReasonInput,
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.write(request, lambda: self._cancel(request, slug))

    def _cancel(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(request, slug)
        why = self.checked(ReasonInput, request)
        services.cancel(tournament_id=tournament.pk, by=caller(request), **why)
        return self.shown(tournament)


class EntrantList(OneTournament):
    serializer_class = EntrantOutput

    @extend_schema(
        operation_id="tournaments_entrants",
        summary="Who plays, by seed; then the waiting list",
        tags=["tournaments"],
        responses=EntrantOutput(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        return self._list(self.tournament(request, slug))

    @extend_schema(
        operation_id="tournaments_join",
        summary="Join; on the waiting list when all places are taken",
        tags=["tournaments"],
        request=NothingInput,
        responses={201: EntrantOutput},
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.write(request, lambda: self._join(request, slug))

    def _join(self, request: Request, slug: str) -> Response:
        self.checked(NothingInput, request)
        tournament = self.tournament(request, slug)
        entrant = services.join(tournament_id=tournament.pk, player=caller(request))
        return Response(self.get_serializer(entrant).data, status.HTTP_201_CREATED)

    def _list(self, tournament: Tournament) -> Response:
        rows = selectors.entrants_of(tournament) + selectors.waiting_list(tournament)
        return Response(self.get_serializer(rows, many=True).data)


class EntrantDetail(OneTournament):
    @extend_schema(
        operation_id="tournaments_withdraw",
        summary="Withdraw: yourself, or as the organiser anyone",
        tags=["tournaments"],
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, handle: str) -> Response:
        return self.write(request, lambda: self._withdraw(request, slug, handle))

    def _withdraw(self, request: Request, slug: str, handle: str) -> Response:
        tournament = self.tournament(request, slug)
        player = Player.objects.filter(handle=handle).first()
        if player is None:
            raise Http404
        services.withdraw(tournament_id=tournament.pk, player=player, by=caller(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class BotList(OneTournament):
    serializer_class = EntrantOutput

    @extend_schema(
        operation_id="tournaments_add_bots",
        summary="Enter bots",
        tags=["tournaments"],
        request=BotsInput,
        responses={201: EntrantOutput(many=True)},
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.write(request, lambda: self._add(request, slug))

    def _add(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(request, slug)
        wanted = self.checked(BotsInput, request)
        bots = services.add_bots(tournament_id=tournament.pk, by=caller(request), **wanted)
        return Response(self.get_serializer(bots, many=True).data, status.HTTP_201_CREATED)


class TournamentBracket(OneTournament):
    serializer_class = BracketOutput

    @extend_schema(
        operation_id="tournaments_bracket",
        summary="The rounds with their pairings; empty before the start",
        tags=["tournaments"],
    )
    def get(self, request: Request, slug: str) -> Response:
        rounds = selectors.bracket(self.tournament(request, slug))
        return Response(self.get_serializer({"rounds": rounds}).data)


class TournamentStandings(OneTournament):
    serializer_class = StandingOutput

    @extend_schema(
        operation_id="tournaments_standings",
        summary="Who stands where",
        tags=["tournaments"],
        responses=StandingOutput(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = selectors.standings(self.tournament(request, slug))
        return Response(self.get_serializer(rows, many=True).data)


class PairingResults(OneTournament):
    serializer_class = ResultOutput
    scope = RESULTS_WRITE

    @extend_schema(
        operation_id="tournaments_results",
        summary="All versions of a pairing's result, the first one first",
        tags=["tournaments"],
        responses=ResultOutput(many=True),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        pairing = self._pairing(request, slug, number)
        slots = _by_slot(pairing)
        rows = pairing.results.select_related("by").order_by("version")
        shown = [ResultOutput(row, context=slots).data for row in rows]
        return Response(shown)

    @extend_schema(
        operation_id="tournaments_report",
        summary="Report a pairing's result, or correct it",
        tags=["tournaments"],
        request=ResultInput,
        responses={201: ResultOutput},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        return self.write(request, lambda: self._report(request, slug, number))

    def _report(self, request: Request, slug: str, number: int) -> Response:
        pairing = self._pairing(request, slug, number)
        entry = self.checked(ResultInput, request)
        slots = {slot: entrant for entrant, slot in _by_slot(pairing)["slots"].items()}
        winner = entry.pop("winner")
        if winner is not None:
            entry["winner"] = slots.get(winner, 0)  # 0: nobody, which the service refuses
        result = services.report_result(pairing_id=pairing.pk, by=caller(request), **entry)
        shown = ResultOutput(result, context=_by_slot(pairing))
        return Response(shown.data, status.HTTP_201_CREATED)

    def _pairing(self, request: Request, slug: str, number: int) -> Pairing:
        stage = self.tournament(request, slug).stages.last()
        pairing = None if stage is None else stage.pairings.filter(number=number).first()
        if pairing is None:
            raise Http404
        return pairing


def _by_slot(pairing: Pairing) -> dict[str, Any]:
    """Slots by entrant, for showing winners as the bracket does."""
    return {"slots": dict(pairing.slots.values_list("entrant_id", "index"))}
