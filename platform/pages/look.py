"""One request's look at an event: what its pages, prints, screens and files are made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.http import QueryDict
from django.urls import reverse

from pages import bracket, standings, words
from players.models import Player
from tournaments import selectors
from tournaments.board import Board
from tournaments.models import Entrant, Round, Stage, Tournament
from tournaments.permissions import may
from tournaments.selectors import ViewerState
from tournaments.stages import Tie, tie_of
from tournaments.visibility import board_for

Status = Tournament.Status
KNOCKOUTS: Final = frozenset({"single_elimination", "double_elimination", "pod_elimination"})


@dataclass(frozen=True, slots=True)
class StageLink:
    """The way to a stage of the event."""

    number: int
    title: str
    url: str
    here: bool
    annulled: bool


class Look:
    """One request's look at an event by one viewer; each thing is read when first asked for."""

    def __init__(
        self,
        event: Tournament,
        viewer: Player | None,
        query: QueryDict | None = None,
        key: str = "",
    ) -> None:
        self.event = event
        self.viewer = viewer
        self.key = key
        self.query = query or QueryDict()
        self._boards: dict[int, Board] = {}

    @cached_property
    def stages(self) -> list[Stage]:
        return list(self.event.stages.order_by("number"))

    @cached_property
    def stage(self) -> Stage | None:
        """The stage that was asked for (`?stage=`), else the one in hand."""
        asked = self.query.get("stage")
        found = [stage for stage in self.stages if str(stage.number) == asked]
        return next(iter(found or self.counting[-1:]), None)

    @cached_property
    def counting(self) -> list[Stage]:
        """The stages that were not annulled."""
        return [stage for stage in self.stages if not stage.annulled]

    @cached_property
    def tie(self) -> Tie | None:
        """Those level across the cut, where the event waits for somebody to decide."""
        return tie_of(self.event)

    def stage_links(self, section: str) -> list[StageLink]:
        """A link to each stage; none where there is only one."""
        links = self.all_stage_links(section)
        return links if len(links) > 1 else []

    def all_stage_links(self, section: str) -> list[StageLink]:
        """A link to each stage."""
        here = reverse("pages:tournament_section", args=[self.event.slug, section])
        return [
            StageLink(
                stage.number,
                words.stage_title(stage.format, play_off=stage.is_play_off),
                f"{here}?stage={stage.number}",
                stage is self.stage,
                stage.annulled,
            )
            for stage in self.stages
        ]

    @cached_property
    def corrects(self) -> bool:
        """Whether the viewer may correct results now."""
        is_time = self.event.status in (Status.RUNNING, Status.FINISHED)
        return is_time and may(self.event, self.viewer, "correct")

    @cached_property
    def board(self) -> Board | None:
        return None if self.stage is None else self.board_of(self.stage)

    def board_of(self, stage: Stage) -> Board:
        if stage.number not in self._boards:
            self._boards[stage.number] = board_for(stage)
        return self._boards[stage.number]

    @cached_property
    def rounds(self) -> list[tuple[str, bracket.Round]]:
        """The rounds that may be seen, with the part of the format they belong to."""
        return [] if self.board is None else bracket.rounds_of(self.board, self.viewer)

    @cached_property
    def drawn_rounds(self) -> list[Round]:
        return self.drawn_rounds_of(self.stage)

    def drawn_rounds_of(self, stage: Stage | None) -> list[Round]:
        """The rounds of a stage that may be seen, as rows."""
        if stage is None:
            return []
        return list(stage.rounds.exclude(status=Round.Status.DRAFT).order_by("number"))

    @cached_property
    def entrants(self) -> list[Entrant]:
        return selectors.entrants_of(self.event)

    def is_own(self, entrant: Entrant) -> bool:
        """Whether the viewer plays as this entrant."""
        own = self.viewer.pk if self.viewer is not None else None
        return own is not None and own in (entrant.player_id, entrant.partner_id)

    @cached_property
    def state(self) -> ViewerState:
        return selectors.viewer_state(self.event, self.viewer, self.key)

    @cached_property
    def standings(self) -> standings.Standings | None:
        return None if self.board is None else standings.standings_of(self.board)

    @cached_property
    def labels(self) -> dict[int, str]:
        """What the entrants of the stage are called, by seed."""
        if self.board is None:
            return {}
        return {seed: entrant.label for seed, entrant in self.board.entrants.items()}

    @property
    def has_begun(self) -> bool:
        return bool(self.stages)

    @property
    def has_bracket(self) -> bool:
        return any(stage.format in KNOCKOUTS for stage in self.counting)
