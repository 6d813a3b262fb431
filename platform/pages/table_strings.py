"""The sentences of the live table, translated for its scripts.

Whole sentences with named placeholders ({name}, {tile}); a sentence about n things is a list with
the form for each n, so that the browser needs no plural rules of its own.
"""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

TILES_IN_SET = 28


def table_strings() -> dict[str, str | list[str]]:
    """The catalogue for `{{ strings|json_script:"table-strings" }}`, in the active language."""
    return {
        **_page(),
        **_seats(),
        **_lobby(),
        **_line(),
        **_prompts(),
        **_events(),
        **_endings(),
        **_connection(),
        **_proof(),
        **_words(),
    }


def felt_strings() -> dict[str, str | list[str]]:
    """What a line on the felt needs where there is nothing else of the table."""
    return {**_line(), **_events()}


def _for_each(form: Callable[[int], str]) -> list[str]:
    return [form(n) for n in range(TILES_IN_SET + 1)]


def _page() -> dict[str, str | list[str]]:
    return {
        "game_allfives": _("All Fives"),
        "game_draw": pgettext("game", "Draw"),
        "game_block": pgettext("game", "Block"),
        "target": _("target: {target}"),
        "round": _("round {n}"),
        "watching": _("watching"),
        "watched": _for_each(lambda n: ngettext("{n} watching", "{n} watching", n)),
        "browse_at": _("Tile {n} of {all}"),
        "browse_live": pgettext("back to the position", "Live"),
        "browse_more": _for_each(
            lambda n: npgettext("back to the position", "Live (+{n})", "Live (+{n})", n)
        ),
        "browse_round": pgettext("back to the position", "Live (next round)"),
        "title_turn": _("(!) Your turn · {title}"),
        "cancel": _("Cancel"),
        "copy": _("Copy"),
        "copied": _("Copied"),
        "copy_failed": _("Copy the link yourself"),
        "score_sheet": _("Scores, target: {target}"),
        "round_column": pgettext("of a match", "Round"),
        "now_row": pgettext("score so far", "Now"),
    }


def _seats() -> dict[str, str | list[str]]:
    return {
        "you": _("you"),
        "you_name": _("You"),
        "partner": _("partner"),
        "two_names": _("{one} & {two}"),
        "team": _("team {n}"),
        "tiles": _for_each(lambda n: ngettext("{n} tile", "{n} tiles", n)),
        "seat_points": _("points: {points}"),
        "seat_turn": _("in turn"),
        "seat_free": _("Free seat"),
        "seat_time": _("time × {times}"),
        "seat_bot": _("bot"),
        "seat_guest": _("guest"),
        "seat_away": _("away"),
        "seat_absent": _("not here"),
        "seat_ready": pgettext("player", "ready"),
        "seat_resigned": _("resigned"),
        "seat_sat": _("seated"),
        "seat_not_yet": _("not here yet"),
        "note_passed": _("pass"),
        "score_words": _("{name}: {points}"),
    }


def _lobby() -> dict[str, str | list[str]]:
    return {
        "waiting_for": _for_each(
            lambda n: ngettext("Waiting for {n} player", "Waiting for {n} players", n)
        ),
        "waiting_to_sit": _("Waiting for the players to sit down"),
        "starting": _("The match is about to start"),
        "sit_within": _("Time to sit down: {time}"),
    }


def _line() -> dict[str, str | list[str]]:
    return {
        "choose_end": _("Places for the tile"),
        "side_left": pgettext("side", "left"),
        "side_right": pgettext("side", "right"),
        "side_top": _("top"),
        "side_bottom": _("bottom"),
        "side_middle": _("middle"),
        "place_lead": _("Lead with {tile}"),
        "place": _("Play {tile} at the {side} end, on {pips}"),
        "place_scores": _("Play {tile} at the {side} end, on {pips}, points: {points}"),
        "line_empty": _("No tile lies on the table."),
        "line_tiles": _for_each(
            lambda n: ngettext("{n} tile lies on the table.", "{n} tiles lie on the table.", n)
        ),
        "line_ends": _("Open ends: {ends}."),
        "line_last": _("Last tile: {tile}."),
        "end": _("{side} {pips}"),
        "end_double": _("{side} double {pips}"),
        "hand_tile": _("{tile}"),
        "hand_tile_unfit": _("{tile}, does not fit"),
        "hand_words": _("Your hand: {tiles}."),
        "hand_words_fit": _("Your hand: {tiles}. These fit: {fit}."),
        "hand_none": _("You have no tiles."),
    }


def _prompts() -> dict[str, str | list[str]]:
    return {
        "prompt_mine": _("Your turn: choose a tile."),
        "prompt_lead": _("Your turn: lead a tile."),
        "prompt_end": _("{tile}: choose a place on the line."),
        "prompt_draw": _("Nothing fits: draw a tile."),
        "prompt_pass": _("Nothing fits: pass."),
        "prompt_theirs": _("Waiting for {name}."),
        "prompt_sent": _("Sent."),
        "prompt_confirm": _("{tile}: is it to lie there?"),
        "prompt_ahead": _("{tile}: played at your turn. Tap it again to take it back."),
        "confirm": _("Lay it there"),
        "prompt_claims": _("The round is over unless somebody claims."),
        "unfit": _("{tile} fits nowhere now."),
        "unanswered": _("The server has not answered yet. Your move is kept and sent again."),
        "refused": _("The server refused this move."),
        "draw": pgettext("take a tile", "Draw"),
        "pass": pgettext("skip the turn", "Pass"),
        "call_ask": _("Call your points:"),
        "call_none": _("No call"),
        "claim_ask": _("Muggins! Points missed:"),
        "claim": _("Claim points missed: {points}"),
        "alert_turn": _("Your turn. Seconds: {n}."),
        "alert_turn_untimed": _("Your turn."),
        "alert_low": _for_each(lambda n: ngettext("{n} second left.", "{n} seconds left.", n)),
        "clock_words": _("Time left in this turn, in seconds: {n}."),
        "clock_none": _("No clock is running."),
        "on_bank": _("bank {time}"),
    }


