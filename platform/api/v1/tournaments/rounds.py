"""The rounds of a tournament, and who stands where."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.tournaments.base import OneTournament, reads
from api.v1.tournaments.stages import STAGE, stage_asked
from tournaments import selectors
from tournaments.models import Pairing, Result, Round, Slot, Tournament


class SlotOutput(serializers.Serializer[dict[str, Any]]):
    """A place in a pairing: `text` says in words who, or whose winner, it is. Of tables from which
    several go on, `rank` is that of who comes here, and `advances` says whether who is here goes
    on, once that is decided."""

    kind = serializers.ChoiceField(choices=("entrant", "bye", "undecided", "nobody"))
    text = serializers.CharField()
    source = serializers.IntegerField(allow_null=True)  # type: ignore[assignment]
    takes = serializers.ChoiceField(choices=Slot.Takes.values, allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(allow_null=True)
    partner = serializers.CharField(allow_null=True)
    side = serializers.IntegerField()
    bot = serializers.BooleanField()
    status = serializers.CharField(allow_null=True)
    advances = serializers.BooleanField(allow_null=True)


class ShortResultOutput(serializers.Serializer[dict[str, Any]]):
    """The result that counts; `winner` is a side from 0, null when nobody won alone. `places` are
    by side, empty where two meet and the winner says it all. `why` is the rule that decided,
    `reason` what a person gave as theirs; both are often empty. `kept` is null, or after a
    correction the name of who had gone on before it and stays in the later matches."""

    version = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Result.Outcome.values)
    winner = serializers.IntegerField(allow_null=True)
    games = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    forfeits = serializers.ListField(child=serializers.IntegerField())
    why = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_null=True)
    kept = serializers.CharField(allow_null=True, allow_blank=True)


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
    """`group` counts from 1; 0 where there are none. `table` is the number of its table in the
    room.
    """

    number = serializers.IntegerField()
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Pairing.Status.values)
    why = serializers.DictField()
    group = serializers.IntegerField()
    slots = SlotOutput(many=True)
    result = ShortResultOutput(allow_null=True)
    live = LiveOutput(allow_null=True)
    matches = GameOutput(many=True)


class BracketRoundOutput(serializers.Serializer[dict[str, Any]]):
    """A round; while it is a draft, only the event's officials get it."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    part = serializers.ChoiceField(
        choices=("main", "third", "winners", "losers", "final", "rounds", "tables")
    )
    status = serializers.ChoiceField(choices=Round.Status.values)
    pairings = PairingOutput(many=True)


class BracketOutput(serializers.Serializer[dict[str, Any]]):
    rounds = BracketRoundOutput(many=True)


class StandingOutput(serializers.Serializer[Any]):
    """`place` is null for those still in, and for the disqualified, who stand last.

    In formats with a table `place` is the rank so far; `points`, and criteria that are sums of
    points, are in twelfths; `criteria` come in their order. `decided` names the criterion that
    separated the entrant from its neighbour of as many points: "shared" if none did, empty if
    points did. `own` and `other` are the two values of it. `best` and `worst` are the ranks that
    are still possible, if no result is corrected. Where there are groups, the rank is the one in
    its `group`, counted from 1; else that is 0.
    """

    place = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="entrant.label")
    player = serializers.CharField(allow_null=True)
    seed = serializers.IntegerField(source="entrant.seed", allow_null=True)
    status = serializers.CharField(source="entrant.status")
    wins = serializers.IntegerField()
    lost_in = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    criteria = serializers.DictField(child=serializers.IntegerField())
    decided = serializers.CharField(allow_blank=True)
    own = serializers.IntegerField(allow_null=True)
    other = serializers.IntegerField(allow_null=True)
    best = serializers.IntegerField(allow_null=True)
    worst = serializers.IntegerField(allow_null=True)
    counts = serializers.BooleanField()
    group = serializers.IntegerField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        player = instance.entrant.player
        return {
            "place": instance.place,
            "name": instance.entrant.label,
            "player": None if player.is_guest else player.handle,
            "seed": instance.entrant.seed,
            "status": instance.entrant.status,
            "wins": instance.wins,
            "lost_in": instance.lost_in,
            "points": instance.points,
            "criteria": dict(instance.values),
            "decided": instance.decided,
            "own": None if instance.versus is None else instance.versus.own,
            "other": None if instance.versus is None else instance.versus.other,
            "best": instance.best,
            "worst": instance.worst,
            "counts": instance.counts,
            "group": instance.group,
        }


class TournamentBracket(OneTournament):
    serializer_class = BracketOutput
    parameters = frozenset({"stage"})

    @reads(
        "tournaments_bracket",
        "The rounds of a stage with their pairings; empty before the start",
        parameters=[STAGE],
    )
    def get(self, request: Request, tournament: Tournament) -> Response:
        number = stage_asked(request, tournament)
        return self.answer({"rounds": selectors.bracket(tournament, number, self.viewer(request))})


class TournamentStandings(OneTournament):
    serializer_class = StandingOutput

    parameters = frozenset({"stage"})

    @reads(
        "tournaments_standings",
        "Who stands where, in the tournament or in a stage",
        StandingOutput(many=True),
        parameters=[STAGE],
    )
    def get(self, request: Request, tournament: Tournament) -> Response:
        number = stage_asked(request, tournament)
        return self.answer(selectors.standings(tournament, number), many=True)
