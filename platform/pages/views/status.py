"""Whether the site is well, for people and for what watches over it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pages import status as state
from pages.status import Part


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """503 while the database or the channel layer does not answer."""
    return _json(state.ready())


@never_cache
@require_safe
def status_json(request: HttpRequest) -> HttpResponse:
    return _json(state.parts())


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    parts = state.parts()
    context = {"parts": parts, "well": all(p.well for p in parts), "version": _version()}
    return render(request, "pages/status.html", context)


def _json(parts: list[Part]) -> JsonResponse:
    well = all(part.well for part in parts)
    body = {
        "well": well,
        "version": _version(),
        "parts": {part.key: {"well": part.well, "seconds": part.seconds} for part in parts},
    }
    return JsonResponse(body, status=200 if well else 503)


def _version() -> str:
    try:
        return version("muggins")
    except PackageNotFoundError:
        return ""
