"""Leagues: made, joined, and carried from season to season.

A season's divisions are events of their own, round robins that are played in any order until the
season ends. Who goes up and down is proposed from their tables; a person confirms it.
"""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from players import clubs
from players.models import Club, Player
from tournaments import audit, leagues
from tournaments.errors import TournamentError
from tournaments.models import (
    Division,
    Entrant,
    Game,
    League,
    LeaguePlayer,
    Pairing,
    PlayWish,
    Report,
    Season,
    Tournament,
)
from tournaments.options import checked, clean_line
from tournaments.services import setup, tables
from tournaments.services.reporting import report_result
from tournaments.services.running import start
from tournaments.services.work import lock

log = logging.getLogger(__name__)
Status = Tournament.Status

A_TICK: Final = 20
MOST_DIVISIONS: Final = 20
MOST_PLACES: Final = 64
LONGEST: Final = 800
"""Days that a season may last once its end has been moved."""
WISH_MINUTES: Final = 30
PLAYED_OUT: Final = frozenset({"rules", "best_of", "rated"})


def create_league(*, owner: Player, name: str, club: Club | None = None, **settings: Any) -> League:
    """A league without a season yet, of a club if the owner is one of its owners. `settings` are
    text, sizes, moves, days, legs, rules, best_of, rated. Raises TournamentError not_allowed,
    bad_name, bad_setting, bad_rules.
    """
    if club is not None and not owner.is_staff and clubs.rank_of(club, owner) != "owner":
        raise TournamentError("not_allowed")
    fields = _checked({"name": name, "sizes": [8], "rules": {"preset": "allfives"}, **settings})
    stem = slugify(fields["name"]) or "league"
    slug = stem
    while League.objects.filter(slug=slug).exists():
        slug = f"{stem}-{secrets.token_hex(2)}"
    return League.objects.create(owner=owner, slug=slug, club=club, **fields)


@transaction.atomic
def edit_league(*, league_id: int, by: Player, **changes: Any) -> League:
    """Changes settings; those of the game hold from the next season on."""
    league = _lock(league_id, by)
    for key, value in _checked(changes, league).items():
        setattr(league, key, value)
    league.save()
    return league


@transaction.atomic
def join_league(*, league_id: int, player: Player) -> LeaguePlayer:
    """The player is in from the next season on; who was about to leave stays. Raises
    TournamentError members_only.
    """
    league = _lock(league_id)
    if not leagues.may_join(league, player):
        raise TournamentError("members_only")
    entry, made = LeaguePlayer.objects.get_or_create(league=league, player=player)
    if not made and entry.leaving:
        entry.leaving = False
        entry.save(update_fields=["leaving"])
    return entry


@transaction.atomic
def leave_league(*, league_id: int, player: Player, by: Player | None = None) -> None:
    """The player is in no further season; the one in course is played to its end. By themselves,
    or by the owner. Raises TournamentError no_entrant, not_allowed.
    """
    league = _lock(league_id, by if by is not None and by.pk != player.pk else None)
    entry = LeaguePlayer.objects.filter(league=league, player=player).first()
    if entry is None:
        raise TournamentError("no_entrant")
    season = leagues.current_season(league)
    if season is None or not leagues.plays_in(season, player):
        entry.delete()
        return
    entry.leaving = True
    entry.save(update_fields=["leaving"])


