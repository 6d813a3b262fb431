"""Does what is stored of an event follow from its results, and they from the matches?"""

from __future__ import annotations

from collections.abc import Iterator

from games.models import Match
from tournaments import arena, drawn, formats, stages, tally
from tournaments import board as boards
from tournaments.board import Board
from tournaments.formats import arena as arena_format
from tournaments.formats import model as fm
from tournaments.models import ArenaClock, Entrant, Pairing, Presence, Result, Stage, Tournament

Status = Tournament.Status


def verify(tournament_id: int) -> list[str]:
    """One sentence for each stored value that differs from what the results lead to."""
    tournament = Tournament.objects.get(pk=tournament_id)
    name = f"tournament {tournament.slug}"
    found = list(_entries(tournament))
    chained: list[Board] = []
    for stage in tournament.stages.all():
        if stage.annulled:
            found += _annulled(stage)
            continue
        board = boards.load(stage)
        chained.append(board)
        found += _stage(tournament, board)
    found += _course(tournament, chained)
    if tournament.started_at is not None and not tournament.stages.exists():
        found.append("has started and has no stage")
    return [f"{name}: {each}" for each in found]


def _entries(tournament: Tournament) -> Iterator[str]:
    """I12: never more than fit, and nobody waits while there is a place."""
    waiting = Entrant.Status.WAITING
    inside = tournament.entrants.exclude(status=waiting).count()
    if inside != tournament.taken:
        yield f"{tournament.taken} places are counted as taken, {inside} are"
    queue = tournament.entrants.filter(status=waiting).exists()
    if tournament.is_before_start and queue and inside < tournament.capacity:
        yield "somebody waits while there is a place"


def _course(tournament: Tournament, chained: list[Board]) -> Iterator[str]:
    """Stages follow from those before them, and the event's places and end from all."""
    if not chained:
        return
    try:
        plans = [board.plan() for board in chained]
    except fm.BadVerdict:
        return
    wrong = stages.first_wrong(chained, plans)
    if wrong is not None:
        yield f"stage {chained[wrong].stage.number} does not follow from those before it"
        return
    follow = stages.following(chained, plans)
    if follow.field and tournament.is_running:
        yield f"stage {follow.step + 1} of the plan should have begun"
    places = stages.places(chained, plans, over=follow.over)
    for entrant in chained[0].entrants.values():
        if entrant.place != places.get(entrant.pk):
            wanted = places.get(entrant.pk)
            yield f"entrant {entrant.pk} has the place {entrant.place}, should have {wanted}"
    if tournament.status in (Status.RUNNING, Status.FINISHED) and follow.over != (
        tournament.status == Status.FINISHED
    ):
        shown = "over" if follow.over else "not over"
        yield f"is {tournament.status}, by its results it is {shown}"


def _annulled(stage: Stage) -> Iterator[str]:
    """Nothing of an annulled stage counts or is left to play."""
    board = boards.load(stage)
    for number in board.pairings:
        if board.result(number) is not None or board.counted_games(number):
            yield f"stage {stage.number} is annulled and its match {number} counts"
        if board.live_game(number) is not None:
            yield f"stage {stage.number} is annulled and its match {number} has a table"
    yield from _versions(stage)
    yield from _games(board)


def _stage(tournament: Tournament, board: Board) -> Iterator[str]:
    stage = board.stage
    if stage.rules_id != formats.get(stage.format).RULES:
        yield f"stage {stage.number} was played by {stage.rules_id}, which this version can't fold"
        return
    if sorted(board.entrants) != list(range(1, stage.size + 1)):
        yield f"stage {stage.number}: seeds {sorted(board.entrants)} for {stage.size} entrants"
        return
    try:
        plan = board.plan()
    except fm.BadVerdict as error:
        yield f"stage {stage.number}: {error}"
        return
    yield from _pairings(board, plan)
    yield from _versions(stage)
    yield from _kept(board)
    yield from _games(board)
    yield from _seeds(board)
    yield from _draws(board)
    if stage.format == arena_format.ID:
        yield from _arena(tournament, board, plan)


