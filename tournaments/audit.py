"""What was done to an event, by whom, and why: lines that are appended, and read in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models import AuditLine, Tournament

SENTENCES: Final = {
    "created": _("The tournament was created."),
    "edited": _("Settings were changed: %(keys)s."),
    "registration_opened": _("Registration was opened."),
    "bots_added": _("%(count)s bots were entered."),
    "seeds_set": _("The seeds were put in order by hand."),
    "started": _("The tournament was started."),
    "withdrawn": _("%(entrant)s was taken out."),
    "disqualified": _("%(entrant)s was disqualified."),
    "result": _("A result was entered for match %(match)s: %(outcome)s."),
    "corrected": _("The result of match %(match)s was corrected: %(outcome)s."),
    "cancelled": _("The tournament was cancelled."),
    "finished": _("The tournament was finished."),
}
"""A sentence for each action; it may name the line's facts."""


def note(
    tournament: Tournament, by: Player | None, action: str, reason: str = "", **facts: object
) -> None:
    """Appends a line, in the caller's transaction: the deed and its line are both there or
    neither. `facts` are plain data that the action's sentence names.
    """
    AuditLine.objects.create(
        tournament=tournament, by=by, action=action, facts=facts, reason=reason[:200]
    )


def sentence(line: AuditLine) -> str:
    """The line in the reader's language."""
    text: str = str(SENTENCES[line.action]) % line.facts
    return text
