"""Whom a ladder or a league is for: everyone, or one of the clubs that its maker owns."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.words import capital
from players import clubs
from players.models import Club, Player


class OwningForm(forms.Form):
    """The club is chosen once, when it is made; who owns none is not asked."""

    club = forms.ChoiceField(label=_("For"), required=False)

    def offer_clubs(self, owner: Player, *, is_new: bool) -> None:
        """Fills the choice with the clubs that the owner may choose from."""
        owned = [club for club in clubs.of_player(owner) if clubs.rank_of(club, owner) == "owner"]
        if not is_new or not owned:
            del self.fields["club"]
            return
        field = self.fields["club"]
        assert isinstance(field, forms.ChoiceField)
        everyone = ("", capital(str(_("everyone with an account"))))
        field.choices = [everyone, *((str(club.pk), club.name) for club in owned)]

    def chosen_club(self) -> Club | None:
        """The club that was chosen."""
        return Club.objects.filter(pk=self.cleaned_data.get("club") or 0).first()
