"""A result corrected, or an arbiter's decision: what hangs on it first, then how to go on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pages import behind, words
from players.models import Player
from ratings import selectors as ratings
from tournaments import board as boards
from tournaments import bracket, services, stages, tally
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Result, Slot, Tournament
from tournaments.options import pool_of
from tournaments.scores import score
from tournaments.services import Preview
from tournaments.services.reporting import ENTERABLE

Outcome = Result.Outcome
OUTCOMES = {
    Outcome.PLAYED: gettext_lazy("It was played, with this result"),
    Outcome.DRAWN: gettext_lazy("It was played and drawn"),
    Outcome.FORFEIT: gettext_lazy("Forfeit: the other side broke off"),
    Outcome.WALKOVER: gettext_lazy("Walk-over: the other side did not come"),
    Outcome.DOUBLE_FORFEIT: gettext_lazy("Nobody came, or both are out of it"),
    Outcome.DECISION: gettext_lazy("Decision of the arbiter"),
}
SCORES = range(4)


class ResultForm(forms.Form):
    """A result as an arbiter corrects it; fields for as many sides as there are."""

    outcome = forms.ChoiceField(label=gettext_lazy("What happened"), widget=forms.RadioSelect)
    winner = forms.TypedChoiceField(
        label=gettext_lazy("Winner"),
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    def __init__(self, data: Any, board: Board, number: int) -> None:
        self.sides = board.sides(number)
        result = board.result(number)
        names = [_name(board, side) for side in self.sides]
        scores = result.scores if result is not None else []
        initial: dict[str, Any] = {"outcome": Outcome.PLAYED}
        if result is not None and result.outcome in ENTERABLE:
            initial = {"outcome": result.outcome, "winner": result.winner_id}
        super().__init__(data, initial=initial)
        allowed = [each for each in ENTERABLE if each != Outcome.DRAWN or board.format.DRAWS]
        self.fields["outcome"].choices = [  # type: ignore[attr-defined]
            (str(each), OUTCOMES[each]) for each in allowed
        ]
        self.fields["winner"].choices = [  # type: ignore[attr-defined]
            (side[0].entrant_id, name) for side, name in zip(self.sides, names, strict=True)
        ]
        for index, name in enumerate(names):
            self.fields[f"score_{index}"] = forms.IntegerField(
                label=_("Points of %(name)s") % {"name": name},
                required=False,
                min_value=-10_000,
                max_value=10_000,
                initial=scores[index] if index < len(scores) else None,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )
        if len(self.sides) > 2:
            self._ask_places(names, [] if result is None else given_places(result))

    def _ask_places(self, names: list[str], given: list[int]) -> None:
        """At tables of three and four the arbiter may set places that points alone don't say."""
        choices = [("", _("by points")), *((str(n), str(n)) for n in range(1, len(names) + 1))]
        for index, name in enumerate(names):
            self.fields[f"place_{index}"] = forms.TypedChoiceField(
                label=_("Place of %(name)s") % {"name": name},
                choices=choices,
                coerce=int,
                empty_value=None,
                required=False,
                initial=given[index] if given else "",
            )

    @property
    def place_fields(self) -> list[forms.BoundField]:
        return [each for each in self if each.name.startswith("place_")]

    @property
    def score_fields(self) -> list[forms.BoundField]:
        return [self[f"score_{index}"] for index in range(len(self.sides))]

    def entry(self) -> dict[str, Any]:
        """What report_result and preview_result take; the winner by points if none was named."""
        given = self.cleaned_data
        typed = [given.get(f"score_{index}") for index in range(len(self.sides))]
        scores = [score for score in typed if score is not None]
        entry: dict[str, Any] = {"outcome": given["outcome"]}
        if len(scores) == len(typed):
            entry["scores"] = scores
        places = [given.get(f"place_{index}") for index in range(len(self.sides))]
        if any(place is not None for place in places):
            entry["places"] = [place or 0 for place in places]
        winner = given.get("winner")
        if given["outcome"] in (Outcome.DRAWN, Outcome.DOUBLE_FORFEIT):
            winner = None
        elif winner is None and given["outcome"] == Outcome.PLAYED and "scores" in entry:
            ranks = entry.get("places") or tally.places_by(scores)
            first = [index for index, rank in enumerate(ranks) if rank == 1]
            if len(first) == 1:
                winner = self.sides[first[0]][0].entrant_id
        if winner is not None:
            entry["winner"] = winner
        return entry


