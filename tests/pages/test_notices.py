"""What players are told: once, on the site, by mail while they are away, as they wish."""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone

from letters.models import Letter
from letters.services import MAX_TRIES, send_due
from notices import services
from notices.handlers import handle_season
from notices.mail import token_of, write_due
from notices.models import Notice
from outbox.services import drain
from players import clubs
from players.models import Player
from ratings import services as services_of_ratings
from ratings.models import LadderSeason, SeasonRating
from tournaments import services as tournaments
from tournaments.ladders import running as ladders
from tournaments.ladders import services as climbing

LATER = dt.timedelta(minutes=11)
Make = Callable[..., Player]


def told(player: Player) -> list[str]:
    return list(player.notices.order_by("pk").values_list("kind", flat=True))


def confirmed(player: Player, address: str = "marta@example.org") -> Player:
    EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
    return player


def tell(player: Player, kind: str = "freed", key: str = "1", **facts: Any) -> None:
    services.tell(
        players=[player],
        kind=kind,
        key=key,
        facts={"event": "Cup", **facts},
        url="/tournaments/cup",
    )


@pytest.mark.django_db
def test_who_has_a_rank_in_a_season_hears_of_the_best_once_it_is_closed(
    make_player: Make, client: Client
) -> None:
    first, second, idle = (make_player() for _n in range(3))
    season = LadderSeason.objects.create(
        number=4, begins_on=dt.date(2026, 7, 1), ends_on=dt.date(2026, 9, 30)
    )
    places = [(first, "draw-1v1", 0.5), (second, "draw-1v1", 0.2), (second, "block-1v1", 0.1)]
    SeasonRating.objects.bulk_create(
        SeasonRating(
            season=season, player=player, pool=pool, mean=mean, variance=0.2, matches=10,
            opponents=4,
        )
        for player, pool, mean in places
    )  # fmt: skip
    SeasonRating.objects.create(
        season=season, player=idle, pool="draw-1v1", mean=0.0, variance=0.5, matches=1, opponents=1
    )
    assert [services_of_ratings.close_season(4) for _n in range(2)] == [True, False]
    drain()
    handle_season({"season": 4, "players": [first.pk, second.pk, idle.pk]})
    assert [told(player) for player in (first, second, idle)] == [["season"], ["season"], []]
    client.force_login(second)
    page = client.get("/notices").content.decode()
    assert "A season of the ladders is over. Your best rank: 1 (Block, one against one)." in page
    assert Notice.objects.get(player=second).url == "/ladder?pool=block-1v1&season=4"


@pytest.mark.django_db
def test_the_news_of_a_season_goes_out_in_parts(
    make_player: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_of_ratings, "TOLD_AT_ONCE", 2)
    players = [make_player() for _n in range(5)]
    season = LadderSeason.objects.create(
        number=1, begins_on=dt.date(2026, 7, 1), ends_on=dt.date(2026, 9, 30)
    )
    SeasonRating.objects.bulk_create(
        SeasonRating(
            season=season, player=player, pool="draw-1v1", mean=0.1, variance=0.2, matches=10,
            opponents=4,
        )
        for player in players
    )  # fmt: skip
    services_of_ratings.close_season(1)
    assert drain() == 3
    assert [told(player) for player in players] == [["season"]] * 5


@pytest.mark.django_db(transaction=True)
def test_entrants_hear_of_another_time_of_a_free_place_and_of_the_end(make_player: Make) -> None:
    owner, one, two, three = (make_player() for _n in range(4))
    cup = tournaments.create(organiser=owner, name="Cup", capacity=2)
    tournaments.open_registration(tournament_id=cup.pk, by=owner)
    for player in (one, two, three):
        tournaments.join(tournament_id=cup.pk, player=player)
    tournaments.withdraw(tournament_id=cup.pk, player=one)
    soon = timezone.now() + dt.timedelta(days=2)
    tournaments.edit(tournament_id=cup.pk, by=owner, starts_at=soon)
    tournaments.cancel(tournament_id=cup.pk, by=owner, reason="Rain")
    for _again in range(2):
        drain()
    assert told(one) == []
    assert told(two) == ["changed", "cancelled"]
    assert told(three) == ["freed", "changed", "cancelled"]
    assert told(owner) == []


