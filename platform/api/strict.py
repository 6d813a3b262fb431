"""Input taken as it is meant: no field too many, and no number written as text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from tournaments import moments


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it doesn't know; the schema says so by ``additionalProperties``."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            writable = {name for name, field in self.fields.items() if not field.read_only}
            unknown = {str(name) for name in data} - writable
            if unknown:
                sentence = _("There is no such field.")
                raise serializers.ValidationError(
                    {name: [sentence] for name in sorted(unknown)}, code="unknown"
                )
        return super().to_internal_value(data)


class Integer(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Boolean(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class Text(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class NothingInput(StrictSerializer):
    """An empty object, or no body."""


class Choice(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class Moment(serializers.DateTimeField):
    """An ISO moment with an offset, or a local time of the event's zone without one.

    A local time that doesn't exist there, or comes twice, is refused by the service (cases.md Z1,
    Z2), by the same check as the pages'.
    """

    def to_internal_value(self, data: Any) -> dt.datetime:
        if not isinstance(data, str):
            self.fail("invalid", format="ISO 8601")
        try:
            return moments.parse(data)
        except moments.BadMoment:
            self.fail("invalid", format="ISO 8601")


class Object(serializers.DictField):
    """A JSON object whose meaning is checked by a service."""
