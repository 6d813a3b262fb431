"""Somebody else in an entry while its event runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import services as games
from games.models import Match, Seat
from players.models import Player
from players.services import bot_player
from tournaments import audit, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Entrant, StandIn, Tournament

pytestmark = pytest.mark.django_db

Started = Callable[..., Tournament]


def replace(cup: Tournament, entrant: Entrant, name: str = "Nell Day", **more: Any) -> Any:
    given = {"row": services.Newcomer(1, name=name), "reason": "ill", **more}
    return services.replace_entrant(
        tournament_id=cup.pk, by=cup.organiser, entrant_id=entrant.pk, **given
    )


def seated(match_id: str) -> list[str]:
    rows = Seat.objects.filter(match=match_id).order_by("index")
    return [row.player.name for row in rows.select_related("player")]


def test_the_newcomer_plays_on_with_results_seat_and_seed_and_it_is_said(
    started: Started, play: Any, django_capture_on_commit_callbacks: Any
) -> None:
    cup = started(4, format="round_robin")
    out = play.entrant(cup, 4)
    first = play.lose(cup, 1, 4)
    play.lose(cup, 2, 3)
    with django_capture_on_commit_callbacks(execute=True):
        made = replace(cup, out)
    assert (made.pk, made.seed, made.label) == (out.pk, 4, "Nell Day")
    assert made.player.name in seated(play.game(cup, 3).match_id)
    assert out.player.name in seated(first)
    assert play.result(cup, 1) == ("played", 1)
    [row] = selectors.stand_ins(cup)
    assert (row.out, row.into, row.round) == (out.player, made.player, 2)
    line = audit.lines(cup)[0]
    assert audit.sentence(line) == (
        f"Nell Day plays in place of {out.player.name} from round 2 on."
    )
    assert (line.reason, audit.kind_of(line.action)) == ("ill", "entrants")
    assert selectors.verify(cup.pk) == []


def test_a_table_that_nobody_has_begun_at_is_opened_anew_for_the_newcomer(
    started: Started, play: Any, django_capture_on_commit_callbacks: Any
) -> None:
    cup = started(4, format="round_robin")
    out, old = play.entrant(cup, 1), play.game(cup, 1)
    with django_capture_on_commit_callbacks(execute=True):
        made = replace(cup, out)
    old.refresh_from_db()
    assert (old.void, Match.objects.get(pk=old.match_id).status) == (True, "cancelled")
    new = play.game(cup, 1)
    assert new.pk != old.pk
    assert made.player.name in seated(new.match_id)
    assert out.player.name not in seated(new.match_id)
    assert StandIn.objects.get().round == 1
    assert selectors.verify(cup.pk) == []


def test_a_match_that_has_begun_is_played_on_by_who_began_it(started: Started, play: Any) -> None:
    cup = started(4, format="round_robin")
    out = play.entrant(cup, 1)
    begun = play.sit_down(cup, 1)
    replace(cup, out)
    begun.refresh_from_db()
    assert begun.is_running
    assert out.player.name in seated(begun.pk)
    assert StandIn.objects.get().round == 2
    games.resign(match_id=begun.pk, player=play.entrant(cup, 4).player)
    play.deliver()
    assert play.result(cup, 1) == ("played", 1)


def test_rests_to_come_and_wishes_were_the_other_s_own(started: Started, play: Any) -> None:
    cup = started(
        4, format="swiss", options={"rounds": 4}, play="board", round_start="arbiter",
        rests_allowed=2,
    )  # fmt: skip
    one, two = play.entrant(cup, 1), play.entrant(cup, 2)
    services.ask_rest(tournament_id=cup.pk, player=one.player, number=3)
    services.keep_apart(tournament_id=cup.pk, by=cup.organiser, entrants=[one.pk, two.pk])
    replace(cup, one)
    assert not one.rests.exists()
    assert not cup.aparts.exists()


@pytest.mark.parametrize("format_id", ["single_elimination", "swiss", "arena"])
def test_an_event_is_played_to_its_end_after_somebody_was_replaced(
    format_id: str, bots_event: Started, play: Any
) -> None:
    options = {"swiss": {"rounds": 2}, "arena": {"minutes": 1}}.get(format_id, {})
    cup = bots_event(4, format=format_id, options=options)
    services.draw_due(tournament_id=cup.pk)
    entrant = play.entrant(cup, 2)
    bot = bot_player(level="hard", number=9)
    services.substitute(
        tournament_id=cup.pk, by=cup.organiser, entrant_id=entrant.pk, out=entrant.player,
        into=bot, reason="ill",
    )  # fmt: skip
    if format_id == "arena":
        services.end_arena(tournament_id=cup.pk, by=cup.organiser)
        services.look_at_arena(tournament_id=cup.pk)
    play.to_the_end(cup)
    assert selectors.verify(cup.pk) == []
    assert play.entrant(cup, 2).player == bot


def test_what_can_not_be_done_is_refused_and_nobody_is_made(started: Started, play: Any) -> None:
    cup = started(3, play="board", format="round_robin")
    entrant = play.entrant(cup, 1)
    before = Player.objects.count()
    for given, code in (
        ({"reason": " "}, "no_reason"),
        ({"part": "partner"}, "no_entrant"),
        ({"entrant_id": 0}, "no_entrant"),
    ):
        with pytest.raises(TournamentError) as refused:
            services.replace_entrant(**{
                "tournament_id": cup.pk, "by": cup.organiser, "entrant_id": entrant.pk,
                "row": services.Newcomer(1, name="Nell Day"), "reason": "ill", **given,
            })  # fmt: skip
        assert refused.value.code == code
    taken = replace(cup, entrant, play.entrant(cup, 2).player.name)
    assert isinstance(taken, services.Newcomer)
    services.withdraw(tournament_id=cup.pk, player=entrant.player)
    with pytest.raises(TournamentError) as refused:
        replace(cup, entrant)
    assert refused.value.code == "is_out"
    assert Player.objects.count() == before


def test_one_of_a_pair_is_replaced_by_name(event: Started, people: Any) -> None:
    cup = event(sides="pairs", play="board")
    players = people(4)
    entrants = [
        services.enter_pair(tournament_id=cup.pk, by=cup.organiser, player=one, partner=other)
        for one, other in (players[:2], players[2:])
    ]
    services.start(tournament_id=cup.pk, by=cup.organiser)
    made = replace(cup, entrants[0], part="partner")
    assert (made.player, made.partner.name) == (players[0], "Nell Day")
    line = audit.lines(cup)[0]
    assert audit.sentence(line) == (
        f"Nell Day plays in place of {players[1].name} from round 1 on: {made.label}."
    )


@pytest.mark.django_db(transaction=True)
def test_two_officials_at_once_put_one_newcomer_in(
    started: Started, play: Any, at_once: Any
) -> None:
    cup = started(4, format="round_robin", play="board")
    out = play.entrant(cup, 2)
    names = ("Nell Day", "Ed Noon", "Flo Dusk")
    answers = at_once(3, lambda n: replace(cup, out, names[n], seen=out.player_id))
    refused = [answer for answer in answers if isinstance(answer, TournamentError)]
    assert [error.code for error in refused] == ["stale", "stale"]
    row = StandIn.objects.get()
    assert (row.out_id, row.into.name) == (out.player_id, play.entrant(cup, 2).label)
    assert Player.objects.filter(name__in=names).count() == 1
    assert selectors.verify(cup.pk) == []


@pytest.mark.django_db(transaction=True)
def test_a_replacement_and_a_start_at_once_seat_one_of_both(
    started: Started, play: Any, at_once: Any
) -> None:
    cup = started(4, format="round_robin")
    out, match = play.entrant(cup, 1), play.game(cup, 1).match_id
    people = list(
        Seat.objects.filter(match=match).order_by("index").values_list("player", flat=True)
    )

    def act(n: int) -> Any:
        if n == 0:
            return replace(cup, out)
        return [games.sit(match_id=match, player=Player.objects.get(pk=pk)) for pk in people]

    at_once(2, act)
    game = play.game(cup, 1)
    inside = seated(game.match_id)
    assert len(set(inside) & {out.player.name, "Nell Day"}) == 1
    assert (game.match_id == match) == (out.player.name in inside)
    assert selectors.verify(cup.pk) == []
