"""What is done about one entry, and lists of them: check-in, rests, coming back, rosters."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail
from rest_framework.response import Response

from api.strict import Boolean, Choice, Integer, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes
from api.v1.tournaments.entrants import EntrantOutput
from players.models import Player
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Rest, Tournament
from tournaments.services.roster import MOST, NAME_LENGTH, Newcomer, problem_of


class HereInput(StrictSerializer):
    here = Boolean(default=True)


class RestInput(StrictSerializer):
    """`stage` counts the stages of the event's plan from 1; the one in hand if it is left out."""

    round = Integer(min_value=1, max_value=30)
    stage = Integer(min_value=1, max_value=20, allow_null=True, default=None)


class RestOutput(serializers.Serializer[Rest]):
    """A round of a stage that an entrant is not in; `points` it is worth, in twelfths. `asked`: by
    their own wish, else missed by coming late.
    """

    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    points = serializers.IntegerField()
    asked = serializers.BooleanField()

    def to_representation(self, instance: Rest) -> dict[str, Any]:
        return {
            "stage": instance.stage,
            "round": instance.round,
            "points": instance.points,
            "asked": instance.asked_by_id is not None,
        }


class NewcomerInput(StrictSerializer):
    """A name without an account, or the sign-in name of an `account`; of fixed pairs also the
    partner's name, and what the pair is called.
    """

    name = Text(max_length=200, allow_blank=True, default="")
    account = Text(max_length=40, allow_blank=True, default="")
    partner = Text(max_length=200, allow_blank=True, default="")
    pair = Text(max_length=80, allow_blank=True, default="")


class ReplacementInput(StrictSerializer):
    """Who comes in: a name without an account, or the sign-in name of an `account`; in whose place:
    the "player", or of a pair the "partner".
    """

    name = Text(max_length=200, allow_blank=True, default="")
    account = Text(max_length=40, allow_blank=True, default="")
    part = Choice(choices=("player", "partner"), default="player")
    reason = Text(max_length=200, allow_blank=True, default="")


class RosterInput(StrictSerializer):
    entrants = serializers.ListField(child=NewcomerInput(), min_length=1, max_length=MOST)


class RefusedOutput(serializers.Serializer[Newcomer]):
    """`index` from 0 in what was sent."""

    index = serializers.IntegerField()
    name = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField()

    def to_representation(self, instance: Newcomer) -> dict[str, Any]:
        return {
            "index": instance.line - 1,
            "name": instance.name or instance.account,
            "code": instance.problem,
            "detail": problem_of(instance),
        }


class RosterOutput(serializers.Serializer[dict[str, Any]]):
    """Who is in now, and who could not be taken, with the reason."""

    entered = EntrantOutput(many=True)
    refused = RefusedOutput(many=True)


class OneEntry(OneTournament):
    """What views of one entry share."""

    serializer_class: type[serializers.Serializer[Any]] = EntrantOutput

    def entrant(self, tournament: Tournament, entrant: int) -> Entrant:
        """The entry of that id. Raises TournamentError("no_entrant")."""
        found = tournament.entrants.select_related("player", "partner").filter(pk=entrant).first()
        if found is None:
            raise TournamentError("no_entrant")
        return found


class TableInput(StrictSerializer):
    """Where the entrant always sits; null for any table."""

    table = Integer(min_value=1, max_value=5000, allow_null=True)


class EntryTable(OneEntry):
    @changes(
        "tournaments_fix_table",
        "Have an entrant always sit at one table, from the next tables that are set",
        TableInput,
    )
    def post(
        self, by: Player, tournament: Tournament, entrant: int, given: dict[str, Any]
    ) -> Response:
        found = self.entrant(tournament, entrant)
        done = services.fix_table(
            tournament_id=tournament.pk, by=by, entrant_id=found.pk, table=given["table"]
        )
        return self.answer(done)


class TimeInput(StrictSerializer):
    """How much of the time for a turn, and of the bank, the entrant is given."""

    percent = Integer(min_value=100, max_value=200)


