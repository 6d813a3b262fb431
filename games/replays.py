"""A match to look back at, move by move, with all hands turned up.

Only of rounds that are over, and of the last one only once the match is: by then every tile of it
has been published with the seed of its deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import events as ev
from engine.review import Option, RoundReview, Step, missed_by_seat, review
from engine.tiles import text, texts
from games import clock, scenes, store
from games.models import Match, MatchEvent
from games.picture import Scene


def replay_for(match_id: str, viewer: Any = None) -> dict[str, Any]:
    """What `viewer` (None: anybody) may look back at, as JSON. Raises GameError("not_found").

    ``rounds`` hold ``hands`` as dealt, the ``boneyard`` in the order it is drawn, and ``steps``:
    moves numbered through the match from 1, each round's end among them. A step has ``options``
    (the plays there were, with ``pays``), the ``best`` of them and what was ``missed``.
    """
    scene = scenes.seen_by(scenes.read(match_id), viewer)
    card, rules = scene.card, scene.state.game.rules
    rows, deals = store.story_of(card, scene.state)
    events = [ev.from_json({**row.data, "kind": row.kind}) for row in rows]
    rounds = review(rules, deals, events)
    return {
        "match": card.pk,
        "status": card.status,
        "game": card.game,
        "preset": card.preset,
        "rules": rules.as_dict(),
        "target": rules.target,
        "partners": rules.partners,
        "title": scene.link["title"] if scene.link else None,
        "back_url": scene.link["url"] if scene.link else None,
        "seats": [
            {"seat": seat.index, "side": rules.side_of(seat.index), "name": seat.name}
            for seat in scene.seats
        ],
        "scores": list(scene.state.game.scores) if card.status == Match.Status.FINISHED else None,
        "winner": card.winner,
        "rated": card.rated,
        "finished_at": None if card.finished_at is None else clock.ms(card.finished_at),
        "reason": card.reason,
        "rounds": _rounds(scene, rounds, rows),
        "missed": list(missed_by_seat(rules, rounds)),
    }


def _rounds(
    scene: Scene, rounds: Sequence[RoundReview], rows: Sequence[MatchEvent]
) -> list[dict[str, Any]]:
    published = _published(rows)
    out, number, before = [], 0, [0] * scene.state.game.rules.sides
    for each in rounds:
        steps = []
        for step in each.steps:
            number += 1
            steps.append({"n": number, **_step(step)})
        if each.end is not None:
            number += 1
            end = ev.to_json(each.end)
            steps.append({"n": number, **end, "kind": "round_ended"})
        out.append(
            {
                "number": each.started.number,
                "leader": each.started.leader,
                "hands": [list(texts(hand)) for hand in each.deal.hands],
                "boneyard": list(texts(each.deal.boneyard)),
                "before": list(before),
                "steps": steps,
                "deal": published.get(each.started.number),
            }
        )
        before = steps[-1]["scores"] if steps else before
    return out


def _step(step: Step) -> dict[str, Any]:
    event = ev.to_json(step.event)
    if isinstance(step.event, ev.Drew):
        event["tiles"] = list(texts(step.drawn))
    if isinstance(step.event, ev.Played):
        event["joined"] = step.joined
        event["options"] = [_option(option) for option in step.options]
        event["best"], event["missed"] = step.best, step.missed
    return {**event, "ends": dict(step.ends), "scores": list(step.scores)}


def _option(option: Option) -> dict[str, Any]:
    return {
        "play": text(option.tile),
        "at": option.end,
        "total": option.total,
        "pays": option.pays,
    }


def _published(rows: Sequence[MatchEvent]) -> dict[int, dict[str, Any]]:
    """What was published of each deal: the commitment at its start, the seed at its end."""
    deals: dict[int, dict[str, Any]] = {}
    number = 0
    for row in rows:
        if row.kind == "round_started":
            number = row.data["number"]
            deals[number] = dict(row.data["deal"])
        elif "deal" in row.data and number:
            deals[number] |= row.data["deal"]
    return deals
