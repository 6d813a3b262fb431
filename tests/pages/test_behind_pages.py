"""The pages behind an event: officials, invitation links, the log, corrections."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments import selectors
from tournaments import services as tournaments
from tournaments.models import AuditLine, Invitation, Official, Pairing, Tournament
from tournaments.scores import score

pytestmark = pytest.mark.django_db

MakePlayer = Callable[..., Player]
AsPlayer = Callable[[Player], Client]
MakeEvent = Callable[..., Tournament]


@pytest.fixture
def owner(make_player: MakePlayer) -> Player:
    return make_player("Olga")


def link_of(response: Any) -> str:
    found = re.search(
        r'<code class="secret">http://testserver(/invited/[^<]+)</code>', text(response)
    )
    assert found is not None
    return found.group(1)


def text(response: Any) -> str:
    return str(response.content.decode())


def invite(client: Client, event: Tournament, role: str, **more: Any) -> str:
    data = {"deed": "invite", "role": role, "tables": "", "hours": 72, "uses": 1, **more}
    return link_of(client.post(f"/tournaments/{event.slug}/officials", data))


def test_somebody_is_invited_accepts_and_sees_what_is_theirs(
    owner: Player, make_player: MakePlayer, as_player: AsPlayer, make_event: MakeEvent
) -> None:
    event = tournaments.create(organiser=owner, name="Secret Cup")
    url, ann = f"/tournaments/{event.slug}", make_player("Ann")
    client, hers = as_player(owner), as_player(ann)
    assert hers.get(url).status_code == 404
    path = invite(client, event, "arbiter")
    page = hers.get(path)
    assert "Secret Cup" in text(page)
    assert "arbiter" in text(page)
    assert not Official.objects.exists()  # looking accepts nothing
    assert hers.post(path).status_code == 302
    assert Official.objects.get().role == "arbiter"
    shown = text(hers.get(url))
    assert f"{url}/log" in shown
    assert f"{url}/officials" not in shown
    assert hers.get(f"{url}/officials").status_code == 403
    assert "Secret Cup" in text(hers.get("/tournaments"))
    assert "became arbiter" in text(hers.get(f"{url}/log"))


def test_a_link_that_is_over_or_unknown_says_so(
    owner: Player, make_player: MakePlayer, as_player: AsPlayer, make_event: MakeEvent
) -> None:
    event, client = make_event(owner), as_player(owner)
    path = invite(client, event, "desk")
    client.post(
        f"/tournaments/{event.slug}/officials",
        {"deed": "revoke", "invitation": Invitation.objects.get().pk},
    )
    someone = as_player(make_player())
    assert someone.get(path).status_code == 410
    assert someone.post(path).status_code == 410
    assert someone.get("/invited/nothing").status_code == 404
    assert not Official.objects.exists()


def test_a_visitor_scores_as_a_guest_but_judges_with_an_account(
    owner: Player, as_player: AsPlayer, make_event: MakeEvent
) -> None:
    event, client = make_event(owner), as_player(owner)
    scorer, arbiter = (
        invite(client, event, "scorer", tables="1, 3-4"),
        invite(client, event, "arbiter"),
    )
    visitor = Client()
    assert "Accept as a guest" in text(visitor.get(scorer))
    assert visitor.post(scorer).status_code == 302
    official = Official.objects.get()
    assert official.player.is_guest
    assert official.tables == [1, 3, 4]
    other = Client()
    assert "Accept as a guest" not in text(other.get(arbiter))
    assert other.post(arbiter).status_code == 403
    assert Official.objects.count() == 1


def test_roles_are_changed_taken_and_handed_over_on_the_page(
    owner: Player, make_player: MakePlayer, as_player: AsPlayer, make_event: MakeEvent
) -> None:
    event, client, ann = make_event(owner), as_player(owner), make_player("Ann")
    as_player(ann).post(invite(client, event, "desk"))
    row, url = Official.objects.get(), f"/tournaments/{event.slug}/officials"
    client.post(url, {"deed": "change", "official": row.pk, "role": "scorer", "tables": "2"})
    row.refresh_from_db()
    assert (row.role, row.tables) == ("scorer", [2])
    client.post(url, {"deed": "hand_over", "official": row.pk})
    event.refresh_from_db()
    assert event.organiser == ann
    assert client.get(url).status_code == 200  # as chief arbiter
    hers = as_player(ann)
    hers.post(url, {"deed": "remove", "official": Official.objects.get().pk})
    assert client.get(url).status_code == 403
    for wrong in ({"deed": "nothing"}, {"deed": "remove", "official": "x"}, {"deed": "change"}):
        assert hers.post(url, wrong, follow=True).status_code == 200


def test_the_log_is_for_officials_and_says_what_was_done(
    owner: Player, make_player: MakePlayer, as_player: AsPlayer, make_event: MakeEvent
) -> None:
    event = make_event(owner, bots=2)
    tournaments.edit(tournament_id=event.pk, by=owner, text="Bring tiles", break_seconds=5)
    url = f"/tournaments/{event.slug}/log"
    assert as_player(make_player()).get(url).status_code == 403
    assert Client().get(url)["Location"].startswith("/accounts/sign-in")
    client = as_player(owner)
    shown = text(client.get(url))
    assert "2 bots were entered." in shown
    assert "Registration was opened." in shown
    assert re.search(r"Settings were changed: [^<]*description", shown)
    some = text(client.get(f"{url}?kind=entrants&by={owner.handle}"))
    assert "2 bots were entered." in some
    assert "Registration was opened." not in some
    assert "Nothing of that kind" in text(client.get(f"{url}?by=nobody"))


def test_the_log_comes_as_csv_without_formulas_and_as_json(
    owner: Player, as_player: AsPlayer, make_event: MakeEvent
) -> None:  # Z5
    event, client = make_event(owner), as_player(owner)
    tournaments.cancel(tournament_id=event.pk, by=owner, reason="=1+1")
    url = f"/tournaments/{event.slug}/log"
    rows = list(csv.DictReader(io.StringIO(text(client.get(f"{url}.csv")).lstrip("\ufeff"))))
    assert [row["action"] for row in rows] == ["created", "registration_opened", "cancelled"]
    assert rows[-1]["reason"] == "'=1+1"
    lines = client.get(f"{url}.json").json()["lines"]
    assert (lines[-1]["reason"], lines[-1]["by"]) == ("=1+1", owner.handle)
    assert client.get(f"{url}.xls").status_code == 404


def test_pages_of_the_log_are_few_queries_however_long_it_is(
    owner: Player, as_player: AsPlayer, make_event: MakeEvent, django_assert_max_num_queries: Any
) -> None:
    event, client = make_event(owner), as_player(owner)
    for number in range(120):
        tournaments.edit(tournament_id=event.pk, by=owner, text=f"Version {number}")
    with django_assert_max_num_queries(14):
        shown = text(client.get(f"/tournaments/{event.slug}/log?page=2"))
    assert "Page 2 of 3" in shown


@pytest.fixture
def cup(owner: Player, make_event: MakeEvent) -> Tournament:
    """Four bots over the board: both semi-finals and the final are played."""
    event = make_event(owner, bots=4, play="board")
    tournaments.start(tournament_id=event.pk, by=owner)
    for number in (1, 2, 3):
        pairing = Pairing.objects.get(stage__tournament=event, number=number)
        tournaments.report_result(
            pairing_id=pairing.pk,
            by=owner,
            outcome="played",
            winner=pairing.slots.get(index=0).entrant_id,
            scores=[100, 50],
        )
    return event


def correction(cup: Tournament, **more: Any) -> dict[str, Any]:
    loser = Pairing.objects.get(stage__tournament=cup, number=1).slots.get(index=1)
    return {
        "outcome": "played", "winner": loser.entrant_id, "score_0": 50, "score_1": 100,
        "reason": "Typed wrong", **more,
    }  # fmt: skip


@pytest.mark.parametrize("way", ["void", "keep"])
def test_a_result_is_corrected_after_seeing_what_hangs_on_it(
    owner: Player, as_player: AsPlayer, cup: Tournament, way: str
) -> None:
    client, url = as_player(owner), f"/tournaments/{cup.slug}/pairings/1/correct"
    assert url in text(client.get(f"/tournaments/{cup.slug}"))
    assert "Correct match 1" in text(client.get(url))
    page = text(client.post(url, correction(cup)))
    assert "Match 3 has begun" in page
    assert Pairing.objects.get(stage__tournament=cup, number=1).results.count() == 1
    fields = dict(re.findall(r'name="(seen|version)" value="([^"]*)"', page))
    answer = client.post(url, correction(cup, way=way, **fields))
    assert answer.status_code == 302
    cup.refresh_from_db()
    assert cup.status == ("running" if way == "void" else "finished")
    assert selectors.verify(cup.pk) == []
    bracket = text(client.get(f"/tournaments/{cup.slug}/bracket"))
    assert ("had gone on and stays" in bracket) is (way == "keep")


def test_a_correction_that_is_stale_or_wrong_shows_it_and_changes_nothing(
    owner: Player, as_player: AsPlayer, cup: Tournament
) -> None:
    client, url = as_player(owner), f"/tournaments/{cup.slug}/pairings/1/correct"
    for wrong in (
        {"way": "void", "seen": "x", "version": 1}, {"way": "void"}, {"winner": 0, "way": "keep"},
        {"outcome": "drawn"}, {"reason": ""},
    ):  # fmt: skip
        answer = client.post(url, correction(cup, **wrong))
        assert answer.status_code == 200
        assert 'class="note bad"' in text(answer)
    assert Pairing.objects.get(stage__tournament=cup, number=1).results.count() == 1


def test_corrections_are_for_arbiters(
    make_player: MakePlayer, as_player: AsPlayer, cup: Tournament
) -> None:
    url, scorer = f"/tournaments/{cup.slug}/pairings/1/correct", make_player()
    Official.objects.create(tournament=cup, player=scorer, role="scorer")
    assert as_player(scorer).get(url).status_code == 403
    assert (
        as_player(cup.organiser).get(f"/tournaments/{cup.slug}/pairings/99/correct").status_code
        == 404
    )
    assert as_player(cup.organiser).get(f"{url}?stage=7").status_code == 404
    assert not AuditLine.objects.filter(action="corrected").exists()


def test_an_arbiter_comes_from_a_match_of_the_bracket_to_its_correction_and_the_log_has_the_score(
    make_player: Any, make_event: Any, as_player: Any, client: Any
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4, format="single_elimination", play="board")
    tournaments.start(tournament_id=event.pk, by=organiser)
    semi = Pairing.objects.get(stage__tournament=event, number=1)
    winner = semi.slots.get(index=0).entrant
    tournaments.report_result(
        pairing_id=semi.pk, by=organiser, outcome="played", winner=winner.pk, scores=[150, 95]
    )
    bracket = f"/tournaments/{event.slug}/bracket"
    staff = as_player(organiser)
    page = staff.get(bracket).content.decode()
    for number in (1, 2):
        assert f'/tournaments/{event.slug}/pairings/{number}/correct?stage=1"' in page
    assert "/pairings/3/correct" not in page
    assert "/correct" not in client.get(bracket).content.decode()
    assert staff.get(f"/tournaments/{event.slug}/pairings/1/correct?stage=1").status_code == 200
    log = staff.get(f"/tournaments/{event.slug}/log").content.decode()
    names = " – ".join(s.entrant.label for s in semi.slots.order_by("index"))
    assert f"Match 1, {names}: {score((150, 95))} was entered (played)." in log
