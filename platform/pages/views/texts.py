"""Pages that only say something."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pages import rule_pages

LICENCE = settings.BASE_DIR / "LICENSE"


@require_safe
def rules(request: HttpRequest, slug: str = "all-fives") -> HttpResponse:
    if slug not in rule_pages.TABS:
        raise Http404
    return render(request, "pages/rules/page.html", rule_pages.context(slug, request.GET))


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/about.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/statement_privacy.html")


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/statement_accessibility.html")


@require_safe
def licence(request: HttpRequest) -> HttpResponse:
    text = LICENCE.read_text(encoding="utf-8") if LICENCE.exists() else ""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    return render(request, "pages/statement_licence.html", {"paragraphs": paragraphs})
