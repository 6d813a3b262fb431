"""Who may do what in an event: every service, every role. A service without a line fails here."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from players.models import Player
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Official, Role, Tournament
from tournaments.permissions import EVERY, RIGHTS, may, rights_of

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]

OF_A_ROUND = (
    "add_time",
    "call_time",
    "discard",
    "pair_by_hand",
    "pause",
    "publish",
    "redraw",
    "resume",
    "start_round",
    "take_back",
)
OF_A_PAIRING = ("set_play", "swap_seats")
# Everything that is exported and takes `by`, and who may. The site's staff may everything.
ARBITERS = {"owner", "chief", "arbiter"}
ROWS: dict[str, set[str]] = {
    "add_bots": ARBITERS | {"desk"},
    "announce": {"owner", "chief"},
    "ask_rest": ARBITERS | {"desk"},
    "break_tie": ARBITERS,
    "cancel": {"owner", "chief"},
    "check_in": ARBITERS | {"desk"},
    "close_registration": {"owner", "chief"},
    "come_back": ARBITERS | {"desk"},
    "copy": {"owner", "chief"},
    "enter": ARBITERS | {"desk"},
    "give_up_rest": ARBITERS | {"desk"},
    "keep_apart": ARBITERS | {"desk"},
    "let_meet": ARBITERS | {"desk"},
    "next_week": {"owner", "chief"},
    "change_official": {"owner", "chief"},
    "disqualify": ARBITERS,
    "edit": {"owner", "chief"},
    "begin_arena": ARBITERS,
    "end_arena": ARBITERS,
    "exchange": ARBITERS,
    "preview_exchange": ARBITERS,
    "finish": ARBITERS,
    "fix_table": ARBITERS | {"desk"},
    "grant_time": ARBITERS | {"desk"},
    "hand_over": {"owner"},
    "invite": {"owner", "chief"},
    "offer_claims": ARBITERS | {"desk"},
    "revoke_claim": ARBITERS | {"desk"},
    "open_registration": {"owner", "chief"},
    "preview_result": ARBITERS | {"scorer"},
    "remove_official": {"owner", "chief"},
    "preview_result (a correction)": ARBITERS,
    "renew_link": {"owner", "chief"},
    "report_result": ARBITERS | {"scorer"},
    "report_result (a decision)": ARBITERS,
    "report_result (a correction)": ARBITERS,
    "revoke_invitation": {"owner", "chief"},
    "set_seeds": ARBITERS,
    "start": ARBITERS,
    "substitute": ARBITERS | {"desk"},
    "replace_entrant": ARBITERS | {"desk"},
    "swap_seats": ARBITERS,
    "withdraw": ARBITERS | {"desk"},
    "enter_pair": ARBITERS | {"desk"},
    "ask": ARBITERS,
    "set_play": ARBITERS,
    **dict.fromkeys(OF_A_ROUND, ARBITERS),
}
# What nobody in particular does: the clock, the post, and what one does for oneself.
FOR_ONESELF = {
    "join": "player",
    "accept": "player",
    "accept_partner": "player",
    "claim": "player",
    "drop_invitation": "player",
    "invite_partner": "player",
    "pause_in_arena": "player",
    "resume_in_arena": "player",
}
NOBODY = {
    "claim_of",
    "close_due",
    "create",
    "draw_due",
    "handle_finished_match",
    "invitation_of",
    "look_at_arena",
    "make_due",
    "open_sheet",
    "pair_arenas",
    "reconcile",
    "start_due",
}
# A league is its owner's (test_leagues.py), not the officials' of an event.
OF_LEAGUES = {
    "begin_season",
    "close_season",
    "create_league",
    "edit_league",
    "join_league",
    "leave_league",
    "move_end",
    "wish_to_play",
}
# Who sits at the table, or scores it: test_over_the_board.py.
AT_A_TABLE = {"confirm", "dispute", "enter_sheet", "hand_in", "report", "settle_by"}
REFUSALS = {"not_allowed", "role_above"}


@dataclass
class Hall:
    """A running event, and somebody of every role in it."""

    cup: Tournament
    people: dict[str, Player]
    helper: Player
    entrant: Player

    def arguments(self, row: str) -> dict[str, Any]:
        """What a service is called with besides the event and `by`."""
        given: dict[str, dict[str, Any]] = {
            "add_bots": {"count": 1, "level": "easy"},
            "fix_table": {"entrant_id": 0, "table": 1},
            "grant_time": {"entrant_id": 0, "percent": 150},
            "ask_rest": {"player": self.entrant, "number": 1},
            "break_tie": {"how": "lot", "tied": []},
            "cancel": {"reason": "Rain"},
            "change_official": {"player": self.helper, "role": "display"},
            "check_in": {"player": self.entrant},
            "come_back": {"player": self.entrant},
            "disqualify": {"player": self.entrant, "reason": "Peeking"},
            "edit": {"text": "Bring tiles."},
            "enter": {"rows": []},
            "enter_pair": {"player": self.helper, "partner": self.entrant},
            "pair_by_hand": {"tables": [], "reason": "Rain"},
            "add_time": {"minutes": 5},
            "substitute": {"entrant_id": 0, "out": self.entrant, "into": self.helper},
            "give_up_rest": {"player": self.entrant, "number": 1},
            "hand_over": {"to": self.helper},
            "invite": {"role": "display"},
            "remove_official": {"player": self.helper},
            "revoke_invitation": {"invitation_id": 0},
            "set_play": {"play": "live"},
            "exchange": {"one": 0, "other": 0, "number": 1, "reason": "Rain"},
            "preview_exchange": {"one": 0, "other": 0, "number": 1},
            "revoke_claim": {"claim_id": 0},
            "keep_apart": {"kind": "club"},
            "let_meet": {"apart_id": 0},
            "replace_entrant": {"entrant_id": 0, "row": services.Newcomer(1, name="Nell")},
            "set_seeds": {"order": []},
            "withdraw": {"player": self.entrant},
        }
        return given.get(row, {})

    def call(self, row: str, by: Player) -> None:
        name = row.split(" ")[0]
        if name in ("report_result", "preview_result"):
            self.report(row, by)
            return
        if row == "revoke_invitation":
            made, _key = services.invite(
                tournament_id=self.cup.pk, by=self.people["owner"], role="display"
            )
            services.revoke_invitation(tournament_id=self.cup.pk, by=by, invitation_id=made.pk)
            return
        if name in OF_A_ROUND or name in OF_A_PAIRING:
            self.at_round(name, by)
            return
        getattr(services, name)(tournament_id=self.cup.pk, by=by, **self.arguments(row))

    def at_round(self, name: str, by: Player) -> None:
        services.start(tournament_id=self.cup.pk, by=self.people["owner"])
        first = self.cup.stages.get().rounds.get(number=1)
        given: dict[str, Any] = {"round_id": first.pk}
        if name in OF_A_PAIRING:
            given = {"pairing_id": first.pairings.first().pk}
        getattr(services, name)(by=by, **given, **self.arguments(name))

    def report(self, row: str, by: Player) -> None:
        name = row.split(" ")[0]
        if self.cup.stages.first() is None:
            services.start(tournament_id=self.cup.pk, by=self.people["owner"])
        pairing = self.cup.stages.get().pairings.get(number=1)
        first, second = (slot.entrant_id for slot in pairing.slots.order_by("index"))
        entry: dict[str, Any] = {"pairing_id": pairing.pk, "outcome": "played", "winner": first}
        if row.endswith("(a decision)"):
            entry |= {"outcome": "decision", "reason": "Power cut"}
        if row.endswith("(a correction)"):
            services.report_result(by=self.people["owner"], **entry)
            entry |= {"winner": second}
            if name == "report_result":
                entry["reason"] = "Typed wrong"
        getattr(services, name)(by=by, **entry)


@pytest.fixture
def hall(event: Event, people: Callable[[int], list[Player]]) -> Hall:
    cup = event(play="board")
    inside = people(4)
    for player in inside:
        services.join(tournament_id=cup.pk, player=player)
    known = {"owner": cup.organiser, "stranger": Player.objects.create_user("sam", name="Sam")}
    for role in Role.values:
        known[role] = Player.objects.create_user(role, name=role.title())
        Official.objects.create(tournament=cup, player=known[role], role=role)
    known["staff"] = Player.objects.create_user("staff", name="Staff", is_staff=True)
    helper = Player.objects.create_user("helper", name="Helper")
    Official.objects.create(tournament=cup, player=helper, role=Role.DESK)
    return Hall(cup, known, helper, inside[0])


def test_every_service_has_a_line() -> None:
    with_by = set()
    for name in services.__all__:
        if name in OF_LEAGUES | AT_A_TABLE or not inspect.isfunction(getattr(services, name)):
            continue
        parameters = inspect.signature(getattr(services, name)).parameters
        if "by" in parameters:
            with_by.add(name)
        elif name in FOR_ONESELF:
            assert FOR_ONESELF[name] in parameters
        else:
            assert name in NOBODY, f"Who may call {name}? Give it a line here."
    assert with_by == {row.split(" ")[0] for row in ROWS}


@pytest.mark.parametrize("row", ROWS)
def test_who_may_do_what(hall: Hall, row: str) -> None:
    for who, player in hall.people.items():
        with transaction.atomic():
            code = _refusal(hall, row, player)
            transaction.set_rollback(True)
        allowed = who in ROWS[row] or who == "staff"
        assert (code in REFUSALS) is not allowed, (row, who, code)


def _refusal(hall: Hall, row: str, player: Player) -> str:
    try:
        hall.call(row, player)
    except TournamentError as refused:
        return refused.code
    return ""


def test_each_role_may_what_the_higher_may_but_the_desk_and_scorers_differ() -> None:
    assert RIGHTS["display"] < RIGHTS["scorer"] < RIGHTS["arbiter"] < RIGHTS["chief"] < EVERY
    assert RIGHTS["display"] < RIGHTS["desk"] < RIGHTS["arbiter"]
    assert "results" not in RIGHTS["desk"]


def test_a_scorer_of_some_tables_has_those_alone(hall: Hall) -> None:
    scorer = hall.people["scorer"]
    Official.objects.filter(player=scorer).update(tables=[2])
    assert [may(hall.cup, scorer, "results", table) for table in (1, 2, 3)] == [False, True, False]
    services.start(tournament_id=hall.cup.pk, by=hall.cup.organiser)
    first, second = hall.cup.stages.get().pairings.filter(round__number=1).order_by("position")
    for pairing, allowed in ((first, False), (second, True)):
        entry: dict[str, Any] = {"winner": pairing.slots.get(index=0).entrant_id}
        if allowed:
            services.report_result(pairing_id=pairing.pk, by=scorer, outcome="played", **entry)
            continue
        with pytest.raises(TournamentError) as refused:
            services.report_result(pairing_id=pairing.pk, by=scorer, outcome="played", **entry)
        assert refused.value.code == "not_allowed"


def test_a_role_in_one_event_is_none_in_another(hall: Hall, event: Event) -> None:
    other = event()
    chief = hall.people["chief"]
    assert rights_of(other, chief) == frozenset()
    with pytest.raises(TournamentError):
        services.edit(tournament_id=other.pk, by=chief, text="x")


def test_who_was_shut_out_of_the_site_has_no_rights(hall: Hall) -> None:
    chief = hall.people["chief"]
    chief.is_active = False
    chief.save()
    assert rights_of(hall.cup, chief) == frozenset()
