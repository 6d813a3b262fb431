"""The page on which an arbiter has two entrants exchange their seats: what it means comes first."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from players.models import Player
from tournaments import board as boards
from tournaments import services, stages
from tournaments.board import Board
from tournaments.bracket import round_name
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.services.exchanging import Exchange, can_exchange


class ExchangeForm(forms.Form):
    """Who, in which round, and whether in those after it too."""

    one = forms.TypedChoiceField(label=gettext_lazy("Entrant"), coerce=int)
    other = forms.TypedChoiceField(label=gettext_lazy("Exchanges seats with"), coerce=int)
    number = forms.TypedChoiceField(label=pgettext_lazy("of a tournament", "Round"), coerce=int)
    onward = forms.BooleanField(label=gettext_lazy("In the rounds after it too"), required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200, required=False)

    def __init__(self, data: Any, board: Board) -> None:
        super().__init__(data)
        people: list[tuple[int | str, str]] = [("", "–")]
        people += [(entrant.pk, entrant.label) for _seed, entrant in sorted(board.entrants.items())]
        numbers = sorted(
            {p.round.number for n, p in board.pairings.items() if board.result(n) is None}
        )
        rounds = [(number, round_name(board.stage, number)) for number in numbers]
        for name, choices in (("one", people), ("other", people), ("number", rounds)):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def wanted(self) -> dict[str, Any]:
        """What services.preview_exchange takes."""
        return {key: self.cleaned_data[key] for key in ("one", "other", "number", "onward")}


def board_of(event: Tournament) -> Board | None:
    """The stage in which seats can be exchanged now."""
    stage = stages.current(event)
    return boards.load(stage) if stage is not None and can_exchange(stage) else None


def looked_at(event: Tournament, viewer: Player, form: ExchangeForm) -> Exchange | None:
    """What the form's exchange would do; None with an error in the form if it can't be."""
    try:
        return services.preview_exchange(tournament_id=event.pk, by=viewer, **form.wanted())
    except TournamentError as refused:
        form.add_error(None, str(refused))
        return None


def lines(board: Board, found: Exchange) -> dict[str, list[Any]]:
    """An exchange in words: each match before and after, and who meets again, or never."""
    label = {entrant.pk: entrant.label for entrant in board.entrants.values()}

    def names(ids: tuple[int, ...]) -> str:
        return " – ".join(label[pk] for pk in ids)

    return {
        "moved": [
            (round_name(board.stage, each.round), names(each.before), names(each.after))
            for each in found.changes
        ],
        "again": [_("%(pair)s meet once more than planned.") % {"pair": names(pair)}
                  for pair in found.again],
        "never": [_("%(pair)s do not meet.") % {"pair": names(pair)} for pair in found.never],
    }  # fmt: skip
