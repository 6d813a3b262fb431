"""What an event's page says in the organiser's own words."""

from __future__ import annotations

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.forms.section import Section, Words


class About(Section):
    TITLE: ClassVar[Words] = _("Description and prizes")
    LATER: ClassVar[frozenset[str]] = frozenset({"text", "prizes"})

    text = forms.CharField(
        label=_("Description"),
        help_text=_("Plain text: where it is, what to bring, whom to ask."),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    prizes = forms.CharField(
        label=_("Prizes"),
        help_text=_("One a line, the first place first."),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
