"""Events, to be looked at. Everything that changes one is a service; nothing is edited here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from tournaments.models import Entrant, Game, Pairing, Result, Tournament


class ReadOnly:
    """No adding, changing or deleting: rows edited by hand would not follow from the results."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class EntrantInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Entrant
    ordering = ("seed", "pk")


class GameInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Game


class ResultInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Result


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "status", "organiser", "taken", "capacity", "created_at")
    list_filter = ("status", "game", "format")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    inlines = (EntrantInline,)


@admin.register(Pairing)
class PairingAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("stage", "number", "round", "status")
    list_filter = ("status",)
    list_select_related = ("stage", "round")
    search_fields = ("games__match_id", "stage__tournament__name")
    inlines = (ResultInline, GameInline)
