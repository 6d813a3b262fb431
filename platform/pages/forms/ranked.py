"""Whom a ladder shows."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players import countries
from players.clubs import condition_of
from players.models import Club, Player


class RankedForm(forms.Form):
    """A name's part, a country, a club; what is unknown counts as not given."""

    name = forms.CharField(label=_("Name"), required=False, max_length=40)
    country = forms.ChoiceField(label=_("Country"), required=False)
    club = forms.ModelChoiceField(
        label=_("Club"),
        queryset=Club.objects.all(),
        to_field_name="slug",
        required=False,
        empty_label=_("all"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = countries.names()
        there = Player.objects.exclude(country="").order_by("country").values_list("country")
        choices = [(code, known.get(code, code)) for (code,) in there.distinct()]
        self.fields["country"] = forms.ChoiceField(
            label=_("Country"), required=False, choices=[("", _("all")), *choices]
        )

    def condition(self) -> Q | None:
        """The condition on players; None for everyone."""
        self.is_valid()
        data = self.cleaned_data
        return condition_of(data.get("name", ""), data.get("country", ""), data.get("club"))
