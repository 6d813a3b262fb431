"""What is shown of challenge ladders."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _

from players import clubs
from players.models import Club, Player
from tournaments.ladders import climb
from tournaments.ladders.log import events_of
from tournaments.ladders.running import may_run
from tournaments.ladders.services import is_ready
from tournaments.models import Challenge, Ladder, LadderGame, LadderLine, LadderPlace

State = Challenge.State


@dataclass(frozen=True, slots=True)
class Viewer:
    """How somebody stands on a ladder, and whom they may challenge (players' ids)."""

    place: LadderPlace | None
    may_join: bool
    may_run: bool
    targets: frozenset[int]


@dataclass(frozen=True, slots=True)
class Own:
    """An open challenge of the viewer: what they can do with it. `deeds` are accept, refuse,
    take_back, ready, report; `table` is its open table; `waits`: the other would play now.
    """

    challenge: Challenge
    other: Player
    mine: bool
    deeds: tuple[str, ...]
    table: str = ""
    waits: bool = False
    said: bool = False


def by_slug(slug: str) -> Ladder | None:
    return Ladder.objects.select_related("owner", "club").filter(slug=slug).first()


def by_pk(ladder_id: int) -> Ladder | None:
    return Ladder.objects.filter(pk=ladder_id).first()


def listed() -> QuerySet[Ladder]:
    """All ladders, the newest first, each with `people`: how many are on it."""
    people = Count("places", filter=Q(places__rank__isnull=False))
    return Ladder.objects.select_related("club").annotate(people=people).order_by("-created_at")


def of_club(club: Club) -> QuerySet[Ladder]:
    """The ladders of a club, the newest first."""
    return listed().filter(club=club)


def places(ladder: Ladder) -> list[LadderPlace]:
    """From the top, with players."""
    found = ladder.places.filter(rank__isnull=False).select_related("player")
    return list(found.order_by("rank"))


def viewer_of(ladder: Ladder, player: Player | None, rows: list[LadderPlace]) -> Viewer:
    own = next((row for row in rows if player is not None and row.player_id == player.pk), None)
    may_join = own is None and player is not None and not player.is_guest
    if may_join and ladder.club is not None:
        may_join = clubs.is_member(ladder.club, player)
    targets: set[int] = set()
    if own is not None and own.rank is not None:
        taken = open_challenges(ladder).filter(Q(low=own.player_id) | Q(high=own.player_id))
        busy = {one for pair in taken.values_list("low", "high") for one in pair}
        lowest = own.rank - ladder.reach if ladder.reach else 1
        targets = {
            row.player_id
            for row in rows
            if row.rank is not None and lowest <= row.rank < own.rank and row.player_id not in busy
        }
    return Viewer(own, may_join, may_run(ladder, player), frozenset(targets))


def open_challenges(ladder: Ladder) -> QuerySet[Challenge]:
    found = ladder.challenges.filter(state__in=[State.OFFERED, State.ACCEPTED])
    wanted = ("challenger", "defender", "ladder", "reported", "reported_by")
    return found.select_related(*wanted).order_by("deadline")


def played(ladder: Ladder, limit: int = 10) -> list[Challenge]:
    """What was decided lately, the latest first."""
    found = ladder.challenges.filter(state=State.PLAYED).select_related("challenger", "defender")
    return list(found.order_by("-ended_at")[:limit])


def own_challenges(ladder: Ladder, player: Player | None) -> list[Own]:
    """The viewer's open challenges, the most urgent first."""
    if player is None or not player.pk:
        return []
    mine = open_challenges(ladder).filter(Q(challenger=player) | Q(defender=player))
    tables = dict(
        LadderGame.objects.filter(challenge__in=mine, over_at__isnull=True).values_list(
            "challenge", "match_id"
        )
    )
    return [_own(each, player, tables.get(each.pk, "")) for each in mine]


def _own(found: Challenge, player: Player, table: str) -> Own:
    mine = found.challenger_id == player.pk
    side, now = int(not mine), timezone.now()
    if found.state == State.OFFERED:
        deeds: tuple[str, ...] = ("take_back",) if mine else ("accept", "refuse")
    elif found.ladder.play == Ladder.Play.BOARD:
        deeds = ("report",)
    else:
        deeds = () if table else ("ready",)
    return Own(
        found,
        found.defender if mine else found.challenger,
        mine,
        deeds,
        table,
        is_ready(found, 1 - side, now),
        is_ready(found, side, now),
    )


def history(ladder: Ladder, limit: int = 20) -> list[LadderLine]:
    """The last lines of the log, the latest first."""
    found = ladder.log.select_related("player", "other", "challenge__winner", "by")
    return list(found.order_by("-number")[:limit])


def sentence(line: LadderLine) -> str:
    """A line of the log in the reader's language."""
    facts = {
        "player": line.player.name,
        "other": line.other.name if line.other is not None else "",
    }
    kind = line.becomes if line.kind == LadderLine.Kind.CORRECTED else line.kind
    said = {
        "joined": _("%(player)s joined at the bottom."),
        "left": _("%(player)s left the ladder."),
        "won": _("%(player)s beat %(other)s and moved up."),
        "held": _("%(other)s held against %(player)s."),
        "refused": _("%(other)s refused %(player)s."),
        "expired": _("%(other)s did not answer %(player)s in time."),
        "idle": _("%(player)s has not played and fell a place."),
    }[kind] % facts
    if line.kind == LadderLine.Kind.CORRECTED:
        return _("Corrected: %(said)s") % {"said": said}
    return said


def table_link(context: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a table belongs to, if to a ladder: its title and the ladder's page."""
    pk = context.get("challenge")
    if type(pk) is not int:
        return None
    found = Challenge.objects.select_related("ladder").filter(pk=pk).first()
    if found is None:
        return None
    return {
        "title": found.ladder.name,
        "url": reverse_lazy("pages:challenge_ladder", args=[found.ladder.slug]),
    }


def verify(ladder: Ladder) -> list[str]:
    """One sentence for each stored value that differs from what the log leads to."""
    name, found = f"ladder {ladder.slug}", []
    order = climb.fold(events_of(ladder))
    stored = [row.player_id for row in places(ladder)]
    ranks = [row.rank for row in places(ladder)]
    if stored != order or ranks != list(range(1, len(order) + 1)):
        found.append(f"{name}: the places are {stored}, by its log they are {order}")
    numbers = list(ladder.log.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, len(numbers) + 1)):
        found.append(f"{name}: its log has the numbers {numbers}")
    for each in ladder.challenges.filter(state=State.PLAYED):
        line = each.lines.order_by("-number").first()
        kind = None if line is None else line.becomes or line.kind
        if kind != ("won" if each.winner_id == each.challenger_id else "held"):
            found.append(f"{name}: challenge {each.pk} is not as its log says")
    return found


def due_in(moment: dt.datetime) -> str:
    """How long until then: "2 days", "5 hours"."""
    left = max(0, int((moment - timezone.now()).total_seconds()))
    if left >= 172_800:
        return _("%(n)d days") % {"n": left // 86_400}
    return _("%(n)d hours") % {"n": left // 3600} if left >= 7200 else _("less than 2 hours")
