"""What the outbox tells of, told to the players whom it concerns (config/subscriptions.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Q

from games.models import Match
from notices.models import Notice, Wish
from notices.services import address, tell
from players.models import Membership, Player
from ratings import archive
from ratings.models import RatingCorrection
from tournaments.formats import arena
from tournaments.models import (
    AuditLine,
    Challenge,
    Entrant,
    Ladder,
    Pairing,
    PairInvitation,
    Round,
    Tournament,
)
from tournaments.permissions import rights_of


def handle_line(payload: dict[str, Any]) -> None:
    """ "event.noted": ``{"line": id}``, a line of an event's log."""
    line = AuditLine.objects.select_related("tournament", "tournament__club", "by").get(
        pk=payload["line"]
    )
    OF_LINES[line.action](line)


def handle_seats(payload: dict[str, Any]) -> None:
    """ "match.reserved": ``{"match": id}``: a table waits for those it was made for."""
    match = Match.objects.get(pk=payload["match"])
    event = _event_of(match)
    if event is None:
        return
    players = [seat.player for seat in match.seat_set.select_related("player") if seat.player]
    url = address("pages:table", match.pk)
    tell(players=players, kind="table", key=f"table-{match.pk}", facts={"event": event}, url=url)


def handle_place(payload: dict[str, Any]) -> None:
    """ "entry.freed": ``{"entrant": id, "key": …}``: in from the waiting list."""
    entrant = (
        Entrant.objects.select_related("tournament", "player", "partner")
        .filter(pk=payload["entrant"])
        .first()
    )
    if entrant is not None:
        _tell(entrant.tournament, _people([entrant]), "freed", f"freed-{payload['key']}")


def handle_challenge(payload: dict[str, Any]) -> None:
    """ "challenge": ``{"challenge": id, "became": "offered", "accepted" or "refused"}``."""
    found = (
        Challenge.objects.select_related("ladder", "challenger", "defender")
        .filter(pk=payload["challenge"])
        .first()
    )
    if found is None:
        return
    offered = payload["became"] == "offered"
    to, other = (
        (found.defender, found.challenger) if offered else (found.challenger, found.defender)
    )
    tell(
        players=[to],
        kind="challenge" if offered else payload["became"],
        key=f"challenge-{found.pk}-{payload['became']}",
        facts={"ladder": found.ladder.name, "name": other.name},
        url=address("pages:challenge_ladder", found.ladder.slug),
    )


def handle_corrections(payload: dict[str, Any]) -> None:
    """ "rating.corrected": ``{"corrections": [ids]}``."""
    rows = RatingCorrection.objects.select_related("player").filter(pk__in=payload["corrections"])
    for row in rows:
        if row.delta:
            tell(
                players=[row.player],
                kind="rating",
                key=f"rating-{row.pk}",
                facts={"before": row.rating_before, "after": row.rating_after},
                url=address("pages:player", row.player.handle),
            )


def handle_season(payload: dict[str, Any]) -> None:
    """ "season.closed": ``{"season": number, "players": [ids]}``: each hears of the best rank."""
    number = payload["season"]
    for row in archive.best_ranks(number, payload["players"]):
        tell(
            players=[row.player],
            kind="season",
            key=f"season-{number}",
            facts={"rank": row.rank, "pool": row.pool},
            url=f"{address('pages:ladder')}?pool={row.pool}&season={number}",
        )


def handle_pair(payload: dict[str, Any]) -> None:
    """ "pair.asked": ``{"invitation": id, "key": …}``."""
    asked = (
        PairInvitation.objects.select_related("tournament", "player", "partner")
        .filter(pk=payload["invitation"], partner__isnull=False)
        .first()
    )
    if asked is not None and asked.partner is not None:
        url = address("pages:pair_link", asked.tournament.slug, asked.key)
        _tell(
            asked.tournament, [asked.partner], "pair", f"pair-{payload['key']}",
            url=url, name=asked.player.name,
        )  # fmt: skip


def handle_erased(payload: dict[str, Any]) -> None:
    """ "player.erased": ``{"player": id}``."""
    Notice.objects.filter(player=payload["player"]).delete()
    Wish.objects.filter(player=payload["player"]).delete()


def _announced(line: AuditLine) -> None:
    event = line.tournament
    if event.club is None or event.access == Tournament.Access.LINK:
        return
    members = Player.objects.filter(
        memberships__club=event.club,
        memberships__rank__in=[Membership.Rank.OWNER, Membership.Rank.MEMBER],
    )
    others = members.exclude(pk=line.by_id or 0)
    _tell(event, others, "announced", f"announced-{event.pk}", club=event.club.name)


def _edited(line: AuditLine) -> None:
    if "starts_at" in line.facts.get("keys", []):
        _tell(line.tournament, _entered(line.tournament), "changed", f"line-{line.pk}")


def _cancelled(line: AuditLine) -> None:
    event = line.tournament
    _tell(event, _entered(event), "cancelled", f"line-{line.pk}", reason=line.reason)


def _published(line: AuditLine) -> None:
    event, number = line.tournament, line.facts["round"]
    row = (
        Round.objects.filter(stage__tournament=event, number=number)
        .order_by("-stage__number")
        .first()
    )
    if row is not None:
        entrants = Entrant.objects.filter(slots__pairing__round=row).distinct()
        people = _people(entrants.select_related("player", "partner"))
        _tell(event, people, "round", f"line-{line.pk}", round=number)


def _disputed(line: AuditLine) -> None:
    event = line.tournament
    helpers = [o.player for o in event.officials.select_related("player")]
    deciding = [p for p in [event.organiser, *helpers] if "correct" in rights_of(event, p)]
    url = address("pages:desk", event.slug)
    _tell(
        event, deciding, "disputed", f"line-{line.pk}", url=url, match=line.facts.get("match", "…")
    )


def _joined(line: AuditLine) -> None:
    event = line.tournament
    url = address("pages:officials", event.slug)
    _tell(
        event,
        [event.organiser],
        "role",
        f"line-{line.pk}",
        url=url,
        name=line.facts.get("name", ""),
    )


OF_LINES: dict[str, Callable[[AuditLine], None]] = {
    "announced": _announced,
    "registration_opened": _announced,
    "edited": _edited,
    "cancelled": _cancelled,
    "round_published": _published,
    "disputed": _disputed,
    "official_joined": _joined,
}


def _tell(
    event: Tournament,
    players: Iterable[Player],
    kind: str,
    key: str,
    *,
    url: str = "",
    **facts: Any,
) -> None:
    where = url or address("pages:tournament", event.slug)
    tell(players=players, kind=kind, key=key, facts={"event": event.name, **facts}, url=where)


def _entered(event: Tournament) -> list[Player]:
    entrants = event.entrants.filter(status__in=[Entrant.Status.ACTIVE, Entrant.Status.WAITING])
    return _people(entrants.select_related("player", "partner"))


def _people(entrants: Iterable[Entrant]) -> list[Player]:
    both = ((e.player, e.partner) for e in entrants)
    return [player for pair in both for player in pair if player is not None]


def _event_of(match: Match) -> str | None:
    """The name of what a table belongs to; None in arenas, where one table follows another, and
    for tables that belong to nothing.
    """
    if "challenge" in match.context:
        ladder = Ladder.objects.filter(challenges__pk=match.context["challenge"]).first()
        return ladder.name if ladder else None
    pairing = (
        Pairing.objects.select_related("stage__tournament")
        .filter(pk=match.context.get("pairing"))
        .exclude(Q(stage__format=arena.ID))
        .first()
    )
    return pairing.stage.tournament.name if pairing else None
