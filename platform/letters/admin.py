"""Letters for the site's staff: whether they went out, never what they say."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from letters.models import Letter


@admin.register(Letter)
class LetterAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("to", "subject", "created_at", "attempts", "sent_at", "dead_at")
    list_filter = ("sent_at", "dead_at")
    search_fields = ("to", "subject")
    fields = readonly_fields = (
        "to", "subject", "created_at", "due_at", "attempts", "sent_at", "dead_at", "error",
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
