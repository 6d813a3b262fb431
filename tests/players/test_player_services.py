from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, connection
from django.test import RequestFactory

from players import services, throttle
from players.models import Player, Throttle
from players.names import NameRefused
from players.services import SignInRefused

PASSWORD = "double-six-leads"
Make = Callable[..., Player]


def sign_in(handle: str, password: str, address: str = "10.0.0.1", **headers: Any) -> Player:
    request = RequestFactory().post("/", REMOTE_ADDR=address, **headers)
    return services.sign_in(request=request, handle=handle, password=password)


@pytest.mark.django_db
def test_a_guest_has_a_name_and_cannot_sign_in() -> None:
    guest = services.create_guest()
    assert guest.is_guest
    assert guest.name_key is None
    assert not guest.has_usable_password()
    assert len(guest.name.split()) == 2


@pytest.mark.django_db
def test_guests_may_share_a_name_but_not_a_handle() -> None:
    one, other = services.create_guest(name="Ana"), services.create_guest(name="Ana")
    assert one.name == other.name
    assert one.handle != other.handle


def test_a_guest_cannot_take_the_name_of_an_account(make_player: Make) -> None:
    make_player("marta")
    with pytest.raises(NameRefused) as refused:
        services.create_guest(name="MARTA")
    assert refused.value.code == "name_taken"


@pytest.mark.django_db
def test_signing_up_keeps_the_guests_row() -> None:
    guest = services.create_guest()
    player = services.register(handle="Marta", name="Marta", password=PASSWORD, guest=guest)
    assert player.pk == guest.pk
    assert (player.handle, player.is_guest) == ("marta", False)
    assert authenticate(username="MARTA", password=PASSWORD) == player
    assert Player.objects.count() == 1


def test_a_look_alike_of_a_taken_name_is_refused(make_player: Make) -> None:
    make_player("limes", "Limes")
    with pytest.raises(NameRefused) as refused:
        services.register(handle="other", name="Iimes", password=PASSWORD)
    assert refused.value.code == "name_taken"
    assert Player.objects.count() == 1


def test_a_taken_handle_is_refused(make_player: Make) -> None:
    make_player("marta")
    with pytest.raises(NameRefused) as refused:
        services.register(handle="MARTA", name="Someone else", password=PASSWORD)
    assert refused.value.code == "handle_taken"


def test_a_refused_upgrade_leaves_the_guest_a_guest(make_player: Make) -> None:
    make_player("marta")
    guest = services.create_guest(name="Ivan")
    with pytest.raises(NameRefused):
        services.register(handle="marta", name="Ivan", password=PASSWORD, guest=guest)
    guest.refresh_from_db()
    assert (guest.is_guest, guest.name) == (True, "Ivan")


def test_an_account_cannot_be_registered_over(make_player: Make) -> None:
    account = make_player("marta")
    account.is_guest = True  # A stale object; the row says otherwise.
    other = services.register(handle="other", name="Other", password=PASSWORD, guest=account)
    assert other.pk != account.pk


def test_a_player_is_renamed(make_player: Make) -> None:
    player = services.rename(player=make_player("marta"), name="Marta W.")
    assert player.name == "Marta W."
    with pytest.raises(NameRefused) as refused:
        services.register(handle="other", name="Marta-W", password=PASSWORD)
    assert refused.value.code == "name_taken"


def test_a_player_may_keep_a_name_in_other_writing(make_player: Make) -> None:
    assert services.rename(player=make_player("marta"), name="MARTA").name == "MARTA"


@pytest.mark.django_db
def test_bots_are_one_row_each_and_say_what_they_are() -> None:
    bot = services.bot_player(level="medium", number=2)
    assert services.bot_player(level="medium", number=2) == bot
    assert (bot.is_bot, bot.name, bot.has_usable_password()) == (True, "Bot Luz", False)
    with pytest.raises(NameRefused):
        services.rename(player=bot, name="Luz")


@pytest.mark.django_db
@pytest.mark.parametrize(("level", "number"), [("godlike", 1), ("easy", 0)])
def test_there_is_no_such_bot(level: str, number: int) -> None:
    with pytest.raises(ValueError, match="No bot"):
        services.bot_player(level=level, number=number)


@pytest.mark.django_db
def test_the_database_refuses_an_account_without_a_name_key() -> None:
    with pytest.raises(IntegrityError):
        Player.objects.create(handle="nobody", name="Nobody")


def test_ten_wrong_passwords_from_one_place_must_wait(make_player: Make) -> None:
    player = make_player("marta")
    for _attempt in range(services.SIGN_IN_TRIES):
        with pytest.raises(SignInRefused) as refused:
            sign_in("marta", "wrong")
        assert refused.value.code == "wrong"
    with pytest.raises(SignInRefused) as refused:
        sign_in("Marta", PASSWORD)
    assert refused.value.code == "too_many"
    assert sign_in("marta", PASSWORD, address="10.0.0.2") == player


def test_a_made_up_forwarded_header_gives_no_new_attempts(make_player: Make) -> None:
    make_player("marta")
    codes = []
    for number in range(12):
        with pytest.raises(SignInRefused) as refused:
            sign_in("marta", "wrong", HTTP_X_FORWARDED_FOR=f"10.1.1.{number}")
        codes.append(refused.value.code)
    assert codes == ["wrong"] * 10 + ["too_many"] * 2


def test_a_right_password_forgives_the_wrong_ones(make_player: Make) -> None:
    make_player("marta")
    for _round in range(3):
        for _attempt in range(9):
            with pytest.raises(SignInRefused):
                sign_in("marta", "wrong")
        sign_in("marta", PASSWORD)


@pytest.mark.django_db
def test_a_window_that_is_over_counts_no_more() -> None:
    assert throttle.spend("k", limit=1, seconds=-1)
    assert throttle.spend("k", limit=1, seconds=60)
    assert not throttle.spend("k", limit=1, seconds=60)
    assert throttle.forget_old() == 0
    assert not Throttle.objects.filter(key__contains="k").exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_attempts_never_pass_the_limit() -> None:
    passed: list[bool] = []

    def try_once() -> None:
        passed.append(throttle.spend("same", limit=5, seconds=60))
        connection.close()

    threads = [threading.Thread(target=try_once) for _number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(passed) == [False] * 15 + [True] * 5