def begin_season(
    *, league_id: int, by: Player, divisions: Sequence[Sequence[int]], begins_on: dt.date
) -> Season:
    """The next season, with these players (ids) in its divisions from the top, each in the order of
    its seeds; all its matches can be played from then on. Those who were leaving are gone.

    Raises TournamentError not_allowed, season_running, bad_divisions (unless everybody who is in
    the league is named once, and two at least in each division).
    """
    with transaction.atomic():
        league = _lock(league_id, by)
        last = leagues.current_season(league)
        if last is not None and not leagues.is_over(last):
            raise TournamentError("season_running")
        inside = set(league.players.filter(leaving=False).values_list("player_id", flat=True))
        named = [pk for each in divisions for pk in each]
        good = all(2 <= len(each) <= MOST_PLACES for each in divisions)
        if not good or not divisions or len(divisions) > MOST_DIVISIONS:
            raise TournamentError("bad_divisions")
        if len(named) != len(set(named)) or set(named) != inside:
            raise TournamentError("bad_divisions", missing=sorted(inside - set(named)))
        league.players.filter(leaving=True).delete()
        season = Season.objects.create(
            league=league,
            number=1 if last is None else last.number + 1,
            begins_on=begins_on,
            ends_on=begins_on + dt.timedelta(days=league.days),
        )
        for number, players in enumerate(divisions, start=1):
            _make_division(season, number, players)
    for division in season.divisions.select_related("tournament"):
        start(tournament_id=division.tournament_id, by=division.tournament.organiser)
    return season


def close_season(*, league_id: int, by: Player) -> Season:
    """Ends the season: matches that were not played are lost by both. Raises TournamentError
    not_allowed, not_running.
    """
    with transaction.atomic():
        league = _lock(league_id, by)
        season = leagues.current_season(league)
        if season is None or leagues.is_over(season):
            raise TournamentError("not_running")
        _close(season, by)
    return season


@transaction.atomic
def move_end(*, league_id: int, by: Player, ends_on: dt.date) -> Season:
    """Gives the season in course another last day: today or later. Raises TournamentError
    not_allowed, not_running, bad_end.
    """
    league = _lock(league_id, by)
    season = leagues.current_season(league)
    if season is None or leagues.is_over(season):
        raise TournamentError("not_running")
    today = timezone.now().astimezone(dt.UTC).date()
    earliest = max(today, season.begins_on)
    if not earliest <= ends_on <= season.begins_on + dt.timedelta(days=LONGEST):
        raise TournamentError("bad_end", key="ends_on", earliest=earliest.isoformat())
    season.ends_on = ends_on
    season.save(update_fields=["ends_on"])
    return season


def close_due(now: dt.datetime | None = None) -> int:
    """For the clock: ends the seasons whose last day (in UTC) is over, as their owners would; how
    many matches were lost by both. One at a live table is played to its end first, and one that was
    reported waits for whoever confirms or decides it.
    """
    today = (now or timezone.now()).astimezone(dt.UTC).date()
    due = Season.objects.filter(ends_on__lt=today, divisions__tournament__status=Status.RUNNING)
    ids = list(due.order_by("pk").values_list("pk", flat=True).distinct()[:A_TICK])
    return sum(_close_at_its_end(season_id) for season_id in ids)


def _close_at_its_end(season_id: int) -> int:
    try:
        with transaction.atomic():
            season = Season.objects.select_related("league__owner").get(pk=season_id)
            _lock(season.league_id)
            return _close(season, season.league.owner, by_clock=True)
    except Exception:
        log.exception("Season %s could not be ended", season_id)
        return 0


def _close(season: Season, by: Player, *, by_clock: bool = False) -> int:
    """Matches that were not played are lost by both; how many."""
    found = Pairing.objects.filter(
        stage__tournament__division__season=season, stage__tournament__status=Status.RUNNING
    ).exclude(status=Pairing.Status.DECIDED)
    if by_clock:
        found = found.exclude(pk__in=Game.objects.filter(over_at=None).values("pairing"))
        found = found.exclude(
            pk__in=Report.objects.filter(state__in=Report.STANDING).values("pairing")
        )
    for pairing in (unplayed := list(found.order_by("pk"))):
        report_result(
            pairing_id=pairing.pk,
            by=by,
            outcome="double_forfeit",
            reason=_("not played before the season ended"),
        )
    return len(unplayed)


