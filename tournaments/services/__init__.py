"""All that changes an event. Each is one transaction under the event's lock, and harmless when it
comes twice; tables are opened afterwards, each in a transaction of its own.
"""

from tournaments.services.arena import end_now as end_arena
from tournaments.services.arena import look as look_at_arena
from tournaments.services.arena import pair_all as pair_arenas
from tournaments.services.arena import pause, resume
from tournaments.services.correcting import Preview, preview_result
from tournaments.services.drawing import draw_due
from tournaments.services.entry import (
    add_bots,
    check_in,
    come_back,
    disqualify,
    join,
    withdraw,
)
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
from tournaments.services.rests import ask_rest, give_up_rest
from tournaments.services.roster import enter
from tournaments.services.running import (
    finish,
    handle_finished_match,
    reconcile,
    start,
    start_due,
)
from tournaments.services.series import copy, make_due, next_week
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
    "ask_rest",
    "begin_season",
    "break_tie",
    "cancel",
    "change_official",
    "check_in",
    "close_registration",
    "close_season",
    "come_back",
    "copy",
    "create",
    "create_league",
    "disqualify",
    "draw_due",
    "edit",
    "edit_league",
    "end_arena",
    "enter",
    "finish",
    "give_up_rest",
    "hand_over",
    "handle_finished_match",
    "invitation_of",
    "invite",
    "join",
    "join_league",
    "leave_league",
    "look_at_arena",
    "make_due",
    "next_week",
    "open_registration",
    "pair_arenas",
    "pause",
    "preview_result",
    "reconcile",
    "remove_official",
    "renew_link",
    "report_result",
    "resume",
    "revoke_invitation",
    "set_seeds",
    "start",
    "start_due",
    "wish_to_play",
    "withdraw",
]
