"""A part of an event's settings: one module each, listed in pages.forms.event.

A section knows its fields, what they are for an event that is there, and which settings the
services get from them. It is a form of its own, so that parts can be written apart.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

from django import forms
from django.forms import BoundField
from django.forms.utils import ErrorDict
from django.utils.functional import Promise

from players.models import Player
from tournaments.models import Tournament

Words: TypeAlias = str | Promise


def number_input(attrs: dict[str, Any] | None = None) -> forms.NumberInput:
    """A field for a whole number, with the digits' keyboard on a phone."""
    return forms.NumberInput(attrs={"inputmode": "numeric", **(attrs or {})})


class Section(forms.Form):
    """`TITLE` heads it; `FOLDED` ones open when asked, or when something in them is wrong.
    `TEMPLATE` lays its fields out, one below the other if there is none. `LATER` names the fields
    that may still be changed once the event runs: the others are shown and fixed then.
    """

    TITLE: ClassVar[Words] = ""
    LEAD: ClassVar[Words] = ""
    FOLDED: ClassVar[bool] = True
    TEMPLATE: ClassVar[str] = "pages/settings/plain.html"
    LATER: ClassVar[frozenset[str]] = frozenset()

    def __init__(
        self,
        data: Any = None,
        *,
        event: Tournament | None = None,
        organiser: Player | None = None,
        initial: dict[str, Any] | None = None,
    ) -> None:
        self.event = event
        self.organiser = organiser
        known = self.initial_of(event) if event is not None else {}
        super().__init__(data, initial={**known, **(initial or {})})
        self.prepare()
        if event is not None and event.is_running:
            for name, field in self.fields.items():
                field.disabled = name not in self.LATER

    def prepare(self) -> None:
        """Fits the fields to the event and the organiser."""

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        """What the fields show for an event: by default, its columns of the same names."""
        return {name: getattr(event, name) for name in cls.base_fields if hasattr(event, name)}

    def settings(self) -> dict[str, Any]:
        """What services.create and edit get: by default, each field under its name."""
        return dict(self.cleaned_data)

    def silence(self) -> None:
        """Shows what was sent without a word about what is wrong."""
        self._errors = ErrorDict()

    @property
    def is_open(self) -> bool:
        """Whether it is shown unfolded."""
        return not self.FOLDED or bool(self.errors)

    @property
    def by_name(self) -> dict[str, BoundField]:
        return {bound.name: bound for bound in self}
