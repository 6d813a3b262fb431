"""Roles by invitation link: given, used, changed, ended, and never worth more than their giver."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from players.models import Player
from players.services import bot_player, create_guest
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Invitation, Official, Tournament
from tournaments.permissions import may

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]


def account(handle: str) -> Player:
    return Player.objects.create_user(handle, name=handle.title())


def link(cup: Tournament, role: str = "arbiter", **settings: Any) -> str:
    by = settings.pop("by", cup.organiser)
    return services.invite(tournament_id=cup.pk, by=by, role=role, **settings)[1]


def role_of(cup: Tournament, player: Player) -> str | None:
    found = Official.objects.filter(tournament=cup, player=player).first()
    return None if found is None else found.role


def refused(call: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(TournamentError) as error:
        call(**arguments)
    return error.value.code


def test_a_link_gives_its_role_and_is_kept_as_a_hash(event: Event) -> None:
    cup, ann = event(), account("ann")
    key = link(cup)
    assert key not in str(list(Invitation.objects.values()))
    services.accept(key=key, player=ann)
    assert role_of(cup, ann) == "arbiter"
    assert may(cup, ann, "rounds")
    assert not may(cup, ann, "settings")


def test_accepted_twice_it_is_used_once(event: Event) -> None:
    cup, ann, ben = event(), account("ann"), account("ben")
    key = link(cup, uses=2)
    for _time in range(2):
        services.accept(key=key, player=ann)
    services.accept(key=key, player=ben)
    assert refused(services.accept, key=key, player=account("cem")) == "invitation_over"
    assert AuditLine.objects.filter(action="official_joined").count() == 2


def test_a_link_that_is_unknown_expired_or_revoked_gives_nothing(event: Event) -> None:
    cup, ann = event(), account("ann")
    assert refused(services.accept, key="x", player=ann) == "no_invitation"
    late, revoked = link(cup), link(cup)
    first, second = Invitation.objects.order_by("pk")
    Invitation.objects.filter(pk=first.pk).update(
        expires_at=timezone.now() - dt.timedelta(seconds=1)
    )
    services.revoke_invitation(tournament_id=cup.pk, by=cup.organiser, invitation_id=second.pk)
    for key in (late, revoked):
        assert refused(services.accept, key=key, player=ann) == "invitation_over"
    assert role_of(cup, ann) is None


def test_nobody_gives_or_touches_a_role_above_their_own(event: Event) -> None:
    cup, chief, other = event(), account("chief"), account("other")
    for player in (chief, other):
        services.accept(key=link(cup, "chief"), player=player)
    assert refused(
        services.change_official, tournament_id=cup.pk, by=chief, player=other, role="display"
    ) == "role_above"  # fmt: skip
    assert refused(services.remove_official, tournament_id=cup.pk, by=chief, player=other) == (
        "role_above"
    )
    assert refused(services.hand_over, tournament_id=cup.pk, by=chief, to=chief) == "not_allowed"
    services.accept(key=link(cup, "arbiter"), player=(ann := account("ann")))
    assert refused(services.invite, tournament_id=cup.pk, by=ann, role="display") == "not_allowed"
    assert refused(
        services.change_official, tournament_id=cup.pk, by=ann, player=ann, role="chief"
    ) == "not_allowed"  # fmt: skip


def test_a_link_is_worth_no_more_than_its_giver_is_now(event: Event) -> None:
    """Who lost the role can't come back by a link made before."""
    cup, chief = event(), account("chief")
    services.accept(key=link(cup, "chief"), player=chief)
    key = link(cup, "chief", by=chief)
    services.remove_official(tournament_id=cup.pk, by=cup.organiser, player=chief)
    for player in (chief, account("ann")):
        assert refused(services.accept, key=key, player=player) == "invitation_over"


def test_a_link_never_lowers_a_role(event: Event) -> None:
    cup, ann = event(), account("ann")
    services.accept(key=link(cup, "arbiter"), player=ann)
    key = link(cup, "display")
    services.accept(key=key, player=ann)
    assert role_of(cup, ann) == "arbiter"
    services.accept(key=key, player=(ben := account("ben")))
    assert role_of(cup, ben) == "display"


def test_guests_may_score_and_show_and_no_more(event: Event) -> None:
    cup = event()
    for role in ("scorer", "display"):
        services.accept(key=link(cup, role), player=(guest := create_guest()))
        assert role_of(cup, guest) == role
    for role in ("chief", "arbiter", "desk"):
        assert refused(services.accept, key=link(cup, role), player=create_guest()) == (
            "account_needed"
        )
    bot = bot_player(level="easy", number=1)
    assert refused(services.accept, key=link(cup, "scorer"), player=bot) == "account_needed"


def test_a_scorer_of_some_tables_accepts_for_others_too(event: Event) -> None:
    cup, ann = event(), account("ann")
    for tables in ([1, 2], [2, 5]):
        services.accept(key=link(cup, "scorer", tables=tables), player=ann)
    assert Official.objects.get(player=ann).tables == [1, 2, 5]
    services.accept(key=link(cup, "scorer"), player=ann)
    assert Official.objects.get(player=ann).tables == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [({"role": "king"}, "bad_role"), ({"role": "arbiter", "tables": [1]}, "bad_tables"),
     ({"role": "scorer", "tables": [0]}, "bad_tables"), ({"hours": 0}, "bad_time"),
     ({"hours": 2161}, "bad_time"), ({"uses": 0}, "bad_time"), ({"uses": 101}, "bad_time")],
)  # fmt: skip
def test_what_a_link_can_not_be(event: Event, wrong: dict[str, Any], code: str) -> None:
    cup = event()
    given = {"tournament_id": cup.pk, "by": cup.organiser, "role": "scorer", **wrong}
    assert refused(services.invite, **given) == code
    assert not Invitation.objects.exists()


def test_the_owner_hands_over_to_an_official_and_stays_chief_arbiter(event: Event) -> None:
    cup, ann = event(), account("ann")
    olga = cup.organiser
    assert refused(services.hand_over, tournament_id=cup.pk, by=olga, to=ann) == "no_official"
    services.accept(key=link(cup, "desk"), player=ann)
    services.hand_over(tournament_id=cup.pk, by=olga, to=ann)
    cup.refresh_from_db()
    assert cup.organiser == ann
    assert role_of(cup, olga) == "chief"
    assert role_of(cup, ann) is None
    assert refused(services.hand_over, tournament_id=cup.pk, by=olga, to=olga) == "not_allowed"


def test_anybody_may_give_up_their_own_role(event: Event) -> None:
    cup, ann = event(), account("ann")
    services.accept(key=link(cup, "display"), player=ann)
    services.remove_official(tournament_id=cup.pk, by=ann, player=ann)
    assert role_of(cup, ann) is None


@pytest.mark.django_db(transaction=True)
def test_the_last_use_of_a_link_gives_one_role(
    event: Event, at_once: Callable[[int, Callable[[int], Any]], list[Any]]
) -> None:
    cup = event()
    people = [account(f"person{n}") for n in range(6)]
    key = link(cup, "arbiter")
    answers = at_once(6, lambda n: services.accept(key=key, player=people[n]))
    assert sum(isinstance(answer, Official) for answer in answers) == 1
    assert [a.code for a in answers if isinstance(a, TournamentError)] == ["invitation_over"] * 5
    assert Official.objects.filter(tournament=cup).count() == 1
