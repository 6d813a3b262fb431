"""The game and its target, as tables and tournaments ask for them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.errors import BadRules
from engine.rules import RuleSet
from pages import words
from pages.forms.section import number_input

MIN_TARGET, MAX_TARGET = 10, 1000


class RulesForm(forms.Form):
    """The game and its target, for tables and tournaments alike."""

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
        label=_("Seconds a turn"), initial=15, min_value=5, max_value=300, widget=number_input()
    )

    def rules(self) -> dict[str, Any]:
        """The rule set that was chosen, as data."""
        chosen: dict[str, Any] = {"preset": self.cleaned_data["preset"]}
        if self.cleaned_data.get("target"):
            chosen["target"] = self.cleaned_data["target"]
        return chosen

    def check_rules(self, rules: dict[str, Any], seats: int) -> None:
        """Puts what the engine refuses beside its field."""
        try:
            RuleSet.parse(rules, seats)
        except BadRules as refused:
            field = refused.key if refused.key in self.fields else None
            self.add_error(field, str(refused))
