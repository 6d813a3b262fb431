"""What a caller may do: reading is public, writing needs an account, and a token its scope."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from players.models import PersonalToken

READ = "read"
TOURNAMENTS_WRITE = "tournaments:write"
TABLES_WRITE = "tables:write"
RESULTS_WRITE = "results:write"


class MissingScope(PermissionDenied):
    default_code = "insufficient_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(_("This token lacks the scope “%(scope)s”.") % {"scope": scope})
        self.auth_header = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'


class PublicOrScoped(BasePermission):
    """Reads are open. Anything else: someone signed in, or a token with the view's `scope`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method in SAFE_METHODS:
            return True
        if not request.user or not request.user.is_authenticated:
            return False
        if isinstance(request.auth, PersonalToken) and view.scope not in request.auth.scopes:
            raise MissingScope(view.scope)
        return True
