"""A time on the clocks of the event's zone, as a form asks for it.

The same check as the API's (tournaments.moments): a time that the clocks skip is refused, and for
one that they show twice the form asks which is meant, beside the field.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments import moments
from tournaments.errors import SENTENCES


class LocalMoment(forms.Field):
    """Cleans to a time without zone; `settle` makes the moment of it, once the zone is known."""

    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def to_python(self, value: Any) -> dt.datetime | None:
        if value in self.empty_values or isinstance(value, dt.datetime):
            return value or None
        try:
            return moments.parse(str(value))
        except moments.BadMoment as wrong:
            raise forms.ValidationError(str(SENTENCES[wrong.code])) from wrong

    @staticmethod
    def initial_of(name: str, moment: dt.datetime | None, zone: str) -> dict[str, Any]:
        """What the field and its offset's show for a moment."""
        if moment is None:
            return {}
        shown = moments.local(moment, zone).replace(tzinfo=None, second=0, microsecond=0)
        twice = moments.is_twice(moment, zone)
        return {name: shown, f"{name}_offset": moments.offset_of(moment, zone) if twice else ""}


def settle(form: forms.Form, name: str, zone: str | None) -> None:
    """Turns the local time under `name` into the moment; what is wrong goes beside the field, and
    where the time comes twice its offset's field offers both.
    """
    value = form.cleaned_data.get(name)
    if value is None or zone is None:
        return
    offset = str(form.cleaned_data.get(f"{name}_offset") or "")
    _offer_both(form, name, value, zone)
    try:
        form.cleaned_data[name] = moments.resolve(value, zone, offset)
    except moments.BadMoment as wrong:
        form.add_error(name, str(SENTENCES[wrong.code]))


def _offer_both(form: forms.Form, name: str, value: dt.datetime, zone: str) -> None:
    try:
        moments.resolve(value, zone)
    except moments.BadMoment as wrong:
        if wrong.offsets:
            first, second = wrong.offsets
            form.fields[f"{name}_offset"].widget = forms.RadioSelect(
                choices=[
                    (first, _("the first, UTC%(offset)s") % {"offset": first}),
                    (second, _("the second, UTC%(offset)s") % {"offset": second}),
                ]
            )
