"""The kinds of notices: what each says, and where it is shown unless a player wishes otherwise."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.pools import title_of

SOON: Final = dt.timedelta(minutes=10)
NOW: Final = dt.timedelta(0)


@dataclass(frozen=True, slots=True)
class Kind:
    """`title` names it in the settings, `sentence` says it. Mail waits for `mail_after`, in case
    the player comes by before.
    """

    title: str | Promise
    sentence: str | Promise
    mail: bool = True
    mail_after: dt.timedelta = SOON


KINDS: Final[dict[str, Kind]] = {
    "table": Kind(_("A table waits for you"), _("%(event)s: your table is ready."), mail_after=NOW),
    "round": Kind(
        _("A round is published"), _("%(event)s: round %(round)s is published."), mail=False
    ),
    "announced": Kind(
        _("Your club announces an event"), _("%(club)s announces %(event)s."), mail=False
    ),
    "changed": Kind(_("The time of an event changes"), _("%(event)s now begins at another time.")),
    "cancelled": Kind(_("An event is cancelled"), _("%(event)s is cancelled: %(reason)s")),
    "freed": Kind(
        _("You get a place from the waiting list"), _("%(event)s: a place is free, and you are in.")
    ),
    "disputed": Kind(
        _("A result is disputed"), _("%(event)s: the result of match %(match)s is disputed.")
    ),
    "challenge": Kind(_("Somebody challenges you"), _("%(ladder)s: %(name)s challenges you.")),
    "accepted": Kind(
        _("Your challenge is accepted"), _("%(ladder)s: %(name)s accepts your challenge.")
    ),
    "refused": Kind(
        _("Your challenge is refused"), _("%(ladder)s: %(name)s refuses your challenge.")
    ),
    "rating": Kind(
        _("A rating is corrected"),
        _("Your rating was corrected: %(before)s, now %(after)s."),
        mail=False,
    ),
    "season": Kind(
        _("A season of the ladders ends"),
        _("A season of the ladders is over. Your best rank: %(rank)s (%(pool)s)."),
        mail=False,
    ),
    "pair": Kind(
        _("Somebody asks you to be their partner"),
        _("%(event)s: %(name)s asks you to be their partner."),
    ),
    "role": Kind(
        _("Somebody takes a role in your event"),
        _("%(event)s: %(name)s took the role you offered."),
        mail=False,
    ),
    "report": Kind(
        _("Your report is looked at"),
        _("A moderator has looked at your report about %(name)s. Thank you."),
        mail=False,
    ),
    "warned": Kind(_("A moderator warns you"), _("A moderator warns you: %(reason)s")),
    "silenced": Kind(
        _("A moderator has muted you"),
        _("For now you can say and write nothing at tables: %(reason)s"),
    ),
}


def sentence(kind: str, facts: Mapping[str, Any]) -> str:
    """What a notice says, in the active language, in which a pool is named as well.

    Facts that an old row lacks are left out rather than failing the page.
    """
    words = {"pool": title_of(facts["pool"])} if "pool" in facts else {}
    return str(KINDS[kind].sentence) % _Facts({**facts, **words})


class _Facts(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "…"
