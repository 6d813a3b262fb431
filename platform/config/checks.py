"""What `manage.py check` looks at besides Django's own checks."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, register

from config.languages import catalogues


@register()
def catalogues_are_made(**_given: Any) -> list[CheckMessage]:
    """A language whose catalogue is missing or old would speak English, or say old things."""
    return [
        Error(
            f"The catalogue of {catalogues.language_of(po)} is missing or older than {po.name}.",
            hint="Run `make install`, or `python -m config.languages.catalogues`.",
            id="muggins.E001",
        )
        for po in catalogues.stale()
    ]