def wish_to_play(*, pairing_id: int, player: Player) -> bool:
    """The player is there for a match of a league; when both are, within half an hour, its live
    table opens: whether it does. Raises TournamentError no_pairing, not_running, no_entrant.
    """
    pairing = (
        Pairing.objects.filter(pk=pairing_id, stage__tournament__division__isnull=False)
        .select_related("stage")
        .first()
    )
    if pairing is None:
        raise TournamentError("no_pairing")
    with transaction.atomic():
        tournament = lock(pairing.stage.tournament_id)
        if not tournament.is_running:
            raise TournamentError("not_running")
        inside = set(pairing.slots.values_list("entrant__player_id", flat=True))
        if player.pk not in inside:
            raise TournamentError("no_entrant")
        now = timezone.now()
        PlayWish.objects.update_or_create(pairing=pairing, player=player, defaults={"at": now})
        fresh = pairing.wishes.filter(at__gte=now - dt.timedelta(minutes=WISH_MINUTES))
        if set(fresh.values_list("player_id", flat=True)) < inside:
            return False
        Pairing.objects.filter(pk=pairing.pk).update(play=Tournament.Play.LIVE)
    opened = tables.open_tables(tournament.pk, [pairing.pk]) == 1
    PlayWish.objects.filter(pairing=pairing).delete()
    return opened


def _make_division(season: Season, number: int, players: Sequence[int]) -> None:
    league = season.league
    own = {key: value for key, value in league.settings.items() if key in PLAYED_OUT}
    fields = checked(
        {
            **own,
            "name": f"{league.name} {season.number}-{number}",
            "text": league.text,
            "format": "round_robin",
            "options": {"legs": league.settings.get("legs", 1), "any_order": True},
            "play": "board",
            "reports": "players",
            "seeding": "manual",
            "club": league.club and league.club.slug,
            "capacity": len(players),
            "no_show_seconds": 1800,
        }
    )
    event = setup.make(league.owner, fields)
    Entrant.objects.bulk_create(
        Entrant(tournament=event, player_id=player, seed=seed)
        for seed, player in enumerate(players, start=1)
    )
    Tournament.objects.filter(pk=event.pk).update(
        taken=len(players), status=Tournament.Status.REGISTRATION
    )
    Division.objects.create(season=season, number=number, tournament=event)
    audit.note(event, None, "division_made", season=season.number, division=number)


def _lock(league_id: int, by: Player | None = None) -> League:
    league = League.objects.select_for_update().filter(pk=league_id).first()
    if league is None:
        raise TournamentError("not_found", league=league_id)
    if by is not None and not leagues.may_run(league, by):
        raise TournamentError("not_allowed")
    return league


def _checked(given: dict[str, Any], current: League | None = None) -> dict[str, Any]:
    """The fields to write; those of the games are checked as an event's are."""
    fields: dict[str, Any] = {}
    known = {"name", "text", "sizes", "moves", "days", "legs", *PLAYED_OUT}
    if unknown := given.keys() - known:
        raise TournamentError("bad_setting", key=min(unknown))
    if "name" in given:
        fields["name"] = clean_line(str(given["name"]))
        if not 1 <= len(fields["name"]) <= 60:
            raise TournamentError("bad_name", key="name")
    if "text" in given:
        fields["text"] = str(given["text"])[:4000].replace("\x00", "")
    if "sizes" in given:
        fields["sizes"] = _sizes(given["sizes"])
    for key, low, high in (("moves", 0, 10), ("days", 1, 400)):
        if key in given:
            if type(given[key]) is not int or not low <= given[key] <= high:
                raise TournamentError("bad_setting", key=key)
            fields[key] = given[key]
    own = {key: value for key, value in given.items() if key in PLAYED_OUT}
    checked({**own, "format": "round_robin", "options": {"legs": given.get("legs", 1)}})
    more = {**own, **({"legs": given["legs"]} if "legs" in given else {})}
    fields["settings"] = {**(current.settings if current is not None else {}), **more}
    return fields


def _sizes(given: Any) -> list[int]:
    good = isinstance(given, list) and 1 <= len(given) <= MOST_DIVISIONS
    if not good or any(type(n) is not int or not 2 <= n <= MOST_PLACES for n in given):
        raise TournamentError("bad_setting", key="sizes")
    return list(given)
