"""What moderators decide, and what players report to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from fairplay.models import Decision, Report
from fairplay.reporting import ReportRefused
from fairplay.services import DecisionRefused
from players.forms import sentence_for
from players.models import Player
from players.names import NameRefused, number

Action = Decision.Action
OF_A_CASE: Final = (Action.DISMISS, Action.WARN, Action.ANNUL, Action.SILENCE, Action.SUSPEND)
REFUSALS: Final = {
    "involved": _("You are part of this case: somebody else has to decide it."),
    "not_suspendable": _("Staff and bots are not suspended."),
    "no_length": _("Say for how long."),
    "no_match": _("Choose the matches that are not to count."),
}


class DecideForm(forms.Form):
    """One decision: what, about whom, for how long, and why."""

    LENGTHS = (
        ("1", _("One day")),
        ("7", _("One week")),
        ("30", _("30 days")),
        ("", _("Until lifted")),
    )
    action = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    player = forms.ChoiceField(label=pgettext_lazy("which player", "About"), required=False)
    days = forms.ChoiceField(
        label=_("How long?"),
        help_text=_("Of a suspension, or of a mute."),
        choices=LENGTHS,
        initial="7",
        required=False,
    )
    name = forms.CharField(label=_("Another name"), max_length=200, required=False)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("Whoever is warned, muted or suspended reads it. It stays on record."),
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        actions: Sequence[Decision.Action],
        people: Sequence[Player],
        matches: Sequence[str] = (),
    ) -> None:
        super().__init__(data)
        self.chosen = data.getlist("match") if data else []
        self.people = {str(player.pk): player for player in people}
        self.matches = matches
        fields: Any = self.fields
        fields["action"].choices = [(action.value, action.label) for action in actions]
        fields["player"].choices = [(pk, player.name) for pk, player in self.people.items()]
        if len(people) < 2:
            del self.fields["player"]
        if Action.RENAME not in actions:
            del self.fields["name"]
        else:
            fields["name"].help_text = _("Empty: “%(name)s”.") % {"name": number(people[0].pk)}

    def decision(self) -> dict[str, Any]:
        """What the service is to be told."""
        data = self.cleaned_data
        chosen = data.get("player") or next(iter(self.people))
        return {
            "action": data["action"],
            "player": self.people[chosen],
            "reason": data["reason"],
            "days": int(data["days"]) if data["days"] else None,
            "name": data.get("name", ""),
            "matches": [each for each in self.chosen if each in self.matches],
        }

    def refuse(self, refused: DecisionRefused | NameRefused) -> None:
        """Puts what the service refused where it belongs."""
        if isinstance(refused, NameRefused):
            self.add_error("name", sentence_for(refused))
        else:
            field = "days" if refused.code == "no_length" else None
            self.add_error(field, str(REFUSALS.get(refused.code, refused.code)))


class ReportForm(forms.Form):
    """What one player says of another."""

    reason = forms.ChoiceField(
        label=_("What is it about?"), choices=Report.Reason.choices, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("In your words"),
        help_text=_("What happened, and when? Up to 500 characters."),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def refuse(self, refused: ReportRefused) -> None:
        text = {
            "too_many": _("You have reported a lot today. Come back tomorrow."),
            "not_reportable": _("Only other people can be reported."),
        }.get(refused.code, refused.code)
        self.add_error(None, str(text))
