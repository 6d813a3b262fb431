"""Who may come in, and until when."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages.forms.local_moment import LocalMoment
from pages.forms.section import Section, Words, number_input
from players import clubs
from tournaments.errors import SENTENCES
from tournaments.models import Tournament
from tournaments.options import RATINGS

ACCESS = (
    ("open", _("Everyone")),
    ("link", _("Those who have the link")),
    ("club", _("Members of a club")),
)


class Entry(Section):
    TITLE: ClassVar[Words] = _("Who may enter")
    TEMPLATE: ClassVar[str] = "pages/settings/entry.html"
    LATER: ClassVar[frozenset[str]] = frozenset({"capacity", "fee"})

    access = forms.ChoiceField(
        label=_("Open for"),
        choices=ACCESS,
        initial="open",
        required=False,
        widget=forms.RadioSelect,
    )
    club = forms.ChoiceField(
        label=_("Club"),
        help_text=_("The event is shown on the club’s page."),
        required=False,
    )
    capacity = forms.IntegerField(
        label=pgettext_lazy("capacity", "Places"),
        help_text=_("Who comes later is on a waiting list."),
        initial=16,
        min_value=2,
        max_value=10_000,
        widget=number_input(),
    )
    min_rating = forms.IntegerField(
        label=_("Lowest rating"),
        required=False,
        min_value=RATINGS[0],
        max_value=RATINGS[1],
        widget=number_input(),
    )
    max_rating = forms.IntegerField(
        label=_("Highest rating"),
        help_text=_("Empty: no limit. Guests and people without a rating count as 1500."),
        required=False,
        min_value=RATINGS[0],
        max_value=RATINGS[1],
        widget=number_input(),
    )
    by_peak = forms.BooleanField(
        label=_("By the highest rating of the last 12 months"),
        help_text=_("Not by today’s: who was over the limit lately stays out."),
        required=False,
    )
    closes_at = LocalMoment(
        label=_("Registration closes"),
        help_text=_("Empty: with the start. In the time zone of the start."),
    )
    closes_at_offset = forms.CharField(required=False, max_length=6, label=_("Which of the two"))
    fee = forms.CharField(
        label=_("Entry fee"),
        help_text=_("Only shown: “5 euros at the door”. Nothing is paid here."),
        required=False,
        max_length=120,
    )

    def prepare(self) -> None:
        who = self.organiser
        own = [] if who is None else list(clubs.of_player(who))
        if self.event is not None and self.event.club is not None and self.event.club not in own:
            own.append(self.event.club)
        self.fields["club"] = forms.ChoiceField(
            label=self.fields["club"].label,
            help_text=self.fields["club"].help_text if own else _("You are in no club yet."),
            choices=[("", _("No club")), *((club.slug, club.name) for club in own)],
            required=False,
        )

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        return {
            **super().initial_of(event),
            "club": "" if event.club is None else event.club.slug,
            **LocalMoment.initial_of("closes_at", event.closes_at, event.zone),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("access") == "club" and not cleaned.get("club"):
            self.add_error("club", str(SENTENCES["no_club"]))
        return cleaned

    def settings(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "access": data["access"] or "open",
            "club": data["club"] or None,
            **{
                key: data[key]
                for key in (
                    "capacity",
                    "min_rating",
                    "max_rating",
                    "by_peak",
                    "closes_at",
                )
            },
            "fee": data["fee"],
        }
