"""Bots as yardsticks: measured by matches, shown as about so strong, never rated."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.bots import LEVELS
from engine.bout import of_level
from games import services as games
from games.models import Match
from players.services import bot_player, create_guest
from ratings import calibrating, services
from ratings.bot_yardsticks import MEASURED
from ratings.bots import chances_of, yardsticks
from ratings.calibrating import calibrate
from ratings.glicko import State, chance, variance_of
from ratings.models import BotRating, Rating, UnratedMatch
from ratings.pools import POOLS
from ratings.selectors import ladder, ratings_of, seat_rating
from ratings.yardsticks import fitted, trials_of

POOL = "allfives-1v1"
PRIOR = variance_of(130)


def won(winner, loser, times, target=100):
    return times * trials_of([[winner], [loser]], [1, 2], target)


def test_levels_that_have_met_only_each_other_stand_around_the_middle():
    met = won("medium", "easy", 75) + won("easy", "medium", 25) + won("hard", "medium", 60)
    states = fitted(met + won("medium", "hard", 40), PRIOR)
    easy, medium, hard = (states[level].mean for level in LEVELS)
    assert easy < medium < hard
    assert easy + medium + hard == pytest.approx(0, abs=1e-6)
    # Many matches tell the distance as the formula has it: 3 of 4 are ln 3, nearly.
    assert chance([State(medium, 0.0)], [State(easy, 0.0)], 100) == pytest.approx(0.74, abs=0.02)
    # Where all of them stand is known no better than a third of what one newcomer is.
    assert all(state.variance > PRIOR / 3 for state in states.values())


def test_people_put_the_bots_they_meet_in_their_place_and_others_along_with_them():
    person = State.shown(1700, 40)
    even = won("easy", "medium", 50) + won("medium", "easy", 50)
    states = fitted(even + won("medium", person, 100) + won(person, "medium", 100), PRIOR)
    assert 1660 < states["medium"].rating < 1700
    assert states["easy"].rating == pytest.approx(states["medium"].rating, abs=20)
    assert states["hard"] == State(0.0, round(PRIOR, 9))
    assert states["medium"].deviation < 25


def test_a_longer_match_tells_more_and_a_doubtful_person_less():
    sure, doubtful = State.shown(1500, 30), State.shown(1500, 130)
    longer, short, vague = (
        fitted(won("hard", person, 5, target), PRIOR)["hard"]
        for person, target in ((sure, 250), (sure, 100), (doubtful, 100))
    )
    assert longer.deviation < short.deviation < vague.deviation


def test_sides_between_which_no_level_differs_say_nothing():
    known = State(0.2, 0.1)
    assert trials_of([["easy"], ["easy"]], [1, 2], 100) == []
    assert trials_of([[known], [known]], [1, 2], 100) == []
    [trial] = trials_of([["easy", known], ["easy", "hard"]], [1, 2], 100)
    assert (trial.shares, trial.known, trial.variance) == ((0.0, 0.0, -0.5), 0.1, 0.025)
    assert len(trials_of([["easy"], ["hard"], ["hard"], [known]], [1, 2, 3, 4], 100)) == 5


@pytest.mark.django_db
@pytest.mark.parametrize("pool", ["block-1v1", "allfives-table", "allfives-partners"])
def test_calibrating_again_changes_nothing(pool, monkeypatch):
    quick = {"easy": "easy", "medium": "medium", "hard": "medium"}  # who thinks longest, takes long
    monkeypatch.setattr(calibrating, "of_level", lambda level: of_level(quick[level]))
    first = {row.level: row.state for row in calibrate(pool, 1)}
    assert {row.level: row.state for row in calibrate(pool, 1)} == first
    assert {row.level: row.state for row in BotRating.objects.filter(pool=pool)} == first
    assert BotRating.objects.count() == len(LEVELS)


@pytest.fixture
def against_bot(people, beat):
    """Ana, who is rated, beat an easy bot; she may do so again, and be somebody else."""
    ana, ben = people(2)
    beat(ana, ben)

    def finished(player, **facts) -> Match:
        match = games.open_match(
            rules={"preset": "allfives"}, seats=2, host=player, bots={1: "easy"}
        )
        facts = {"reason": "target", "scores": [150, 60], "places": [1, 2], "winner": 0} | facts
        Match.objects.filter(pk=match.pk).update(
            status=Match.Status.FINISHED,
            phase=Match.Phase.OVER,
            finished_at=timezone.now(),
            turn=None,
            deadline=None,
            wake_at=None,
            **facts,
        )
        return match

    return ana, finished


def test_matches_with_rated_people_count_and_others_do_not(against_bot):
    ana, finished = against_bot
    calibrate(POOL, 0)
    assert set(BotRating.objects.values_list("mean", "with_people")) == {(0.0, 0)}
    finished(ana)
    finished(ana, reason="resigned")
    finished(create_guest())
    easy, *others = calibrate(POOL, 0)
    assert easy.with_people == 1
    assert easy.mean < 0
    assert [row.mean for row in others] == [0.0, 0.0]


def test_a_bot_is_never_rated_nor_on_the_ladder(against_bot):
    ana, finished = against_bot
    services.rate(finished(ana).pk)
    calibrate(POOL, 0)
    bot = bot_player(level="easy", number=1)
    assert UnratedMatch.objects.get().reason == "bot"
    assert ratings_of(bot) == {}
    assert not Rating.objects.exclude(player__bot_level="").exists()
    shown = ladder(POOL)
    assert bot not in [row.player for row in (*shown.rows, *shown.provisional)]


def test_what_a_site_has_measured_goes_before_what_we_ship(against_bot):
    ana, _finished = against_bot
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=ana, bots={1: "easy"})
    shipped = yardsticks(POOL)[POOL, "easy"]
    assert shipped.rating == round(MEASURED[POOL]["easy"][0], -1)
    assert seat_rating(match.pk)[1] == {"rating": shipped.rating, "provisional": False}
    BotRating.objects.create(
        pool=POOL, level="easy", mean=1.0, variance=0.04, matches=9, with_people=4
    )
    own = yardsticks(POOL)[POOL, "easy"]
    assert (own.rating, own.spread, own.with_people) == (1670, 70, 4)
    assert seat_rating(match.pk)[1] == {"rating": 1670, "provisional": False}
    assert yardsticks(POOL)[POOL, "hard"].with_people == 0


def test_the_chance_against_a_bot_counts_what_is_not_known_of_both(against_bot):
    ana, _finished = against_bot
    sticks = yardsticks()
    chances = chances_of(ana, sticks)
    assert set(chances) == {(POOL, level) for level in LEVELS}
    row = Rating.objects.get(player=ana)
    state = State(row.mean, PRIOR)  # long ago: nothing is known any more but the mean
    assert chances[POOL, "hard"] == pytest.approx(
        chance([state], [sticks[POOL, "hard"].state], 150), abs=0.02
    )
    assert chances_of(None, sticks) == {}


def test_what_is_shipped_has_every_pool_and_the_stronger_are_stronger():
    assert set(MEASURED) == set(POOLS)
    for found in MEASURED.values():
        assert list(found) == list(LEVELS)
        assert sorted(found.values()) == list(found.values())


@pytest.mark.django_db
def test_the_command_says_what_it_found():
    out = StringIO()
    call_command("calibrate_bots", pool=POOL, matches=0, stdout=out)
    assert out.getvalue() == (
        f"{POOL}: easy 1500 (130), medium 1500 (130), hard 1500 (130); "
        "0 matches of bots, 0 with people.\n"
    )
    with pytest.raises(CommandError, match="0 to 100000"):
        call_command("calibrate_bots", matches=-1)
