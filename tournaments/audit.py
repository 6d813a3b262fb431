"""What was done to an event, by whom, and why: lines that are appended, and read in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import FieldDoesNotExist
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from outbox.services import publish
from players.models import Player
from tournaments.models import AuditLine, Result, Role, Tournament
from tournaments.scores import score

SENTENCES: Final = {
    "created": _("The tournament was created."),
    "copied": _("It was copied from “%(of)s”."),
    "edited": _("Settings were changed: %(keys)s."),
    "announced": _("The tournament was announced."),
    "registration_opened": _("Registration was opened."),
    "registration_closed": _("Registration was closed."),
    "link_renewed": _("The link to join was replaced; the old one is void."),
    "entered": _("Entered by name (%(count)s): %(names)s."),
    "checked_in": _("%(entrant)s checked in."),
    "checked_out": _("The check-in of %(entrant)s was taken back."),
    "left_out": _("Left out at the start, since they had not checked in: %(names)s."),
    "entered_late": _("%(entrant)s came in late."),
    "came_back": _("%(entrant)s came back."),
    "rest_asked": _("%(entrant)s rests in round %(round)s."),
    "rest_asked_in_stage": _("%(entrant)s rests in round %(round)s of stage %(stage)s."),
    "rest_given_up_in_stage": _(
        "%(entrant)s plays in round %(round)s of stage %(stage)s after all."
    ),
    "rest_given_up": _("%(entrant)s plays in round %(round)s after all."),
    "held": _("It did not start at its time: %(why)s"),
    "bots_added": _("%(count)s bots were entered."),
    "pair_entered": _("%(entrant)s were entered as a pair."),
    "substituted": _("%(into)s plays in place of %(out)s: %(entrant)s."),
    "substituted_meanwhile": _(
        "%(into)s plays in place of %(out)s from round %(round)s on: %(entrant)s."
    ),
    "replaced": _("%(entrant)s plays in place of %(out)s."),
    "replaced_meanwhile": _("%(entrant)s plays in place of %(out)s from round %(round)s on."),
    "claims_offered": _("Links to take over their own entry were made for %(count)s people."),
    "claim_revoked": _("The link by which %(entrant)s could take over the entry was taken back."),
    "claimed": _("%(entrant)s took over the entry that was made for %(name)s."),
    "apart_people": _("To be kept apart while it can be helped: %(names)s."),
    "apart_club": _("Members of the same club are to be kept apart."),
    "apart_event": _("Those who met in “%(names)s” are to be kept apart."),
    "may_meet_people": _("No longer kept apart: %(names)s."),
    "may_meet_club": _("Members of the same club are no longer kept apart."),
    "may_meet_event": _("Those who met in “%(names)s” are no longer kept apart."),
    "seeds_set": _("The seeds were put in order by hand."),
    "started": _("The tournament was started."),
    "withdrawn": _("%(entrant)s was taken out."),
    "disqualified": _("%(entrant)s was disqualified."),
    "result": _("A result was entered for match %(match)s: %(outcome)s."),
    "corrected": _("The result of match %(match)s was corrected: %(outcome)s."),
    "table_fixed": _("%(entrant)s always sits at table %(table)s."),
    "time_granted": _("Time of %(entrant)s at live tables, in percent: %(percent)s."),
    "table_freed": _("%(entrant)s sits at any table again."),
    "arena_begun": _("The arena’s time was started."),
    "arena_ended": _("The end was brought forward."),
    "division_made": _("It was made for division %(division)s of season %(season)s."),
    "stage_begun": _("Stage %(stage)s began with %(entrants)s entrants."),
    "stage_annulled": _("Stage %(stage)s was annulled: a correction changed who plays in it."),
    "tie_lot": _("Level across the cut of stage %(stage)s: a lot decided between %(names)s."),
    "tie_play_off": _("Level across the cut of stage %(stage)s: a play-off of %(names)s."),
    "tie_decision": _("Level across the cut of stage %(stage)s: %(names)s were put in order."),
    "reported": _("%(outcome)s was reported for match %(match)s."),
    "confirmed": _("The reported result of match %(match)s was confirmed: %(outcome)s."),
    "disputed": _("The reported result of match %(match)s was disputed."),
    "time_added": _("Round %(round)s was given %(minutes)s more minutes."),
    "paused": _("Round %(round)s was paused."),
    "resumed": _("Round %(round)s went on."),
    "time_called": _("Time was called in round %(round)s."),
    "to_board": _("Match %(match)s was taken to the board."),
    "to_live": _("Match %(match)s was given a live table."),
    "round_asked": _("Round %(round)s was to be drawn."),
    "round_redrawn": _("The draft of round %(round)s was to be drawn again."),
    "round_deleted": _("The draft of round %(round)s was deleted."),
    "paired_by_hand": _("Round %(round)s was paired by hand."),
    "exchanged": _("%(one)s and %(other)s exchanged their seats in round %(rounds)s."),
    "seats_swapped": _("The seats of match %(match)s were swapped: %(first)s leads."),
    "round_published": _("Round %(round)s was published."),
    "round_taken_back": _("Round %(round)s was taken back before its start."),
    "round_started": _("Round %(round)s was started."),
    "cancelled": _("The tournament was cancelled."),
    "finished": _("The tournament was finished."),
    "reopened": _("The tournament was reopened: something is left to play."),
    "official_invited": _("A link was made that gives the role of %(role)s."),
    "invitation_revoked": _("A link that gave the role of %(role)s was revoked."),
    "official_joined": _("%(name)s became %(role)s."),
    "official_changed": _("The role of %(name)s was changed to %(role)s."),
    "official_removed": _("%(name)s is no longer %(role)s."),
    "handed_over": _("The tournament was handed over to %(name)s."),
}
"""A sentence for each action; it may name the line's facts."""

