"""What was remarkable about an event, in sentences; all of it from what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import MatchEvent, Seat
from pages.bracket import Meeting
from pages.look import Look
from tournaments.models import Game
from tournaments.scores import score


@dataclass(frozen=True, slots=True)
class Note:
    """A title, what there is to say, and the record it is from if there is one."""

    title: str
    text: str
    url: str = ""


def notes(look: Look) -> list[Note]:
    """The best play, the longest, the closest and the clearest match."""
    games = Game.objects.filter(pairing__stage__tournament=look.event, void=False)
    ids = games.filter(over_at__isnull=False).values("match_id")
    log = MatchEvent.objects.filter(match__in=ids)
    return [*_best_play(log), *_longest(log), *_by_margin(look)]


def _best_play(log: QuerySet[MatchEvent]) -> Iterator[Note]:
    best = log.filter(kind="played").order_by("-data__score", "pk").first()
    points = best.data.get("score", 0) if best is not None else 0
    if best is None or not points:
        return
    seats = Seat.objects.filter(match=best.match_id, index=best.data["seat"])
    facts = {"points": points, "name": seats.values_list("name", flat=True).first() or "–"}
    text = ngettext("%(points)s point, %(name)s", "%(points)s points, %(name)s", points) % facts
    yield Note(_("Best play"), text, _replay(best.match_id))


def _longest(log: QuerySet[MatchEvent]) -> Iterator[Note]:
    counted = log.filter(kind="round_ended").values("match").annotate(n=Count("pk"))
    longest = counted.order_by("-n", "match").first()
    if longest is None or longest["n"] < 2:
        return
    seats = Seat.objects.filter(match=longest["match"]).order_by("index")
    names = " – ".join(seats.values_list("name", flat=True))
    facts = {"n": longest["n"], "names": names}
    text = _("%(n)s rounds, %(names)s") % facts
    yield Note(_("Longest match"), text, _replay(longest["match"]))


def _by_margin(look: Look) -> Iterator[Note]:
    """The closest match and the clearest, of those that two played for points."""
    margins = sorted(
        (
            (abs(_points(meeting, 0) - _points(meeting, 1)), meeting.number, meeting)
            for _part, each in look.rounds
            for meeting in each.meetings
            if meeting.decided and len(meeting.teams) == 2 and all(_scores(meeting))
        ),
        key=lambda found: found[:2],
    )
    if len(margins) > 1:
        yield _margin(_("Closest match"), margins[0][2])
        yield _margin(_("Clearest win"), margins[-1][2])


def _margin(title: str, meeting: Meeting) -> Note:
    teams = sorted(meeting.teams, key=lambda team: not team[0].won)
    one, other = (" + ".join(side.text for side in team) for team in teams)
    facts = {"one": one, "other": other, "score": score(team[0].score for team in teams)}
    text = _("%(one)s – %(other)s, %(score)s") % facts
    return Note(title, text, meeting.url)


def _scores(meeting: Meeting) -> list[str]:
    return [team[0].score for team in meeting.teams]


def _points(meeting: Meeting, team: int) -> int:
    return int(meeting.teams[team][0].score)


def _replay(match_id: str) -> str:
    return reverse("pages:replay", args=[match_id])
