"""What templates need besides Django's own tags."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.http import QueryDict
from django.template import RequestContext
from django.template.defaultfilters import stringfilter
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from pages import drawing, figures, qr, whys, words
from players import zones
from tournaments.models import Tournament

register = template.Library()
register.filter("percent", figures.percent)
register.filter("quoted", words.quoted)
register.filter("with_zone", zones.with_zone)

_JSON_IN_HTML = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}


@register.simple_tag
def domino(first: int, second: int) -> SafeString:
    """An upright tile: ``{% domino 5 5 %}``."""
    return drawing.tile(first, second)


@register.simple_tag
def domino_of(text: str) -> SafeString:
    """An upright tile by its name: ``{% domino_of "6-4" %}``."""
    first, _dash, second = text.partition("-")
    return drawing.tile(int(first), int(second))


@register.simple_tag
def rules_data(name: str, steps: Sequence[str], questions: Sequence[tuple[str, str]]) -> SafeString:
    """A game's steps, and questions with their answers, for search engines (schema.org): a block
    of data, not a script.
    """
    how = {
        "@type": "HowTo",
        "name": name,
        "inLanguage": get_language(),
        "step": [
            {"@type": "HowToStep", "position": n, "text": step} for n, step in enumerate(steps, 1)
        ],
    }
    asked = {
        "@type": "FAQPage",
        "inLanguage": get_language(),
        "mainEntity": [
            {
                "@type": "Question",
                "name": question,
                "acceptedAnswer": {"@type": "Answer", "text": answer},
            }
            for question, answer in questions
        ],
    }
    data = {"@context": "https://schema.org", "@graph": [how, asked]}
    text = json.dumps(data, ensure_ascii=False).translate(_JSON_IN_HTML)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308


@register.simple_tag
def tile_shape(first: int, second: int) -> SafeString:
    """A tile to be put inside an SVG of one's own."""
    return drawing.shape(first, second)


@register.simple_tag
def icon(name: str) -> SafeString:
    """A line icon of the sprite, silent to screen readers."""
    return format_html(
        '<svg class="ico" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("pages/icons.svg"),
        name,
    )


@register.simple_tag
def moment(when: datetime, zone: str) -> SafeString:
    """A moment in the event's zone: "Fri 4 Dec 2026, 19:00 CET"."""
    there = when.astimezone(words.zone_of(zone))
    return format_html(
        '<time datetime="{}">{} {} {}</time>',
        when.isoformat(),
        date_format(there, "D"),
        date_format(there, "DATETIME_FORMAT"),
        there.tzname(),
    )


@register.simple_tag(takes_context=True)
def absolute(context: RequestContext, path: str) -> str:
    """A path of the site as a whole address."""
    return str(context["request"].build_absolute_uri(path))


@register.simple_tag
def qr_code(link: str) -> SafeString:
    """A link as a QR code."""
    return qr.svg(link)


@register.simple_tag
def why(because: Mapping[str, Any], labels: Mapping[int, str]) -> list[str]:
    """Why a pairing was made, in sentences."""
    return whys.sentences(because, labels)


@register.simple_tag
def clock(when: datetime, zone: str) -> SafeString:
    """The time of day in the event's zone: "19:00"."""
    there = when.astimezone(words.zone_of(zone))
    return format_html('<time datetime="{}">{}</time>', when.isoformat(), f"{there:%H:%M}")


@register.simple_tag
def until(when: datetime) -> str:
    """How far away a moment is: "in 3 hours", "2 days ago"."""
    return str(naturaltime(when))


@register.simple_tag
def with_query(query: QueryDict, **changes: Any) -> str:
    """The page's own address with some of its query changed; None takes a part out."""
    changed = query.copy()
    for key, value in changes.items():
        if value is None:
            changed.pop(key, None)
        else:
            changed[key] = str(value)
    return f"?{changed.urlencode()}"


@register.filter(is_safe=True)
@stringfilter
def capital(text: str) -> str:
    """A capital at the beginning: "round 2" → "Round 2"."""
    return words.capital(text)


@register.filter(is_safe=True)
@stringfilter
def unbroken(text: str) -> str:
    """Tiles, and what they lead to, in one line each."""
    return figures.unbroken(text)


@register.filter
def signed(value: int) -> str:
    """ "+15", "−10", "0"."""
    return figures.signed(value)


@register.filter
def times(percent: int) -> str:
    """How many times the whole that is: 150 → "1.5"."""
    return figures.tenths(percent / 100)


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """``mapping[key]``, or None."""
    return mapping.get(key) if mapping else None


@register.filter
def get_at(values: Any, index: int) -> Any:
    """``values[index]``, or nothing."""
    return values[index] if index < len(values) else ""


@register.filter
def side_field(prefix: str, side: int) -> str:
    """The name of a field for a side's points: "score-0", "g2-1"."""
    return f"{prefix}-{side}"


@register.filter
def of_several(best_of: int) -> str:
    """ "best of three"."""
    return str(words.OF_SEVERAL[best_of])


@register.simple_tag
def preset_name(key: str) -> str:
    """A game's name for people."""
    return words.preset(key)


@register.simple_tag
def format_line(event: Tournament) -> str:
    """How an event is played, in words."""
    return words.format_line(event)


@register.filter
def browser(user_agent: str) -> str:
    """What a browser calls itself, in a few words: "Firefox, Linux"."""
    return words.browser_of(user_agent)
