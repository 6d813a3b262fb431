"""How many bots of which strength."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages import words
from pages.forms.section import number_input


class BotsForm(forms.Form):
    level = forms.ChoiceField(
        label=pgettext_lazy("of a bot", "Strength"),
        choices=tuple(words.BOTS.items()),
        initial="medium",
    )
    count = forms.IntegerField(
        label=_("How many"), initial=1, min_value=1, max_value=64, widget=number_input()
    )
