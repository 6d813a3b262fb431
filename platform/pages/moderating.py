"""What moderators are shown: the queue, a case, a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch, QuerySet

from fairplay.models import Case, Decision, Report
from games.models import Match, Seat
from pages import case_words
from pages.listings import Table, table_of
from players import moderation
from players.models import Player
from ratings.models import RatedMatch


@dataclass(frozen=True, slots=True)
class Person:
    """A player of a case, with what else moderators know of them."""

    player: Player
    others: list[Case]
    decisions: list[tuple[Decision, list[str]]]
    is_silenced: bool


def queue(state: str) -> QuerySet[Case]:
    """The cases of a state: open ones in the order they came, decided ones the last first."""
    order = "pk" if state == Case.State.OPEN else "-decided_at"
    found = Case.objects.filter(state=state).order_by(order)
    return found.prefetch_related("players").annotate(told=Count("reports"))


def row(case: Case) -> dict[str, Any]:
    """A line of the queue: its first sentence, or how often it was reported."""
    names = [player.name for player in people_of(case)]
    return {"case": case, "names": names, "said": case_words.sentences(case, names)[:1]}


def people_of(case: Case) -> list[Player]:
    """The players of a case, as its evidence names them: who profits first."""
    order = {pk: place for place, pk in enumerate(case.evidence.get("players", ()))}
    return sorted(case.players.all(), key=lambda player: (order.get(player.pk, 99), player.pk))


def page_of(case: Case) -> dict[str, Any]:
    """All that a case's page shows."""
    people = people_of(case)
    return {
        "case": case,
        "people": [person(player, case) for player in people],
        "sentences": case_words.sentences(case, [player.name for player in people]),
        "reports": Report.objects.filter(case=case).select_related("reporter", "subject"),
        "tables": tables_of(case),
        "decisions": said(case.decisions.select_related("by", "player")),
    }


def person(player: Player, but: Case | None = None) -> Person:
    others = player.cases.order_by("-pk")
    return Person(
        player=player,
        others=list(others if but is None else others.exclude(pk=but.pk)),
        decisions=said(player.decisions.select_related("by", "case").order_by("-pk")),
        is_silenced=moderation.is_silenced(player),
    )


def said(decisions: QuerySet[Decision]) -> list[tuple[Decision, list[str]]]:
    return [(each, case_words.decision(each)) for each in decisions]


def tables_of(case: Case) -> list[tuple[Table, bool]]:
    """The case's matches, the newest first, and whether each counts for the ratings."""
    ids = case.matches or [report.match for report in case.reports.all() if report.match]
    matches = Match.objects.filter(pk__in=ids).order_by("-finished_at", "-pk")
    seated = matches.prefetch_related(Prefetch("seat_set", Seat.objects.order_by("index")))
    counted = RatedMatch.objects.filter(pk__in=ids, annulled=False)
    rated = set(counted.values_list("pk", flat=True))
    return [(table_of(match, None), match.pk in rated) for match in seated]
