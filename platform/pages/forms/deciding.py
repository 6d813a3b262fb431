"""What decides between those level on points."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages.criteria_words import NAMES
from pages.forms.section import Section, Words
from tournaments.models import Tournament
from tournaments.standings.criteria import KEYS

PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
LABELS: Final = (
    pgettext_lazy("criterion", "First"),
    pgettext_lazy("criterion", "Then"),
    _("Then, third"),
    _("Then, fourth"),
    _("Then, fifth"),
    _("At last"),
)
_CHOICES: Final = (("", "–"), *((key, NAMES[key][0]) for key in KEYS))


class Deciding(Section):
    TITLE: ClassVar[Words] = _("Tie-breaks")
    TEMPLATE: ClassVar[str] = "pages/settings/deciding.html"

    def prepare(self) -> None:
        for name, label in zip(PLACES, LABELS, strict=True):
            self.fields[name] = forms.ChoiceField(label=label, choices=_CHOICES, required=False)

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        return dict(zip(PLACES, event.criteria, strict=False))

    def places(self) -> list[BoundField]:
        return [self[name] for name in PLACES]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = [cleaned.get(name) for name in PLACES if cleaned.get(name)]
        for name in PLACES:
            value = cleaned.get(name)
            if value and chosen.count(value) > 1 and chosen.index(value) < PLACES.index(name):
                self.add_error(name, _("That is in the list already."))
                break
        return cleaned

    def settings(self) -> dict[str, Any]:
        chosen = [self.cleaned_data[name] for name in PLACES if self.cleaned_data.get(name)]
        return {"criteria": chosen}
