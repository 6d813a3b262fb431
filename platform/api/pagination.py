"""Pages: ``{"next", "previous", "results"}``, by cursors that stay right while rows come in."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import DataError
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import BasePagination, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from api.errors import QueryError

LIMIT = 50
MAX_LIMIT = 100
_CURSOR = re.compile(r"[A-Za-z0-9+/_-]{1,400}={0,2}")
PARAMETERS = frozenset({"cursor", "limit"})


def limit_of(request: Request) -> int:
    """The number of rows asked for, 1 to 100. Raises QueryError."""
    text = request.query_params.get("limit")
    if text is None:
        return LIMIT
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MAX_LIMIT):
        raise QueryError({"limit": _("This is a number from 1 to %(most)d.") % {"most": MAX_LIMIT}})
    return int(text)


def wrong_cursor() -> QueryError:
    return QueryError({"cursor": _("This cursor comes from nowhere; begin without one.")})


def _page_schema(schema: dict[str, Any]) -> dict[str, Any]:
    link = {"type": "string", "format": "uri", "nullable": True}
    return {
        "type": "object",
        "required": ["next", "previous", "results"],
        "properties": {"next": link, "previous": dict(link), "results": schema},
    }


def _parameters() -> list[dict[str, Any]]:
    return [
        {
            "name": "cursor",
            "in": "query",
            "required": False,
            "description": _("Where the page begins: taken from “next” or “previous”."),
            "schema": {"type": "string"},
        },
        {
            "name": "limit",
            "in": "query",
            "required": False,
            "description": _("Rows in a page."),
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": LIMIT},
        },
    ]


class Pages(CursorPagination):
    """Rows of a query, by their own order; views set `ordering`, whose last key is unique."""

    page_size = LIMIT
    page_size_query_param = "limit"
    max_page_size = MAX_LIMIT

    def get_page_size(self, request: Request) -> int:
        return limit_of(request)

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(view.ordering)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, TypeError, OverflowError, DjangoValidationError, DataError) as error:
            raise wrong_cursor() from error

    def decode_cursor(self, request: Request) -> Any:
        cursor = request.query_params.get(self.cursor_query_param)
        if cursor is not None and not _CURSOR.fullmatch(cursor):
            raise wrong_cursor()
        try:
            return super().decode_cursor(request)
        except (NotFound, ValueError) as error:
            raise wrong_cursor() from error

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return _page_schema(schema)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return _parameters()


class OffsetPages(BasePagination):
    """Rows of a list that is ranked as a whole: the cursor hides where the page begins."""

    MOST = 1_000_000

    request: Request
    offset: int
    limit: int

    def begin(self, request: Request) -> tuple[int, int]:
        """Where the page begins, and how long it is. Raises QueryError."""
        self.request, self.limit, self.offset = request, limit_of(request), 0
        cursor = request.query_params.get("cursor")
        if cursor is not None:
            self.offset = _offset(cursor, self.MOST)
        return self.offset, self.limit

    def answer(self, results: Sequence[Any], *, more: bool) -> Response:
        """The page's answer; `more` if there are rows after it."""
        before = max(0, self.offset - self.limit)
        return Response(
            {
                "next": self._link(self.offset + self.limit) if more else None,
                "previous": self._link(before) if self.offset else None,
                "results": results,
            }
        )

    def _link(self, offset: int) -> str:
        url = self.request.build_absolute_uri()
        if not offset:
            return str(remove_query_param(url, "cursor"))
        return str(replace_query_param(url, "cursor", _cursor(offset)))

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return _page_schema(schema)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return _parameters()


def _cursor(offset: int) -> str:
    return urlsafe_b64encode(f"o={offset}".encode()).decode().rstrip("=")


def _offset(cursor: str, most: int) -> int:
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError as error:
        raise wrong_cursor() from error
    digits = text.removeprefix("o=")
    if text == digits or not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise wrong_cursor()
    return min(int(digits), most)
