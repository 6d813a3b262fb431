"""What can be wrong: each error has a code, a sentence for people, and the facts."""

from __future__ import annotations


class EngineError(Exception):
    """Something the engine will not do. `facts` holds plain JSON values, never a hidden tile."""

    def __init__(self, code: str, detail: str, **facts: object) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.facts: dict[str, object] = facts

    def __str__(self) -> str:
        return self.detail


class Refusal(EngineError):
    """An action the rules don't allow now; nothing has changed (rules.md 4).

    Codes: not_your_turn, not_in_hand, no_such_end, end_mismatch, must_lead, must_play, must_draw,
    cannot_draw, no_claim_open, already_claimed, round_over, match_over, not_called, bad_action.
    """


class BadTile(EngineError):
    """Text that names no tile of the double-six set."""

    def __init__(self, detail: str, **facts: object) -> None:
        super().__init__("bad_tile", detail, **facts)


class BadRules(EngineError):
    """A rule set that rules.md 2 refuses; `key` names the rule at fault."""

    def __init__(self, key: str, detail: str) -> None:
        super().__init__("bad_rules", f"{key}: {detail}", key=key)
        self.key = key


class BadRecord(EngineError):
    """A game record that breaks the rules (rules.md 9).

    `round` and `move` count from 0, as the lists of the record do; None where the fault lies
    outside of any round or move.
    """

    def __init__(self, detail: str, round: int | None = None, move: int | None = None) -> None:
        super().__init__("bad_record", detail, round=round, move=move)
        self.round = round
        self.move = move
