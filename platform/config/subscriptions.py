"""Who listens to what: for each kind of message, the handlers that receive it (outbox)."""

SUBSCRIPTIONS: dict[str, list[str]] = {
    "match.finished": [
        "ratings.services.handle_match_finished",
        "tournaments.handlers.handle_match_finished",
        "tournaments.handlers.handle_ladder_match",
    ],
}