def _events() -> dict[str, str | list[str]]:
    return {
        "event_round": _("Round {n}"),
        "event_led": _("{name}: {tile}"),
        "event_led_scored": _("{name}: {tile}, +{points}"),
        "event_played": _("{name}: {tile} → {pips}"),
        "event_played_scored": _("{name}: {tile} → {pips}, +{points}"),
        "heard_led": _("{name}: {tile}."),
        "heard_played": _("{name}: {tile} on {pips}."),
        "heard_total": _("Total {total}."),
        "heard_score": _("Points: {points}."),
        "event_drew": _for_each(
            lambda n: ngettext(
                "{name}: {n} tile from the boneyard", "{name}: {n} tiles from the boneyard", n
            )
        ),
        "event_passed": _("{name}: pass"),
        "event_claimed": _("{name}: muggins, {points}"),
        "event_resigned": _("{name}: resigned"),
        "event_joined": _("{name}: at the table"),
        "event_left": _("{name}: left the table"),
        "event_away": _("{name}: away, the server plays"),
        "event_back": _("{name}: back"),
        "event_match_over": _("The match is over."),
        "event_match_won": _("Match won by {name}"),
    }


def _endings() -> dict[str, str | list[str]]:
    return {
        "end_domino": _("Domino! Out: {name}"),
        "end_blocked": _("Blocked. Fewest pips: {name}"),
        "end_tied": _("Blocked and tied: nobody is paid"),
        "end_target": _("The target is reached"),
        "no_tiles": pgettext("has no tile left", "out"),
        "head_player": _("Player"),
        "head_tiles_left": _("Tiles left"),
        "head_pips": _("Pips"),
        "head_points": _("Points"),
        "head_score": _("Score"),
        "head_place": pgettext("rank", "Place"),
        "head_rating": _("Rating"),
        "hands_caption": _("Hands at the end of round {n}"),
        "result_caption": _("Result of the match"),
        "next_deal": _("Next deal: {time}"),
        "next_deal_soon": _("Next deal soon"),
        "ready": _("Ready"),
        "ready_done": _("Ready ✓"),
        "match_won": _("You won the match!"),
        "match_won_both": _("Your team won the match!"),
        "match_no_winner": _("The match is over"),
        "match_cancelled": _("The match was cancelled"),
        "reason_resigned": _("The other side resigned."),
        "reason_forfeit": _("Decided by forfeit."),
        "reason_no_show": _("Somebody did not come."),
        "reason_time": _("Time was called."),
        "reason_other": _("The match was ended early."),
        "last_round": _("The last round"),
        "rematch": _("Rematch"),
        "rematch_go": _("To the new table"),
        "rematch_watch": _("Watch the rematch"),
        "back": _("Back to the tournament"),
        "home": _("Home"),
        "record": pgettext("of a match", "Record"),
        "replay": _("Replay"),
        "best_play": _("Best play: {name}, {tile}, +{points}."),
        "share": pgettext("verb", "Share"),
        "shared": _("Copied."),
        "share_failed": _("Copy the address yourself"),
    }


def _connection() -> dict[str, str | list[str]]:
    return {
        "link_live": pgettext("connection", "live"),
        "link_slow": pgettext("connection", "slow"),
        "link_reconnecting": _("reconnecting"),
        "link_offline": _("offline"),
        "link_closed": _("closed"),
        "link_returned": pgettext("connection", "back"),
        "link_back": _("The connection is back."),
        "broken": _("The connection is broken. Trying again…"),
        "broken_clock": _("The connection is broken. Your clock keeps running: {time}"),
        "closed_signed_out": _("You are signed out. Sign in again to go on playing."),
        "closed_not_found": _("There is no such table."),
        "closed_other": _("The server closed this table. Reload the page to try again."),
    }


def _words() -> dict[str, str | list[str]]:
    """What can be said at a table (games/services/talking.py)."""
    return {
        "said": _("{name}: “{text}”"),
        "seat_menu": _("About {name}"),
        "word_hello": pgettext("said at a table", "Hello!"),
        "word_good_luck": pgettext("said at a table", "Good luck!"),
        "word_well_played": pgettext("said at a table", "Well played!"),
        "word_thanks": pgettext("said at a table", "Thank you!"),
        "word_sorry": pgettext("said at a table", "Sorry!"),
        "word_one_moment": pgettext("said at a table", "One moment, please."),
        "word_again": pgettext("said at a table", "Another match?"),
        "word_goodbye": pgettext("said at a table", "Goodbye!"),
        "word_clap": pgettext("reaction", "Applause"),
        "word_smile": pgettext("reaction", "Smile"),
        "word_wow": pgettext("reaction", "Surprise"),
        "word_think": pgettext("reaction", "Thinking"),
        "word_cry": pgettext("reaction", "Tears"),
        "word_heart": pgettext("reaction", "Heart"),
    }


def _proof() -> dict[str, str | list[str]]:
    return {
        "proof_running": _(
            "Round {n}: the server is held to this commitment, and reveals the seed behind it when "
            "the round is over."
        ),
        "proof_over": _(
            "Round {n}: to verify it, hash the deal's number and the seed with SHA-256. The "
            "commitment comes out, and the seed gives every tile."
        ),
        "proof_deal": pgettext("noun", "Deal"),
        "proof_commit": _("Commitment"),
        "proof_seed": pgettext("of a shuffle", "Seed"),
    }
