"""The OpenAPI description: what all operations have in common is added here, once."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from api.errors import CONTENT_TYPE
from api.idempotency import HEADER

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "Why a request was refused (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["detail", "code"],
                "properties": {
                    "pointer": {"type": "string", "description": "Into the body (RFC 6901)."},
                    "parameter": {"type": "string", "description": "Of the address."},
                    "header": {"type": "string"},
                    "detail": {"type": "string"},
                    "code": {"type": "string"},
                },
            },
        },
    },
}


class ApiSchema(AutoSchema):
    """Reads need nothing; writes a session, or a token with the view's scope."""

    def get_auth(self) -> list[dict[str, list[str]]]:
        if self.method in ("GET", "HEAD"):
            if getattr(self.view, "private", False):
                return [{"token": []}, {"session": []}]
            return [{"token": []}, {"session": []}, {}]
        return [{"token": [getattr(self.view, "scope", "")]}, {"session": []}]

    def get_description(self) -> str:  # type: ignore[override]
        """What a view's docstring says is for its readers; summaries are for the API's."""
        return ""

    def get_override_parameters(self) -> list[Any]:
        if self.method != "POST":
            return []
        about = _("Your own name for this request. Sent again with it, it is done once.")
        key = OpenApiParameter(
            HEADER,
            {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
            OpenApiParameter.HEADER,
            description=str(about),
        )
        return [key]


def complete(result: dict[str, Any], **_facts: Any) -> dict[str, Any]:
    """Adds the refusals, which are the same everywhere, and closes what takes no more fields."""
    schemas = result["components"]["schemas"]
    for name, schema in schemas.items():
        if name.endswith("Input"):
            schema["additionalProperties"] = False
    schemas["Problem"] = PROBLEM
    refusal = {
        "description": "A refusal.",
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"]["default"] = refusal
    return result
