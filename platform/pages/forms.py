"""A new table, a new tournament, and what an organiser decides."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.errors import BadRules
from engine.rules import RuleSet
from pages import words
from tournaments import formats

MIN_TARGET, MAX_TARGET = 10, 1000


def _number(attrs: dict[str, Any] | None = None) -> forms.NumberInput:
    return forms.NumberInput(attrs={"inputmode": "numeric", **(attrs or {})})


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
        widget=_number(),
        min_value=MIN_TARGET,
        max_value=MAX_TARGET,
    )
    turn_seconds = forms.IntegerField(
        label=_("Seconds a turn"), initial=15, min_value=5, max_value=300, widget=_number()
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


class TableForm(RulesForm):
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
        ("public", _("Everyone: it is listed on the first page")),
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
        label=_("Extra seconds for the match"),
        help_text=_("Used when a turn runs out."),
        initial=0,
        min_value=0,
        max_value=3600,
        widget=_number(),
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        help_text=_("Matches with guests or bots are never rated."),
        initial=True,
        required=False,
    )
    once = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

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

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "preset" in cleaned and "size" in cleaned:
            self.check_rules(self.rules(), self.seats)
        return cleaned


class TournamentForm(RulesForm):
    BEST_OF = (("1", _("One match")), ("3", _("Best of three")))
    SEEDING = (
        ("rating", _("By rating")),
        ("random", _("Drawn by lot")),
        ("manual", _("In my own order")),
    )
    name = forms.CharField(label=_("Name"), max_length=80)
    format = forms.ChoiceField(
        label=_("Format"),
        choices=tuple(words.FORMATS.items()),
        initial="single_elimination",
        widget=forms.RadioSelect,
    )
    third_place = forms.BooleanField(label=_("With a match for third place"), required=False)
    legs = forms.TypedChoiceField(
        label=_("Everybody meets everybody"),
        choices=((1, _("Once")), (2, _("Twice"))),
        coerce=int,
        initial=1,
        required=False,
        widget=forms.RadioSelect,
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        help_text=_("Five are enough to find the best of 32."),
        initial=5,
        required=False,
        min_value=1,
        max_value=20,
        widget=_number(),
    )
    reset_final = forms.BooleanField(
        label=_("Play the final again if the losers’ champion wins it"),
        help_text=_("So that nobody is out with one loss."),
        initial=True,
        required=False,
    )
    text = forms.CharField(
        label=_("Description"),
        help_text=_("Plain text: when it starts, who may play, what can be won."),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    best_of = forms.ChoiceField(
        label=_("Each pairing"), choices=BEST_OF, initial="1", widget=forms.RadioSelect
    )
    capacity = forms.IntegerField(
        label=_("Places"), initial=16, min_value=2, max_value=256, widget=_number()
    )
    seeding = forms.ChoiceField(
        label=_("Seeding"), choices=SEEDING, initial="rating", widget=forms.RadioSelect
    )
    no_show_seconds = forms.IntegerField(
        label=_("Seconds to sit down"),
        help_text=_("Who has not come by then loses the match."),
        initial=180,
        min_value=10,
        max_value=3600,
        widget=_number(),
    )
    rated = forms.BooleanField(label=_("Rated"), initial=True, required=False)

    field_order = ("name", "text", "preset", "target", "best_of", "capacity", "seeding")

    def options(self) -> dict[str, Any]:
        """The settings of the format that was chosen, as data."""
        wanted = formats.get(self.cleaned_data["format"]).OPTIONS
        given = {key: self.cleaned_data.get(key, "") for key in wanted}
        return {key: value for key, value in given.items() if value not in ("", None)}

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        if not any(char.isalnum() for char in name):
            raise forms.ValidationError(_("Give it a name with letters or digits."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "preset" in cleaned:
            self.check_rules(self.rules(), 2)
        return cleaned


class BotsForm(forms.Form):
    level = forms.ChoiceField(
        label=pgettext_lazy("of a bot", "Strength"),
        choices=tuple(words.BOTS.items()),
        initial="medium",
    )
    count = forms.IntegerField(
        label=_("How many"), initial=1, min_value=1, max_value=64, widget=_number()
    )
