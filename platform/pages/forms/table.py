"""A new table."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.forms.rules import RulesForm
from pages.forms.section import number_input


class TableForm(RulesForm):
    DECIDE: ClassVar[tuple[str, ...]] = ("preset", "size")
    SIZES = (
        ("2", _("Two")),
        ("3", _("Three")),
        ("4", _("Four")),
        ("partners", _("Two against two")),
    )
    OPPONENTS = (
        ("people", _("People")),
        ("easy", _("Easy bots")),
        ("medium", _("Medium bots")),
        ("hard", _("Hard bots")),
    )
    AUDIENCE = (
        ("public", _("Everyone: it is listed on the home page")),
        ("link", _("Only those who have the link")),
    )
    size = forms.ChoiceField(
        label=_("Players"), choices=SIZES, initial="2", widget=forms.RadioSelect
    )
    opponents = forms.ChoiceField(
        label=_("Against"), choices=OPPONENTS, initial="people", widget=forms.RadioSelect
    )
    audience = forms.ChoiceField(
        label=_("Who may see it"), choices=AUDIENCE, initial="public", widget=forms.RadioSelect
    )
    bank_seconds = forms.IntegerField(
        label=_("Extra seconds"),
        help_text=_("Used when a turn runs out."),
        initial=0,
        min_value=0,
        max_value=3600,
        widget=number_input(),
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        help_text=_("Matches with guests or bots are never rated."),
        initial=True,
        required=False,
    )
    talk = forms.BooleanField(
        label=_("Players may write to each other"),
        help_text=_("Otherwise they have preset words and reactions, which everybody can read."),
        required=False,
    )

    field_order = ("preset", "size", "opponents", "audience", "target", "turn_seconds")

    @property
    def seats(self) -> int:
        size = self.cleaned_data["size"]
        return 4 if size == "partners" else int(size)

    def rules(self) -> dict[str, Any]:
        chosen = super().rules()
        if self.cleaned_data["size"] == "partners":
            chosen["partners"] = True
        return chosen

    def bots(self) -> dict[int, str]:
        """The bots by seat, all but the first, unless people are to come."""
        level = self.cleaned_data["opponents"]
        return {} if level == "people" else dict.fromkeys(range(1, self.seats), level)
