"""Making a ladder, its settings, its lock, and who runs it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from engine.errors import BadRules
from engine.rules import RuleSet, game_of
from games import events
from players import clubs
from players.models import Club, Player
from tournaments import topics
from tournaments.ladders.errors import LadderError
from tournaments.models import Ladder
from tournaments.models.tournament import BEST_OF
from tournaments.options import clean_line

NUMBERS: Final = {
    "turn_seconds": (5, 300),
    "no_show_seconds": (10, 3600),
    "reach": (0, 1000),
    "answer_days": (1, 30),
    "play_days": (1, 60),
    "free_refusals": (0, 30),
    "idle_days": (0, 365),
}
"""The lowest and highest value of each number that whoever runs a ladder sets."""
CHOICES: Final[dict[str, list[Any]]] = {
    "play": Ladder.Play.values,
    "refusal": Ladder.Refusal.values,
    "best_of": list(BEST_OF),
}


def create(*, owner: Player, name: str, club: Club | None = None, **settings: Any) -> Ladder:
    """A ladder, of a club if the owner is one of its owners. Raises LadderError no_account,
    not_allowed, bad_name, bad_setting, bad_rules.
    """
    if owner.is_guest:
        raise LadderError("no_account")
    if club is not None and not owner.is_staff and clubs.rank_of(club, owner) != "owner":
        raise LadderError("not_allowed")
    fields = _checked({"rules": {"preset": "allfives"}, **settings, "name": name})
    stem = slugify(fields["name"])[:60].strip("-") or "ladder"
    for attempt in range(5):
        slug = stem if attempt == 0 else f"{stem}-{secrets.token_hex(1 + attempt)}"
        try:
            with transaction.atomic():
                return Ladder.objects.create(slug=slug, owner=owner, club=club, **fields)
        except IntegrityError:
            if not Ladder.objects.filter(slug=slug).exists():
                raise
    raise LadderError("bad_name")


@transaction.atomic
def edit(*, ladder_id: int, by: Player, **changes: Any) -> Ladder:
    """Changes settings; challenges that are open keep the deadlines they have."""
    ladder = lock_for(ladder_id, by)
    fields = _checked(changes)
    for key, value in fields.items():
        setattr(ladder, key, value)
    ladder.save(update_fields=list(fields))
    return ladder


def may_run(ladder: Ladder, player: Any) -> bool:
    """Whether the player owns the ladder or its club, or is of the site's staff."""
    if not isinstance(player, Player) or not player.pk:
        return False
    if player.is_staff or player.pk == ladder.owner_id:
        return True
    return ladder.club is not None and clubs.rank_of(ladder.club, player) == "owner"


def lock(ladder_id: int) -> Ladder:
    row = Ladder.objects.select_for_update().filter(pk=ladder_id).first()
    if row is None:
        raise LadderError("not_found")
    events.changed(topics.of_ladder(row.pk))
    return row


def lock_for(ladder_id: int, by: Player) -> Ladder:
    row = lock(ladder_id)
    if not may_run(row, by):
        raise LadderError("not_allowed")
    return row


def _checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to write. Raises LadderError bad_name, bad_setting, bad_rules."""
    fields: dict[str, Any] = {}
    for key, value in changes.items():
        if key == "name":
            fields[key] = clean_line(value) if isinstance(value, str) else ""
            if not 1 <= len(fields[key]) <= 80:
                raise LadderError("bad_name", key=key)
        elif key == "text" and isinstance(value, str):
            fields[key] = value.replace("\x00", "")[:4000]
        elif key == "rules":
            fields |= _rules(value)
        elif _is_possible(key, value):
            fields[key] = value
        else:
            raise LadderError("bad_setting", key=key)
    return fields


def _is_possible(key: str, value: Any) -> bool:
    if key in CHOICES:
        return value in CHOICES[key]
    if key == "rated":
        return isinstance(value, bool)
    low, high = NUMBERS.get(key, (1, 0))
    return type(value) is int and low <= value <= high


def _rules(value: Any) -> dict[str, Any]:
    try:
        RuleSet.parse(value, 2)
    except (BadRules, TypeError, AttributeError) as error:
        raise LadderError("bad_rules", key="rules") from error
    preset = str(value.get("preset", "allfives"))
    return {"rules": dict(value), "preset": preset, "game": game_of(preset)}
