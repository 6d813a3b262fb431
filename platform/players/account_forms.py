"""django-allauth's forms in the site's words, without text inside the fields."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = dict[str, str | Promise]


class InOurWords:
    """Sets the labels and help of fields that allauth makes itself."""

    LABELS: ClassVar[Words] = {}
    HELP: ClassVar[Words] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields  # type: ignore[attr-defined]
        for name, field in fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.LABELS.get(name, field.label)
            field.help_text = self.HELP.get(name, "")


class AddEmail(InOurWords, account.AddEmailForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"email": _("E-mail")}


class ChangePassword(InOurWords, account.ChangePasswordForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("Repeat the new password"),
    }
    HELP: ClassVar[Words] = {"password1": _("At least 8 characters.")}


class SetPassword(InOurWords, account.SetPasswordForm):  # type: ignore[misc]
    LABELS, HELP = ChangePassword.LABELS, ChangePassword.HELP


class ResetPassword(InOurWords, account.ResetPasswordForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"email": _("E-mail")}


class ResetPasswordKey(InOurWords, account.ResetPasswordKeyForm):  # type: ignore[misc]
    LABELS, HELP = ChangePassword.LABELS, ChangePassword.HELP


class Reauthenticate(InOurWords, account.ReauthenticateForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"password": _("Password")}


class Code(InOurWords, mfa.AuthenticateForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"code": _("Code")}


class CodeAgain(InOurWords, mfa.ReauthenticateForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"code": _("Code")}


class ActivateTotp(InOurWords, totp.ActivateTOTPForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"code": _("Code that the app shows")}


class AddPasskey(InOurWords, webauthn.AddWebAuthnForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"name": _("Name of the passkey")}
    HELP: ClassVar[Words] = {"name": _("Such as “phone”, to know it by.")}


class EditPasskey(InOurWords, webauthn.EditWebAuthnForm):  # type: ignore[misc]
    LABELS: ClassVar[Words] = {"name": _("Name of the passkey")}