class EntryTime(OneEntry):
    @changes(
        "tournaments_grant_time",
        "Give an entrant 100, 150 or 200 percent of the time, at tables that open from now on",
        TimeInput,
    )
    def post(
        self, by: Player, tournament: Tournament, entrant: int, given: dict[str, Any]
    ) -> Response:
        found = self.entrant(tournament, entrant)
        done = services.grant_time(
            tournament_id=tournament.pk, by=by, entrant_id=found.pk, percent=given["percent"]
        )
        return self.answer(done)


class EntryCheckIn(OneEntry):
    @changes(
        "tournaments_check_in",
        "Say that an entrant is there: yourself in the window, the desk at any time",
        HereInput,
    )
    def post(
        self, by: Player, tournament: Tournament, entrant: int, given: dict[str, Any]
    ) -> Response:
        player = self.entrant(tournament, entrant).player
        done = services.check_in(tournament_id=tournament.pk, player=player, by=by, **given)
        return self.answer(done)


class EntryReturn(OneEntry):
    @changes("tournaments_return", "Let an entrant who withdrew play on, from the next round")
    def post(
        self, by: Player, tournament: Tournament, entrant: int, given: dict[str, Any]
    ) -> Response:
        player = self.entrant(tournament, entrant).player
        services.come_back(tournament_id=tournament.pk, player=player, by=by)
        return self.answer(self.entrant(tournament, entrant))


class EntryReplacement(OneEntry):
    @changes(
        "tournaments_replace",
        "Put somebody in an entrant's place, or in that of one of a pair; give a reason once the "
        "tournament runs",
        ReplacementInput,
    )
    def post(
        self, by: Player, tournament: Tournament, entrant: int, given: dict[str, Any]
    ) -> Response:
        row = Newcomer(1, given["name"], given["account"])
        part, reason = given["part"], given["reason"]
        made = services.replace_entrant(
            tournament_id=tournament.pk, by=by, entrant_id=entrant, row=row, part=part,
            reason=reason,
        )  # fmt: skip
        if isinstance(made, Newcomer):
            field = "account" if made.account else "name"
            refused = ErrorDetail(problem_of(made), code=made.problem)
            raise serializers.ValidationError({field: [refused]})
        return self.answer(self.entrant(tournament, entrant))


class EntryRests(OneEntry):
    serializer_class = RestOutput

    @changes(
        "tournaments_rest",
        "Ask for a rest in a round still to be drawn",
        RestInput,
        {201: RestOutput},
    )
    def post(
        self, by: Player, tournament: Tournament, entrant: int, given: dict[str, Any]
    ) -> Response:
        player = self.entrant(tournament, entrant).player
        rest = services.ask_rest(
            tournament_id=tournament.pk,
            player=player,
            number=given["round"],
            stage=given["stage"],
            by=by,
        )
        return self.answer(rest, status.HTTP_201_CREATED)


class EntryRest(OneEntry):
    serializer_class = RestOutput

    @changes(
        "tournaments_give_up_rest",
        "Play in that round after all",
        takes=None,
        answers={204: None},
    )
    def delete(
        self, by: Player, tournament: Tournament, entrant: int, stage: int, number: int
    ) -> Response:
        player = self.entrant(tournament, entrant).player
        services.give_up_rest(
            tournament_id=tournament.pk, player=player, number=number, stage=stage, by=by
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class Roster(OneTournament):
    serializer_class = RosterOutput

    @changes(
        "tournaments_enter",
        f"Enter people by name or account; names have at most {NAME_LENGTH} characters",
        RosterInput,
        {201: RosterOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        rows = [Newcomer(line, **row) for line, row in enumerate(given["entrants"], start=1)]
        entered, refused = services.enter(tournament_id=tournament.pk, by=by, rows=rows)
        shown = {"entered": entered, "refused": refused}
        return self.answer(shown, status.HTTP_201_CREATED)
