"""What an event refuses, and the sentence that people read for each code."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

SENTENCES: Final = {
    "not_found": _("There is no such tournament."),
    "no_pairing": _("There is no such match."),
    "no_entrant": _("That player does not play in this tournament."),
    "not_allowed": _("Your role in this tournament does not allow that."),
    "no_claim": _("This link has been used, or was taken back. Ask the organiser."),
    "no_invitation": _("This link leads nowhere: ask for a new one."),
    "invitation_over": _("This invitation has been used up, has expired or was revoked."),
    "no_official": _("That player has no role in this tournament."),
    "is_owner": _("The tournament is yours: you may do everything already."),
    "bad_role": _("There is no such role."),
    "role_above": _("You can only give roles up to your own, and change those below it."),
    "account_needed": _("That role needs an account."),
    "bad_tables": _("Tables are whole numbers from 1, for scorers only."),
    "bad_time": _("An invitation lasts from one hour to 90 days and lets 1 to 100 people in."),
    "not_open": _("Registration has not been opened yet."),
    "closed": _("Registration is closed."),
    "twice": _("This name is in already, or looks like one that is."),
    "has_account": _("An account has this name: give its sign-in name, or add to the name."),
    "no_account": _("No account has that sign-in name."),
    "no_link": _("This tournament is for those who have its link. Ask the organiser for it."),
    "not_member": _("This tournament is for the members of a club."),
    "bad_percent": _("Time is 100, 150 or 200 percent."),
    "bad_table": _("Tables are whole numbers from 1."),
    "table_taken": _("Somebody else always sits at that table."),
    "members_only": _("This league is for the members of its club."),
    "bad_end": _("A season ends today or later, and within 800 days of its beginning."),
    "rating_low": _("This tournament is for players with a higher rating."),
    "rating_high": _("This tournament is for players with a lower rating."),
    "peak_high": _(
        "This tournament is for players whose highest rating of the last 12 months is lower."
    ),
    "is_out": _("That entrant has left. Let them come back first."),
    "no_check_in": _("Nobody is asked to check in now."),
    "no_return": _("Nobody can come back into this tournament now."),
    "no_rests": _("In this tournament nobody may ask for a rest."),
    "rests_used": _("You have asked for all the rests that are allowed."),
    "round_drawn": _("That round is drawn already."),
    "no_round": _("There is no such round to come."),
    "not_started": _("It could not be started."),
    "has_begun": _("The tournament has begun already."),
    "not_running": _("The tournament is not running."),
    "over": _("The tournament is over."),
    "not_over": _("Matches are still to be played."),
    "too_few": _("A tournament needs at least two entrants."),
    "too_few_for_tables": _("Tables of three and four need at least three entrants."),
    "too_few_partners": _("Two against two needs at least four entrants."),
    "five": _(
        "Five fill neither one table nor two. Let one more in, take one out, or set what happens "
        "with five: a table of two, or a bye."
    ),
    "bad_sides": _("This format is not played like that."),
    "no_pairs": _("This tournament is not played in pairs."),
    "needs_partner": _("This tournament is played in pairs: name a partner, or send a link."),
    "not_to_be_asked": _(
        "This player doesn’t want to be asked. Send them the link of a pair instead."
    ),
    "own_partner": _("A pair is two people: name somebody else."),
    "in_already": _("That player is in already."),
    "partner_in_already": _("That player is in already, with somebody else."),
    "no_pair_invitation": _(
        "That invitation is gone: it was taken back, or it was for somebody else."
    ),
    "no_player": _("There is no player of that name. Names are written as on their pages."),
    "too_many": _("There are not so many places."),
    "too_large": _("That is more than this format can take."),
    "bad_name": _("Give the tournament a name of 1 to 80 characters."),
    "bad_setting": _("That setting is not possible."),
    "bad_zone": _("There is no such time zone. Take one of the list."),
    "bad_moment": _("That is not a date and time."),
    "no_such_time": _("That time does not exist: the clocks go forward over it."),
    "time_twice": _("The clocks show that time twice, since they go back. Say which you mean."),
    "closes_late": _("Registration can’t close after the start."),
    "no_start": _("Say when it starts."),
    "no_club": _("Choose a club that you are a member of."),
    "bad_criteria": _("What decides between equals must be known criteria, each once."),
    "bad_rules": _("These rules are not possible."),
    "bad_order": _("The order must name every entrant once."),
    "bad_level": _("There is no bot of that strength."),
    "no_opponent": _("Nobody plays against an empty place."),
    "undecided": _("An opponent is still to be decided."),
    "bad_outcome": _("That is not an outcome that can be entered."),
    "bad_winner": _("The winner must be one of those who play; nobody wins when all forfeit."),
    "bad_score": _("Scores are whole numbers, one for each side."),
    "bad_absent": _(
        "At a table of three or four mark those who never came; at least one must have been there."
    ),
    "bad_places": _("Places count from 1; those who share one have the same."),
    "no_draws": _("In this format a match must have a winner."),
    "bad_apart": _("Choose two to fifty entrants who should not meet."),
    "no_earlier": _("Choose an earlier tournament of the same organiser."),
    "no_reason": _("Say why."),
    "stale": _("Somebody has changed this since. Look again."),
    "annulled": _("This part of the tournament was annulled, and played anew."),
    "tie_open": _("Who of those level across the cut goes on has to be decided first."),
    "season_running": _("The season is not over yet."),
    "bad_divisions": _("Everybody in the league must be in one division, of at least two each."),
    "no_tie": _("Nobody is level across the cut (any more)."),
    "bad_stages": _("These stages cannot follow one another."),
    "no_report": _("That report has been replaced. Look again."),
    "decided": _("This match has a result already."),
    "plays_live": _("This match is played at a live table: its result comes by itself."),
    "own_report": _("The other side confirms a report."),
    "no_table": _("Nobody plays at that table now."),
    "bad_games": _("Each game needs a winner, and there are only so many games."),
    "bad_minutes": _("Give whole minutes, from 1 to 240."),
    "not_mixed": _("In this tournament it is settled where matches are played."),
    "has_begun_live": _("The match has begun at its live table."),
    "round_gone": _("There is no such round."),
    "not_due": _("No round is to be drawn now."),
    "being_drawn": _("The round is still being drawn."),
    "is_started": _("The round has been started: nothing can take it back."),
    "not_draft": _("The round has been published. Take it back first."),
    "not_published": _("The round has not been published yet."),
    "round_not_started": _("The round has not been started yet."),
    "by_schedule": _("The rounds of this format follow from its schedule."),
    "round_before": _("An earlier round comes first."),
    "exchange_begun": _("A match of the two in that round has begun, or has a result."),
    "not_fitting": _("The draft does not fit those who are in. Draw it again, or pair by hand."),
    "has_dependents": _("Later matches depend on this result and have begun."),
}


class TournamentError(Exception):
    """An event's refusal: `code`, a sentence for people, and the facts that were wrong."""

    def __init__(self, code: str, detail: str = "", **facts: object) -> None:
        self.code = code
        self.detail = detail or str(SENTENCES[code])
        self.facts: dict[str, object] = facts
        super().__init__(code, self.detail)

    def __str__(self) -> str:
        return self.detail
