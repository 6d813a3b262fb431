"""What was done to an event: read in words, and taken along as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pages import behind
from tournaments import audit
from tournaments.models import AuditLine

A_PAGE = 50
MOST = 20_000
COLUMNS = ("at", "by", "name", "kind", "action", "text", "reason", "facts")


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        event, viewer = behind.open_for(request, slug, "look")
    except behind.NotSignedIn as nobody:
        return nobody.response
    kind = request.GET.get("kind", "")
    by = request.GET.get("by", "")
    if kind not in audit.KINDS:
        kind = ""
    page = Paginator(audit.lines(event, kind=kind, by=by), A_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "pages/behind/log.html",
        {
            "event": event,
            "places": behind.links(event, viewer, "pages:log"),
            "page": page,
            "lines": [_shown(line) for line in page],
            "kinds": audit.KINDS.items(),
            "authors": audit.authors(event),
            "kind": kind,
            "by": by,
        },
    )


@never_cache
@require_safe
def download(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """The whole log, the first line first; as long as it may be, the newest are left out."""
    try:
        event, _viewer = behind.open_for(request, slug, "look")
    except behind.NotSignedIn as nobody:
        return nobody.response
    rows = [_plain(line) for line in audit.lines(event, newest_first=False)[:MOST]]
    name = f"{event.slug}-log.{form}"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    if form == "json":
        return JsonResponse({"tournament": event.slug, "lines": rows}, headers=disposition)
    if form != "csv":
        raise Http404
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        facts = json.dumps(row["facts"], ensure_ascii=False)
        writer.writerow([_cell(facts if key == "facts" else row[key]) for key in COLUMNS])
    return HttpResponse(
        "\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8", headers=disposition
    )


def _cell(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula (cases.md Z5)."""
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _shown(line: AuditLine) -> dict[str, Any]:
    return {
        "line": line,
        "text": audit.sentence(line),
        "kind": audit.KINDS[audit.kind_of(line.action)],
        "match": line.facts.get("match"),
        "stage": line.facts.get("stage"),
        "handle": line.facts.get("handle"),
    }


def _plain(line: AuditLine) -> dict[str, Any]:
    return {
        "at": line.at.isoformat(),
        "by": None if line.by is None or line.by.is_guest else line.by.handle,
        "name": None if line.by is None else line.by.name,
        "kind": audit.kind_of(line.action),
        "action": line.action,
        "text": audit.sentence(line),
        "reason": line.reason,
        "facts": line.facts,
    }
