"""What quick play refuses, and the sentence that people read for each code."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.errors import GameError

SENTENCES: Final = {
    "no_such_queue": _("Quick play has no such game."),
    "no_stakes": _("Choose rated matches, unrated ones or both."),
    "seated": _("You sit at a table already. Finish that match first."),
    "not_waiting": _("You are not waiting for a match."),
    "no_party": _("That invitation is gone."),
    "party_full": _("Somebody else has accepted that invitation."),
}


class QuickError(GameError):
    """A refusal, as a table's; of "seated", the facts name the `match`."""

    @property
    def detail(self) -> str:
        return str(SENTENCES[self.code])
