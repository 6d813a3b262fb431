"""Mute: kept at the player, so that it holds on every device."""

from __future__ import annotations

from players.models import Mute, Player


def mute(*, player: Player, other: Player) -> None:
    """From now on `player` hears nothing of `other`; again, it changes nothing. Nobody is deaf to
    themselves.
    """
    if player.pk != other.pk:
        Mute.objects.bulk_create([Mute(player=player, muted=other)], ignore_conflicts=True)


def unmute(*, player: Player, other: Player) -> None:
    Mute.objects.filter(player=player, muted=other).delete()


def muted_by(player: Player) -> list[Player]:
    """Whom a player doesn't hear, by name."""
    return [row.muted for row in player.mutes.select_related("muted")]


def is_muted(*, player: Player, other: Player) -> bool:
    """Whether `player` doesn't hear `other`."""
    return Mute.objects.filter(player=player, muted=other).exists()
