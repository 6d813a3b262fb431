from __future__ import annotations

import pytest

from players import bots
from players.names import NameRefused, clean_handle, clean_name, skeleton

HONEST = [
    ("Marta", "Marta"),
    ("  Marta   W. ", "Marta W."),
    ("José", "José"),
    ("Jose\u0301", "José"),
    ("O'Neil", "O'Neil"),
    ("Иван", "Иван"),
    ("Γιώργος", "Γιώργος"),
    ("王小明", "王小明"),
    ("田中さん", "田中さん"),
    ("김민준", "김민준"),
    ("أحمد", "أحمد"),
    ("דוד", "דוד"),
    ("พลอย", "พลอย"),
    ("Nguyễn Thị", "Nguyễn Thị"),
    ("Şükrü İnanç", "Şükrü İnanç"),
    ("Łukasz Żółć", "Łukasz Żółć"),
    ("Ana\u200b", "Ana"),
    ("Ana\u202e", "Ana"),
    ("A\u00adna\ufe0f", "Ana"),
    ("Ana\tMaria\n", "Ana Maria"),
    ("Ana 😀", "Ana 😀"),
    ("<b>x</b>", "<b>x</b>"),
    ("=1+1x", "=1+1x"),
    ("x" * 20, "x" * 20),
    ("Botana", "Botana"),
    ("Modesta", "Modesta"),
]
REFUSED = [
    ("", "empty"),
    ("   ", "empty"),
    ("\u200b\u2060\ufeff", "empty"),
    ("\u3164\u115f", "empty"),
    ("x" * 21, "too_long"),
    ("😀" * 200, "too_long"),
    ("é" * 20 + "é", "too_long"),
    ("王" * 27, "too_long"),
    ("😀", "no_letter"),
    ("123", "no_letter"),
    ("...", "no_letter"),
    ("\u0301\u0302", "no_letter"),
    ("Z\u0334\u0322\u031b\u0301algo", "too_many_marks"),
    ("аdmin", "mixed_scripts"),
    ("Mаrta", "mixed_scripts"),
    ("AnaΩ", "mixed_scripts"),
    ("admin", "reserved"),
    ("ADMIN", "reserved"),
    ("a d m i n", "reserved"),
    ("adm1n", "reserved"),
    ("Moderator", "reserved"),
    ("rnuggins", "reserved"),
    ("Bot Ana", "reserved"),
    ("bot  karim", "reserved"),
    ("Guest 12", "reserved"),
    ("Staff Marta", "reserved"),
]


@pytest.mark.parametrize(("typed", "shown"), HONEST)
def test_an_honest_name_is_kept(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize(("typed", "code"), REFUSED)
def test_a_bad_name_is_refused_with_its_reason(typed: str, code: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_name(typed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Limes", "Iimes"),
        ("limes", "1imes"),
        ("José", "Jose\u0301"),
        ("Marta", "marta"),
        ("Marta", "MARTA"),
        ("Marta", "Ｍａｒｔａ"),
        ("Marta W", "Marta-W."),
        ("асе", "ace"),
        ("Zoo", "Z00"),
        ("modern", "rnodern"),
        ("Straße", "STRASSE"),
        ("𝐌arta", "Marta"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Jose", "José"), ("王明", "王小明"), ("Ana", "Anna"), ("Иван", "Ян"), ("Marta", "Marla")],
)
def test_different_names_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(("typed", "handle"), [(" Marta ", "marta"), ("ab-c_1", "ab-c_1")])
def test_a_handle_is_lower_case(typed: str, handle: str) -> None:
    assert clean_handle(typed) == handle


@pytest.mark.parametrize(
    "typed", ["ab", "a" * 21, "-ab", "ab-", "a--b", "a b", "añb", "a/b", "", "аbс", "a\nbc"]
)
def test_a_malformed_handle_is_refused(typed: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_handle(typed)
    assert refused.value.code == "bad_handle"


@pytest.mark.parametrize("typed", ["admin", "bot-ana", "guest-77", "root", "api"])
def test_a_reserved_handle_is_refused(typed: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_handle(typed)
    assert refused.value.code == "reserved"


def test_the_bots_names_all_look_different() -> None:
    named = [bots.name_of(level, n) for level in bots.FIRST_NAMES for n in range(1, 20)]
    assert len({skeleton(name) for name in named}) == len(named)
