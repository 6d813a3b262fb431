"""All that changes an event. Each is one transaction under the event's lock, and harmless when it
comes twice; tables are opened afterwards, each in a transaction of its own.
"""

from tournaments.services.apart import keep_apart, let_meet
from tournaments.services.arena import begin as begin_arena
from tournaments.services.arena import end_now as end_arena
from tournaments.services.arena import look as look_at_arena
from tournaments.services.arena import pair_all as pair_arenas
from tournaments.services.arena import pause as pause_in_arena
from tournaments.services.arena import resume as resume_in_arena
from tournaments.services.boards import (
    Sheet,
    confirm,
    dispute,
    enter_sheet,
    hand_in,
    report,
    settle_by,
)
from tournaments.services.claiming import claim, claim_of, offer_claims, revoke_claim
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
from tournaments.services.exchanging import exchange, preview_exchange
from tournaments.services.leagues import (
    begin_season,
    close_due,
    close_season,
    create_league,
    edit_league,
    join_league,
    leave_league,
    move_end,
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
from tournaments.services.pacing import add_time, call_time, pause, resume, set_play
from tournaments.services.pairing import open_sheet, pair_by_hand, swap_seats
from tournaments.services.pairs import (
    accept_partner,
    drop_invitation,
    enter_pair,
    invite_partner,
)
from tournaments.services.reporting import report_result
from tournaments.services.rests import ask_rest, give_up_rest
from tournaments.services.roster import Newcomer, enter
from tournaments.services.rounds import ask, discard, publish, redraw, start_round, take_back
from tournaments.services.running import (
    finish,
    handle_finished_match,
    reconcile,
    start,
    start_due,
)
from tournaments.services.seating import fix_table
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
from tournaments.services.standing_in import replace_entrant, substitute
from tournaments.services.ties import break_tie
from tournaments.services.timing import grant_time

__all__ = [
    "Newcomer",
    "Preview",
    "Sheet",
    "accept",
    "accept_partner",
    "add_bots",
    "add_time",
    "announce",
    "ask",
    "ask_rest",
    "begin_arena",
    "begin_season",
    "break_tie",
    "call_time",
    "cancel",
    "change_official",
    "check_in",
    "claim",
    "claim_of",
    "close_due",
    "close_registration",
    "close_season",
    "come_back",
    "confirm",
    "copy",
    "create",
    "create_league",
    "discard",
    "dispute",
    "disqualify",
    "draw_due",
    "drop_invitation",
    "edit",
    "edit_league",
    "end_arena",
    "enter",
    "enter_pair",
    "enter_sheet",
    "exchange",
    "finish",
    "fix_table",
    "give_up_rest",
    "grant_time",
    "hand_in",
    "hand_over",
    "handle_finished_match",
    "invitation_of",
    "invite",
    "invite_partner",
    "join",
    "join_league",
    "keep_apart",
    "leave_league",
    "let_meet",
    "look_at_arena",
    "make_due",
    "move_end",
    "next_week",
    "offer_claims",
    "open_registration",
    "open_sheet",
    "pair_arenas",
    "pair_by_hand",
    "pause",
    "pause_in_arena",
    "preview_exchange",
    "preview_result",
    "publish",
    "reconcile",
    "redraw",
    "remove_official",
    "renew_link",
    "replace_entrant",
    "report",
    "report_result",
    "resume",
    "resume_in_arena",
    "revoke_claim",
    "revoke_invitation",
    "set_play",
    "set_seeds",
    "settle_by",
    "start",
    "start_due",
    "start_round",
    "substitute",
    "swap_seats",
    "take_back",
    "wish_to_play",
    "withdraw",
]