def _pairings(board: Board, plan: fm.Plan) -> Iterator[str]:
    if board.pairings.keys() != plan.pairings.keys():
        yield f"has matches {sorted(board.pairings)}, should have {sorted(plan.pairings)}"
        return
    for number, planned in plan.pairings.items():
        pairing = board.pairings[number]
        if (pairing.round.number, pairing.position) != (planned.round, planned.position):
            yield f"match {number} stands in the wrong place"
        wanted = [
            (*_stored(board, slot), side, *_come_from(board, source))
            for slot, side, source in zip(
                planned.slots, board.side_values(planned), planned.sources, strict=True
            )
        ]
        slots = [
            (slot.kind, slot.entrant_id, slot.side, slot.source_id, slot.takes, slot.rank)
            for slot in board.slots[number]
        ]
        if slots != wanted:
            yield f"match {number} has the slots {slots}, should have {wanted}"
        if board.is_draft(number):
            if board.results.get(number) or board.games.get(number):
                yield f"match {number} of a draft has a result or a table"
        elif planned.automatic is not None and board.result(number) is None:
            yield f"match {number} is decided without play and has no result"
        if board.stage.tournament.is_running:
            yield from _standing(board, planned)


def _standing(board: Board, planned: fm.Pairing) -> Iterator[str]:
    stored, wanted = board.pairings[planned.number].status, board.status_of(planned)
    if stored != wanted:
        yield f"match {planned.number} is {stored}, should be {wanted}"
    if board.is_draft(planned.number):
        return
    if planned.is_open and len(board.present(planned)) < 2:
        yield f"match {planned.number} waits for somebody who is out"


def _stored(board: Board, slot: fm.Slot) -> tuple[str, int | None]:
    kind, entrant = board.slot_values(slot)
    return kind.value, None if entrant is None else entrant.pk


def _come_from(board: Board, source: fm.Source | None) -> tuple[int | None, str, int]:
    pairing, takes, rank = board.source_values(source)
    return None if pairing is None else pairing.pk, takes.value, rank


def _versions(stage: Stage) -> Iterator[str]:
    versions: dict[int, list[int]] = {}
    rows = Result.objects.filter(pairing__stage=stage).order_by("version")
    for number, version in rows.values_list("pairing__number", "version"):
        versions.setdefault(number, []).append(version)
    for number, found in versions.items():
        if found != list(range(1, len(found) + 1)):
            yield f"match {number} has the result versions {found}"


def _kept(board: Board) -> Iterator[str]:
    """What a correction keeps is an earlier version of the same, as it was before any keeping."""
    for number, result in board.results.items():
        kept = result.keeps
        if kept is not None and (
            kept.pairing_id != result.pairing_id
            or kept.version >= result.version
            or kept.keeps_id is not None
            or not kept.counts
        ):
            yield f"match {number} keeps what is no earlier version of its result"


def _games(board: Board) -> Iterator[str]:
    """Games say what their matches say, and results nobody entered say what the games say."""
    every = [game for games in board.games.values() for game in games]
    cards = Match.objects.in_bulk([game.match_id for game in every])
    forfeits = tally.forfeits_of(*cards.values())
    for number, games in board.games.items():
        for game in games:
            card = cards.get(game.match_id)
            if card is None:
                yield f"match {number}, game {game.number}: table {game.match_id} is gone"
            elif (
                not {"pairing": game.pairing_id, "game": game.number}.items()
                <= card.context.items()
            ):
                yield f"match {number}, game {game.number}: table {card.pk} says {card.context}"
            elif (
                game.over_at is not None
                and not game.void
                and (
                    card.status != Match.Status.FINISHED
                    or (game.winner, game.scores) != (card.winner, card.scores)
                    or game.forfeits != forfeits[card.pk]
                )
            ):
                yield f"match {number}, game {game.number} is not as table {card.pk} ended"
        yield from _tallied(board, number)


