"""A club, as its owners describe it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players import clubs
from players.models import Club
from players.names import clean_line

JOINING = (("open", _("Anyone may join")), ("ask", _("An owner lets people in")))


class ClubForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=clubs.NAME_LENGTH)
    place = forms.CharField(
        label=pgettext_lazy("location", "Place"),
        help_text=_("A town, or a café; empty if you only meet here."),
        max_length=clubs.PLACE_LENGTH,
        required=False,
    )
    text = forms.CharField(
        label=_("Description"),
        help_text=_("Plain text: when you meet, whom to ask."),
        max_length=clubs.TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    joining = forms.ChoiceField(
        label=_("Joining"), choices=JOINING, initial="open", widget=forms.RadioSelect
    )

    def clean_name(self) -> str:
        name = clean_line(self.cleaned_data["name"])
        if not any(char.isalnum() for char in name):
            raise forms.ValidationError(_("Give it a name with letters or digits."))
        return name

    @classmethod
    def of(cls, club: Club) -> dict[str, str]:
        """What the fields show for a club."""
        return {name: getattr(club, name) for name in cls.base_fields}
