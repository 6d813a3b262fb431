"""What is shown of events: lists, brackets, standings, and a player's next table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.urls import reverse_lazy
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from players.models import Player
from ratings import selectors as ratings
from tournaments import access, arena, rounds, stages
from tournaments.board import Board
from tournaments.bracket import bracket as bracket
from tournaments.bracket import round_name as round_name
from tournaments.bracket import round_step, step_name
from tournaments.formats import arena as arena_format
from tournaments.formats.model import Plan, Step
from tournaments.ladders.selectors import table_link as ladder_link
from tournaments.models import Entrant, Game, Pairing, Rest, Round, Slot, Stage, StandIn, Tournament
from tournaments.options import pool_of
from tournaments.permissions import may_run, takes_late_entries
from tournaments.proof import verify as verify
from tournaments.standings.table import Versus
from tournaments.visibility import board_for
from tournaments.visibility import pairings_for as pairings_for
from tournaments.visibility import sees_drafts as sees_drafts

Status = Tournament.Status
OF_LEAGUE: Final = "division__season__league"
"""What an event's title needs where it is a league's."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings. `place` is None while in, and for the disqualified, who stand last;
    `lost_in` is the round of the stage in which the entrant lost for the last time.

    In formats with a table, `place` is the rank so far, and there are `points` (in twelfths), the
    `values` of the criteria, which one `decided`, and against whom (standings.table.Row)
    (the `rival` is that entrant); `best` and `worst` are the ranks that are still possible, where
    that is known. `seed` is the one in the stage. Where there are groups, the rank is the one in
    its `group`, counted from 1. `going`: "through" to the next stage or "out" where that is
    certain, else "". Nothing is certain while people can still come in.

    In a bracket `best` and `worst` are known where several go on from a table.
    """

    entrant: Entrant
    place: int | None
    wins: int
    lost_in: int | None
    points: int | None = None
    values: Mapping[str, int] = field(default_factory=dict)
    decided: str = ""
    counts: bool = True
    group: int = 0
    versus: Versus | None = None
    rival: Entrant | None = None
    best: int | None = None
    worst: int | None = None
    seed: int = 0
    going: str = ""


@dataclass(frozen=True, slots=True)
class NextTable:
    """A table of an event that waits for its player. `sit_by` ends the time to sit down."""

    match_id: str
    tournament: Tournament
    pairing: int
    game: int
    sit_by: Any


@dataclass(frozen=True, slots=True)
class ViewerState:
    """What the event's page offers to a viewer: one word, and what belongs to it.

    `word`: "soon" (registration isn't open), "join", "join_waiting" (only the waiting list is
    left), "in", "waiting" (`position` on the waiting list, from 1), "closed", "next" (plays on, no
    table yet), "join_late" (rounds are left to come in for), "sit" (`table` waits), "out" (`place`
    if there is one), "watch", "over", "cancelled".

    `refused` is the code of what keeps the viewer out where they could else join. `can_check_in`:
    the entrant is asked to say that they are there; `can_return`: who withdrew may play on; `rests`
    are the rounds that the entrant is not in, `can_rest_in` those that they may ask to rest in,
    by the stage of the event's plan and the number in it.
    """

    word: str
    may_run: bool = False
    entrant: Entrant | None = None
    position: int | None = None
    table: NextTable | None = None
    place: int | None = None
    refused: str = ""
    can_check_in: bool = False
    can_return: bool = False
    rests: tuple[Rest, ...] = ()
    can_rest_in: tuple[tuple[int, int], ...] = ()


def by_slug(slug: str) -> Tournament | None:
    """The event of that slug, with its organiser and club, and its league if it is of one."""
    related = ("organiser", "club", OF_LEAGUE)
    return Tournament.objects.select_related(*related).filter(slug=slug).first()


def by_pk(tournament_id: int) -> Tournament | None:
    return Tournament.objects.filter(pk=tournament_id).first()


def listed(*statuses: str) -> QuerySet[Tournament]:
    """Events for lists, the newest first: of those statuses, or all but drafts; none that is for
    those who have its link.
    """
    wanted = statuses or tuple(status for status in Status if status != Status.DRAFT)
    found = Tournament.objects.filter(status__in=wanted).select_related("organiser", "club")
    found = found.exclude(access=Tournament.Access.LINK)
    return found.order_by("-created_at", "-pk")


def siblings(event: Tournament) -> list[Tournament]:
    """The public events of its series, the newest first; none where there is no series."""
    if not event.series:
        return []
    found = Tournament.objects.filter(series=event.series).exclude(status=Status.DRAFT)
    return list(found.order_by("-series_number"))


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """Those who have a place: by seed where there is one, then as they joined. With players."""
    inside = tournament.entrants.exclude(status=Entrant.Status.WAITING).select_related(
        "player", "partner"
    )
    return sorted(inside, key=lambda e: (e.seed is None, e.seed or 0, e.pk))


def stand_ins(tournament: Tournament) -> list[StandIn]:
    """Who came into an entry while the event ran, the first first; with players."""
    found = StandIn.objects.filter(entrant__tournament=tournament)
    return list(found.select_related("out", "into", "stage", "entrant").order_by("pk"))


def waiting_list(tournament: Tournament) -> list[Entrant]:
    """Those on the waiting list, the first to come in first. With players."""
    waiting = tournament.entrants.filter(status=Entrant.Status.WAITING)
    return list(waiting.select_related("player", "partner").order_by("pk"))


def ratings_of(tournament: Tournament) -> Mapping[int, ratings.Shown]:
    """The entrants' ratings in the event's pool, by player id; who has none is not in it."""
    ids = tournament.entrants.values_list("player_id", flat=True)
    return ratings.ratings_in(pool_of(tournament), ids)


def standings(tournament: Tournament, number: int | None = None) -> list[Standing]:
    """Who stands where: those still in first (by seed), then by place; empty before the start.
    In formats with a table, in its order. Of a stage, or of the event: the stage in course, then
    those who did not go on to it.
    """
    if number is not None:
        stage = tournament.stages.filter(number=number).first()
        return [] if stage is None else _standings_in(stage)
    only = stages.current(tournament)
    if only is not None and only.format == arena_format.ID and only.number == 1:
        return _arena_standings(only)
    mains = [stage for stage in stages.counting(tournament) if not stage.is_play_off]
    if not mains:
        return []
    rows = standings_of(board_for(mains[-1]))
    inside = {row.entrant.pk for row in rows}
    behind = [row for row in standings_of(board_for(mains[0])) if row.entrant.pk not in inside]
    others = [replace(row, place=row.entrant.place, points=None, group=0) for row in behind]
    return rows + sorted(others, key=lambda row: (row.place is None, *_standing_order(row)))


def _standings_in(stage: Stage) -> list[Standing]:
    if stage.format == arena_format.ID:
        return _arena_standings(stage)
    return standings_of(board_for(stage))


def stage_list(tournament: Tournament) -> list[Stage]:
    """All stages there have been, those that were annulled too."""
    return list(tournament.stages.order_by("number"))


def standings_of(board: Board) -> list[Standing]:
    """The same, from a board."""
    return board.once("standings", lambda: _standings_of(board))


def _standings_of(board: Board) -> list[Standing]:
    plan = board.fold()
    wins: dict[int, int] = dict.fromkeys(board.entrants, 0)
    lost_in: dict[int, int] = {}
    for planned in plan.pairings.values():
        if planned.verdict is None or planned.automatic in ("bye", "not_needed"):
            continue
        for seed in planned.seeds():
            if seed in planned.winners():
                wins[seed] += 1
            elif not planned.verdict.is_drawn:
                lost_in[seed] = planned.round
    # Nobody comes late into a bracket.
    late = bool(plan.table) and takes_late_entries(board.stage.tournament)
    cut_short = not plan.over and not board.stage.tournament.is_running
    possible = {} if late or cut_short else plan.possible
    going = stages.marks(board, late=late)
    if plan.table:
        return [
            Standing(
                board.entrants[row.seed],
                row.rank,
                wins[row.seed],
                lost_in.get(row.seed),
                row.points,
                row.values,
                row.decided,
                row.counts,
                versus=row.versus,
                rival=None if row.versus is None else board.entrants[row.versus.seed],
                best=possible.get(row.seed, (None, None))[0],
                worst=possible.get(row.seed, (None, None))[1],
                seed=row.seed,
                going=going.get(row.seed, ""),
                group=row.group,
            )
            for row in plan.table
        ]
    rows = [
        Standing(
            entrant,
            _place(board, plan, seed),
            wins[seed],
            lost_in.get(seed),
            best=possible.get(seed, (None, None))[0],
            worst=possible.get(seed, (None, None))[1],
            seed=seed,
            going=going.get(seed, ""),
        )
        for seed, entrant in board.entrants.items()
    ]
    return sorted(rows, key=_standing_order)


def _arena_standings(stage: Stage) -> list[Standing]:
    seedings = stage.seedings.select_related("entrant__player", "entrant__partner")
    entrants = {seeding.entrant_id: seeding.entrant for seeding in seedings}
    return [
        Standing(
            entrants[line.entrant_id],
            line.rank,
            line.wins,
            None,
            line.points,
            {
                "wins": line.wins,
                "difference": line.difference,
                "played": line.played,
                "streak": line.streak,
            },
            line.decided,
        )
        for line in arena.standings(stage)
        if line.entrant_id in entrants
    ]


def my_next_table(player: Player | None) -> NextTable | None:
    """The table at which the player is awaited, or playing; the one that is due first."""
    if player is None or not player.pk:
        return None
    own = Slot.objects.filter(
        Q(entrant__player=player) | Q(entrant__partner=player),
        entrant__status=Entrant.Status.ACTIVE,
    )
    game = (
        Game.objects.filter(
            over_at__isnull=True,
            pairing__in=own.values("pairing"),
            pairing__stage__tournament__status=Status.RUNNING,
        )
        .select_related("pairing__stage__tournament")
        .order_by("opened_at", "pk")
        .first()
    )
    return None if game is None else _next_table(game)


def awaited_in_the_room(
    player: Player | None, tournament: Tournament | None = None
) -> Pairing | None:
    """The pairing that the player is to play over the board now, of that event or of any; with
    its stage and event.
    """
    if player is None or not player.pk:
        return None
    board = Tournament.Play.BOARD
    own = Slot.objects.filter(
        Q(entrant__player=player) | Q(entrant__partner=player),
        entrant__status=Entrant.Status.ACTIVE,
    )
    found = Pairing.objects.filter(
        Q(play=board) | Q(play="", stage__tournament__play=board),
        pk__in=own.values("pairing"),
        status=Pairing.Status.READY,
        round__status=Round.Status.STARTED,
        stage__tournament__status=Status.RUNNING,
    )
    if tournament is not None:
        found = found.filter(stage__tournament=tournament)
    related = f"stage__tournament__{OF_LEAGUE}"
    return found.select_related(related).order_by("round__started_at", "pk").first()


def viewer_state(tournament: Tournament, viewer: Player | None, key: str = "") -> ViewerState:
    """What the event's page offers to this viewer; `key` is that of the event's link, if they
    have it.
    """
    state = _state(tournament, viewer)
    if state.word in ("join", "join_waiting", "join_late"):
        return replace(state, refused=access.refusal(tournament, viewer, key) or "")
    if state.entrant is None or state.word in ("over", "cancelled"):
        return state
    return replace(
        state,
        can_check_in=access.is_check_in_open(tournament),
        can_return=rounds.can_return(tournament, state.entrant),
        **_rests(tournament, state.entrant),
    )


def coming_rounds(tournament: Tournament) -> list[tuple[int, int]]:
    """The rounds that one can still ask to rest in: the stage of the event's plan, and the number
    in it, each from 1.
    """
    return rounds.every_coming(tournament)


def _rests(tournament: Tournament, own: Entrant) -> dict[str, Any]:
    mine = tuple(own.rests.order_by("stage", "round"))
    asked = sum(rest.asked_by_id is not None for rest in mine)
    if not own.is_active or asked >= tournament.rests_allowed:
        return {"rests": mine}
    taken = {(rest.stage, rest.round) for rest in mine}
    free = tuple(each for each in rounds.every_coming(tournament) if each not in taken)
    return {"rests": mine, "can_rest_in": free}


def _state(tournament: Tournament, viewer: Player | None) -> ViewerState:
    """The word, and what belongs to it."""
    runs = may_run(tournament, viewer)
    own = None if viewer is None or not viewer.pk else _own_entry(tournament, viewer)
    if tournament.is_before_start:
        return _before(tournament, own, runs)
    place = own.place if own is not None else None
    if not tournament.is_running:
        word = "cancelled" if tournament.status == Status.CANCELLED else "over"
        return ViewerState(word, runs, own, place=place)
    if own is None and takes_late_entries(tournament):
        return ViewerState("join_late", runs)
    if own is None or own.status == Entrant.Status.WAITING:
        return ViewerState("watch", runs, own)
    if not own.is_active or own.place is not None:
        return ViewerState("out", runs, own, place=place)
    table = _own_table(tournament, own)
    return ViewerState("next" if table is None else "sit", runs, own, table=table)


def tables_beside(context: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The tables before and after one in its event, of those that are played now; in a ring.

    By a table's context, as ``table_link`` reads it; (None, None) where there is no other.
    """
    pairing_id, number = context.get("pairing"), context.get("game")
    if type(pairing_id) is not int or type(number) is not int:
        return None, None
    here = Game.objects.filter(pairing=pairing_id, number=number).first()
    if here is None:
        return None, None
    event = Game.objects.filter(pk=here.pk).values("pairing__stage__tournament")
    found = Game.objects.filter(
        Q(over_at__isnull=True) | Q(pk=here.pk), pairing__stage__tournament__in=event
    )
    ids = list(found.order_by("pairing_id", "number").values_list("match_id", flat=True))
    at = ids.index(here.match_id)
    if len(ids) < 2:
        return None, None
    return ids[at - 1], ids[(at + 1) % len(ids)]


