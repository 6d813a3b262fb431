"""Who helps to run an event: the list, invitation links, and the page that a link opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pages import behind, qr
from players import alphabet, sessions
from players.models import Player
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Invitation, Official, Role, Tournament
from tournaments.permissions import OPEN_TO_GUESTS, RANKS, may, may_change, may_give, rights_of

LASTS = (
    (24, gettext_lazy("One day")),
    (72, gettext_lazy("Three days")),
    (168, gettext_lazy("A week")),
    (720, gettext_lazy("30 days")),
)
DUTIES = {
    Role.CHIEF: gettext_lazy("runs all of the tournament, its settings and officials included"),
    Role.ARBITER: gettext_lazy("pairs rounds, enters and corrects results, decides"),
    Role.SCORER: gettext_lazy("enters the results of tables"),
    Role.DESK: gettext_lazy("checks people in, enters them and takes them out"),
    Role.DISPLAY: gettext_lazy("shows the tournament on a screen, also before it is announced"),
}


class TablesField(forms.CharField):
    """Numbers of tables as people write them: ``1, 2, 5-8``."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        numbers: set[int] = set()
        for part in str(text or "").replace(",", " ").replace("–", "-").split():
            low, dash, high = part.partition("-")
            ends = [low, high if dash else low]
            if not all(end.isascii() and end.isdigit() and len(end) <= 4 for end in ends):
                raise forms.ValidationError(_("Write numbers, such as 1, 2, 5-8."))
            numbers.update(range(int(ends[0]), int(ends[1]) + 1))
            if len(numbers) > 200:
                raise forms.ValidationError(_("That is more than 200 tables."))
        return sorted(numbers)


class InvitationForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.ARBITER)
    tables = TablesField(
        label=gettext_lazy("Tables, for a scorer"),
        help_text=gettext_lazy("For example 1, 2, 5-8; empty for all."),
        required=False,
        max_length=200,
    )
    hours = forms.TypedChoiceField(
        label=gettext_lazy("The link works for"), choices=LASTS, coerce=int, initial=72
    )
    uses = forms.IntegerField(
        label=gettext_lazy("How many people may use it"), min_value=1, max_value=100, initial=1
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)
    tables = TablesField(label=gettext_lazy("Tables, for a scorer"), required=False, max_length=200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def officials(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        event, viewer = behind.open_for(request, slug, "settings")
    except behind.NotSignedIn as nobody:
        return nobody.response
    form = InvitationForm(request.POST if request.POST.get("deed") == "invite" else None)
    made = ""
    if request.method == "POST":
        try:
            if request.POST.get("deed") != "invite":
                _DEEDS[request.POST.get("deed", "")](request, event, viewer)
                return redirect("pages:officials", event.slug)
            if form.is_valid():
                wanted = dict(form.cleaned_data)
                _row, key = services.invite(tournament_id=event.pk, by=viewer, **wanted)
                made = request.build_absolute_uri(reverse("pages:invited", args=[key]))
                form = InvitationForm()
        except TournamentError as refused:
            messages.error(request, str(refused))
        except (KeyError, forms.ValidationError):
            messages.error(request, _("That could not be done. Look at what was typed."))
    return render(request, "pages/behind/officials.html", _context(event, viewer, form, made))


def _context(event: Tournament, viewer: Player, form: InvitationForm, made: str) -> dict[str, Any]:
    rows = sorted(
        Official.objects.filter(tournament=event).select_related("player"),
        key=lambda row: (RANKS.index(Role(row.role)), alphabet.key(row.player.name)),
    )
    choices = [(role, label) for role, label in Role.choices if may_give(event, viewer, role)]
    form.fields["role"].choices = choices  # type: ignore[attr-defined]
    return {
        "event": event,
        "places": behind.links(event, viewer, "pages:officials"),
        "officials": [
            {
                "row": row,
                "form": _role_form(row, choices) if may_change(event, viewer, row) else None,
                "is_me": row.player_id == viewer.pk,
            }
            for row in rows
        ],
        "invitations": Invitation.objects.filter(
            tournament=event, left__gte=1, expires_at__gt=timezone.now()
        ).select_related("by"),
        "heirs": [row for row in rows if not row.player.is_guest]
        if "own" in rights_of(event, viewer)
        else [],
        "duties": [(label, DUTIES[Role(role)]) for role, label in choices],
        "form": form,
        "made": made,
        "code": qr.svg(made) if made else "",
    }


def _role_form(row: Official, choices: list[tuple[str, Any]]) -> RoleForm:
    initial = {"role": row.role, "tables": ", ".join(str(n) for n in row.tables)}
    form = RoleForm(initial=initial, auto_id=f"id_{row.pk}_%s")
    form.fields["role"].choices = choices  # type: ignore[attr-defined]
    return form


def _player(request: HttpRequest, event: Tournament) -> Player:
    """The official that a button names."""
    pk = request.POST.get("official", "")
    found = Official.objects.filter(tournament=event, pk=int(pk) if pk.isdecimal() else 0)
    row = found.select_related("player").first()
    if row is None:
        raise TournamentError("no_official")
    return row.player


def _change(request: HttpRequest, event: Tournament, by: Player) -> None:
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise TournamentError("bad_tables")
    role = form.cleaned_data["role"]
    tables = form.cleaned_data["tables"] if role == Role.SCORER else []
    player = _player(request, event)
    services.change_official(tournament_id=event.pk, by=by, player=player, role=role, tables=tables)
    messages.success(request, _("The role of %(name)s is saved.") % {"name": player.name})


def _remove(request: HttpRequest, event: Tournament, by: Player) -> None:
    player = _player(request, event)
    services.remove_official(tournament_id=event.pk, by=by, player=player)
    messages.success(request, _("%(name)s has no role any more.") % {"name": player.name})


def _revoke(request: HttpRequest, event: Tournament, by: Player) -> None:
    pk = request.POST.get("invitation", "")
    services.revoke_invitation(
        tournament_id=event.pk, by=by, invitation_id=int(pk) if pk.isdecimal() else 0
    )
    messages.success(request, _("The link is worth nothing any more."))


def _hand_over(request: HttpRequest, event: Tournament, by: Player) -> None:
    player = _player(request, event)
    services.hand_over(tournament_id=event.pk, by=by, to=player)
    messages.success(
        request,
        _("%(name)s owns the tournament now; you are its chief arbiter.") % {"name": player.name},
    )


_DEEDS: dict[str, Callable[[HttpRequest, Tournament, Player], None]] = {
    "change": _change,
    "remove": _remove,
    "revoke": _revoke,
    "hand_over": _hand_over,
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, key: str) -> HttpResponse:
    """The page behind a link: what is offered, and one button to take it."""
    viewer = sessions.player_of(request)
    try:
        invitation = services.invitation_of(key)
        if request.method == "POST":
            return _accepted(request, invitation, key)
    except TournamentError as refused:
        code = {"no_invitation": 404, "invitation_over": 410}.get(refused.code, 403)
        return render(request, "pages/behind/invited.html", {"refused": refused}, status=code)
    role = Role(invitation.role)
    open_to_guests = role in OPEN_TO_GUESTS
    return render(
        request,
        "pages/behind/invited.html",
        {
            "event": invitation.tournament,
            "invitation": invitation,
            "duty": DUTIES[role],
            "open_to_guests": open_to_guests,
            "may_accept": viewer is not None and (open_to_guests or not viewer.is_guest),
            "next": request.path,
        },
    )


def _accepted(request: HttpRequest, invitation: Invitation, key: str) -> HttpResponse:
    viewer = sessions.player_of(request)
    if viewer is None:
        if invitation.role not in OPEN_TO_GUESTS:
            raise TournamentError("account_needed")
        viewer = sessions.current_or_guest(request)
    official = services.accept(key=key, player=viewer)
    said = _("You are in: %(role)s of %(event)s.")
    facts = {"role": official.get_role_display(), "event": invitation.tournament.name}
    messages.success(request, said % facts)
    if may(invitation.tournament, viewer, "look"):
        return redirect("pages:desk", invitation.tournament.slug)
    return redirect(invitation.tournament)
