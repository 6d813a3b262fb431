"""What django-allauth asks the site: how one signs in here, and how mail goes out."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from letters import services as letters
from players import sessions, throttle

# Sentences that say what the next page shows anyway.
SILENT = ("account/messages/logged_in.txt", "account/messages/logged_out.txt")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Mail goes through `letters`; a guest who signs in to an account is not forgotten."""

    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "duplicate_email": gettext_lazy("That is your address already."),
        "email_taken": gettext_lazy("Another account has confirmed that address."),
        "enter_current_password": gettext_lazy("That is not your current password."),
        "incorrect_password": gettext_lazy("That is not your password."),
        "incorrect_code": gettext_lazy("That code is wrong, or was used."),
        "invalid_password_reset": gettext_lazy("This link has been used, or is too old."),
        "too_many_login_attempts": gettext_lazy("Too many attempts. Wait a while, then try again."),
        "rate_limited": gettext_lazy("Too many attempts. Wait a while, then try again."),
        "same_as_current": gettext_lazy("That is the same as until now."),
    }

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        sessions.leave_guest(request)
        super().login(request, user)
        request.session.cycle_key()

    def post_login(
        self, request: HttpRequest, user: AbstractBaseUser, **facts: Any
    ) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **facts)
        if sessions.guest_left(request) is None:
            return response
        onward = urlencode({"next": response["Location"]})
        return redirect(f"{reverse('pages:bring_over')}?{onward}")

    def add_message(self, request: HttpRequest, level: Any, message_template: Any = None,
                    *args: Any, **kwargs: Any) -> None:  # fmt: skip
        if message_template not in SILENT:
            super().add_message(request, level, message_template, *args, **kwargs)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Writes a letter: the request waits for no mail server."""
        facts = {"email": email, "site_url": settings.PUBLIC_URL, **context}
        subject = render_to_string(f"{template_prefix}_subject.txt", facts)
        text = render_to_string(f"{template_prefix}_message.txt", facts)
        letters.write(to=email, subject=subject.strip(), text=text.strip() + "\n")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        words = {
            "reauthenticate": _("Use your password"),
            "mfa_reauthenticate": _("Use a code"),
            "mfa_reauthenticate:webauthn": _("Use a passkey"),
        }
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": words[way["id"]]} for way in methods if way["id"] in words]

    def get_client_ip(self, request: HttpRequest) -> str:
        return throttle.client_address(request) or "127.0.0.1"


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The secrets of authenticator apps are kept encrypted; the key is derived from the site's."""

    error_messages: ClassVar[dict[str, Any]] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("That code is wrong, or was used."),
    }

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def get_totp_issuer(self) -> str:
        return "Muggins"

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.handle)

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        return _("Passkey %(number)d") % {"number": user.authenticator_set.count() + 1}


def _cipher() -> Fernet:
    master: bytes = settings.MUGGINS_MASTER_KEYS[settings.MUGGINS_MASTER_KEY_ID]
    return Fernet(base64.urlsafe_b64encode(hmac.digest(master, b"second factor", hashlib.sha256)))
