"""Names in the order of each language."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from players import alphabet


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["7 Aces", "Ana", "Éva", "Evan", "Łukasz", "Luke", "Zoë", "Жанна"]),
        ("tr", ["Cem", "Ceyda", "Çağla", "Gül", "Ğ", "Irmak", "İrem", "Öykü", "Pelin", "Şule"]),
        ("pl", ["Ala", "Ąg", "Ewa", "Lucyna", "Łucja", "Magda", "Zofia", "Źródło", "Żaneta"]),
        ("hr", ["Cvita", "Čedo", "Ćiril", "Dora", "Džana", "Đuro", "Luka", "Ljilja", "Nino",
                "Njegoš", "Zoran", "Željka"]),
        ("vi", ["An", "Ánh", "Anh Thư", "Ăn", "Ân", "Dũng", "Đào", "Uyên", "Ưng"]),
    ],
)  # fmt: skip
def test_a_language_has_an_order_of_its_own(language: str, names: list[str]) -> None:
    mixed = names[::-1]
    assert sorted(mixed, key=lambda name: alphabet.key(name, language)) == names


def test_lists_follow_the_language_of_the_reader() -> None:
    names = ["Zehra", "Çınar", "Cem", "Doğa"]
    with override("tr"):
        assert sorted(names, key=alphabet.key) == ["Cem", "Çınar", "Doğa", "Zehra"]
    assert sorted(names, key=alphabet.key) == ["Cem", "Çınar", "Doğa", "Zehra"]
    with override("pl"):
        assert sorted(["Łan", "Lis", "Mak"], key=alphabet.key) == ["Lis", "Łan", "Mak"]
    assert sorted(["Łan", "Lis", "Mak"], key=alphabet.key) == ["Łan", "Lis", "Mak"]
