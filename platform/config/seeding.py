"""The first site: people with histories, a finished tournament, one that waits, tables to watch.

Nothing is invented: every match was played, move by move, through the services that live tables
use. What is there already is left alone, so seeding again adds only what is missing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Final

from django.conf import settings
from tqdm import tqdm

from config.playing import play_out
from games.models import Match
from games.services import open_match, sit
from outbox.services import drain
from players.models import Player
from players.services import register
from tournaments import services as tournaments
from tournaments.models import Game, Tournament

Say = Callable[[str], None]

# Sign-in name, name at the table, and the mind that played the history.
PEOPLE: Final = (
    ("marta", "Marta", "medium"),
    ("zeynep", "Zeynep", "medium"),
    ("joao", "João", "medium"),
    ("linh", "Linh", "medium"),
    ("ivana", "Ivana", "easy"),
    ("farid", "Farid", "medium"),
    ("kasia", "Kasia", "easy"),
    ("otis", "Otis", "easy"),
)
HISTORY_TARGET: Final = 50
EXHIBITIONS: Final = 2


def seed(say: Say) -> None:
    """Brings the site to life; `say` is told of what takes time."""
    organiser = _organiser()
    people = [_person(handle, name) for handle, name, _level in PEOPLE]
    levels = {person.pk: level for person, (_, _, level) in zip(people, PEOPLE, strict=True)}
    if not Tournament.objects.filter(organiser=organiser).exists():
        say("First start: people are playing their first matches …")
        _play_histories(people, levels)
        _finished_tournament(organiser, people, levels)
        _waiting_tournament(organiser, people)
    _exhibitions()


def _organiser() -> Player:
    known = Player.objects.filter(handle="organiser").first()
    if known is not None:
        return known
    password = _password()
    path = login_file()
    path.touch(mode=0o600)
    path.write_text(f"organiser / {password}\n")
    # A name kept for the site itself, so not by way of signing up.
    return Player.objects.create_superuser("organiser", password, name="Organiser")


def login_file() -> Path:
    """Where the organiser's first password is kept for who runs the site."""
    return Path(settings.VAR_DIR) / "organiser.txt"


def _password() -> str:
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(alphabet) for _ in range(12))


def _person(handle: str, name: str) -> Player:
    known = Player.objects.filter(handle=handle).first()
    return known or register(handle=handle, name=name, password=secrets.token_urlsafe(30))


def _play_histories(people: list[Player], levels: dict[int, str]) -> None:
    """Everyone plays everyone once, and the first few at tables of three and with partners."""
    for one, two in tqdm(list(combinations(people, 2)), desc="First matches", leave=False):
        _play([one, two], levels, {"preset": "allfives", "target": HISTORY_TARGET})
    _play(people[:2], levels, {"preset": "draw", "target": HISTORY_TARGET})
    _play(people[2:5], levels, {"preset": "allfives", "target": HISTORY_TARGET})
    _play(people[:4], levels, {"preset": "allfives", "partners": True, "target": HISTORY_TARGET})
    drain(limit=1000)


def _play(seats: list[Player], levels: dict[int, str], rules: dict[str, object]) -> None:
    match = open_match(
        rules=rules, seats=len(seats), players=seats, break_seconds=0, bot_delay_ms=0
    )
    play_out(match, levels)


def _finished_tournament(organiser: Player, people: list[Player], levels: dict[int, str]) -> None:
    cup = tournaments.create(
        organiser=organiser,
        name="Opening Cup",
        text="The first knockout on this site: All Fives to 50.",
        rules={"preset": "allfives", "target": HISTORY_TARGET},
        capacity=8,
        break_seconds=0,
    )
    tournaments.open_registration(tournament_id=cup.pk, by=organiser)
    for person in people[:6]:
        tournaments.join(tournament_id=cup.pk, player=person)
    tournaments.start(tournament_id=cup.pk, by=organiser)
    while games := Game.objects.filter(pairing__stage__tournament=cup, over_at__isnull=True):
        for game in games:
            match = Match.objects.get(pk=game.match_id)
            _sit_down(match)
            play_out(match, levels)
        drain(limit=1000)


def _sit_down(match: Match) -> None:
    for seat in match.seat_set.filter(player__isnull=False).select_related("player"):
        sit(match_id=match.pk, player=seat.player)


def _waiting_tournament(organiser: Player, people: list[Player]) -> None:
    evening = tournaments.create(
        organiser=organiser,
        name="Friday Fives",
        text="A knockout that waits for you: join, fill it with bots, and start.",
        rules={"preset": "allfives", "target": 100},
        capacity=8,
    )
    tournaments.open_registration(tournament_id=evening.pk, by=organiser)


def _exhibitions() -> None:
    """Bots play where everyone can watch; they start anew when the site does."""
    running = [
        match.pk
        for match in Match.objects.filter(status=Match.Status.RUNNING, listed=True)
        if match.context.get("exhibition")
    ]
    for number in range(len(running), EXHIBITIONS):
        open_match(
            rules={"preset": "allfives", "target": 500},
            seats=2 + 2 * (number % 2),
            bots={0: "hard", 1: "medium"} if number % 2 == 0 else dict.fromkeys(range(4), "medium"),
            bot_delay_ms=2500,
            rated=False,
            context={"exhibition": True},
        )
