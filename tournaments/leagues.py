"""What is shown of leagues: divisions, who goes up and down, the next season as it is proposed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from players import clubs
from players.models import Club, Player
from tournaments import board as boards
from tournaments import stages
from tournaments.board import Board
from tournaments.models import (
    Division,
    Entrant,
    League,
    LeaguePlayer,
    Pairing,
    PlayWish,
    Season,
    Slot,
    Tournament,
)
from tournaments.standings.divisions import Outlook, Score, outlooks, proposed

Status = Tournament.Status
WISH = dt.timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class DivisionLook:
    """A division with its board, and where each entrant (by id) goes next season; the first `up`
    of its table go up, the last `down` go down.
    """

    division: Division
    board: Board
    outlook: dict[int, Outlook]
    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player is proposed to be next season: `division` from 1, `before` the one this
    season, None for who is new; `way` is "up", "down", "stays" or "new"; `level` if others with
    the same rank go elsewhere, so that a person has to decide.
    """

    player: Player
    division: int
    before: int | None
    way: str
    level: bool


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match that the viewer has still to play: against whom, and who waits to play it live."""

    pairing: int
    tournament: Tournament
    opponent: str
    you_wait: bool
    they_wait: bool
    match_id: str


def listed() -> QuerySet[League]:
    """All leagues, by name."""
    return League.objects.select_related("owner", "club").order_by("name", "pk")


def of_club(club: Club) -> QuerySet[League]:
    """The leagues of a club, by name."""
    return listed().filter(club=club)


def by_slug(slug: str) -> League | None:
    """The league of that slug."""
    return League.objects.select_related("owner", "club").filter(slug=slug).first()


def may_run(league: League, player: Player | AnonymousUser | None) -> bool:
    """Whether the league is the player's to run."""
    if not isinstance(player, Player) or not player.is_active:
        return False
    if player.is_staff or player.pk == league.owner_id:
        return True
    return league.club is not None and clubs.rank_of(league.club, player) == "owner"


def may_join(league: League, player: Player | AnonymousUser | None) -> bool:
    """Whether the league is open to the player: that of a club is for its members."""
    if league.club is None:
        return True
    return isinstance(player, Player) and clubs.is_member(league.club, player)


def current_season(league: League) -> Season | None:
    """The last season there is, over or not."""
    return league.seasons.order_by("number").last()


def is_over(season: Season) -> bool:
    """Whether every division was played to its end, or called off."""
    return not season.divisions.exclude(
        tournament__status__in=[Status.FINISHED, Status.CANCELLED]
    ).exists()


def plays_in(season: Season, player: Player) -> bool:
    """Whether the player is in a division of the season."""
    return season.divisions.filter(tournament__entrants__player=player).exists()


def entry_of(league: League, player: Player | None) -> LeaguePlayer | None:
    """The player's place in the league."""
    if player is None or not player.pk:
        return None
    return league.players.filter(player=player).first()


