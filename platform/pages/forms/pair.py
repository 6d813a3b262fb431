"""Entering as a pair, and standing in for one of it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import Player

_HANDLE = forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"})


def named(handle: str) -> Player:
    """The player of that handle, with or without an @. Raises ValidationError."""
    found = Player.objects.filter(handle__iexact=handle.strip().lstrip("@"), is_active=True).first()
    if found is None:
        raise forms.ValidationError(
            _("There is no player of that name. It is the one at the end of a player’s page.")
        )
    return found


class InviteForm(forms.Form):
    partner = forms.CharField(
        label=_("Your partner’s player name"),
        help_text=_("Empty: you get a link, and whoever accepts by it is your partner."),
        max_length=60,
        required=False,
        widget=_HANDLE,
    )
    name = forms.CharField(
        label=_("Name of the pair"),
        help_text=_("Empty: your two names."),
        max_length=80,
        required=False,
    )

    def clean_partner(self) -> Player | None:
        handle = self.cleaned_data["partner"]
        return named(handle) if handle else None


class PairForm(forms.Form):
    """Both of a pair, as the desk enters them."""

    one = forms.CharField(label=_("Player"), max_length=60, widget=_HANDLE)
    other = forms.CharField(label=_("Partner"), max_length=60, widget=_HANDLE)
    name = forms.CharField(label=_("Name of the pair"), max_length=80, required=False)

    def clean_one(self) -> Player:
        return named(self.cleaned_data["one"])

    def clean_other(self) -> Player:
        return named(self.cleaned_data["other"])


class SubstituteForm(forms.Form):
    """`who` is "entrant:player", the one who is replaced."""

    who = forms.CharField(label=_("Who cannot play"))
    into = forms.CharField(label=_("Who plays instead"), max_length=60, widget=_HANDLE)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def clean_into(self) -> Player:
        return named(self.cleaned_data["into"])
