"""The ratings' part of a player's page: filters, history, opponents, form, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from pages import charts
from pages.figures import percent
from players.models import Player
from ratings import pools, profile, selectors
from ratings.models import RatingCorrection
from ratings.profile import Missing, Part
from ratings.selectors import HistoryLine, Shown
from tournaments.models import Tournament
from tournaments.record import best_places, matches_of

PAGE = 20
OPPONENTS = 10
PERIODS: dict[str, tuple[int, Promise | str]] = {
    "month": (30, gettext_lazy("30 days")),
    "quarter": (91, gettext_lazy("3 months")),
    "year": (365, gettext_lazy("12 months")),
    "all": (0, pgettext_lazy("period", "All")),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What the page's address asks for; anything unknown in it is as if it were not there."""

    pool: str
    period: str
    opponent: Player | None
    event: Tournament | None

    @property
    def part(self) -> Part:
        days = PERIODS[self.period][0]
        return Part(
            since=timezone.now() - timedelta(days=days) if days else None,
            opponent=None if self.opponent is None else self.opponent.pk,
            matches=None if self.event is None else matches_of(self.event),
        )


def chosen(query: QueryDict, pool: str) -> Choice:
    """The choice of an address."""
    period = query.get("period", "all")
    against, event = query.get("against", ""), query.get("event", "")
    return Choice(
        pool=pool,
        period=period if period in PERIODS else "all",
        opponent=Player.objects.filter(handle=against.lower()[:40]).first() if against else None,
        event=Tournament.objects.filter(slug=event[:80]).exclude(status="draft").first()
        if event
        else None,
    )


def context(player: Player, shown: Shown, query: QueryDict, pool: str) -> dict[str, Any]:
    """All that pages/parts/rating_history.html shows of the pool."""
    choice = chosen(query, pool)
    part = choice.part
    total = profile.count(player, pool, part)
    page = Paginator(range(total), PAGE).get_page(query.get("page"))
    start = (page.number - 1) * PAGE
    history = profile.lines(player, pool, part, offset=start, limit=PAGE)
    duel = not pool.endswith("-table")
    missing = None if player.is_bot else profile.missing(shown, pool)
    form = profile.form(player, pool, part)
    return {
        "choice": choice,
        "periods": [(key, name) for key, (_days, name) in PERIODS.items()],
        "pool_title": pools.title_of(pool),
        "history": [(line, reason(line, duel)) for line in history],
        "page": page,
        "names": Player.objects.in_bulk({pk for line in history for pk in line.opponents}),
        "causes": dict(RatingCorrection.Cause.choices),
        "duel": duel,
        "best": best_places(player, pool, part.since),
        "chart": charts.line(profile.way(player, pool, part)),
        "records": profile.opponents(player, pool, part)[:OPPONENTS],
        "record": form,
        "upset": None if form is None else form.best_win,
        "missing": [] if missing is None else sentences(missing),
        "query": query,
    }


def reason(line: HistoryLine, duel: bool = True) -> str:
    """Why a match moved the rating as it did: "you were given 46%" of a profile's owner.

    At tables of three and four the chance is to be ahead of one of the others.
    """
    if line.expected is None:
        return ""
    chance = {"chance": percent(round(100 * line.expected))}
    words = _("given %(chance)s") if duel else _("given %(chance)s against each")
    said = words % chance
    if line.weight is not None and line.weight < 1:
        return _("%(said)s; counted for %(weight)s") % {
            "said": said,
            "weight": percent(round(100 * line.weight)),
        }
    return said


def chance(viewer: Player | None, other: Player, pool: str) -> int | None:
    """The chance of who looks to beat the profile's owner, in percent; None if it isn't known."""
    if viewer is None or viewer == other or not pool.endswith("-1v1"):
        return None
    if len(selectors.ratings_in(pool, [viewer, other])) < 2:
        return None
    return round(100 * selectors.chance(viewer, other, profile.USUAL_TARGET, pool))


def sentences(missing: Missing) -> Sequence[str]:
    """What a rank lacks, one sentence each."""
    said = []
    if missing.matches:
        said.append(
            ngettext(
                "%(n)d more rated match", "%(n)d more rated matches", missing.matches
            ) % {"n": missing.matches}
        )  # fmt: skip
    if missing.opponents:
        said.append(
            ngettext(
                "%(n)d more different opponent",
                "%(n)d more different opponents",
                missing.opponents,
            )
            % {"n": missing.opponents}
        )
    if missing.to_know:
        said.append(
            ngettext(
                "a rating known better than ± %(spread)d: about %(n)d match",
                "a rating known better than ± %(spread)d: about %(n)d matches",
                missing.to_know,
            )
            % {"spread": missing.spread, "n": missing.to_know}
        )
    if missing.idle:
        said.append(_("a match in the last 60 days"))
    return said