def divisions_of(season: Season) -> list[DivisionLook]:
    """The divisions from the top, as they stand."""
    rows = list(season.divisions.select_related("tournament__organiser").order_by("number"))
    sizes = [row.tournament.taken for row in rows]
    looks = []
    for at, row in enumerate(rows):
        stage = stages.current(row.tournament)
        if stage is None:
            continue
        board = boards.load(stage)
        own = season.league.moves
        up = min(own, sizes[at] // 2, sizes[at - 1] // 2) if at else 0
        down = min(own, sizes[at] // 2, sizes[at + 1] // 2) if at + 1 < len(rows) else 0
        over = row.tournament.status in (Status.FINISHED, Status.CANCELLED)
        looks.append(DivisionLook(row, board, _outlook(board, up, down, over=over), up, down))
    return looks


def archive(league: League) -> list[Season]:
    """The seasons before the current one, the newest first, with their divisions."""
    return list(seasons(league)[1:])


def seasons(league: League) -> QuerySet[Season]:
    """All seasons, the newest first, with their divisions."""
    return league.seasons.order_by("-number").prefetch_related(
        Prefetch("divisions", Division.objects.select_related("tournament").order_by("number"))
    )


def winners_of(season: Season) -> list[Player]:
    """Who came first in the top division, once it is over."""
    first = Entrant.objects.filter(
        place=1, tournament__division__season=season, tournament__division__number=1
    )
    return [entrant.player for entrant in first.select_related("player").order_by("pk")]


def waiting(league: League) -> list[LeaguePlayer]:
    """Who comes in with the next season, in the order they joined."""
    season = current_season(league)
    found = league.players.filter(leaving=False).select_related("player").order_by("pk")
    if season is not None:
        found = found.exclude(
            player__entries__tournament__division__season=season,
        )
    return list(found)


def proposal(league: League) -> list[Place]:
    """The next season's divisions from the tables as they stand, for a person to confirm."""
    season = current_season(league)
    looks = [] if season is None else divisions_of(season)
    members = {entry.player_id: entry for entry in league.players.select_related("player")}
    tables = [_final_order(look.board) for look in looks]
    before = {pk: at for at, table in enumerate(tables, start=1) for pk in table}
    leaving = {pk for pk in before if pk not in members or members[pk].leaving}
    new = [pk for pk, entry in members.items() if pk not in before and not entry.leaving]
    level = {
        entrant.player_id
        for look in looks
        if look.division.tournament.status == Status.FINISHED
        for entrant in look.board.entrants.values()
        if not look.outlook[entrant.pk].certain
    }
    divisions = proposed(tables, league.moves, league.sizes or [8], leaving, new)
    return [
        Place(members[pk].player, at, before.get(pk), _way(before.get(pk), at), pk in level)
        for at, division in enumerate(divisions, start=1)
        for pk in division
    ]


def own_matches(season: Season, viewer: Player | None) -> list[OwnMatch]:
    """What the viewer has still to play in the season."""
    if viewer is None or not viewer.pk:
        return []
    own = Slot.objects.filter(entrant__player=viewer).values("pairing")
    pairings = (
        Pairing.objects.filter(
            pk__in=own,
            stage__tournament__division__season=season,
            stage__tournament__status=Status.RUNNING,
        )
        .exclude(status=Pairing.Status.DECIDED)
        .select_related("stage__tournament")
        .prefetch_related(
            Prefetch("slots", Slot.objects.select_related("entrant__player", "entrant__partner")),
            Prefetch("wishes", PlayWish.objects.filter(at__gte=timezone.now() - WISH)),
            "games",
        )
    )
    return [_own_match(pairing, viewer) for pairing in pairings.order_by("number")]


def _own_match(pairing: Pairing, viewer: Player) -> OwnMatch:
    others = [
        s.entrant for s in pairing.slots.all() if s.entrant and s.entrant.player_id != viewer.pk
    ]
    wishes = {wish.player_id for wish in pairing.wishes.all()}
    live = next((game.match_id for game in pairing.games.all() if game.over_at is None), "")
    return OwnMatch(
        pairing.pk,
        pairing.stage.tournament,
        ", ".join(entrant.label for entrant in others),
        viewer.pk in wishes,
        any(entrant.player_id in wishes for entrant in others),
        live,
    )


def _outlook(board: Board, up: int, down: int, *, over: bool) -> dict[int, Outlook]:
    plan = board.plan()
    ranks = {row.seed: row for row in plan.table}
    played: dict[int, int] = dict.fromkeys(board.entrants, 0)
    left: dict[int, int] = dict.fromkeys(board.entrants, 0)
    for pairing in plan.pairings.values():
        for seed in pairing.seeds():
            if pairing.verdict is None:
                left[seed] += 1
            else:
                played[seed] += 1
    scores = {
        entrant.pk: Score(ranks[seed].points, played[seed], left[seed], ranks[seed].rank)
        for seed, entrant in board.entrants.items()
    }
    return outlooks(scores, up, down, over=over)


def _final_order(board: Board) -> list[int]:
    """The players of a division as the table has them."""
    return [board.entrants[row.seed].player_id for row in board.plan().table]


def _way(before: int | None, now: int) -> str:
    if before is None:
        return "new"
    return "up" if now < before else "down" if now > before else "stays"
