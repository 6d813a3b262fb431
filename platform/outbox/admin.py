"""The post, to be read; the one thing a person may do is to try dead deliveries again."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from outbox import services
from outbox.models import Delivery


@admin.register(Delivery)
class DeliveryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("message", "subscriber", "attempts", "next_try_at", "done_at", "dead_at")
    list_filter = (
        "message__kind",
        ("dead_at", admin.EmptyFieldListFilter),
        ("done_at", admin.EmptyFieldListFilter),
    )
    list_select_related = ("message",)
    search_fields = ("message__key",)
    actions = ("try_again",)

    @admin.action(description=_("Try again what was given up"), permissions=["view"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> None:
        count = services.revive(ids=queryset.values_list("pk", flat=True))
        text = ngettext("%(count)d delivery is due again.", "%(count)d are due again.", count)
        self.message_user(request, text % {"count": count}, messages.SUCCESS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
