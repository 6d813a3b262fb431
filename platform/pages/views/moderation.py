"""Moderators: the queue of cases, a case, and a player; and players who report one another."""

from __future__ import annotations

from functools import wraps
from typing import Any, ParamSpec, Protocol, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from fairplay import reporting, services
from fairplay.models import Case, Decision
from fairplay.reporting import ReportRefused
from fairplay.services import DecisionRefused
from games.models import Match
from pages import moderating
from pages.forms.moderating import OF_A_CASE, DecideForm, ReportForm
from players import sessions
from players.models import Player
from players.names import NameRefused

ON_A_PAGE = 30
Action = Decision.Action
P = ParamSpec("P")


class View(Protocol[P]):
    def __call__(
        self, request: HttpRequest, staff: Player, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse: ...


def for_staff(view: View[P]) -> Any:
    """The view for the site's staff, who are its second argument; for nobody else."""

    @never_cache
    @wraps(cast("Any", view))
    def checked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        staff = sessions.player_of(request)
        if staff is None or not staff.is_staff:
            raise PermissionDenied
        return view(request, staff, *args, **kwargs)

    return checked


@require_safe
@for_staff
def queue(request: HttpRequest, staff: Player) -> HttpResponse:
    state = request.GET.get("state", "")
    state = state if state in Case.State else Case.State.OPEN.value
    page = Paginator(moderating.queue(state), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "state": state,
        "states": Case.State.choices,
        "rows": [moderating.row(case) for case in page],
        "page": page,
    }
    return render(request, "pages/moderation/queue.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff
def case(request: HttpRequest, staff: Player, case_id: int) -> HttpResponse:
    found = get_object_or_404(Case, pk=case_id)
    shown = moderating.page_of(found)
    form = DecideForm(
        request.POST or None,
        actions=_possible_for(found, bool(shown["tables"])),
        people=moderating.people_of(found),
        matches=[table.id for table, _counts in shown["tables"]],
    )
    if form.is_valid() and _decided(form, staff, found):
        messages.success(request, _("Done."))
        return redirect("pages:case", found.pk)
    return render(request, "pages/moderation/case.html", {**shown, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff
def moderate(request: HttpRequest, staff: Player, handle: str) -> HttpResponse:
    player = get_object_or_404(Player, handle=handle.lower(), bot_level="", erased_at=None)
    person = moderating.person(player)
    form = DecideForm(request.POST or None, actions=_possible(person), people=[player])
    if form.is_valid() and _decided(form, staff):
        messages.success(request, _("Done."))
        return redirect("pages:moderate", player.handle)
    return render(request, "pages/moderation/player.html", {"person": person, "form": form})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, handle: str) -> HttpResponse:
    """One player reports another; `table` in the address says at which table it happened."""
    reporter = cast("Player", request.user)
    subject = get_object_or_404(Player, handle=handle.lower(), is_active=True, bot_level="")
    table = request.GET.get("table", "")[:12]
    form = ReportForm(request.POST or None)
    if form.is_valid():
        try:
            reporting.report(
                reporter=reporter, subject=subject, match_id=table, **form.cleaned_data
            )
        except ReportRefused as refused:
            form.refuse(refused)
        else:
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("pages:report_player", subject.handle)
    context = {
        "subject": subject,
        "form": form,
        "standing": reporting.open_report(reporter, subject),
        "table": Match.objects.filter(pk=table, seat__player=subject).first() if table else None,
        "is_me": subject == reporter,
    }
    return render(request, "pages/moderation/report.html", context)


def _possible_for(case: Case, has_matches: bool) -> list[Decision.Action]:
    not_now = {Action.DISMISS} if not case.is_open else set()
    if not has_matches:
        not_now.add(Action.ANNUL)
    return [action for action in OF_A_CASE if action not in not_now]


def _possible(person: moderating.Person) -> list[Decision.Action]:
    return [
        Action.WARN,
        Action.UNSILENCE if person.is_silenced else Action.SILENCE,
        Action.RENAME,
        Action.SUSPEND if person.player.is_active else Action.LIFT,
    ]


def _decided(form: DecideForm, by: Player, case: Case | None = None) -> bool:
    """Whether it is done; else the form says why not."""
    decision = form.decision()
    try:
        if case is not None and decision["action"] == Action.DISMISS:
            services.dismiss(case_id=case.pk, by=by, reason=decision["reason"])
        else:
            services.act(by=by, case_id=case.pk if case else None, **decision)
    except (DecisionRefused, NameRefused) as refused:
        form.refuse(refused)
        return False
    return True