def _tallied(board: Board, number: int) -> Iterator[str]:
    result = board.result(number)
    decided = board.tallied(number)
    if result is None:
        if decided is not None and board.stage.tournament.is_running:
            yield f"match {number} is decided by its games and has no result"
        return
    if result.by_id is not None or result.outcome not in (Result.Outcome.PLAYED,):
        return
    side = None if decided is None else decided.winner
    winner = None if side is None else board.sides(number)[side][0].entrant_id
    forfeits = [] if decided is None else list(decided.forfeits)
    if (winner, forfeits) != (result.winner_id, result.forfeits):
        yield f"match {number}: its result is not what its games say"


def _draws(board: Board) -> Iterator[str]:
    """Each round is the one that its input leads to, where both are still known."""
    for row in board.stage.rounds.exclude(draw={}).order_by("number"):
        wanted = drawn.again(board, row)
        if wanted is None:
            continue
        own = [m for m in board.drawn if m.round == row.number]
        if [(m.position, _drawn_seeds(m)) for m in own] != [(m.position, m.seeds) for m in wanted]:
            yield f"round {row.number} is not as its input draws it"


def _drawn_seeds(meeting: fm.Meeting) -> tuple[int, ...]:
    """The seeds as they were drawn, before their seats were swapped by hand."""
    return meeting.seeds[::-1] if meeting.because.get("swapped") else meeting.seeds


def _seeds(board: Board) -> Iterator[str]:
    for seed, entrant in board.entrants.items():
        if entrant.seed != seed and board.stage.number == 1:
            yield f"entrant {entrant.pk} shows the seed {entrant.seed}, played with {seed}"


def _arena(tournament: Tournament, board: Board, plan: fm.Plan) -> Iterator[str]:
    """Nobody sat twice at once, who plays is marked so, and the standings shown are the fold."""
    stage = board.stage
    clock = ArenaClock.objects.filter(stage=stage).first()
    is_current = stages.current(tournament) == stage
    if clock is None and is_current and not board.pairings and "closed" not in stage.config:
        return  # it waits for the arbiter
    if clock is None or (clock.closed_at is not None) != ("closed" in stage.config):
        yield f"stage {stage.number}: its clock says otherwise than its settings"
    firsts = Result.objects.filter(pairing__stage=stage, version=1)
    ended = dict(firsts.values_list("pairing__number", "pk"))
    sits: dict[int, int] = {}
    for number, planned in sorted(plan.pairings.items()):
        after = board.pairings[number].round.draw.get("after", 0)
        for seed in planned.seeds():
            before = sits.get(seed)
            if before is not None and ended.get(before, after + 1) > after:
                yield f"seed {seed} was seated in match {number} while match {before} was on"
            sits[seed] = number
    if tournament.is_running and is_current:
        yield from _presences(board)
    shown = [(line.seed, line.rank, line.points, line.decided) for line in arena.standings(stage)]
    if shown != [(row.seed, row.rank, row.points, row.decided) for row in plan.table]:
        yield "the standings that are shown are not those that follow"


def _presences(board: Board) -> Iterator[str]:
    playing: dict[int | None, int] = {}
    for number, pairing in board.pairings.items():
        if pairing.status != Pairing.Status.DECIDED:
            for slot in board.slots[number]:
                if slot.entrant_id in playing:
                    yield f"entrant {slot.entrant_id} sits in two matches"
                playing[slot.entrant_id] = pairing.pk
    rows = Presence.objects.filter(entrant__in=[each.pk for each in board.entrants.values()])
    stored = {row.entrant_id: row.pairing_id for row in rows}
    for entrant in board.entrants.values():
        if entrant.pk not in stored:
            yield f"entrant {entrant.pk} is in the arena and has no presence"
        elif stored[entrant.pk] != playing.get(entrant.pk):
            yield f"entrant {entrant.pk} is not marked as sitting where it does"
