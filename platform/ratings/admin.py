"""Ratings in the admin: to look at. They are changed by matches, or by `services.annul`."""

from __future__ import annotations

from datetime import UTC, date
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings import services
from ratings.models import (
    BotRating,
    LadderSeason,
    RatedMatch,
    Rating,
    RatingChange,
    RatingCorrection,
    RatingPool,
    Recomputation,
    UnratedMatch,
)

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    BaseForm = forms.ModelForm[LadderSeason]
else:
    Base = admin.ModelAdmin
    BaseForm = forms.ModelForm


class ReadOnly(Base):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ("player", "pool", "shown", "matches", "opponents", "last_at")
    list_filter = ("pool",)
    list_select_related = ("player",)
    search_fields = ("player__handle", "player__name")

    @admin.display(ordering="mean", description="rating")
    def shown(self, row: Rating) -> str:
        return f"{row.state.rating:.0f} ({row.state.deviation:.0f})"


@admin.register(BotRating)
class BotRatingAdmin(ReadOnly):
    list_display = ("pool", "level", "shown", "matches", "with_people", "at")
    list_filter = ("pool", "level")

    @admin.display(ordering="mean", description="strength")
    def shown(self, row: BotRating) -> str:
        return f"{row.state.rating:.0f} ({row.state.deviation:.0f})"


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly):
    list_display = ("match_id", "player", "pool", "finished_at", "place", "delta")
    list_filter = ("pool",)
    list_select_related = ("player",)
    search_fields = ("match__match_id", "player__handle")


@admin.register(RatingCorrection)
class RatingCorrectionAdmin(ReadOnly):
    list_display = ("player", "pool", "at", "cause", "delta")
    list_filter = ("pool", "cause")
    list_select_related = ("player",)


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly):
    list_display = ("match_id", "pool", "finished_at", "target", "annulled")
    list_filter = ("pool", "annulled")
    search_fields = ("match_id",)


@admin.register(UnratedMatch)
class UnratedMatchAdmin(ReadOnly):
    list_display = ("match_id", "reason", "by", "created_at")
    list_filter = ("reason",)
    list_select_related = ("by",)
    search_fields = ("match_id",)


@admin.register(RatingPool)
class RatingPoolAdmin(ReadOnly):
    """Superusers alone may have a pool recomputed: it is much work, though it changes no fact."""

    list_display = ("key", "runs", "snapshots_until")
    actions = ("recompute",)

    @admin.action(description=_("Rate the whole pool anew, in the background"))
    def recompute(self, request: HttpRequest, queryset: QuerySet[RatingPool]) -> None:
        for pool in queryset:
            services.ask_to_recompute(pool=pool.key, by=request.user)  # type: ignore[arg-type]
        self.message_user(request, _("The ratings are being recomputed."))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return super().get_actions(request) if request.user.is_superuser else {}


class SeasonForm(BaseForm):
    def clean_ends_on(self) -> date:
        """No day that has been may change its season."""
        chosen: date = self.cleaned_data["ends_on"]
        if chosen < timezone.now().astimezone(UTC).date():
            raise forms.ValidationError(_("This day is over."))
        return chosen


@admin.register(LadderSeason)
class LadderSeasonAdmin(ReadOnly):
    """Superusers alone may name the running season, move its end, or size its divisions."""

    form = SeasonForm
    fields = ("name", "ends_on", "top_division")
    list_display = ("number", "name", "begins_on", "ends_on", "top_division", "closed_at")

    def has_change_permission(self, request: HttpRequest, obj: LadderSeason | None = None) -> bool:
        today = timezone.now().astimezone(UTC).date()
        return bool(request.user.is_superuser) and (obj is None or obj.ends_on >= today)

    def save_model(self, request: HttpRequest, obj: LadderSeason, form: Any, change: bool) -> None:
        services.change_season(
            obj.number, name=obj.name, ends_on=obj.ends_on, top_division=obj.top_division
        )


@admin.register(Recomputation)
class RecomputationAdmin(ReadOnly):
    list_display = ("pool", "cause", "match_id", "asked_by", "asked_at", "state", "done", "total")
    list_filter = ("pool", "state")
    list_select_related = ("asked_by",)
