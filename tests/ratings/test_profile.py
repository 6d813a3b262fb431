"""A profile's numbers: parts of a history, records, streaks, and what a rank lacks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pages.profile import reason, sentences
from ratings import profile
from ratings.glicko import State, variance_of
from ratings.models import Rating
from ratings.pools import prior_of
from ratings.profile import Part
from ratings.selectors import Shown, shown_of

POOL = "allfives-1v1"
ALL = Part()


@pytest.fixture
def played(people, beat):
    """Ana beat Ben twice, lost to Eva, was level with Eva, and beat Ben once more."""
    ana, ben, eva = people(3)
    log = [
        beat(ana, ben, days=0),
        beat(ana, ben, days=1),
        beat(eva, ana, days=2),
        beat(ana, eva, days=3, places=(1, 1)),
        beat(ana, ben, days=20),
    ]
    return ana, ben, eva, log


def test_the_record_against_each_opponent(played):
    ana, ben, eva, _log = played
    found = profile.opponents(ana, POOL, ALL)
    assert [(each.player, each.won, each.level, each.lost) for each in found] == [
        (ben, 3, 0, 0), (eva, 0, 1, 1),
    ]  # fmt: skip


def test_partners_are_no_opponents(people, beat):
    ana, ben, eva, ida = people(4)
    beat([ana, ben], [eva, ida], pool="allfives-partners")
    found = profile.opponents(ana, "allfives-partners", ALL)
    assert [(each.player, each.won) for each in found] == [(eva, 1), (ida, 1)]
    assert profile.count(ana, "allfives-partners", Part(opponent=ben.pk)) == 0
    assert profile.count(ana, "allfives-partners", Part(opponent=ida.pk)) == 1


def test_parts_of_a_history(played):
    ana, ben, eva, log = played
    ids = [each.match_id for each in log]

    def shown(part, **page):
        return [line.match_id for line in profile.lines(ana, POOL, part, **page)]

    assert shown(ALL) == ids[::-1]
    assert shown(Part(opponent=eva.pk)) == [ids[3], ids[2]]
    assert shown(Part(since=log[3].finished_at)) == [ids[4], ids[3]]
    assert shown(Part(matches=[ids[0], ids[2]])) == [ids[2], ids[0]]
    assert shown(ALL, offset=1, limit=2) == [ids[3], ids[2]]
    assert profile.count(ana, POOL, Part(opponent=ben.pk)) == 3
    assert len(profile.way(ana, POOL, ALL)) == 5
    assert profile.way(ana, POOL, ALL, points=2)[-1] == profile.way(ana, POOL, ALL)[-1]


def test_streaks_and_extremes(played):
    ana, _ben, eva, log = played
    form = profile.form(ana, POOL, ALL)
    assert (form.matches, form.won, form.streak, form.longest) == (5, 4, 2, 2)
    assert form.lowest == 1500
    assert form.highest == max(profile.way(ana, POOL, ALL))
    assert form.best_win.match_id == log[3].match_id or form.best_win.match_id == log[0].match_id
    assert profile.form(eva, POOL, Part(since=log[4].finished_at)) is None


def test_what_a_rank_lacks(played):
    ana = played[0]
    row = Rating.objects.get(player=ana, pool=POOL)
    now = row.last_at
    lacks = profile.missing(shown_of(row, now.date()), POOL, now)
    assert (lacks.matches, lacks.opponents, lacks.idle) == (15, 6, False)
    assert lacks.total == max(15, lacks.to_know)
    known = Shown(1500, 60, 20, 8, now)
    assert profile.missing(known, POOL, now) is None
    late = profile.missing(known, POOL, now + timedelta(days=61))
    assert (late.total, sentences(late)) == (1, ["a match in the last 60 days"])


def test_so_many_matches_make_a_rating_known():
    """From the prior's 130 to 75 against equals at 75: the information of a match is about 0.21."""
    number = profile.matches_to_know(130, prior_of(POOL))
    variance, each = variance_of(130), 0.0
    from ratings.glicko import Comparison, update

    for _match in range(number):
        before = variance
        _mean, variance = update(State(0.0, variance), [Comparison(0, 0, variance_of(75), 0.5)])
        each = 1 / variance - 1 / before
    assert variance <= variance_of(75) < before
    assert each == pytest.approx(0.236, abs=0.01)
    assert profile.matches_to_know(75, prior_of(POOL)) == 0


def test_a_line_says_why(played):
    ana = played[0]
    newest, *_more, second, first = profile.lines(ana, POOL, ALL)
    assert reason(first) == "given 50%"
    assert reason(second).endswith("; counted for 50%")
    assert reason(newest).startswith("given ")


def test_the_page_and_the_api_show_it(played, client, settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    ana, _ben, eva, log = played
    page = client.get(f"/@{ana.handle}", {"against": eva.handle}).content.decode()
    assert log[2].match_id in page
    assert f"/replay/{log[0].match_id}" not in page
    base = f"/api/v1/players/{ana.handle}/ratings/{POOL}"
    rows = client.get(f"{base}/opponents/").json()["results"]
    assert [(row["won"], row["level"], row["lost"]) for row in rows] == [(3, 0, 0), (0, 1, 1)]
    form = client.get(f"{base}/form/").json()
    assert (form["longest"], form["missing"]["opponents"]) == (2, 6)
    lines = client.get(f"{base}/history/", {"against": eva.handle}).json()["results"]
    assert [line["match"] for line in lines] == [log[3].match_id, log[2].match_id]
    for wrong in ({"days": "0"}, {"against": "nobody-here"}):
        assert client.get(f"{base}/history/", wrong).status_code == 400