def given_places(result: Result) -> list[int]:
    """The places of a result, where they are others than those that its points say."""
    by_points = list(tally.places_by(result.scores))
    return [] if result.places in ([], by_points) else result.places


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """First the form, then what hangs on it, then the correction: one address, no script."""
    try:
        event, viewer = behind.open_for(request, slug, "correct")
    except behind.NotSignedIn as nobody:
        return nobody.response
    board, pairing = _pairing(request, event, number)
    form = ResultForm(request.POST or None, board, number) if board.is_known(number) else None
    preview = None
    if form is not None and request.method == "POST" and form.is_valid():
        try:
            if "way" in request.POST:
                _commit(request, form, pairing, viewer)
                messages.success(request, _("The result of match %(n)s is saved.") % {"n": number})
                if ratings.recomputation_of(pool_of(event)):
                    messages.info(request, _("The ratings after it are being worked out anew."))
                return redirect(event)
        except TournamentError as refused:
            form.add_error(None, str(refused))
        try:
            preview = services.preview_result(pairing_id=pairing.pk, by=viewer, **form.entry())
        except TournamentError as refused:
            form.add_error(None, str(refused))
    context = {
        "event": event,
        "places": behind.links(event, viewer),
        "stage": pairing.stage.number,
        "number": number,
        "round": bracket.step_name(board.steps()[pairing.round.number - 1]),
        "sides": [_name(board, side) for side in board.sides(number)],
        "tables": [
            (game.number, reverse("pages:table", args=[game.match_id]))
            for game in board.games.get(number, ())
        ],
        "form": form,
        "preview": preview,
        "anew": [] if preview is None else _anew(event, preview),
        "ways": [] if preview is None else [_way(preview, way) for way in preview.ways],
        "versions": _versions(board, pairing),
        "is_first": board.result(number) is None,
        "recomputation": ratings.recomputation_of(pool_of(event)),
    }
    return render(request, "pages/behind/correct.html", context)


def _commit(request: HttpRequest, form: ResultForm, pairing: Pairing, by: Player) -> None:
    way = request.POST.get("way")
    version = request.POST.get("version", "")
    services.report_result(
        pairing_id=pairing.pk,
        by=by,
        reason=form.cleaned_data["reason"],
        expected_version=int(version) if version.isdecimal() and len(version) < 6 else -1,
        seen=request.POST.get("seen", ""),
        force="void" if way == "void" else "keep" if way == "keep" else None,
        **form.entry(),
    )


def _pairing(request: HttpRequest, event: Tournament, number: int) -> tuple[Board, Pairing]:
    """The pairing of that number in the stage that is asked for, the last one if none is."""
    asked = request.GET.get("stage") or request.POST.get("stage") or ""
    if asked:
        known = event.stages.all()
        found = next((each for each in known if str(each.number) == asked), None)
    else:
        found = stages.current(event)
    if found is None:
        raise Http404
    board = boards.load(found)
    if number not in board.pairings:
        raise Http404
    return board, board.pairings[number]


def _name(board: Board, side: list[Slot]) -> str:
    seeds = [board.seed_of(slot.entrant_id) for slot in side]
    return " & ".join("–" if seed is None else board.entrants[seed].label for seed in seeds)


def _anew(event: Tournament, preview: Preview) -> list[str]:
    """The later stages that would be annulled, by what they are called."""
    found = event.stages.filter(number__in=preview.stages).order_by("number")
    return [words.stage_title(stage.format, play_off=stage.is_play_off) for stage in found]


def _way(preview: Preview, way: Any) -> dict[str, Any]:
    """A way to go on, with its words."""
    begun = len(preview.begun)
    titles = {
        "plain": _("Nothing that has begun hangs on it"),
        "void": _("Annul and play again"),
        "keep": _("Keep what was played, and note it"),
    }
    buttons = {
        "plain": _("Save the result"),
        "void": _("Save, and play again"),
        "keep": _("Save, and keep the rest"),
    }
    about = {
        "plain": "",
        "void": _("Later matches get the right opponents; what was played in them is void."),
        "keep": _("Later matches stay as they are, though others should be in them."),
    }
    return {
        "way": way,
        "title": titles[way.name],
        "button": buttons[way.name],
        "about": about[way.name],
        "is_bad": way.name == "void" and begun > 0,
        "changes_nothing": not (way.later or way.places or way.ratings or way.anew),
    }


def _versions(board: Board, pairing: Pairing) -> list[dict[str, Any]]:
    """All versions, the newest first."""
    rows = pairing.results.select_related("by").order_by("-version")
    return [
        {
            "row": row,
            "winner": ""
            if row.winner_id is None
            else board.entrants[board.seed_of(row.winner_id) or 0].label,
            "scores": score(row.scores) if any(row.scores) else "",
        }
        for row in rows
    ]
