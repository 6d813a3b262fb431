"""Every refusal as a problem details object (RFC 9457), whatever refused.

``{"type", "title", "status", "detail", "code"}``, and for input that is wrong ``"errors"``: a list
of ``{"detail", "code"}`` with a ``"pointer"`` into the body (RFC 6901), the ``"parameter"`` or the
``"header"``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from engine.errors import EngineError
from games.errors import GameError
from games.errors import shown as shown_by_table
from tournaments.errors import TournamentError

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"

FORBIDDEN = {
    "not_host",
    "not_seated",
    "not_allowed",
    "role_above",
    "not_yours",
    "members_only",
    "no_account",
    "no_link",
    "not_member",
}
WRONG = {
    "no_such_bot",
    "no_reason",
    "no_such_time",
    "time_twice",
    "closes_late",
    "no_start",
    "no_club",
    "no_stakes",
    "no_such_queue",
}
NOT_FOUND = {
    "not_found",
    "no_pairing",
    "no_entrant",
    "no_official",
    "no_invitation",
    "no_challenge",
}


class QueryError(exceptions.ValidationError):
    """Parameters of the address that are wrong: ``QueryError({"limit": "…"})``."""


class HeaderError(exceptions.ValidationError):
    """Headers that are wrong."""


class TooLarge(exceptions.APIException):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class Unprocessable(exceptions.APIException):
    status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "unprocessable"


_PLACES = {QueryError: "parameter", HeaderError: "header"}


def problem_details(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: the answer for any exception that a view raises."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, GameError | EngineError | TournamentError):
        return _refusal(error)
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    if isinstance(error, exceptions.APIException):
        return _api_error(error)
    return _broken(error, context)


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> Response:
    """The answer itself."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
        **more,
    }
    return Response(body, status=status, headers=headers, content_type=CONTENT_TYPE)


def status_of(code: str) -> int:
    """The status for a refusal of a table or a tournament: mostly "not as things stand"."""
    if code in NOT_FOUND:
        return HTTPStatus.NOT_FOUND
    if code in FORBIDDEN:
        return HTTPStatus.FORBIDDEN
    if code.startswith("bad_") or code in WRONG:
        return HTTPStatus.BAD_REQUEST
    return HTTPStatus.CONFLICT


def _refusal(error: GameError | EngineError | TournamentError) -> Response:
    status = status_of(error.code)
    detail = str(error) if isinstance(error, TournamentError) else shown_by_table(error)
    if isinstance(error, EngineError) and error.code.startswith("bad_"):
        detail = error.detail
    more: dict[str, Any] = {}
    if status == HTTPStatus.BAD_REQUEST and (pointer := _pointer(error)):
        more["errors"] = [{"pointer": pointer, "detail": detail, "code": error.code}]
    return problem(status, error.code, detail, **more)


def _pointer(error: GameError | EngineError | TournamentError) -> str:
    """Where in the body the wrong setting is; of a rule set the rule."""
    key = getattr(error, "key", None) or error.facts.get("key")
    if not key:
        return ""
    inside = error.code == "bad_rules" and key != "rules"
    return ("/rules/" if inside else "/") + _escaped(str(key))


def _invalid(error: exceptions.ValidationError) -> Response:
    place = _PLACES.get(type(error), "pointer")
    errors = list(_flat(error.detail, "", place))
    return problem(
        HTTPStatus.BAD_REQUEST,
        "invalid",
        _("The request is not valid: see “errors”."),
        errors=errors,
    )


def _flat(detail: Any, path: str, place: str) -> Iterator[dict[str, str]]:
    """DRF's nested details, one by one, each with where it is."""
    if isinstance(detail, exceptions.ErrorDetail):
        where = path if place == "pointer" else path.removeprefix("/")
        yield {place: where, "detail": str(detail), "code": str(detail.code)}
    elif isinstance(detail, dict):
        for key, value in detail.items():
            step = "" if key == "non_field_errors" else "/" + _escaped(str(key))
            yield from _flat(value, path + step, place)
    else:
        for index, value in enumerate(detail):
            leaf = isinstance(value, exceptions.ErrorDetail)
            yield from _flat(value, path if leaf else f"{path}/{index}", place)


def _escaped(key: str) -> str:
    """A key as a step of a JSON Pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def _api_error(error: exceptions.APIException) -> Response:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait)))
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else "error"
    return problem(error.status_code, code, str(error.detail), headers=headers)


def _broken(error: Exception, context: dict[str, Any]) -> Response | None:
    """A fault of ours: logged and reported as Django does, answered as a problem."""
    if settings.DEBUG:
        return None
    request = context["request"]
    logger.error("%s %s", request.method, request.path, exc_info=error)
    got_request_exception.send(sender=problem_details, request=request._request)
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "error",
        _("Something went wrong on our side. It has been noted."),
    )
