"""What is said at a table: preset words, by their codes, so that all read them in their own
language; and, where the table allows it, what players write.

Nothing of it is part of the log. The log is the match's truth, hashed and replayed, and nothing
that is said changes a match; so the card keeps the last few, for who reloads the page, and no more.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction

from games import clock, events
from games.errors import GameError
from games.models import Match, Seat
from players import moderation
from players.names import clean_line

SENTENCES: Final = (
    "hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "again", "goodbye",
)  # fmt: skip
REACTIONS: Final = ("clap", "smile", "wow", "think", "cry", "heart")
KEPT: Final = 8
LONGEST: Final = 140
# At most so many of one seat within so many milliseconds.
MOST: Final = 3
WITHIN_MS: Final = 10_000


def say(
    *,
    match_id: str,
    player: Any,
    word: str = "",
    text: str = "",
    client_id: str = "",
    now: datetime | None = None,
) -> None:
    """A seat says one of the words, or writes a text. Those who only watch say nothing, so nobody
    is helped by them.

    The same `client_id` again changes nothing. Raises GameError (not_found, not_seated,
    no_such_word, bad_text, no_free_text, silenced, too_many_words).
    """
    saying = {"text": _text(text)} if text else {"word": _word(word)}
    with transaction.atomic():
        card = Match.objects.select_for_update().filter(pk=match_id).first()
        if card is None:
            raise GameError("not_found")
        seat = Seat.objects.filter(match=card, player=getattr(player, "pk", None)).first()
        if player is None or seat is None:
            raise GameError("not_seated")
        at = clock.ms(now or clock.now())
        own = [each for each in card.words if each["seat"] == seat.index]
        if client_id and any(each["id"] == client_id for each in own):
            return
        if text and card.talk != Match.Talk.TEXT:
            raise GameError("no_free_text")
        if moderation.is_silenced(player):
            raise GameError("silenced")
        if sum(at - each["at"] < WITHIN_MS for each in own) >= MOST:
            raise GameError("too_many_words")
        number = card.words[-1]["n"] + 1 if card.words else 1
        said = {"n": number, "seat": seat.index, **saying, "at": at, "id": client_id}
        card.words = [*card.words, said][-KEPT:]
        card.save(update_fields=["words"])
        transaction.on_commit(lambda: events.refresh_table(match_id))


def forget_texts(*, player_id: int) -> None:
    """Takes what somebody wrote from all tables; preset words tell nothing of who said them."""
    seats = Seat.objects.filter(player=player_id).exclude(match__words=[])
    for match_id, index in seats.values_list("match", "index"):
        with transaction.atomic():
            card = Match.objects.select_for_update().get(pk=match_id)
            card.words = [
                said for said in card.words if said["seat"] != index or "text" not in said
            ]
            card.save(update_fields=["words"])


def _word(word: str) -> str:
    if word not in SENTENCES and word not in REACTIONS:
        raise GameError("no_such_word")
    return word


def _text(text: str) -> str:
    cleaned = clean_line(text)
    if not 1 <= len(cleaned) <= LONGEST:
        raise GameError("bad_text")
    return cleaned