@pytest.mark.django_db(transaction=True)
def test_a_club_hears_of_its_event_once(make_player: Make) -> None:
    owner, member, stranger = (make_player() for _n in range(3))
    club = clubs.found(founder=owner, name="Fives")
    clubs.join(club_id=club.pk, player=member)
    cup = tournaments.create(organiser=owner, name="Cup", club=club.slug)
    tournaments.announce(tournament_id=cup.pk, by=owner)
    tournaments.open_registration(tournament_id=cup.pk, by=owner)
    drain()
    assert (told(owner), told(member), told(stranger)) == ([], ["announced"], [])


@pytest.mark.django_db(transaction=True)
def test_those_whom_a_table_waits_for_are_told_and_bots_are_not(make_player: Make) -> None:
    owner, one, two = (make_player() for _n in range(3))
    cup = tournaments.create(organiser=owner, name="Cup", capacity=4)
    tournaments.open_registration(tournament_id=cup.pk, by=owner)
    for player in (one, two):
        tournaments.join(tournament_id=cup.pk, player=player)
    tournaments.start(tournament_id=cup.pk, by=owner)
    drain()
    assert (told(one), told(two)) == (["table"], ["table"])
    assert one.notices.get().url.startswith("/t/")


@pytest.mark.django_db(transaction=True)
def test_a_challenge_and_its_answer_are_told(make_player: Make) -> None:
    high, low = make_player("High"), make_player("Low")
    ladder = ladders.create(owner=high, name="Evening")
    for player in (high, low):
        climbing.join(ladder_id=ladder.pk, player=player)
    made = climbing.challenge(ladder_id=ladder.pk, player=low, defender=high)
    climbing.accept(challenge_id=made.pk, player=high)
    drain()
    assert (told(high), told(low)) == (["challenge"], ["accepted"])


def test_the_same_news_is_told_once(make_player: Make) -> None:
    player = make_player()
    for _again in range(2):
        tell(player)
    assert told(player) == ["freed"]


def test_the_inbox_shows_counts_and_opens(make_player: Make, as_player: Any) -> None:
    player, other = make_player(), make_player()
    tell(player)
    client = as_player(player)
    page = client.get("/notices").content.decode()
    assert "Cup: a place is free, and you are in." in page
    assert 'data-unread="1"' in page
    notice = player.notices.get()
    assert as_player(other).post(f"/notices/{notice.pk}/open").status_code == 404
    assert client.get(f"/notices/{notice.pk}/open").status_code == 405
    assert client.post(f"/notices/{notice.pk}/open")["Location"] == "/tournaments/cup"
    assert 'data-unread="0"' in client.get("/parts/bell").content.decode()


def test_all_are_read_up_to_what_was_shown(make_player: Make, as_player: Any) -> None:
    player = make_player()
    tell(player, key="1")
    shown = player.notices.get()
    tell(player, key="2")
    as_player(player).post("/notices/read", {"up_to": shown.pk})
    assert list(player.notices.filter(read_at=None).values_list("key", flat=True)) == ["2"]


def test_one_letter_goes_to_who_is_away_and_never_a_second(make_player: Make) -> None:
    player = confirmed(make_player("Marta"))
    tell(player, key="1")
    tell(player, kind="cancelled", key="2", reason="Rain")
    assert write_due() == 0
    later = timezone.now() + LATER
    assert [write_due(now=later), write_due(now=later)] == [1, 0]
    assert [send_due(), send_due()] == [1, 0]
    letter = mail.outbox[0]
    assert letter.subject == "2 things happened on Muggins"
    assert "Cup is cancelled: Rain" in letter.body
    assert letter.alternatives[0][1] == "text/html"
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("why", ["seen", "read", "unconfirmed", "unwished"])
def test_no_letter_goes_to_who_needs_none(make_player: Make, why: str) -> None:
    player = make_player()
    if why != "unconfirmed":
        confirmed(player)
    if why == "unwished":
        services.wish(player=player, kind="freed", page=True, mail=False)
    tell(player)
    if why == "read":
        services.mark_read(player=player)
    if why == "seen":
        Player.objects.filter(pk=player.pk).update(last_seen_at=timezone.now() + LATER)
    write_due(now=timezone.now() + LATER)
    assert not Letter.objects.exists()


