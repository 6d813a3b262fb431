"""People entered by an official: by name, or by account; one, or a whole list.

Who has no account becomes a guest of the event: a player in whose name nobody can sign in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from players import names
from players.forms import REFUSALS
from players.models import Player
from players.names import NameRefused, skeleton
from players.services import create_guest
from tournaments import audit
from tournaments.errors import SENTENCES, TournamentError
from tournaments.models import Entrant, Tournament
from tournaments.permissions import takes_late_entries
from tournaments.services import entry
from tournaments.services.work import lock_for, running_or_before

MOST: Final = 2000
NAME_LENGTH: Final = 40


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody to be entered, from line `line` of a list: a name, or the sign-in name of an
    `account`. `partner` is a name too, for events of fixed pairs, `pair` what the two are called.

    `problem` is a code of errors.SENTENCES or of players.names, once it is known that the row
    can't be taken, and `like` the name that it would be taken for.
    """

    line: int
    name: str = ""
    account: str = ""
    partner: str = ""
    pair: str = ""
    problem: str = ""
    like: str = ""


def look_at(
    tournament: Tournament, rows: Sequence[Newcomer], *, single: bool = False
) -> list[Newcomer]:
    """The rows with clean names, and with the problem of each that can't be taken. `single`: of
    one person each, also where pairs play.
    """
    pairs = tournament.sides == Tournament.Sides.PAIRS and not single
    seen = {skeleton(name): name for name in _inside(tournament)}
    wanted = {row.account.lower().removeprefix("@") for row in rows if row.account}
    accounts = {
        player.handle: player
        for player in Player.objects.filter(handle__in=wanted, is_guest=False, bot_level="")
    }
    keys = {skeleton(name) for row in rows for name in (row.name, row.partner) if name}
    taken = dict(Player.objects.filter(name_key__in=keys).values_list("name_key", "name"))
    found = []
    for row in rows[:MOST]:
        checked = _checked(row, accounts, taken, pairs=pairs)
        for name in (checked.name, checked.partner):
            if not checked.problem and name and (key := skeleton(name)) in seen:
                checked = replace(checked, problem="twice", like=seen[key])
        if not checked.problem:
            seen |= {skeleton(name): name for name in (checked.name, checked.partner) if name}
        found.append(checked)
    return found


def problem_of(row: Newcomer) -> str:
    """Why a row can't be taken, in words."""
    known: Mapping[str, object] = {**REFUSALS, **SENTENCES}
    sentence = str(known.get(row.problem, row.problem))
    if row.problem == "too_long":
        sentence = _("Use at most %(n)s characters.") % {"n": NAME_LENGTH}
    if row.like and row.like != row.name:
        return _("%(sentence)s It looks like %(name)s.") % {"sentence": sentence, "name": row.like}
    return sentence


def enter(
    *, tournament_id: int, by: Player, rows: Sequence[Newcomer]
) -> tuple[list[Entrant], list[Newcomer]]:
    """Enters those rows that can be taken; those who are in, and the rows that were not taken.

    While rounds are drawn one by one, they come in late. Raises TournamentError not_allowed,
    over, closed, too_many.
    """
    if len(rows) > MOST:
        raise TournamentError("too_many", most=MOST)
    with transaction.atomic():
        tournament = lock_for(tournament_id, by, "entrants")
        running_or_before(tournament)
        if tournament.is_running and not takes_late_entries(tournament):
            raise TournamentError("closed", status=tournament.status)
        checked = look_at(tournament, rows)
        entered = []
        left = [row for row in checked if row.problem]
        for row in checked:
            if row.problem:
                continue
            if tournament.is_running and not takes_late_entries(tournament):
                left.append(replace(row, problem="closed"))
            else:
                entered.append(_enter(tournament, row, by))
        if entered:
            labels = ", ".join(entrant.label for entrant in entered[:10])
            audit.note(tournament, by, "entered", count=len(entered), names=labels)
    return entered, left


def _inside(tournament: Tournament) -> list[str]:
    rows = tournament.entrants.select_related("player", "partner")
    people = [person for row in rows for person in (row.player, row.partner) if person is not None]
    return [person.name for person in people]


def _checked(
    row: Newcomer, accounts: dict[str, Player], taken: dict[str | None, str], *, pairs: bool
) -> Newcomer:
    handle = row.account.lower().removeprefix("@")
    try:
        if handle:
            if handle not in accounts:
                return replace(row, problem="no_account")
            row = replace(row, account=handle, name=accounts[handle].name)
        else:
            row = replace(row, name=names.clean_name(row.name, NAME_LENGTH))
            if (key := skeleton(row.name)) in taken:
                return replace(row, problem="has_account", like=taken[key])
        if not pairs:
            return replace(row, partner="", pair="")
        row = replace(row, partner=names.clean_name(row.partner, NAME_LENGTH))
        if (key := skeleton(row.partner)) in taken:
            return replace(row, problem="has_account", like=taken[key])
        if skeleton(row.partner) == skeleton(row.name):
            return replace(row, problem="twice", like=row.name)
        return replace(row, pair=names.clean_line(row.pair)[:80])
    except NameRefused as refused:
        return replace(row, problem=refused.code)


def _enter(tournament: Tournament, row: Newcomer, by: Player) -> Entrant:
    player = person_of(row)
    partner = create_guest(name=row.partner, longest=NAME_LENGTH) if row.partner else None
    entrant = entry.place(tournament, player, by=by)
    if partner is not None:
        entrant.partner, entrant.name = partner, row.pair
        entrant.save(update_fields=["partner", "name"])
    return entrant


def person_of(row: Newcomer) -> Player:
    """The account of a row that can be taken, or a new guest."""
    if row.account:
        return Player.objects.get(handle=row.account)
    return create_guest(name=row.name, longest=NAME_LENGTH)
