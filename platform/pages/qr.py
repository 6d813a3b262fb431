"""Links as QR codes, drawn as SVG into the page."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def svg(link: str) -> SafeString:
    """The link's code. The drawing holds paths only, nothing of the link's text."""
    code = segno.make(link, error="m", micro=False)
    return mark_safe(code.svg_inline(omitsize=True, border=0))  # noqa: S308
