"""Players and their tokens, for the site's staff."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players import names
from players.models import PersonalToken, Player


class PlayerCreationForm(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = Player
        fields = ("handle", "name")


@admin.register(Player)
class PlayerAdmin(UserAdmin):  # type: ignore[type-arg]
    add_form = PlayerCreationForm
    ordering = ("-created_at",)
    list_display = ("handle", "name", "is_guest", "bot_level", "is_staff", "created_at")
    list_filter = ("is_guest", "bot_level", "is_staff", "is_active")
    search_fields = ("handle", "name", "email")
    readonly_fields = ("created_at", "last_login")
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("handle", "name", "email", "password")}),
        (_("Kind"), {"fields": ("is_guest", "bot_level", "country", "theme", "language")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        (_("Dates"), {"fields": ("created_at", "last_login")}),
    )
    add_fieldsets = (
        (None, {"fields": ("handle", "name", "usable_password", "password1", "password2")}),
    )

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        obj.name_key = None if obj.is_guest else names.skeleton(obj.name)
        super().save_model(request, obj, form, change)


@admin.register(PersonalToken)
class PersonalTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Tokens can be seen and revoked here, never made: their text would be lost."""

    list_display = ("prefix", "name", "player", "created_at", "last_used", "expires")
    search_fields = ("name", "player__handle")
    raw_id_fields = ("player",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
