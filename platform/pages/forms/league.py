"""A league's settings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pages import words
from pages.forms.owning import OwningForm
from pages.forms.rules import RulesForm
from pages.forms.section import number_input
from players.models import Player
from tournaments.models import League


class LeagueForm(OwningForm, RulesForm):
    name = forms.CharField(label=_("Name"), max_length=60)
    text = forms.CharField(
        label=_("Description"),
        help_text=_("Plain text: where and when you play, whom to ask."),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    sizes = forms.CharField(
        label=_("Places in the divisions"),
        help_text=_("From the top, as in 6, 8, 8. The last number holds for all below."),
        initial="8",
        max_length=80,
    )
    moves = forms.IntegerField(
        label=_("Up and down"),
        help_text=_("How many change places between two divisions after a season."),
        initial=2,
        min_value=0,
        max_value=10,
        widget=number_input(),
    )
    days = forms.IntegerField(
        label=_("Days of a season"), initial=60, min_value=1, max_value=400, widget=number_input()
    )
    legs = forms.TypedChoiceField(
        label=_("Everybody meets everybody"),
        choices=((1, _("Once")), (2, _("Twice"))),
        coerce=int,
        initial=1,
        widget=forms.RadioSelect,
    )
    best_of = forms.TypedChoiceField(
        label=_("Each pairing"),
        choices=list(words.BEST_OF.items()),
        coerce=int,
        initial=1,
        widget=forms.RadioSelect,
    )
    rated = forms.BooleanField(label=_("Rated"), initial=True, required=False)

    field_order = ("name", "text", "preset", "target")

    def __init__(self, data: Any = None, *, owner: Player, league: League | None = None) -> None:
        initial: dict[str, Any] = {}
        if league is not None:
            rules = league.settings.get("rules", {})
            initial = {
                "name": league.name,
                "text": league.text,
                "sizes": ", ".join(map(str, league.sizes)),
                "moves": league.moves,
                "days": league.days,
                "preset": rules.get("preset", "allfives"),
                "target": rules.get("target"),
                **{k: league.settings[k] for k in ("legs", "best_of", "rated")
                   if k in league.settings},
            }  # fmt: skip
        super().__init__(data, initial=initial)
        del self.fields["turn_seconds"]
        self.offer_clubs(owner, is_new=league is None)

    def clean_sizes(self) -> list[int]:
        parts = self.cleaned_data["sizes"].replace(",", " ").split()
        if not parts or not all(
            part.isascii() and part.isdigit() and len(part) < 4 for part in parts
        ):
            raise forms.ValidationError(_("Write whole numbers, as in 6, 8, 8."))
        return [int(part) for part in parts]

    def settings(self) -> dict[str, Any]:
        """What services.create_league and edit_league get."""
        keys = ("name", "text", "sizes", "moves", "days", "legs", "best_of", "rated")
        return {**{key: self.cleaned_data[key] for key in keys}, "rules": self.rules()}
