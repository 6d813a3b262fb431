"""The game, its clock, and how long a pairing is."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from pages import words
from pages.forms.rules import RulesForm
from pages.forms.section import Section, Words, number_input
from tournaments.models import Tournament


class Playing(Section, RulesForm):
    TITLE: ClassVar[Words] = _("Game")
    TEMPLATE: ClassVar[str] = "pages/settings/playing.html"
    LATER: ClassVar[frozenset[str]] = frozenset({"spectator_delay"})

    SEEDING = (
        ("rating", _("By rating")),
        ("random", _("Drawn by lot")),
        ("manual", _("In my own order")),
    )
    DELAYS = (
        (0, _("As they are played")),
        (1, _("One turn later")),
        (2, _("Two turns later")),
        (3, _("Three turns later")),
    )
    best_of = forms.ChoiceField(
        label=_("Each pairing"),
        choices=list(words.BEST_OF.items()),
        initial="1",
        widget=forms.RadioSelect,
    )
    seeding = forms.ChoiceField(
        label=_("Seeding"), choices=SEEDING, initial="rating", widget=forms.RadioSelect
    )
    bank_seconds = forms.IntegerField(
        label=_("Extra seconds a match"),
        help_text=_("Used when a turn runs out."),
        initial=0,
        required=False,
        min_value=0,
        max_value=3600,
        widget=number_input(),
    )
    break_seconds = forms.IntegerField(
        label=_("Seconds between deals"),
        initial=8,
        required=False,
        min_value=0,
        max_value=300,
        widget=number_input(),
    )
    spectator_delay = forms.TypedChoiceField(
        label=_("Spectators see the tables"),
        help_text=_("They never see a hand before its round is over."),
        choices=DELAYS,
        coerce=int,
        empty_value=None,
        initial=0,
        required=False,
    )
    rated = forms.BooleanField(label=_("Rated"), initial=True, required=False)

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        return {**super().initial_of(event), "target": event.rules.get("target")}

    def rules(self) -> dict[str, Any]:
        """What was chosen, with what the form doesn't ask for as it was."""
        chosen = super().rules()
        if self.event is not None and self.event.preset == chosen["preset"]:
            return {**{k: v for k, v in self.event.rules.items() if k != "target"}, **chosen}
        return chosen

    def settings(self) -> dict[str, Any]:
        data = self.cleaned_data
        given = {key: data[key] for key in ("bank_seconds", "break_seconds", "spectator_delay")}
        return {
            "rules": self.rules(),
            "best_of": int(data["best_of"]),
            "seeding": data["seeding"],
            "turn_seconds": data["turn_seconds"],
            "rated": data["rated"],
            **{key: value for key, value in given.items() if value is not None},
        }
