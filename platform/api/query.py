"""Filters of lists, as the query of an address says them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _
from rest_framework.request import Request

from api.errors import QueryError

_LINE = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,80}")


def choice(request: Request, name: str, choices: Iterable[str]) -> str | None:
    """The parameter's value, None if it isn't there. Raises QueryError for any other value."""
    value = request.query_params.get(name)
    known = sorted(choices)
    if value is not None and value not in known:
        raise QueryError({name: _("This is one of: %(known)s.") % {"known": ", ".join(known)}})
    return value


def line(request: Request, name: str) -> str | None:
    """A short text. Raises QueryError if it is empty, too long, or has control characters."""
    value = request.query_params.get(name)
    if value is not None and not _LINE.fullmatch(value):
        raise QueryError({name: _("This is a text of 1 to 80 characters.")})
    return value
