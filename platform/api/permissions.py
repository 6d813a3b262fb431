"""What a caller may do: reading is public, writing needs an account, and a token its scope."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from players.models import PersonalToken


class MissingScope(PermissionDenied):
    default_code = "insufficient_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(_("This token lacks the scope “%(scope)s”.") % {"scope": scope})
        self.auth_header = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'


class AccountNeeded(PermissionDenied):
    default_code = "account_needed"
    default_detail = gettext_lazy("Only players with an account can do that.")


class PublicOrScoped(BasePermission):
    """Reads are open, but for those of views that are `private`: someone signed in, or any token.
    Anything else: someone signed in, or a token with the view's `scope`.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if not _is_offered(request, view):
            return True
        if request.method in SAFE_METHODS:
            return not view.private or bool(request.user and request.user.is_authenticated)
        if not request.user or not request.user.is_authenticated:
            return False
        if isinstance(request.auth, PersonalToken) and view.scope not in request.auth.scopes:
            raise MissingScope(view.scope)
        return True


def _is_offered(request: Request, view: Any) -> bool:
    """Whether the view has this method at all; if not, that is what it answers (405)."""
    return hasattr(view, str(request.method).lower())
