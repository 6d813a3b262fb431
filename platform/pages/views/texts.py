"""Pages that only say something."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pages import words


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    games = [(words.PRESETS[key], words.ABOUT[key]) for key in words.PRESETS]
    return render(request, "pages/rules.html", {"games": games})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/about.html")
