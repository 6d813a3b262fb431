"""The game and its target, as tables and tournaments ask for them."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.errors import BadRules
from engine.rules import RuleSet
from pages import words
from pages.forms.section import number_input

MIN_TARGET, MAX_TARGET = 10, 1000


class RulesForm(forms.Form):
    """The game and its target, for tables and tournaments alike.

    The rules are checked when all fields that `DECIDE` them are good.
    """

    DECIDE: ClassVar[tuple[str, ...]] = ("preset",)

    preset = forms.ChoiceField(
        label=_("Game"),
        choices=tuple(words.PRESETS.items()),
        initial="allfives",
        widget=forms.RadioSelect,
    )
    target = forms.IntegerField(
        label=_("Target"),
        help_text=_("Points that win the match. Empty: what the game is usually played to."),
        required=False,
        widget=number_input(),
        min_value=MIN_TARGET,
        max_value=MAX_TARGET,
    )
    turn_seconds = forms.IntegerField(
        label=_("Seconds per turn"), initial=15, min_value=5, max_value=300, widget=number_input()
    )

    def rules(self) -> dict[str, Any]:
        """The rule set that was chosen, as data."""
        chosen: dict[str, Any] = {"preset": self.cleaned_data["preset"]}
        if self.cleaned_data.get("target"):
            chosen["target"] = self.cleaned_data["target"]
        return chosen

    @property
    def seats(self) -> int:
        """How many the rules are checked for, once the form is filled in."""
        return 2

    def clean(self) -> dict[str, Any]:
        """Puts what the engine refuses beside its field."""
        cleaned = super().clean() or {}
        if all(name in cleaned for name in self.DECIDE):
            try:
                RuleSet.parse(self.rules(), self.seats)
            except BadRules as refused:
                field = refused.key if refused.key in self.fields else None
                self.add_error(field, str(refused))
        return cleaned
