"""A challenge ladder's settings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages import words
from pages.forms.owning import OwningForm
from pages.forms.rules import RulesForm
from pages.forms.section import number_input
from players.models import Player
from tournaments.ladders.running import NUMBERS
from tournaments.models import Ladder


def _number(label: Any, key: str, initial: int, help_text: Any = "") -> forms.IntegerField:
    low, high = NUMBERS[key]
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        initial=initial,
        min_value=low,
        max_value=high,
        widget=number_input(),
    )


class LadderForm(OwningForm, RulesForm):
    """For a new ladder, and for changing one; the club is chosen once."""

    name = forms.CharField(label=_("Name"), max_length=80)
    text = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    play = forms.ChoiceField(
        label=pgettext_lazy("where", "Played"),
        choices=Ladder.Play.choices,
        initial="live",
        widget=forms.RadioSelect,
    )
    best_of = forms.TypedChoiceField(
        label=_("Each challenge"),
        choices=list(words.BEST_OF.items()),
        coerce=int,
        initial=1,
        widget=forms.RadioSelect,
    )
    refusal = forms.ChoiceField(
        label=_("A refused or unanswered challenge costs"),
        choices=Ladder.Refusal.choices,
        initial="loss",
        widget=forms.RadioSelect,
    )
    free_refusals = _number(_("Free refusals in 30 days"), "free_refusals", 1)
    reach = _number(
        _("Places up that one may challenge"), "reach", 5, _("0: anybody who stands higher.")
    )
    answer_days = _number(_("Days to answer"), "answer_days", 3)
    play_days = _number(_("Days to play"), "play_days", 7)
    idle_days = _number(
        _("Days without a match"), "idle_days", 30, _("Then one falls a place. 0: never.")
    )
    no_show_seconds = _number(_("Seconds to sit down"), "no_show_seconds", 180)
    rated = forms.BooleanField(label=_("Rated"), initial=True, required=False)

    def __init__(self, data: Any = None, *, owner: Player, ladder: Ladder | None = None) -> None:
        initial = None
        if ladder is not None:
            initial = {name: getattr(ladder, name, None) for name in self.base_fields}
            initial |= {"target": ladder.rules.get("target")}
        super().__init__(data, initial=initial)
        self.offer_clubs(owner, is_new=ladder is None)

    def settings(self) -> dict[str, Any]:
        """What was chosen, as the services take it."""
        left_out = ("preset", "target", "club")
        given = {key: value for key, value in self.cleaned_data.items() if key not in left_out}
        return {**given, "rules": self.rules()}
