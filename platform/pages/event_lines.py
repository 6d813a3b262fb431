"""The two sentences on top of an event's page: where it stands, and how the viewer stands in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import pairings, words
from pages.look import Look
from tournaments import selectors
from tournaments.errors import SENTENCES
from tournaments.models import Rest, Tournament
from tournaments.pairs import invitations_of
from tournaments.selectors import ViewerState, awaited_in_the_room
from tournaments.services.exchanging import SCHEDULED

Status = Tournament.Status
PAIRS_MAY: Final = frozenset({"join", "join_waiting", "join_late"})


@dataclass(frozen=True, slots=True)
class You:
    """How the viewer stands in the event: a sentence, and what to do about it. That a table waits
    for them is said by the bar on top of every page.
    """

    text: str = ""
    url: str = ""
    action: str = ""
    can_join: bool = False
    can_leave: bool = False
    can_check_in: bool = False
    is_here: bool = False
    can_return: bool = False
    can_withdraw: bool = False
    rests: tuple[Rest, ...] = ()
    can_rest_in: tuple[tuple[int, int], ...] = ()
    standing: str = ""
    deeds: tuple[tuple[str, str], ...] = ()


def state_line(look: Look) -> str:
    """Where the event stands, in a sentence."""
    event = look.event
    if event.status == Status.RUNNING:
        if look.tie is not None:
            return _("Some are level where the line is drawn: who goes on has to be decided.")
        stage = next(iter(look.counting[-1:]), None)
        return pairings.progress_line(stage, look.drawn_rounds_of(stage))
    if event.status == Status.REGISTRATION and not event.is_open:
        return _("Registration is closed.")
    if event.status == Status.REGISTRATION:
        free = max(0, event.capacity - event.taken)
        if not free:
            return _("Registration is open; all places are taken.")
        said = ngettext(
            "Registration is open: %(n)s place is free.",
            "Registration is open: %(n)s places are free.",
            free,
        )
        return said % {"n": free}
    if event.status == Status.CANCELLED:
        return _("Cancelled: %(reason)s") % {"reason": event.reason}
    return {
        Status.DRAFT: _("A draft: only those who run it see this page."),
        Status.ANNOUNCED: _("Announced. Registration is not open yet."),
        Status.FINISHED: _finished(look),
    }[Status(event.status)]


def _finished(look: Look) -> str:
    """Who won, if somebody did."""
    if look.event.status != Status.FINISHED:
        return ""
    first = [entry.label for entry in look.entrants if entry.place == 1]
    if not first:
        return _("Finished.")
    return _("Finished. First place: %(names)s.") % {"names": ", ".join(first)}


def you(look: Look) -> You:
    """The viewer's own line at the top of the page, and what they can do."""
    state = look.state
    if state.refused:
        return You(str(SENTENCES[state.refused]))
    return replace(
        _line(look),
        can_check_in=state.can_check_in,
        is_here=state.entrant is not None and state.entrant.checked_in_at is not None,
        can_return=state.can_return,
        can_withdraw=look.event.is_running
        and state.entrant is not None
        and state.entrant.is_active,
        rests=state.rests,
        can_rest_in=state.can_rest_in,
    )


def _line(look: Look) -> You:
    state, event = look.state, look.event
    if state.word == "sit" or (state.word == "next" and awaited_in_the_room(look.viewer, event)):
        return You()
    if state.word == "waiting":
        text = _("You are on the waiting list, at place %(n)s.") % {"n": state.position}
        return You(text, can_leave=True)
    if state.word == "out":
        return You(_out(state))
    if state.word in PAIRS_MAY and event.sides == Tournament.Sides.PAIRS:
        return _you_as_a_pair(look)
    return {
        "join": You(can_join=True),
        "join_waiting": You(
            _("All places are taken; you can join the waiting list."), can_join=True
        ),
        "join_late": You(
            _("It has begun; you can still come in for the rounds that are left."), can_join=True
        ),
        "in": You(_in(event), can_leave=True),
        "next": You(_next(look)),
    }.get(state.word, You())


def stand_ins(look: Look) -> list[str]:
    """Who plays in place of whom since when."""
    several = len(look.stages) > 1
    lines = []
    for row in selectors.stand_ins(look.event):
        facts = {"into": row.into.name, "out": row.out.name, "n": row.round,
                 "stage": row.stage.number}  # fmt: skip
        text = _("%(into)s plays in place of %(out)s from round %(n)s on.")
        if several:
            text = _("%(into)s plays in place of %(out)s from round %(n)s of stage %(stage)s on.")
        lines.append(text % facts)
    return lines


def _in(event: Tournament) -> str:
    if event.play == Tournament.Play.BOARD:
        return _("You are in. When it starts, your table is shown here.")
    return _("You are in. Stay on the site: when it starts, a bar leads you to your table.")


def _next(look: Look) -> str:
    """What comes next for who plays on."""
    if look.tie is not None:
        return _("This part is over. Who goes on is being decided.")
    stage = look.counting[-1] if look.counting else None
    if stage and stage.format in SCHEDULED and look.event.play == Tournament.Play.BOARD:
        return _("Your next table is shown here when its round begins.")
    return str(words.NEXT.get(stage.format if stage else "", words.NEXT_ROUND))


def _you_as_a_pair(look: Look) -> You:
    """To those not in yet: where to ask a partner, or to answer one who asks."""
    url = reverse("pages:pair", args=[look.event.slug])
    sent, received = invitations_of(look.event, look.viewer)
    if received:
        facts = {"name": received[0].player.name}
        return You(_("%(name)s asks you to play as a pair.") % facts, url, _("Answer"))
    if sent is not None:
        text = _("You have asked a partner: the place is yours when the answer is yes.")
        return You(text, url, _("Your invitation"))
    return You(_("It is played in fixed pairs."), url, _("Enter as a pair"))


def _out(state: ViewerState) -> str:
    if state.place is not None:
        return _("You are out, at place %(place)s. Thank you for playing.") % {"place": state.place}
    return _("You are out. Thank you for playing.")