def test_a_letter_is_in_its_readers_language_and_its_links_too(
    make_player: Make, settings: Any
) -> None:
    settings.LANGUAGES = [("en", "English"), ("tr", "Türkçe")]
    player = confirmed(make_player())
    Player.objects.filter(pk=player.pk).update(language="tr")
    tell(player)
    write_due(now=timezone.now() + LATER)
    assert "http://localhost:8000/tr/tournaments/cup" in Letter.objects.get().text


def test_mail_stops_by_one_click_without_signing_in(make_player: Make, client: Client) -> None:
    player = confirmed(make_player())
    tell(player)
    write_due(now=timezone.now() + LATER)
    stop = Letter.objects.get().headers["List-Unsubscribe"]
    path = re.sub(r"<http://[^/]+(.*)>", r"\1", stop)
    strict = Client(enforce_csrf_checks=True)
    assert "Stop these e-mails" in strict.get(path).content.decode()
    answer = strict.post(path, {"List-Unsubscribe": "One-Click"})
    assert "these e-mails stop" in answer.content.decode()
    tell(player, key="2")
    tell(player, kind="cancelled", key="3", reason="Rain")
    assert list(player.notices.exclude(mail_at=None).values_list("kind", flat=True)) == [
        "cancelled"
    ]
    assert client.post(f"/notices/stop/{token_of(player)[:-2]}xx").status_code == 404


def test_what_is_not_wished_for_here_is_not_shown_here(make_player: Make, as_player: Any) -> None:
    player = make_player()
    client = as_player(player)
    client.post("/accounts/settings/notices", {"cancelled-page": "on", "freed-mail": "on"})
    for kind in ("freed", "cancelled", "changed"):
        tell(player, kind=kind, key=kind, reason="Rain")
    assert told(player) == ["freed", "cancelled"]
    page = client.get("/notices").content.decode()
    assert "is cancelled" in page
    assert "a place is free" not in page


def test_a_letter_that_fails_is_tried_again_and_given_up_in_the_end(
    db: None, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "no.such.Backend"
    letter = Letter.objects.create(to="a@example.org", subject="x", text="secret")
    now = timezone.now()
    for _turn in range(MAX_TRIES + 1):
        now += dt.timedelta(days=1)
        assert send_due(now=now) == 0
    letter.refresh_from_db()
    assert letter.attempts == MAX_TRIES
    assert letter.dead_at is not None


def test_a_letter_claimed_by_a_worker_is_nobody_elses_until_the_claim_runs_out(db: None) -> None:
    Letter.objects.create(
        to="a@example.org", subject="x", attempts=1,
        due_at=timezone.now() + dt.timedelta(minutes=10),
    )  # fmt: skip
    assert send_due() == 0
    assert send_due(now=timezone.now() + LATER) == 1
    assert re.fullmatch(r"<letter-\d+\.\d+@localhost>", mail.outbox[0].extra_headers["Message-ID"])


def test_guests_have_an_inbox_and_get_no_mail(client: Client, db: None) -> None:
    client.post("/play/friend")
    guest = Player.objects.get()
    tell(guest)
    assert client.get("/notices").status_code == 200
    assert Notice.objects.get().mail_at is None


def test_an_open_page_says_that_its_reader_is_there(make_player: Make, as_player: Any) -> None:
    player = make_player()
    client = as_player(player)
    client.get("/parts/bell")
    assert Player.objects.get(pk=player.pk).last_seen_at is None
    client.get("/parts/bell", headers={"X-Page-Open": "yes"})
    assert Player.objects.get(pk=player.pk).last_seen_at is not None


def _in_threads(count: int, work: Callable[[], Any]) -> list[Any]:
    start, answers = threading.Barrier(count), []

    def run() -> None:
        start.wait()
        try:
            answers.append(work())
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_write_and_send_one_letter(make_player: Make) -> None:
    tell(confirmed(make_player()))
    later = timezone.now() + LATER
    assert sorted(_in_threads(4, lambda: write_due(now=later))) == [0, 0, 0, 1]
    assert sorted(_in_threads(4, send_due)) == [0, 0, 0, 1]
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_news_that_comes_twice_at_once_is_told_once(make_player: Make) -> None:
    player = make_player()
    _in_threads(4, lambda: tell(player))
    assert told(player) == ["freed"]
