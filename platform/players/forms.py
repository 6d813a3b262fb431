"""Sign in, sign up, settings and tokens, with each error beside its field."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players import countries, names, tokens, zone_names
from players.erasure import ErasureRefused
from players.models import Player
from players.names import NameRefused

REFUSALS = {
    "empty": _("Enter a name with at least one letter."),
    "no_letter": _("Enter a name with at least one letter."),
    "too_long": _("Use at most 20 characters."),
    "too_many_marks": _("Too many accents are piled on one letter."),
    "mixed_scripts": _("Write the name in one script: this one mixes look-alike letters."),
    "reserved": _("That name is kept for the site itself."),
    "bad_handle": _("Use 3 to 20 letters a–z and digits, with single dashes inside if you like."),
    "handle_taken": _("That sign-in name is taken."),
    "name_taken": _("That name is taken, or looks like one that is."),
    "bot": _("A bot keeps its name."),
}


def sentence_for(refused: NameRefused) -> str:
    """What to tell the person who chose the name."""
    return str(REFUSALS.get(refused.code, refused.detail))


def _checked(check: Any, text: str) -> str:
    try:
        return str(check(text))
    except NameRefused as refused:
        raise ValidationError(sentence_for(refused), code=refused.code) from refused


class SignInForm(forms.Form):
    handle = forms.CharField(
        label=_("Sign-in name or e-mail"),
        max_length=254,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "username webauthn",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class SignUpForm(forms.Form):
    name = forms.CharField(
        label=_("Name at the table"),
        help_text=_("What others see. Up to 20 characters, any one script."),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    handle = forms.CharField(
        label=_("Sign-in name"),
        help_text=_("For signing in and for your page's address: a–z and digits."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    password = forms.CharField(
        label=_("Password"),
        help_text=_("At least 8 characters."),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        help_text=_("Optional: for a forgotten password, and for news. Shown to nobody."),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def clean_name(self) -> str:
        return _checked(names.clean_name, self.cleaned_data["name"])

    def clean_handle(self) -> str:
        return _checked(names.clean_handle, self.cleaned_data["handle"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if password := cleaned.get("password"):
            person = Player(handle=cleaned.get("handle", ""), email=cleaned.get("email", ""))
            try:
                validate_password(password, person)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def refuse(self, refused: NameRefused) -> None:
        """Puts what the service refused beside its field."""
        field = "handle" if refused.code in ("bad_handle", "handle_taken") else "name"
        self.add_error(field, sentence_for(refused))


class ProfileForm(forms.Form):
    """Who one is; guests have a name only. A handle left empty stays as it is."""

    name = SignUpForm.base_fields["name"]
    handle = forms.CharField(
        label=_("Sign-in name"),
        help_text=_("Your page's address changes with it; old links lead nowhere then."),
        required=False,
        max_length=40,
        widget=SignUpForm.base_fields["handle"].widget,
    )
    country = forms.ChoiceField(
        label=_("Country"),
        choices=lambda: [("", _("Not given")), *countries.names().items()],
        required=False,
        widget=forms.Select(attrs={"data-countries": ""}),
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        facts = {"name": player.name, "handle": player.handle, "country": player.country}
        super().__init__(*args, **{"initial": facts, **kwargs})
        if player.is_guest:
            del self.fields["handle"], self.fields["country"]

    def clean_name(self) -> str:
        return _checked(names.clean_name, self.cleaned_data["name"])

    def clean_handle(self) -> str:
        given = self.cleaned_data["handle"]
        return _checked(names.clean_handle, given) if given else ""

    def refuse(self, refused: NameRefused) -> None:
        field = "handle" if refused.code in ("bad_handle", "handle_taken") else "name"
        self.add_error(field, sentence_for(refused))


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(
        label=_("Colours"),
        choices=Player.Theme.choices,
        required=False,
        widget=forms.RadioSelect,
    )


class LanguageForm(forms.Form):
    language = forms.ChoiceField(
        label=_("Language"), choices=lambda: settings.LANGUAGES, widget=forms.RadioSelect
    )


class ZoneForm(forms.Form):
    zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_("Events show the times of their own place."),
        choices=lambda: [("", _("As the browser is set")), *zone_names.by_region()],
        required=False,
    )


class InvitesForm(forms.Form):
    invites = forms.ChoiceField(
        label=_("Who may ask me to be their partner?"),
        choices=Player.Invites.choices,
        widget=forms.RadioSelect,
    )


class ErasureForm(forms.Form):
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if player.is_guest:
            del self.fields["password"]

    def refuse(self, refused: ErasureRefused) -> None:
        """Puts what the service refused where it belongs."""
        if refused.code == "wrong_password":
            self.add_error("password", _("That is not your password."))
        else:
            text = _("You are the only owner of “%(club)s”: make somebody else one first.")
            self.add_error(None, text % {"club": refused.clubs[0].name})


class TokenForm(forms.Form):
    LIFETIMES = (
        ("30", _("30 days")),
        ("90", _("90 days")),
        ("365", _("One year")),
        ("", _("Until revoked")),
    )
    name = forms.CharField(
        label=_("What is it for?"), max_length=60, help_text=_("Such as “club results script”.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"),
        choices=tuple(tokens.SCOPES.items()),
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
    )
    lifetime = forms.ChoiceField(
        label=_("How long?"), choices=LIFETIMES, initial="90", required=False
    )

    def expires(self) -> Any:
        """The moment the token ends, or None."""
        days = self.cleaned_data["lifetime"]
        return timezone.now() + timedelta(days=int(days)) if days else None