NEWS: Final = frozenset(
    {
        "announced", "registration_opened", "edited", "cancelled", "round_published", "disputed",
        "official_joined",
    }
)  # fmt: skip
"""The actions that others are told of."""

WITH_SCORE: Final = {
    "result": _("Match %(match)s, %(sides)s: %(score)s was entered (%(outcome)s)."),
    "corrected": _("Match %(match)s, %(sides)s: corrected to %(score)s (%(outcome)s)."),
}
"""The same of a result whose score is known."""

KINDS: Final = {
    "officials": _("Officials"),
    "entrants": _("Entrants"),
    "results": _("Results"),
    "event": _("The tournament"),
}
"""What lines are about, as one looks for them."""

_OFFICIALS = frozenset({"invitation_revoked", "handed_over"})
_ABOUT_RESULTS = frozenset({"result", "corrected"})


def kind_of(action: str) -> str:
    """What an action is about, a key of `KINDS`."""
    if action in _OFFICIALS or action.startswith("official_"):
        return "officials"
    if action in _ABOUT_RESULTS:
        return "results"
    sentence = str(SENTENCES[action])
    if "%(match)s" in sentence:
        return "results"
    about_people = action == "bots_added" or action.startswith(("apart_", "may_meet_", "claim"))
    return "entrants" if "%(entrant)s" in sentence or about_people else "event"


def actions_of(kind: str) -> list[str]:
    """The actions of a kind."""
    return [action for action in SENTENCES if kind_of(action) == kind]


def note(
    tournament: Tournament, by: Player | None, action: str, reason: str = "", **facts: object
) -> None:
    """Appends a line, in the caller's transaction: the deed and its line are both there or
    neither. `facts` are plain data that the action's sentence names; `match`, `handle` and
    `round` say what the line leads to. Values with names of their own (a role, an outcome, keys of
    settings) are kept as they are stored, and put in words when the line is read.
    """
    line = AuditLine.objects.create(
        tournament=tournament, by=by, action=action, facts=facts, reason=reason[:200]
    )
    if action in NEWS:
        publish("event.noted", key=str(line.pk), payload={"line": line.pk})


def lines(
    tournament: Tournament, *, kind: str = "", by: str = "", newest_first: bool = True
) -> QuerySet[AuditLine]:
    """An event's lines with their authors; of one kind, or by the player of one handle."""
    found = AuditLine.objects.filter(tournament=tournament).select_related("by")
    if kind:
        found = found.filter(action__in=actions_of(kind))
    if by:
        found = found.filter(by__handle=by)
    return found.order_by("-pk" if newest_first else "pk")


def authors(tournament: Tournament) -> list[Player]:
    """Who appears in an event's log, by name."""
    ids = AuditLine.objects.filter(tournament=tournament, by__isnull=False).values("by")
    return list(Player.objects.filter(pk__in=ids).order_by("name", "pk"))


def sentence(line: AuditLine) -> str:
    """The line in the reader's language."""
    own = WITH_SCORE if line.facts.get("score") else {}
    template = own.get(line.action) or SENTENCES.get(line.action)
    if template is None:  # of a newer version of this site
        return line.action
    text: str = str(template) % _Words(line.facts)
    return text


class _Words(dict[str, Any]):
    """Facts in the reader's language; a sentence never fails for want of one."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__({key: _word(key, value) for key, value in facts.items()})

    def __missing__(self, key: str) -> str:
        return "–"


def _word(key: str, value: Any) -> str:
    if key == "keys" and isinstance(value, list):
        return ", ".join(_setting(str(each)) for each in value)
    if key == "role" and value in Role:
        return str(Role(value).label)
    if key == "outcome" and value in Result.Outcome:
        return str(Result.Outcome(value).label)
    if key == "score":
        return score(str(value).split("–"))
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    return str(value)


def _setting(key: str) -> str:
    """What a setting is called."""
    try:
        field = Tournament._meta.get_field(key)
    except FieldDoesNotExist:
        return key
    return str(getattr(field, "verbose_name", key))