def table_link(context: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a table belongs to: its title and the event's page, both made in the language of whoever
    reads them, without the database; None for other tables.

    ``{"pairing": 7, "game": 2}`` → ``{"title": "Friday Cup, final, game 2", "url": "/…"}``
    """
    if "challenge" in context:
        return ladder_link(context)
    pairing_id, number = context.get("pairing"), context.get("game")
    if type(pairing_id) is not int or type(number) is not int:
        return None
    game = (
        Game.objects.filter(pairing=pairing_id, number=number)
        .select_related(f"pairing__stage__tournament__{OF_LEAGUE}", "pairing__round")
        .first()
    )
    if game is None:
        return None
    pairing, tournament = game.pairing, game.pairing.stage.tournament
    is_arena = pairing.stage.format == arena_format.ID
    step = None if is_arena else round_step(pairing.stage, pairing.round.number)
    number = game.number if pairing.stage.config["best_of"] > 1 else None
    return {
        "title": _table_title(tournament, pairing.number, step, number),
        "url": reverse_lazy("pages:tournament", args=[tournament.slug]),
    }


def _title(tournament: Tournament, pairing: int, step: Step | None, game: int | None) -> str:
    """The round that a table belongs to; in an arena, where that says nothing, the match."""
    part = _("match %(number)d") % {"number": pairing} if step is None else step_name(step)
    facts = {"tournament": tournament.title, "round": part, "game": game}
    if game is None:
        return _("%(tournament)s, %(round)s") % facts
    return _("%(tournament)s, %(round)s, game %(game)d") % facts


_table_title = lazy(_title, str)


def _place(board: Board, plan: Plan, seed: int) -> int | None:
    """The place in a stage without a table: where it is the only one, the event's."""
    entrant = board.entrants[seed]
    gone = entrant.status == Entrant.Status.DISQUALIFIED
    return None if gone else plan.places.get(seed)


def _standing_order(row: Standing) -> tuple[bool, int, int]:
    disqualified = row.entrant.status == Entrant.Status.DISQUALIFIED
    return disqualified, row.place or 0, row.entrant.seed or 0


def _next_table(game: Game) -> NextTable:
    return NextTable(
        match_id=game.match_id,
        tournament=game.pairing.stage.tournament,
        pairing=game.pairing.number,
        game=game.number,
        sit_by=game.sit_by,
    )


def _own_entry(tournament: Tournament, viewer: Player) -> Entrant | None:
    return tournament.entrants.filter(Q(player=viewer) | Q(partner=viewer)).first()


def _own_table(tournament: Tournament, own: Entrant) -> NextTable | None:
    game = (
        Game.objects.filter(
            over_at__isnull=True,
            pairing__slots__entrant=own,
            pairing__stage__tournament=tournament,
        )
        .select_related("pairing__stage__tournament")
        .first()
    )
    return None if game is None else _next_table(game)


def _before(tournament: Tournament, own: Entrant | None, runs: bool) -> ViewerState:
    if own is not None and own.status == Entrant.Status.WAITING:
        ahead = tournament.entrants.filter(status=Entrant.Status.WAITING, pk__lte=own.pk)
        return ViewerState("waiting", runs, own, position=ahead.count())
    if own is not None:
        return ViewerState("in", runs, own)
    if tournament.status in (Status.DRAFT, Status.ANNOUNCED):
        return ViewerState("soon", runs)
    if not tournament.is_open:
        return ViewerState("closed", runs)
    is_full = tournament.taken >= tournament.capacity
    return ViewerState("join_waiting" if is_full else "join", runs)
