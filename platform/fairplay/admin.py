"""Cases, reports and decisions for the site's staff, to be read; they decide on the pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from fairplay.models import Case, Decision, Report


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Case)
class CaseAdmin(ReadOnly):
    list_display = ("kind", "subject", "state", "opened_at", "decided_at")
    list_filter = ("kind", "state")
    search_fields = ("players__handle",)


@admin.register(Report)
class ReportAdmin(ReadOnly):
    list_display = ("reporter", "subject", "reason", "at", "decided_at")
    list_filter = ("reason",)
    list_select_related = ("reporter", "subject")


@admin.register(Decision)
class DecisionAdmin(ReadOnly):
    list_display = ("at", "by", "action", "player", "case", "reason")
    list_filter = ("action",)
    list_select_related = ("by", "player", "case")
    search_fields = ("player__handle", "by__handle")
