"""Points by place, typed in a line: "6, 5, 3, 1"."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.formats.model import Option


class PointsField(forms.CharField):
    """The numbers of a line as a list; those of the format if it is left empty."""

    def __init__(self, *, option: Option, **kwargs: Any) -> None:
        self.option = option
        super().__init__(required=False, max_length=40, initial=option.default, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        if isinstance(value, list):  # of a field that can't be changed any more
            return value
        words = str(super().clean(value) or "").replace(",", " ").split()
        if not words:
            return list(self.option.default)
        points = [int(each) if each.isascii() and each.isdigit() else -1 for each in words]
        if not self.option.accepts(points):
            raise forms.ValidationError(
                _("Write a whole number for each place, the best first and none above it.")
            )
        return points
