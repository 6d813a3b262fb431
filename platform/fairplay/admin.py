"""Cases, reports and decisions for the site's staff, to be read; they decide on the pages."""

from __future__ import annotations

from django.contrib import admin

from fairplay.models import Case, Decision, Report
from ratings.admin import ReadOnly


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
