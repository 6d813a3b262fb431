"""What an event is called, how it is played, and when it starts: all that one has to say."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from pages import words
from pages.forms.points import PointsField
from pages.forms.section import Section, Words, number_input
from tournaments import formats
from tournaments.formats import pods
from tournaments.models import Tournament


class Naming(Section):
    TITLE: ClassVar[Words] = _("Name and format")
    FOLDED: ClassVar[bool] = False
    TEMPLATE: ClassVar[str] = "pages/settings/naming.html"
    LATER: ClassVar[frozenset[str]] = frozenset({"name", "text"})

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
        help_text=_("In a Swiss, five are enough to find the best of 32."),
        initial=5,
        required=False,
        min_value=1,
        max_value=20,
        widget=number_input(),
    )
    minutes = forms.IntegerField(
        label=_("Minutes"),
        help_text=_("How long people are paired."),
        initial=60,
        required=False,
        min_value=1,
        max_value=720,
        widget=number_input(),
    )
    in_course = forms.ChoiceField(
        label=_("Matches in course when the time ends"),
        choices=(("count", _("Are played out and count")), ("finished", _("Don’t count"))),
        initial="count",
        required=False,
        widget=forms.RadioSelect,
    )
    groups = forms.IntegerField(
        label=_("Groups"),
        help_text=_("The best are spread over them; sizes differ by one at most."),
        initial=4,
        required=False,
        min_value=2,
        max_value=32,
    )
    first_round = forms.ChoiceField(
        label=_("The first round"),
        choices=(("slide", _("By seed: the upper half meets the lower")), ("random", _("By lot"))),
        initial="slide",
        required=False,
        widget=forms.RadioSelect,
    )
    later_rounds = forms.ChoiceField(
        label=_("Later rounds, among those with as many points"),
        choices=(("slide", _("By seed: the upper half meets the lower")), ("random", _("By lot"))),
        initial="slide",
        required=False,
        widget=forms.RadioSelect,
    )
    last_round = forms.ChoiceField(
        label=_("The last round, at the top"),
        choices=(
            ("fold", _("The first meets the last of them")),
            ("same", _("As before")),
        ),
        initial="fold",
        required=False,
        widget=forms.RadioSelect,
    )
    difference_cap = forms.IntegerField(
        label=_("Most points of difference from one round"),
        help_text=_("0: no limit."),
        initial=0,
        required=False,
        min_value=0,
        max_value=1000,
        widget=number_input(),
    )
    reset_final = forms.BooleanField(
        label=_("Play the final again if the losers’ champion wins it"),
        help_text=_("So that nobody is out with one loss."),
        initial=True,
        required=False,
    )

    sides = forms.ChoiceField(
        label=_("Who plays"),
        choices=(("single", _("Everyone for themselves")), ("pairs", _("Fixed pairs"))),
        initial="single",
        required=False,
        widget=forms.RadioSelect,
    )
    meeting = forms.ChoiceField(
        label=_("At a table meet"),
        choices=(
            ("points", _("Those with about as many points")),
            ("mixed", _("As many different people as possible")),
        ),
        initial="points",
        required=False,
        widget=forms.RadioSelect,
    )
    advance = forms.TypedChoiceField(
        label=_("From each table go on"),
        choices=(
            (1, _("The first")),
            (2, _("The first two")),
            (3, _("The first three, of three players two")),
        ),
        coerce=int,
        initial=2,
        required=False,
        help_text=_(
            "Of 13 players two of each table make 13 (4+3+3+3) → 8 (4+4) → 4. Who is level with "
            "the last of them goes on by lot."
        ),
        widget=forms.RadioSelect,
    )
    five = forms.ChoiceField(
        label=_("If only five play"),
        choices=(
            ("refuse", _("It doesn’t start")),
            ("bye", _("A table of four, and one rests")),
            ("two", _("A table of three and one of two")),
        ),
        initial="refuse",
        required=False,
        widget=forms.RadioSelect,
    )
    points_four = PointsField(
        label=_("Points at a table of four"),
        help_text=_("By place, the first one first. Who shares a place shares its points."),
        option=pods.OPTIONS["points_four"],
    )
    points_three = PointsField(
        label=_("Points at a table of three"), option=pods.OPTIONS["points_three"]
    )
    rest = forms.ChoiceField(
        label=_("A round without a table is worth"),
        choices=(("half", _("Half a win")), ("win", _("A win")), ("nothing", _("Nothing"))),
        initial="half",
        required=False,
        widget=forms.RadioSelect,
    )

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        known = {"name": event.name, "format": event.format, "sides": event.sides}
        return {**known, **event.options}

    def settings(self) -> dict[str, Any]:
        wanted = formats.get(self.cleaned_data["format"]).OPTIONS
        given = {key: self.cleaned_data.get(key, "") for key in wanted}
        found: dict[str, Any] = {
            "name": self.cleaned_data["name"],
            "format": self.cleaned_data["format"],
            "options": {key: value for key, value in given.items() if value not in ("", None)},
        }
        sides = self.cleaned_data.get("sides")
        if sides in formats.sides_of(found["format"]):
            found["sides"] = sides
        return found

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        if not any(char.isalnum() for char in name):
            raise forms.ValidationError(_("Give it a name with letters or digits."))
        return name
