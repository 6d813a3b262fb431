"""A bracket as the page draws it, from the one that tournaments.selectors gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Player
from tournaments import selectors
from tournaments.models import Result, Tournament

Slot = Mapping[str, Any]
Pairing = Mapping[str, Any]
Outcome = Result.Outcome


@dataclass(frozen=True, slots=True)
class Side:
    """A place in a match. Without an `entrant`, `text` says who is still to come, or that nobody
    is."""

    entrant: int | None
    seed: int | None
    text: str
    score: str
    won: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match of the bracket; `url` leads to its table if there is one."""

    id: int
    number: int
    url: str
    live: bool
    decided: bool
    bye: bool
    say: str
    sides: tuple[Side, ...]

    @property
    def can_be_decided(self) -> bool:
        return all(side.entrant is not None for side in self.sides)


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    title: str
    meetings: tuple[Meeting, ...]


def rounds_of(event: Tournament, viewer: Player | None) -> list[Round]:
    """The rounds, the first one first; none before the start."""
    handle = viewer.handle if viewer is not None else ""
    return [
        Round(
            number=part["number"],
            title=part["name"],
            meetings=tuple(_meeting(pairing, handle) for pairing in part["pairings"]),
        )
        for part in selectors.bracket(event)
    ]


def _meeting(pairing: Pairing, handle: str) -> Meeting:
    result, live = pairing["result"], pairing["live"]
    scores = _scores(pairing)
    table = (live or (pairing["matches"] or [None])[-1] or {}).get("match")
    return Meeting(
        id=pairing["id"],
        number=pairing["number"],
        url=reverse("pages:table", args=[table]) if table else "",
        live=live is not None,
        decided=result is not None,
        bye=any(slot["kind"] == "bye" for slot in pairing["slots"]),
        say=_say(pairing),
        sides=tuple(
            Side(
                entrant=slot["entrant"],
                seed=slot["seed"],
                text=slot["text"],
                score=scores[index],
                won=result is not None and result["winner"] == index,
                mine=bool(handle) and slot["player"] == handle,
            )
            for index, slot in enumerate(pairing["slots"])
        ),
    )


def _scores(pairing: Pairing) -> tuple[str, str]:
    """Points of the match in course or of the only one; games won where there were several."""
    result, live = pairing["result"], pairing["live"]
    counted = [match for match in pairing["matches"] if not match["void"]]
    if live is not None:
        values = live["scores"] if live["begun"] else []
    elif result is None:
        values = []
    else:
        values = result["games"] if len(counted) > 1 else result["scores"]
    shown = len(values) == 2 and (live is not None or any(values))
    return (str(values[0]), str(values[1])) if shown else ("", "")


def _say(pairing: Pairing) -> str:
    result, live = pairing["result"], pairing["live"]
    if live is not None:
        said = _("live") if live["begun"] else _("about to begin")
        if live["game"] == 1:
            return said
        facts = {"said": said, "game": live["game"], "one": live["games"][0]}
        return _("%(said)s, game %(game)d, series %(one)d–%(other)d") % {
            **facts,
            "other": live["games"][1],
        }
    if result is None or result["outcome"] in (Outcome.PLAYED, Outcome.BYE):
        return ""
    said = ": ".join(filter(None, [str(Outcome(result["outcome"]).label), result["why"]]))
    return f"{said} (“{result['reason']}”)" if result["reason"] else said
