"""The arbiter's desk in the browser's hands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments import services as tournaments
from tournaments import tasks
from tournaments.models import Official, Pairing, Result, Round, Tournament
from tournaments.scores import score

pytestmark = pytest.mark.django_db

MakePlayer = Callable[..., Player]
Enter = Callable[[Player], Client]


@pytest.fixture
def cup(make_player: MakePlayer, make_event: Any) -> Tournament:
    """Five people in a Swiss over the board, whose rounds the arbiter starts; it has begun."""
    event = make_event(
        make_player("Olga"),
        format="swiss",
        options={"rounds": 3},
        play="board",
        round_start="arbiter",
        round_minutes=40,
    )
    for name in ("Ana", "Bo", "<svg/onload=a(1)>", "Dan", "Eve"):
        tournaments.join(tournament_id=event.pk, player=make_player(name))
    made: Tournament = tournaments.start(tournament_id=event.pk, by=event.organiser)
    return made


def url(cup: Tournament, *rest: str) -> str:
    return "/".join(["/tournaments", cup.slug, "desk", *rest])


def press(client: Client, cup: Tournament, deed: str, **data: Any) -> str:
    answer = client.post(url(cup, deed), data, follow=True)
    return str(answer.content.decode())


@pytest.fixture
def arbiter(cup: Tournament, as_player: Enter) -> Client:
    return as_player(cup.organiser)


@pytest.fixture
def begun(cup: Tournament, arbiter: Client) -> Round:
    """The first round, started by the buttons of the desk."""
    press(arbiter, cup, "draw")
    assert tasks.draw_round(cup.pk)
    row = Round.objects.get()
    press(arbiter, cup, "publish-start", round=row.pk)
    row.refresh_from_db()
    return row


def test_the_desk_is_for_officials(
    cup: Tournament, as_player: Enter, make_player: MakePlayer
) -> None:
    assert Client().get(url(cup)).status_code == 404
    other = make_player()
    client = as_player(other)
    for path in (url(cup), url(cup, "state"), url(cup, "pair", "1")):
        assert client.get(path).status_code == 404
    assert client.post(url(cup, "draw")).status_code == 404
    assert client.post(url(cup, "enter")).status_code == 404
    Official.objects.create(tournament=cup, player=other, role="scorer")
    page = client.get(url(cup)).content.decode()
    assert "Nothing has been drawn yet" in page
    assert "All results are in" not in page
    assert "Draw round 1" not in page  # a scorer draws none
    assert "does not allow" in press(client, cup, "draw")


def test_a_scorer_of_some_tables_is_offered_those(
    cup: Tournament, begun: Round, as_player: Enter, make_player: MakePlayer
) -> None:
    other = make_player()
    Official.objects.create(tournament=cup, player=other, role="scorer", tables=[2])
    page = as_player(other).get(url(cup)).content.decode()
    rows = re.split(r'<li class="table-row', page)[1:]
    fields = ['name="score-0"' in row.partition("</form>")[0] for row in rows]
    assert fields == [False, True, False]  # the third has a bye
    assert "Forfeit and more" not in page  # an arbiter decides


def test_a_bye_is_no_table(arbiter: Client, cup: Tournament, begun: Round) -> None:
    page = " ".join(arbiter.get(url(cup)).content.decode().split())
    rows = re.split(r'<li class="table-row', page)[1:]
    [bye] = [row for row in rows if row.startswith(" is-bye")]
    assert (
        '<b class="no num"><span aria-hidden="true">–</span></b> <span class="chip">bye</span>'
        in bye
    )
    assert f'All <span class="num">&nbsp;{len(rows) - 1}</span>' in page


def test_the_one_big_button_leads_through_a_round(cup: Tournament, arbiter: Client) -> None:
    assert "Draw round 1" in arbiter.get(url(cup)).content.decode()
    assert "Drawing round 1" in press(arbiter, cup, "draw")
    tasks.draw_round(cup.pk)
    row = Round.objects.get()
    page = arbiter.get(url(cup)).content.decode()
    assert "Publish round 1" in page
    assert "Pair by hand" in page
    assert "Start round 1" in press(arbiter, cup, "publish", round=row.pk)
    assert "of 2 tables are still to finish" in press(arbiter, cup, "start", round=row.pk)


def test_a_result_goes_in_by_table_and_scores(
    cup: Tournament, arbiter: Client, begun: Round
) -> None:
    data = {"table": "1", "score-0": "150", "score-1": "95"}
    page = arbiter.post(url(cup, "enter"), data, follow=True).content.decode()
    assert score((150, 95)) in page
    result = Result.objects.get(pairing__round=begun, pairing__position=1)
    assert (result.outcome, result.scores, result.by) == ("played", [150, 95], cup.organiser)


@pytest.mark.parametrize(
    ("data", "field", "says"),
    [
        ({"table": "9", "score-0": "1", "score-1": "2"}, "table", "Nobody plays at that table"),
        ({"table": "x", "score-0": "1", "score-1": "2"}, "table", "Nobody plays at that table"),
        ({"table": "3", "score-0": "1", "score-1": "2"}, "table", "Nobody plays at that table"),
        ({"table": "1", "score-0": "15o", "score-1": "2"}, "score-0", "whole numbers"),
        ({"table": "1", "score-0": "150", "score-1": ""}, "score-1", "whole numbers"),
        ({"table": "1", "score-0": "١٥٠", "score-1": "2"}, "score-0", "whole numbers"),
        ({"table": "1", "score-0": "9" * 400, "score-1": "2"}, "score-0", "whole numbers"),
        ({}, "table", "Nobody plays at that table"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(
    cup: Tournament, arbiter: Client, begun: Round, data: Any, field: str, says: str
) -> None:
    answer = arbiter.post(url(cup, "enter"), data)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert says in re.sub(r"\s+", " ", page.split(f'id="{field}-error"')[1])[:120]
    assert not Result.objects.filter(by__isnull=False).exists()


def test_a_second_result_for_a_table_is_not_entered_by_mistake(
    cup: Tournament, arbiter: Client, begun: Round
) -> None:
    for points in ("95", "100"):
        data = {"table": "1", "score-0": "150", "score-1": points}
        answer = arbiter.post(url(cup, "enter"), data)
    assert answer.status_code == 422
    assert "has a result already" in answer.content.decode()


def test_a_row_s_own_form_keeps_what_was_typed(
    cup: Tournament, arbiter: Client, begun: Round
) -> None:
    pairing = begun.pairings.get(position=1)
    data = {"pairing": pairing.pk, "score-0": "12x", "score-1": "7"}
    answer = arbiter.post(url(cup, "result"), data)
    assert answer.status_code == 422
    assert 'value="12x"' in answer.content.decode()
    said = press(arbiter, cup, "result", **{**data, "score-0": "151"})
    assert score((151, 7)) in said


def test_a_side_or_both_forfeit(cup: Tournament, arbiter: Client, begun: Round) -> None:
    first, second = begun.pairings.filter(status="ready").order_by("position")
    loser = first.slots.get(index=1).entrant_id
    said = press(arbiter, cup, "forfeit", pairing=first.pk, loser=loser, reason="did not come")
    assert "The forfeit is entered." in said
    press(arbiter, cup, "forfeit", pairing=second.pk, loser="all", reason="both gone")
    outcomes = {r.pairing_id: (r.outcome, r.winner_id) for r in Result.objects.all()}
    assert outcomes[first.pk] == ("forfeit", first.slots.get(index=0).entrant_id)
    assert outcomes[second.pk] == ("double_forfeit", None)


def test_a_draft_s_pairings_are_on_no_public_page(
    cup: Tournament, arbiter: Client, as_player: Enter
) -> None:
    press(arbiter, cup, "draw")
    tasks.draw_round(cup.pk)
    pairing = Pairing.objects.first()
    assert pairing is not None
    player = cup.entrants.select_related("player")[0].player
    paths = ["", "/pairings", "/standings", "/state/overview"]
    for client in (Client(), as_player(player)):
        for path in paths:
            page = client.get(f"/tournaments/{cup.slug}{path}").content.decode()
            assert "bye: one point" not in page
            assert "data-entrant" not in page
        answer = client.get(f"/api/v1/tournaments/{cup.slug}/bracket/")
        assert answer.json() == {"rounds": []}
        results = f"/api/v1/tournaments/{cup.slug}/pairings/{pairing.number}/results/"
        assert client.get(results).status_code == 404


def test_a_draft_is_paired_by_hand(cup: Tournament, arbiter: Client) -> None:
    press(arbiter, cup, "draw")
    tasks.draw_round(cup.pk)
    row = Round.objects.get()
    path = url(cup, "pair", str(row.pk))
    page = arbiter.get(path).content.decode()
    assert "Everybody sits once" in page
    assert "<svg/onload" not in page
    data = {
        f"seat-{pairing.position - 1}-{slot.index}": slot.entrant_id or ""
        for pairing in row.pairings.all()
        for slot in pairing.slots.all()
    }
    data["seen"] = re.search(r'name="seen" value="(\d+)"', page)[1]  # type: ignore[index]
    twice = {**data, "seat-0-0": data["seat-1-0"], "save": "1", "reason": "x"}
    answer = arbiter.post(path, twice)
    assert answer.status_code == 422
    assert "Seated twice" in answer.content.decode()
    swapped = {**data, "seat-0-0": data["seat-1-0"], "seat-1-0": data["seat-0-0"]}
    answer = arbiter.post(path, {**swapped, "save": "1"})
    assert "Say why" in answer.content.decode()
    answer = arbiter.post(path, {**swapped, "save": "1", "reason": "kin"}, follow=True)
    assert "The pairing is saved in the draft." in answer.content.decode()
    assert row.pairings.filter(why__rule="manual").count() == 2


@pytest.mark.parametrize("deed", ["publish", "start", "discard", "add-time", "pause", "nonsense"])
@pytest.mark.parametrize(
    "given",
    ["", "-1", "1e3", "９", "9" * 20, "x" * 500],
    ids=["empty", "minus", "e", "wide", "long", "text"],
)
def test_nonsense_does_nothing(
    cup: Tournament, arbiter: Client, begun: Round, deed: str, given: str
) -> None:
    answer = arbiter.post(url(cup, deed), {"round": given, "pairing": given, "minutes": given})
    assert answer.status_code in (302, 404)
    assert Round.objects.get() == begun


def test_a_round_of_another_event_is_not_touched(
    cup: Tournament, begun: Round, make_player: MakePlayer, make_event: Any, as_player: Enter
) -> None:
    other = make_event(make_player("Otto"))
    client = as_player(other.organiser)
    pairing = begun.pairings.get(position=1)
    assert client.post(url(other, "pause"), {"round": begun.pk}).status_code == 404
    press(client, other, "result", **{"pairing": pairing.pk, "score-0": "1", "score-1": "2"})
    press(client, other, "forfeit", pairing=pairing.pk, loser="all", reason="x")
    assert not Result.objects.filter(pairing=pairing).exists()
    assert client.get(url(other, "pair", str(begun.pk))).status_code == 404


def test_time_is_added_and_the_clock_stands(cup: Tournament, arbiter: Client, begun: Round) -> None:
    assert begun.ends_at is not None
    press(arbiter, cup, "add-time", round=begun.pk, minutes="5")
    row = Round.objects.get()
    assert row.ends_at is not None
    assert (row.ends_at - begun.ends_at).total_seconds() == 300
    press(arbiter, cup, "pause", round=begun.pk)
    assert Round.objects.get().paused_at is not None
    press(arbiter, cup, "resume", round=begun.pk)
    again = Round.objects.get()
    assert again.ends_at is not None
    assert again.ends_at > row.ends_at


def test_the_desk_asks_for_no_more_with_more_tables(
    cup: Tournament,
    arbiter: Client,
    begun: Round,
    make_player: MakePlayer,
    django_assert_max_num_queries: Any,
) -> None:
    with django_assert_max_num_queries(32):
        arbiter.get(url(cup, "state"))


# The page of those at a table


@pytest.fixture
def match(cup: Tournament, begun: Round) -> Pairing:
    """A match whose players report it."""
    Tournament.objects.filter(pk=cup.pk).update(reports="players")
    return begun.pairings.get(position=1)


def players_of(match: Pairing) -> list[Player]:
    slots = match.slots.select_related("entrant__player").order_by("index")
    return [slot.entrant.player for slot in slots if slot.entrant is not None]


def test_both_sides_report_on_their_phones(
    cup: Tournament, match: Pairing, as_player: Enter
) -> None:
    path = f"/tournaments/{cup.slug}/pairings/{match.number}/report"
    assert "Sign in to say how the match ended" in Client().get(path).content.decode()
    one, other = (as_player(player) for player in players_of(match))
    page = one.post(path, {"score-0": "150", "score-1": "95"}, follow=True).content.decode()
    assert "It counts once the other side confirms it" in page
    page = other.get(path).content.decode()
    assert "Yes, that is right" in page
    report = re.search(r'name="report" value="(\d+)"', page)
    assert report is not None
    page = other.post(path, {"confirm": "1", "report": report[1]}, follow=True).content.decode()
    assert "The result is official" in page
    assert Result.objects.get(pairing=match).scores == [150, 95]


def test_a_report_of_nonsense_stands_beside_its_field(
    cup: Tournament, match: Pairing, as_player: Enter, make_player: MakePlayer
) -> None:
    path = f"/tournaments/{cup.slug}/pairings/{match.number}/report"
    one = as_player(players_of(match)[0])
    answer = one.post(path, {"score-0": "lots", "score-1": "95"})
    assert answer.status_code == 422
    assert 'value="lots"' in answer.content.decode()
    stranger = as_player(make_player())
    assert stranger.post(path, {"score-0": "1", "score-1": "2"}).status_code == 422
    assert one.post(path, {"confirm": "1", "report": "999"}).status_code == 422
    assert Client().post(path, {"score-0": "1", "score-1": "2"}).status_code == 404
    assert not Result.objects.filter(pairing=match).exists()


def test_a_published_round_is_not_said_to_be_played_before_it_starts(
    cup: Tournament, arbiter: Client
) -> None:
    press(arbiter, cup, "draw")
    assert tasks.draw_round(cup.pk)
    press(arbiter, cup, "publish", round=Round.objects.get().pk)
    line = "Round 1 of 3 is published and about to begin."
    assert line in Client().get(cup.get_absolute_url()).content.decode()
    press(arbiter, cup, "start", round=Round.objects.get().pk)
    assert "Round 1 of 3: 2 tables are playing." in (
        Client().get(cup.get_absolute_url()).content.decode()
    )


def test_an_exchange_of_seats_is_offered_when_there_are_seats(
    cup: Tournament, arbiter: Client
) -> None:
    assert "/desk/exchange" not in arbiter.get(url(cup)).content.decode()
    press(arbiter, cup, "draw")
    assert tasks.draw_round(cup.pk)
    assert "/desk/exchange" in arbiter.get(url(cup)).content.decode()


def test_seats_are_exchanged_as_they_were_seen_and_once(cup: Tournament, arbiter: Client) -> None:
    press(arbiter, cup, "draw")
    assert tasks.draw_round(cup.pk)
    row = Round.objects.get()
    tables = row.pairings.order_by("number")
    one, other = (table.slots.get(index=0).entrant_id for table in tables[:2])
    path, asked = f"{url(cup)}/exchange", {"one": one, "other": other, "number": row.number}
    page = arbiter.post(path, asked).content.decode()
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    before = [list(table.slots.values_list("entrant", flat=True)) for table in tables]
    wanted = {**asked, "do": "1", "reason": "late bus"}
    assert arbiter.post(path, {**wanted, "seen": "of before"}).status_code == 422
    for _ in range(2):
        assert arbiter.post(path, {**wanted, "seen": seen}).status_code == 302
    after = [list(table.slots.values_list("entrant", flat=True)) for table in tables]
    assert after[0] == [other, *before[0][1:]]
    assert after[1] == [one, *before[1][1:]]
