"""JSON bodies: of limited size, and of text that a database can keep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from api.errors import TooLarge

MAX_BYTES = 256 * 1024


class StrictJSONParser(BaseParser):
    """As the standard says: no NaN, no name twice, UTF-8 without lone surrogates or NUL."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise TooLarge(_("The body is larger than %(limit)d bytes.") % {"limit": MAX_BYTES})
        try:
            value = json.loads(
                body.decode(), parse_constant=_no_constant, object_pairs_hook=_object
            )
            json.dumps(value, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError(_("The body is nested too deeply.")) from error
        except ValueError as error:
            raise ParseError(_("The body is no JSON: %(why)s") % {"why": error}) from error
        if b"\\u0000" in body or b"\x00" in body:
            raise ParseError(_("Text can't hold the character NUL."))
        return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("an object has the same name twice")
    return value
