"""Keeping people apart: households, clubs, those who met in an earlier event."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from players.models import Player
from tournaments import apart, audit
from tournaments import board as boards
from tournaments.errors import TournamentError
from tournaments.formats import groups
from tournaments.models import Apart, ApartMember, Stage, Tournament
from tournaments.options import clean_line
from tournaments.services.work import lock_for, running_or_before

Kind = Apart.Kind
LONGEST = 60
MOST = 50


@transaction.atomic
def keep_apart(
    *,
    tournament_id: int,
    by: Player,
    kind: str = Kind.PEOPLE,
    entrants: Sequence[int] = (),
    name: str = "",
    earlier: str = "",
) -> Apart:
    """Notes who should not meet while it can be helped, from the next round drawn on. The ids of
    `entrants` for people, the slug of an `earlier` event of the same organiser for those who met
    there. The same again answers what is there.

    Raises TournamentError not_allowed, over, bad_apart, no_earlier.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    running_or_before(tournament)
    if kind == Kind.PEOPLE:
        made, new = _people(tournament, by, sorted(set(entrants)), clean_line(name)[:LONGEST])
    elif kind == Kind.CLUB:
        made, new = Apart.objects.get_or_create(
            tournament=tournament, kind=kind, defaults={"by": by}
        )
    elif kind == Kind.EVENT:
        made, new = _earlier(tournament, by, earlier)
    else:
        raise TournamentError("bad_apart")
    if new:
        audit.note(tournament, by, f"apart_{made.kind}", names=_about(made))
    return made


@transaction.atomic
def let_meet(*, tournament_id: int, by: Player, apart_id: int) -> None:
    """Takes a wish back; nothing when it is gone. Raises TournamentError not_allowed, over."""
    tournament = lock_for(tournament_id, by, "entrants")
    running_or_before(tournament)
    found = tournament.aparts.filter(pk=apart_id).first()
    if found is not None:
        audit.note(tournament, by, f"may_meet_{found.kind}", names=_about(found))
        found.delete()


def deal_groups(stage: Stage) -> None:
    """Keeps people apart in the groups of a stage that is being made: who is in which is settled
    now, whatever is wished later.
    """
    if stage.format != groups.ID or not stage.tournament.aparts.exists():
        return
    board = boards.load(stage)
    board.avoid = apart.pairs_of(stage.tournament, board.entrants)
    if board.avoid:
        dealt = [list(group) for group in groups.kept_apart(board.field)]
        stage.config = {**stage.config, "members": dealt}
        stage.save(update_fields=["config"])


def forget(entrant_id: int) -> None:
    """Whoever plays in an entry from now on is not who the wishes were about."""
    wishes = Apart.objects.filter(members=entrant_id)
    ids = list(wishes.values_list("pk", flat=True))
    ApartMember.objects.filter(entrant=entrant_id).delete()
    for wish in Apart.objects.filter(pk__in=ids):
        if wish.members.count() < 2:
            wish.delete()


def _about(wish: Apart) -> str:
    """The people, or the event, that a wish names."""
    if wish.earlier is not None:
        return wish.earlier.name
    rows = wish.members.select_related("player", "partner").order_by("pk")
    return ", ".join(row.label for row in rows)


def _people(
    tournament: Tournament, by: Player, ids: Sequence[int], name: str
) -> tuple[Apart, bool]:
    inside = tournament.entrants.filter(pk__in=ids).count()
    if not 2 <= len(ids) <= MOST or inside != len(ids):
        raise TournamentError("bad_apart", most=MOST)
    for known in tournament.aparts.filter(kind=Kind.PEOPLE):
        if list(known.members.order_by("pk").values_list("pk", flat=True)) == list(ids):
            return known, False
    made = Apart.objects.create(tournament=tournament, kind=Kind.PEOPLE, name=name, by=by)
    ApartMember.objects.bulk_create(ApartMember(apart=made, entrant_id=pk) for pk in ids)
    return made, True


def _earlier(tournament: Tournament, by: Player, slug: str) -> tuple[Apart, bool]:
    found = next((each for each in apart.earlier_events(tournament) if each.slug == slug), None)
    if found is None:
        raise TournamentError("no_earlier")
    return Apart.objects.get_or_create(
        tournament=tournament, kind=Kind.EVENT, earlier=found, defaults={"by": by}
    )
