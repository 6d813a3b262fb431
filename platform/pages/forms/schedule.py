"""When an event starts, on the clocks of which place."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.forms.local_moment import LocalMoment, settle
from pages.forms.section import Section, Words, number_input
from tournaments import moments
from tournaments.errors import SENTENCES
from tournaments.models import Tournament


class Schedule(Section):
    TITLE: ClassVar[Words] = _("When")
    FOLDED: ClassVar[bool] = False
    TEMPLATE: ClassVar[str] = "pages/settings/schedule.html"
    LATER: ClassVar[frozenset[str]] = frozenset({"weekly"})

    starts_at = LocalMoment(label=_("Starts"))
    starts_at_offset = forms.CharField(required=False, max_length=6, label=_("Which of the two"))
    zone = forms.CharField(
        label=_("Time zone"),
        help_text=_("Type a city: “Lima” finds America/Lima."),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "data-zone": ""}),
    )
    check_in_minutes = forms.IntegerField(
        label=_("Check-in, minutes before the start"),
        help_text=_(
            "From then on everybody says “I am here”; who hasn’t at the start is left out. "
            "0: no check-in."
        ),
        initial=0,
        min_value=0,
        max_value=1440,
        required=False,
        widget=number_input(),
    )
    weekly = forms.BooleanField(
        label=_("Every week"),
        help_text=_("When it is over, next week’s opens by itself: same settings, same time."),
        required=False,
    )

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        return {
            "zone": event.zone,
            "check_in_minutes": event.check_in_minutes,
            "weekly": event.weekly,
            **LocalMoment.initial_of("starts_at", event.starts_at, event.zone),
        }

    def clean_zone(self) -> str:
        found = moments.find_zone(self.cleaned_data["zone"] or "UTC")
        if found is None:
            raise forms.ValidationError(str(SENTENCES["bad_zone"]))
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        settle(self, "starts_at", cleaned.get("zone"))
        if cleaned.get("weekly") and not cleaned.get("starts_at"):
            self.add_error("starts_at", str(SENTENCES["no_start"]))
        return cleaned

    def settings(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "zone": data["zone"],
            "starts_at": data["starts_at"],
            "check_in_minutes": data.get("check_in_minutes") or 0,
            "weekly": data["weekly"],
        }

    @property
    def zone_names(self) -> tuple[str, ...]:
        return moments.zones()
