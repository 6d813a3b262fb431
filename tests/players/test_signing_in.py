"""Signing in by e-mail and with a second step; a guest who signs in; letters of the account."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.core.cache import cache
from django.test import Client

from games import services as games
from games.models import Seat
from letters.models import Letter
from letters.services import send_due
from players import moderation, sessions
from players.models import Player
from players.services import create_guest, register
from tournaments import bringing_over
from tournaments import services as tournaments
from tournaments.models import Entrant

PASSWORD = "double-six-leads"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
Make = Callable[..., Player]


@pytest.fixture(autouse=True)
def plain_static_files(settings: Any) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    cache.clear()


def sign_in(client: Client, handle: str = "marta", password: str = PASSWORD, **data: str) -> Any:
    return client.post("/accounts/sign-in", {"handle": handle, "password": password, **data})


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def code_now() -> str:
    return format_hotp_value(hotp_value(SECRET, next(iter(yield_hotp_counters_from_time()))))


def guest_in(client: Client) -> Player:
    client.post("/play/friend")
    return Player.objects.get(pk=signed_in_as(client))


def test_an_account_is_signed_in_to_by_its_e_mail_address(
    make_player: Make, client: Client
) -> None:
    player = register(handle="ivan", name="Ivan", password=PASSWORD, email="ivan@example.org")
    assert sign_in(client, "Ivan@example.org", next="/ladder")["Location"] == "/ladder"
    assert signed_in_as(client) == str(player.pk)


def test_the_second_step_is_asked_for_before_anyone_is_in(
    make_player: Make, client: Client
) -> None:
    player = make_player("marta")
    TOTP.activate(player, SECRET)
    RecoveryCodes.activate(player)
    assert SECRET not in str(Authenticator.objects.get(type="totp").data)
    response = sign_in(client, next="/ladder")
    assert response["Location"] == "/accounts/2fa/authenticate/"
    assert signed_in_as(client) is None
    wrong = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert 'id="id_code_error"' in wrong.content.decode()
    assert signed_in_as(client) is None
    code = code_now()
    assert client.post("/accounts/2fa/authenticate/", {"code": code})["Location"] == "/ladder"
    assert signed_in_as(client) == str(player.pk)
    again = Client()
    sign_in(again)
    again.post("/accounts/2fa/authenticate/", {"code": code})
    assert signed_in_as(again) is None, "a code is used once"
    spare = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()[0]
    again.post("/accounts/2fa/authenticate/", {"code": spare})
    assert signed_in_as(again) == str(player.pk)


def test_a_guest_who_breaks_the_second_step_off_is_still_the_guest(
    make_player: Make, client: Client
) -> None:
    guest = guest_in(client)
    TOTP.activate(make_player("marta"), SECRET)
    assert sign_in(client)["Location"] == "/accounts/2fa/authenticate/"
    assert client.get("/accounts/2fa/authenticate/").status_code == 200
    assert signed_in_as(client) == str(guest.pk)


def test_what_a_guest_has_is_offered_to_the_account_and_brought_over_once(
    make_player: Make, client: Client
) -> None:
    guest, account = guest_in(client), make_player("marta")
    event = tournaments.create(organiser=make_player("ivan"), name="Cup")
    tournaments.open_registration(tournament_id=event.pk, by=event.organiser)
    tournaments.join(tournament_id=event.pk, player=guest)
    old = client.cookies["sessionid"].value
    response = sign_in(client, next="/ladder")
    assert response["Location"] == "/accounts/bring-over?next=%2Fladder"
    assert client.cookies["sessionid"].value != old
    page = client.get(response["Location"]).content.decode()
    assert "the seat in 1 match" in page
    assert "the place in 1 event" in page
    for _click in range(2):
        client.post("/accounts/bring-over", {"do": "bring", "next": "/ladder"})
    assert Seat.objects.get(player__isnull=False).player == account
    assert Entrant.objects.get().player == account
    guest.refresh_from_db()
    assert (guest.is_active, guest.became) == (False, account)


def test_an_account_in_the_same_match_and_event_leaves_the_guests_place_alone(
    make_player: Make, client: Client
) -> None:
    guest, account = guest_in(client), make_player("marta")
    match = guest.hosted_matches.get()
    games.join(match_id=match.pk, player=account)
    event = tournaments.create(organiser=account, name="Cup")
    tournaments.open_registration(tournament_id=event.pk, by=account)
    for player in (guest, account):
        tournaments.join(tournament_id=event.pk, player=player)
    found = bringing_over.bring_over(guest=guest, account=account)
    assert found == bringing_over.Belongings(0, 0, kept_matches=1, kept_events=1)
    assert {s.player_id for s in match.seat_set.all()} == {guest.pk, account.pk}
    assert {e.player_id for e in event.entrants.all()} == {guest.pk, account.pk}


def test_only_a_guest_is_brought_over_and_only_to_an_account(make_player: Make) -> None:
    account = make_player("marta")
    for guest, to in ((account, account), (create_guest(), create_guest())):
        with pytest.raises(ValueError, match="Only a guest"):
            bringing_over.bring_over(guest=guest, account=to)


def test_a_guest_is_led_to_signing_up_from_an_accounts_rooms(client: Client, db: None) -> None:
    guest_in(client)
    for room in ("/accounts/2fa/", "/accounts/email/", "/accounts/password/change/",
                 "/accounts/sessions/"):  # fmt: skip
        assert client.get(room)["Location"] == f"/accounts/sign-up?next={room.replace('/', '%2F')}"


def test_an_address_is_confirmed_by_the_link_of_its_letter(client: Client, db: None) -> None:
    form = {"name": "Marta", "handle": "marta", "password": PASSWORD, "email": "marta@example.org"}
    client.post("/accounts/sign-up", form)
    assert not EmailAddress.objects.get().verified
    assert send_due() == 1
    link = re.search(r"http://\S+?(/accounts/confirm-email/\S+)", mail.outbox[0].body)
    assert link is not None
    assert "Marta" in client.get(link[1]).content.decode()
    client.post(link[1])
    assert EmailAddress.objects.get().verified
    assert Letter.objects.get().text == ""


def test_a_forgotten_password_is_replaced_by_letter(make_player: Make, client: Client) -> None:
    player = register(handle="ivan", name="Ivan", password=PASSWORD, email="ivan@example.org")
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    known = client.post("/accounts/password/reset/", {"email": "ivan@example.org"})
    assert unknown["Location"] == known["Location"]
    assert send_due() == 1
    link = re.search(r"http://\S+?(/accounts/password/reset/key/\S+)", mail.outbox[0].body)
    assert link is not None
    page = client.get(link[1], follow=True)
    chosen = {"password1": "five-five-spins", "password2": "five-five-spins"}
    client.post(page.redirect_chain[-1][0], chosen)
    player.refresh_from_db()
    assert player.check_password("five-five-spins")


def test_a_suspended_player_is_told_why_and_thrown_out_everywhere(
    make_player: Make, client: Client
) -> None:
    player, staff = make_player("marta"), Player.objects.create_superuser("boss", PASSWORD)
    sign_in(client)
    moderation.suspend(player=player, by=staff, reason="Abuse in chat")
    assert client.get("/accounts/settings").status_code == 302
    assert "Abuse in chat" not in sign_in(client, password="wrong").content.decode()
    assert "This account is suspended: Abuse in chat" in sign_in(client).content.decode()
    moderation.lift(player=player, by=staff)
    assert sign_in(client).status_code == 302


def test_staff_bots_and_oneself_are_not_suspended_and_players_suspend_nobody(
    make_player: Make,
) -> None:
    staff, player = Player.objects.create_superuser("boss", PASSWORD), make_player("marta")
    for by, whom, code in ((player, staff, "not_staff"), (staff, staff, "not_suspendable")):
        with pytest.raises(moderation.ModerationRefused) as refused:
            moderation.suspend(player=whom, by=by, reason="x")
        assert refused.value.code == code


ROOMS = (
    "/accounts/2fa/", "/accounts/email/", "/accounts/password/change/", "/accounts/sessions/",
    "/accounts/2fa/webauthn/", "/accounts/logout/", "/accounts/settings",
    "/accounts/reauthenticate/",
)  # fmt: skip


def test_the_doors_have_the_sites_own_head(client: Client, db: None) -> None:
    page = client.get("/accounts/password/reset/").content.decode()
    assert "<title>Forgot your password? · Muggins</title>" in page


def test_every_room_of_an_account_opens(make_player: Make, client: Client) -> None:
    player = make_player("marta")
    sign_in(client)
    for room in ROOMS:
        assert client.get(room).status_code == 200, room
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    for room in ("/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/"):
        assert client.get(room).status_code == 200, room
    TOTP.activate(player, SECRET)
    RecoveryCodes.activate(player)
    for room in ("/accounts/2fa/totp/deactivate/", "/accounts/2fa/recovery-codes/",
                 "/accounts/2fa/recovery-codes/generate/", "/accounts/2fa/"):  # fmt: skip
        assert client.get(room).status_code == 200, room


def test_other_sign_ins_are_ended(make_player: Make, client: Client) -> None:
    make_player("marta")
    other = Client()
    for browser in (client, other):
        sign_in(browser)
    client.post("/accounts/sessions/")
    assert other.get("/accounts/settings").status_code == 302
    assert client.get("/accounts/settings").status_code == 200


@pytest.mark.parametrize("end", ["nothing", "signed out", "suspended", "new password"])
def test_a_sockets_sign_in_ends_with_the_session_the_account_or_the_password(
    make_player: Make, client: Client, end: str
) -> None:
    player = make_player("marta")
    sign_in(client)
    session = client.session
    assert sessions.is_alive(session, player)
    if end == "signed out":
        client.post("/accounts/sign-out")
    if end == "suspended":
        staff = Player.objects.create_superuser("boss", PASSWORD)
        moderation.suspend(player=player, by=staff, reason="x")
    if end == "new password":
        player.set_password("five-five-spins")
        player.save()
    assert sessions.is_alive(session, player) is (end == "nothing")
    assert sessions.is_alive(None, player)
