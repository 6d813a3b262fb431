"""All that changes an event. Each is one transaction under the event's lock, and harmless when it
comes twice; tables are opened afterwards, each in a transaction of its own.
"""

from tournaments.services.correcting import Preview, preview_result
from tournaments.services.drawing import draw_due
from tournaments.services.entry import add_bots, disqualify, join, withdraw
from tournaments.services.leagues import (
    begin_season,
    close_season,
    create_league,
    edit_league,
    join_league,
    leave_league,
    wish_to_play,
)
from tournaments.services.officials import (
    accept,
    change_official,
    hand_over,
    invitation_of,
    invite,
    remove_official,
    revoke_invitation,
)
from tournaments.services.reporting import report_result
from tournaments.services.running import (
    finish,
    handle_finished_match,
    reconcile,
    start,
)
from tournaments.services.setup import (
    announce,
    cancel,
    close_registration,
    create,
    edit,
    open_registration,
    renew_link,
    set_seeds,
)
from tournaments.services.ties import break_tie

__all__ = [
    "Preview",
    "accept",
    "add_bots",
    "announce",
    "begin_season",
    "break_tie",
    "cancel",
    "change_official",
    "close_registration",
    "close_season",
    "create",
    "create_league",
    "disqualify",
    "draw_due",
    "edit",
    "edit_league",
    "finish",
    "hand_over",
    "handle_finished_match",
    "invitation_of",
    "invite",
    "join",
    "join_league",
    "leave_league",
    "open_registration",
    "preview_result",
    "reconcile",
    "remove_official",
    "renew_link",
    "report_result",
    "revoke_invitation",
    "set_seeds",
    "start",
    "wish_to_play",
    "withdraw",
]
