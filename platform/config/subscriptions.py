"""Who listens to what: for each kind of message, the handlers that receive it (outbox)."""

SUBSCRIPTIONS: dict[str, list[str]] = {
    "match.finished": [
        "ratings.services.handle_match_finished",
        "tournaments.handlers.handle_match_finished",
        "tournaments.handlers.handle_ladder_match",
    ],
    "match.reserved": ["notices.handlers.handle_seats"],
    "event.noted": ["notices.handlers.handle_line"],
    "entry.freed": ["notices.handlers.handle_place"],
    "challenge": ["notices.handlers.handle_challenge"],
    "pair.asked": ["notices.handlers.handle_pair"],
    "rating.corrected": ["notices.handlers.handle_corrections"],
    "season.closed": ["notices.handlers.handle_season"],
    "player.erased": [
        "games.handlers.handle_player_erased",
        "tournaments.handlers.handle_player_erased",
        "notices.handlers.handle_erased",
        "fairplay.handlers.handle_erased",
    ],
}
