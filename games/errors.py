"""What a table refuses, and the sentence that people read for each code."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from engine.errors import EngineError

SENTENCES: Final = {
    # The table's own codes.
    "not_found": _("There is no such table."),
    "full": _("Every seat at this table is taken."),
    "taken": _("That seat is taken."),
    "not_seated": _("You have no seat at this table."),
    "not_host": _("Only the player who opened this table can do that."),
    "has_begun": _("This match has begun already."),
    "not_running": _("This match is not running."),
    "not_over": _("This match is not over yet."),
    "stale_seq": _("The table has moved on since. Look again, and choose anew."),
    "too_late": _("Your time for this turn was up."),
    "resigned": _("You have resigned from this match."),
    "claimed_once": _("You have claimed this play before."),
    "no_such_bot": _("There is no bot of that strength."),
    "no_rematch": _("There is no rematch of this match."),
    "no_such_word": _("That is not one of the words of a table."),
    "no_free_text": _("Only preset words can be used at this table."),
    "bad_text": _("Write 1 to 140 characters."),
    "silenced": _("A moderator has muted you at tables."),
    "too_many_words": _("You have said a lot just now. Wait a moment."),
    "bad_setting": _("That setting is not possible."),
    # The engine's codes (engine/errors.py).
    "not_your_turn": _("It is not your turn."),
    "not_in_hand": _("That tile is not in your hand."),
    "no_such_end": _("That end is not open."),
    "end_mismatch": _("That tile does not match that end."),
    "must_lead": _("The highest double must be led."),
    "must_play": _("You have a tile that fits, so you must play."),
    "must_draw": _("You can draw, so you may not pass."),
    "cannot_draw": _("Nothing can be drawn."),
    "no_claim_open": _("There is nothing to claim."),
    "already_claimed": _("These points have been claimed."),
    "not_called": _("At this table points count by themselves."),
    "round_over": _("This round is over."),
    "match_over": _("This match is over."),
    "bad_action": _("That is not something you can do at a table."),
}


class GameError(Exception):
    """A table's refusal: `code`, a sentence for people, and the facts that were wrong."""

    def __init__(self, code: str, detail: str = "", **facts: object) -> None:
        self.code = code
        self._detail = detail
        self.facts: dict[str, object] = facts
        super().__init__(code, detail)

    @property
    def detail(self) -> str:
        """In the language of whoever reads it, which need not be that of where it was raised."""
        return self._detail or sentence(self.code)

    def __str__(self) -> str:
        return self.detail


def sentence(code: str) -> str:
    """The sentence of a code in the reader's language; the code itself if there is none."""
    return str(SENTENCES.get(code, code))


def shown(error: GameError | EngineError) -> str:
    """What to tell people of a refusal, in their language.

    The engine's own sentences are English and name the tile; a translated one is worth more.
    """
    return error.detail if isinstance(error, GameError) else sentence(error.code)
