"""What a ladder refuses, and the sentence that people read for each code."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

SENTENCES: Final = {
    "not_found": _("There is no such ladder."),
    "no_challenge": _("There is no such challenge."),
    "no_account": _("A ladder needs an account."),
    "not_allowed": _("That is for those who run the ladder."),
    "not_yours": _("This challenge is between others."),
    "members_only": _("This ladder is for the members of its club."),
    "not_on_it": _("Both have to be on the ladder."),
    "not_higher": _("You challenge those who stand higher than you."),
    "too_high": _("That is more places up than this ladder allows."),
    "open_already": _("There is an open challenge between you already."),
    "not_open": _("This challenge is not open any more."),
    "too_late": _("The time for that is over."),
    "being_played": _("The match is being played."),
    "not_live": _("This ladder is played over the board."),
    "not_board": _("This ladder is played at live tables."),
    "bad_winner": _("The winner must be one of the two."),
    "nothing_reported": _("Nothing has been reported yet."),
    "own_report": _("The other side confirms what you reported."),
    "no_reason": _("Say why."),
    "bad_name": _("Give the ladder a name of 1 to 80 characters."),
    "bad_setting": _("That setting is not possible."),
    "bad_rules": _("These rules are not possible."),
}


class LadderError(TournamentError):
    """A ladder's refusal: `code`, a sentence for people, and the facts that were wrong."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, str(SENTENCES[code]), **facts)
