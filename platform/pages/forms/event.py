"""All settings of an event, in sections: to make one, and to change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.forms.utils import ErrorList

from pages.forms.about import About
from pages.forms.deciding import Deciding
from pages.forms.entry import Entry
from pages.forms.following import Following
from pages.forms.local_moment import settle
from pages.forms.naming import Naming
from pages.forms.playing import Playing
from pages.forms.rounds import Rounds
from pages.forms.schedule import Schedule
from pages.forms.section import Section
from players.models import Player
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.options import EDITABLE_LATER

SECTIONS: Final[tuple[type[Section], ...]] = (
    Naming,
    Following,
    Schedule,
    Playing,
    Entry,
    Rounds,
    Deciding,
    About,
)
"""In the order they are shown. Add yours here."""


class EventForm:
    """The sections, filled in together: `settings` is what services.create and edit get."""

    def __init__(
        self,
        data: Any = None,
        *,
        event: Tournament | None = None,
        organiser: Player | None = None,
        initial: dict[str, Any] | None = None,
    ) -> None:
        self.event = event
        self.is_bound = data is not None
        self.sections = [
            section(data, event=event, organiser=organiser, initial=initial) for section in SECTIONS
        ]
        self._others = ErrorList()

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def is_valid(self) -> bool:
        """Whether every section is; each is asked, so that all errors are shown at once."""
        good = [section.is_valid() for section in self.sections]
        if self.is_bound:
            self._settle_times()
        return self.is_bound and all(good) and not self.errors

    @property
    def errors(self) -> bool:
        """Whether there is anything to put right."""
        return bool(self._others) or any(section.errors for section in self.sections)

    def non_field_errors(self) -> ErrorList:
        return self._others

    def settings(self) -> dict[str, Any]:
        """What was set, section by section; once the event runs only what may still change."""
        found: dict[str, Any] = {}
        for section in self.sections:
            found |= section.settings()
        if self.event is not None and self.event.is_running:
            return {key: value for key, value in found.items() if key in EDITABLE_LATER}
        return found

    def refuse(self, refused: TournamentError) -> None:
        """Puts what a service refuses beside the field that it names, else at the top."""
        key = self._place_of(refused)
        for section in self.sections:
            if key in section.fields:
                section.add_error(key, str(refused))
                return
        self._others.append(str(refused))

    def unchecked(self) -> EventForm:
        """Shows what was sent without a word about what is wrong: it is not to be saved yet."""
        for section in self.sections:
            section.silence()
        return self

    def _place_of(self, refused: TournamentError) -> str:
        """The name of the field that a refusal is about."""
        stage, setting = refused.facts.get("stage"), refused.facts.get("setting")
        if isinstance(stage, int):
            following = next(each for each in self.sections if isinstance(each, Following))
            return following.field_of(stage, str(setting or "format")) or "then1_format"
        return str(refused.facts.get("option") or refused.facts.get("key") or "")

    def _settle_times(self) -> None:
        """Registration closes by the clocks of the place where the event starts."""
        sections = {type(section): section for section in self.sections}
        zone = sections[Schedule].cleaned_data.get("zone")
        settle(sections[Entry], "closes_at", zone)
