"""Notices for the site's staff, to be read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from notices.models import Notice


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("player", "kind", "created_at", "read_at", "mailed_at")
    list_filter = ("kind",)
    list_select_related = ("player",)
    search_fields = ("player__handle",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
