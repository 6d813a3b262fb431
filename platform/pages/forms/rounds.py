"""How rounds go: who presses, who enters results, and who may be absent from one."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages.forms.section import Section, Words, number_input
from tournaments.models import Tournament

PLAY = (
    ("live", _("Here, at live tables")),
    ("board", _("Over the board")),
    ("mixed", _("Some here, some over the board")),
)
REPORTS = (
    ("arbiter", _("An arbiter or scorer")),
    ("players", _("The players: one reports, the other side confirms")),
    ("double", _("Two scorers, each on their own")),
)
ROUND_START = (("auto", _("By themselves")), ("arbiter", _("When the arbiter presses")))
WORTH = (("nothing", _("Nothing")), ("half", _("Half a point")))
_NUMBERS = (
    "round_minutes",
    "no_show_seconds",
    "late_rounds",
    "rests_allowed",
    "slow_minutes",
    "confirm_minutes",
)


class Rounds(Section):
    TITLE: ClassVar[Words] = _("Rounds and results")
    TEMPLATE: ClassVar[str] = "pages/settings/rounds.html"
    LATER: ClassVar[frozenset[str]] = frozenset(
        {"reports", "round_start", "missed", "rest_worth", *_NUMBERS}
    )

    play = forms.ChoiceField(
        label=pgettext_lazy("where", "Played"),
        choices=PLAY,
        initial="live",
        required=False,
        widget=forms.RadioSelect,
    )
    reports = forms.ChoiceField(
        label=_("Results over the board are entered by"),
        choices=REPORTS,
        initial="arbiter",
        required=False,
        widget=forms.RadioSelect,
    )
    round_start = forms.ChoiceField(
        label=_("The event and its rounds start"),
        choices=ROUND_START,
        initial="auto",
        required=False,
        widget=forms.RadioSelect,
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes a round"),
        help_text=_("0: as long as it takes."),
        initial=0,
        required=False,
        min_value=0,
        max_value=600,
        widget=number_input(),
    )
    no_show_seconds = forms.IntegerField(
        label=_("Seconds to sit down"),
        help_text=_("Who has not come to a live table by then loses the match."),
        initial=180,
        min_value=10,
        max_value=3600,
        widget=number_input(),
    )
    slow_minutes = forms.IntegerField(
        label=_("Minutes until a table counts as slow"),
        help_text=_("The desk points it out. 0: once it takes much longer than the others."),
        initial=0,
        required=False,
        min_value=0,
        max_value=600,
        widget=number_input(),
    )
    confirm_minutes = forms.IntegerField(
        label=_("Minutes to confirm a reported result"),
        help_text=_("After that the desk points it out."),
        initial=10,
        required=False,
        min_value=1,
        max_value=240,
        widget=number_input(),
    )
    late_rounds = forms.IntegerField(
        label=_("Late entry up to round"),
        help_text=_("Where rounds are drawn one by one. 0: nobody comes in after the start."),
        initial=30,
        required=False,
        min_value=0,
        max_value=30,
        widget=number_input(),
    )
    missed = forms.ChoiceField(
        label=_("A round missed by coming late is worth"),
        choices=WORTH,
        initial="nothing",
        required=False,
        widget=forms.RadioSelect,
    )
    rests_allowed = forms.IntegerField(
        label=_("Rounds that one may ask to rest"),
        help_text=_("A player asks before the round is drawn."),
        initial=0,
        required=False,
        min_value=0,
        max_value=30,
        widget=number_input(),
    )
    rest_worth = forms.ChoiceField(
        label=_("Such a rest is worth"),
        choices=WORTH,
        initial="half",
        required=False,
        widget=forms.RadioSelect,
    )

    def settings(self) -> dict[str, Any]:
        """What was left out keeps its default, or in a change its value."""
        return {key: value for key, value in self.cleaned_data.items() if value not in ("", None)}

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        return {name: getattr(event, name) for name in cls.base_fields}
