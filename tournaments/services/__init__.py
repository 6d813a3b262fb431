"""All that changes an event. Each is one transaction under the event's lock, and harmless when it
comes twice; tables are opened afterwards, each in a transaction of its own.
"""

from tournaments.services.drawing import draw_due
from tournaments.services.entry import add_bots, disqualify, join, withdraw
from tournaments.services.reporting import report_result
from tournaments.services.running import (
    finish,
    handle_finished_match,
    reconcile,
    start,
)
from tournaments.services.setup import (
    cancel,
    create,
    edit,
    open_registration,
    set_seeds,
)

__all__ = [
    "add_bots",
    "cancel",
    "create",
    "disqualify",
    "draw_due",
    "edit",
    "finish",
    "handle_finished_match",
    "join",
    "open_registration",
    "reconcile",
    "report_result",
    "set_seeds",
    "start",
    "withdraw",
]
