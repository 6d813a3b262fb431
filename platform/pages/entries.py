"""The list of entries, for those who keep it: the desk's page, and lists that are read in."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import apart, behind, csv_text
from pages.attending import round_named, whole
from players.models import Player
from tournaments import access, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Claim, Entrant, Tournament
from tournaments.permissions import may, takes_late_entries
from tournaments.services.claiming import is_claimable, open_claims
from tournaments.services.roster import MOST, Newcomer, look_at, problem_of
from tournaments.services.standing_in import Part

MAX_FILE: Final = 500_000
COLUMNS: Final = {
    "name": ("name", "player", "players", "full name", "entrant", "nombre", "nom", "jugador"),
    "account": ("account", "handle", "user", "username", "login", "sign-in name", "usuario"),
    "partner": ("partner", "second player", "player 2", "pareja", "partenaire"),
    "pair": ("pair", "team", "pair name", "team name", "equipo", "mannschaft", "équipe"),
}
"""What the heads of columns are called, in lower case."""


def may_keep(event: Tournament, player: Player) -> bool:
    return may(event, player, "entrants") or may(event, player, "check_in")


def context(request: HttpRequest, event: Tournament, official: Player) -> dict[str, Any]:
    """Everything for pages/entries.html."""
    claims = open_claims(event)
    known = {claim.player_id for claim in claims}
    inside, waiting = selectors.entrants_of(event), selectors.waiting_list(event)
    prefetch_related_objects([*inside, *waiting], "rests")
    return {
        "event": event,
        "places": behind.links(event, official, "pages:entries"),
        "inside": [row for row in inside if row.is_active],
        "gone": [row for row in inside if not row.is_active],
        "waiting_list": waiting,
        "here": sum(row.checked_in_at is not None for row in inside),
        "checks_in": bool(event.check_in_minutes) and event.is_before_start,
        "check_in_from": access.check_in_from(event),
        "takes_entries": event.is_before_start or takes_late_entries(event),
        "may_enter": may(event, official, "entrants"),
        "may_disqualify": may(event, official, "correct"),
        "coming": selectors.coming_rounds(event),
        **apart.context(event),
        "claims": [(claim, claim_link(request, claim)) for claim in claims],
        "unclaimed": any(
            is_claimable(player) and player.pk not in known
            for row in (*inside, *waiting)
            for player in (row.player, row.partner)
            if player is not None
        ),
    }


def claim_link(request: HttpRequest, claim: Claim) -> str:
    """The whole address by which an entry is taken over."""
    return request.build_absolute_uri(reverse("pages:claim", args=[claim.key]))


def do(request: HttpRequest, event: Tournament, by: Player) -> str:
    """One deed of the desk; what to say. Raises TournamentError."""
    for name, deed in DEEDS.items():
        if name in request.POST:
            return deed(request, event, by)
    raise TournamentError("no_entrant")


def _here(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant = _entrant(event, request.POST["here"])
    services.check_in(tournament_id=event.pk, player=entrant.player, by=by)
    return _("%(name)s is here.") % {"name": entrant.label}


def _not_here(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant = _entrant(event, request.POST["not-here"])
    services.check_in(tournament_id=event.pk, player=entrant.player, by=by, here=False)
    return _("The check-in of %(name)s is taken back.") % {"name": entrant.label}


def _add(request: HttpRequest, event: Tournament, by: Player) -> str:
    typed = request.POST.get("name", "").strip()
    row = Newcomer(1, name=typed, partner=request.POST.get("partner", ""))
    if typed.startswith("@"):
        row = Newcomer(1, account=typed, partner=row.partner)
    entered, left = services.enter(tournament_id=event.pk, by=by, rows=[row])
    if left:
        raise TournamentError("bad_setting", problem_of(left[0]))
    return _("%(name)s is in.") % {"name": entered[0].label}


def _replace(request: HttpRequest, event: Tournament, by: Player) -> str:
    pk, _colon, player = request.POST.get("entrant", "").partition(":")
    entrant, typed = _entrant(event, pk), request.POST.get("by", "").strip()
    out = next((p for p in (entrant.player, entrant.partner) if p and str(p.pk) == player), None)
    if out is None:
        raise TournamentError("stale")
    part: Part = "player" if out == entrant.player else "partner"
    row = Newcomer(1, account=typed) if typed.startswith("@") else Newcomer(1, name=typed)
    made = services.replace_entrant(
        tournament_id=event.pk,
        by=by,
        entrant_id=entrant.pk,
        row=row,
        part=part,
        reason=request.POST.get("reason", ""),
        seen=out.pk,
    )
    if isinstance(made, Newcomer):
        raise TournamentError("bad_setting", problem_of(made))
    into = made.partner if part == "partner" and made.partner is not None else made.player
    return _("%(name)s plays in place of %(out)s.") % {"name": into.name, "out": out.name}


def _out(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant, reason = _entrant(event, request.POST.get("entrant")), request.POST.get("reason", "")
    services.withdraw(tournament_id=event.pk, player=entrant.player, by=by, reason=reason)
    return _("%(name)s is out of the tournament.") % {"name": entrant.label}


def _disqualify(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant, reason = _entrant(event, request.POST.get("entrant")), request.POST.get("reason", "")
    services.disqualify(tournament_id=event.pk, player=entrant.player, by=by, reason=reason)
    return _("%(name)s is disqualified.") % {"name": entrant.label}


def _back(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant = _entrant(event, request.POST["back"])
    services.come_back(tournament_id=event.pk, player=entrant.player, by=by)
    return _("%(name)s is in again, from the next round on.") % {"name": entrant.label}


def _rest(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant = _entrant(event, request.POST.get("entrant"))
    stage, number = round_named(request.POST.get("round"))
    services.ask_rest(
        tournament_id=event.pk, player=entrant.player, stage=stage, number=number, by=by
    )
    return _("%(name)s rests in round %(n)s.") % {"name": entrant.label, "n": number}


def _play(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant = _entrant(event, request.POST.get("entrant"))
    stage, number = round_named(request.POST.get("round"))
    services.give_up_rest(
        tournament_id=event.pk, player=entrant.player, stage=stage, number=number, by=by
    )
    return _("%(name)s plays in round %(n)s.") % {"name": entrant.label, "n": number}


def _offer_claims(request: HttpRequest, event: Tournament, by: Player) -> str:
    made = services.offer_claims(tournament_id=event.pk, by=by)
    said = ngettext("%(n)s link can be used.", "%(n)s links can be used.", len(made))
    return said % {"n": len(made)}


def _revoke_claim(request: HttpRequest, event: Tournament, by: Player) -> str:
    pk = whole(request.POST["revoke"]) or 0
    services.revoke_claim(tournament_id=event.pk, by=by, claim_id=pk)
    return _("The link is taken back.")


def _table(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant, typed = _entrant(event, request.POST.get("entrant")), request.POST.get("table", "")
    table = whole(typed) if typed.strip() else None
    services.fix_table(
        tournament_id=event.pk,
        by=by,
        entrant_id=entrant.pk,
        table=0 if table is None and typed.strip() else table,
    )
    facts = {"name": entrant.label, "table": table}
    if table is None:
        return _("%(name)s sits at any table again.") % facts
    return _("%(name)s always sits at table %(table)s.") % facts


def _time(request: HttpRequest, event: Tournament, by: Player) -> str:
    entrant = _entrant(event, request.POST.get("entrant"))
    percent = whole(request.POST.get("percent", "")) or 0
    services.grant_time(tournament_id=event.pk, by=by, entrant_id=entrant.pk, percent=percent)
    facts = {"name": entrant.label, "percent": percent}
    return _("Time of %(name)s from the next table on, in percent: %(percent)s.") % facts


DEEDS: Final[dict[str, Callable[[HttpRequest, Tournament, Player], str]]] = {
    "here": _here,
    "not-here": _not_here,
    "add": _add,
    "replace": _replace,
    "out": _out,
    "disqualify": _disqualify,
    "back": _back,
    "rest": _rest,
    "play": _play,
    "fix": _table,
    "time": _time,
    "apart": apart.keep,
    "let-meet": apart.let,
    "claims": _offer_claims,
    "revoke": _revoke_claim,
}


def list_read(request: HttpRequest, event: Tournament) -> dict[str, Any]:
    """What a list that was sent holds, for its preview: `rows` with their problems, `good` ones,
    the columns that were found and those not used; or the `error` that keeps it from being read.
    """
    data = _sent(request)
    if not data.strip():
        return {"error": _("Choose a file, or paste the names.")}
    if len(data) > MAX_FILE:
        return {"error": _("That file is too large.")}
    asked = request.POST.get("coding", "")
    try:
        table = csv_text.read(data, asked if asked in csv_text.CODINGS else "")
    except ValueError:
        return {"error": _("That is not a table as text, or in another coding."), **_kept(data)}
    columns, has_head = _columns(table)
    rows = [_newcomer(line, cells, columns) for line, cells in table.rows[int(has_head) :]]
    if len(rows) > MOST:
        return {"error": _("That are more than %(n)s lines.") % {"n": MOST}}
    checked = look_at(event, rows)
    pairs = event.sides == Tournament.Sides.PAIRS
    used = {at for key, at in columns.items() if pairs or key in ("name", "account")}
    head = table.rows[0][1] if has_head else ()
    return {
        "rows": [(row, problem_of(row) if row.problem else "") for row in checked],
        "good": sum(not row.problem for row in checked),
        "bad": sum(bool(row.problem) for row in checked),
        "newcomers": rows,
        "coding": table.coding,
        "codings": csv_text.CODINGS,
        "unused": [name for index, name in enumerate(head) if name and index not in used],
        **_kept(data),
    }


def read_in(event: Tournament, by: Player, rows: list[Newcomer]) -> str:
    """Enters what the preview showed; what to say. Raises TournamentError."""
    entered, left = services.enter(tournament_id=event.pk, by=by, rows=rows)
    said = ngettext("%(n)s is entered.", "%(n)s are entered.", len(entered)) % {"n": len(entered)}
    if left:
        lines = ", ".join(str(row.line) for row in left[:20])
        said += " " + _("Not taken: lines %(lines)s.") % {"lines": lines}
    return said


def _kept(data: bytes) -> dict[str, str]:
    """The file, for the next step of the form."""
    return {"kept": base64.b64encode(data).decode()}


def _sent(request: HttpRequest) -> bytes:
    """The file that was chosen, pasted, or sent along from the step before."""
    upload = request.FILES.get("file")
    if upload is not None:
        return bytes(upload.read(MAX_FILE + 1))
    if kept := request.POST.get("kept"):
        try:
            return base64.b64decode(kept, validate=True)
        except binascii.Error:
            return b""
    return request.POST.get("pasted", "").encode()


def _columns(table: csv_text.Table) -> tuple[dict[str, int], bool]:
    """Where what is, and whether the first line says so; else names are in the first column."""
    if not table.rows:
        return {"name": 0}, False
    heads = [cell.strip("\ufeff* :").casefold() for cell in table.rows[0][1]]
    found: dict[str, int] = {}
    for key, called in COLUMNS.items():
        index = next((i for i, head in enumerate(heads) if head in called), None)
        if index is not None:
            found[key] = index
    if "name" in found or "account" in found:
        return found, True
    return {"name": 0}, False


def _newcomer(line: int, cells: tuple[str, ...], columns: Mapping[str, int]) -> Newcomer:
    given = {key: cells[index][:200] for key, index in columns.items() if index < len(cells)}
    return Newcomer(line, **given)


def _entrant(event: Tournament, pk: str | None) -> Entrant:
    found = event.entrants.select_related("player", "partner").filter(pk=whole(pk) or 0).first()
    if found is None:
        raise TournamentError("no_entrant")
    return found
