"""The switches of the live table, kept at the player so that every device has them."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from players.models import Player

# The names that the table's scripts know (preferences.js), where each has its default.
NAMES: Final = frozenset((
    "autoPlace", "preview", "keys", "confirm", "buttons", "sorted", "soundTurn", "soundTile",
    "soundScore", "soundLow", "vibrate", "still", "large", "coloured", "hinted",
))  # fmt: skip


class NoSuchSetting(Exception):
    """The table has no switch of that name."""


def keep(*, player: Player, name: str, on: bool) -> None:
    """Keeps one switch as it was set last; the others stay. Raises NoSuchSetting."""
    if name not in NAMES:
        raise NoSuchSetting(name)
    with transaction.atomic():
        row = Player.objects.select_for_update().only("table_settings").get(pk=player.pk)
        row.table_settings = row.table_settings | {name: on}
        row.save(update_fields=["table_settings"])
