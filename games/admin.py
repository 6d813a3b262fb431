"""Matches for those who look after the site. No deal has a page: nobody sees a hidden tile."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from games.models import Match, MatchEvent, Seat


class _LookOnly:
    """Matches change by services alone, so that the log stays the truth."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class SeatInline(_LookOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    fields = [
        "index", "name", "player", "bot_level", "sat_at", "bank_ms", "timeouts", "away_since",
        "seen_at",
    ]  # fmt: skip
    extra = 0


@admin.register(Match)
class MatchAdmin(_LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["id", "game", "seats", "status", "phase", "seq", "created_at"]
    list_filter = ["status", "game", "seats", "rated"]
    search_fields = ["id", "seat__name"]
    date_hierarchy = "created_at"
    inlines = [SeatInline]


@admin.register(MatchEvent)
class MatchEventAdmin(_LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["match", "seq", "kind", "actor", "at"]
    list_filter = ["kind"]
    search_fields = ["match__id"]
    ordering = ["-at"]
    list_select_related = ["match"]
