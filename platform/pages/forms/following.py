"""What comes after the first part: a knockout of the best of each group, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages import words
from pages.forms.rules import MAX_TARGET, MIN_TARGET
from pages.forms.section import Section, Words, number_input
from tournaments import formats
from tournaments.formats import groups
from tournaments.models import Tournament
from tournaments.models.tournament import LIMITS
from tournaments.options import LATER_STAGE, MOST_STAGES, PACE

TITLES: Final = (
    pgettext_lazy("stage", "Then"),
    _("And then"),
    _("After that"),
    pgettext_lazy("stage", "At last"),
)
OF: Final = (("group", _("of each group")), ("all", _("of all")))
TIES: Final = (
    ("wait", _("The arbiter decides: a play-off, or a lot")),
    ("lot", _("A lot decides by itself")),
)
SEEDINGS: Final = (
    ("crossed", _("Those of one group far apart")),
    ("table", _("As they stand in the table")),
    ("lot", _("Drawn by lot")),
)
OPTIONS: Final = ("rounds", "groups", "minutes", "third_place")
RULES: Final = ("preset", "target")


@dataclass(frozen=True, slots=True)
class Part:
    """The fields of a part, by what they are; `number` counts from 1."""

    number: int
    title: Words
    fields: dict[str, BoundField]


class Following(Section):
    """Up to four parts more, each none if no format is chosen: what is left out in between closes
    up. Options that the form doesn't ask for come from the API, and are kept.
    """

    TITLE: ClassVar[Words] = _("More stages")
    TEMPLATE: ClassVar[str] = "pages/settings/following.html"

    def prepare(self) -> None:
        for part in range(1, MOST_STAGES + 1):
            self.fields |= _fields(part)

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for part, stage in enumerate(event.later_stages, start=1):
            shown = {
                "format": stage["format"],
                "was": part,
                "take": stage["take"],
                "of": "group" if stage["per_group"] else "all",
                "best_of": str(stage["best_of"]),
                "seeding": stage["seeding"],
                "ties": stage["ties"],
                **{key: stage["options"][key] for key in OPTIONS if key in stage["options"]},
                **{key: stage["rules"][key] for key in RULES if key in stage["rules"]},
                **{key: stage.get(key) for key in PACE},
            }
            found |= {f"then{part}_{key}": value for key, value in shown.items()}
        return found

    def settings(self) -> dict[str, Any]:
        known = self.event.later_stages if self.event is not None else []
        stages: list[dict[str, Any]] = []
        before, preset = self.data.get("format"), self.data.get("preset", "allfives")
        for part in range(1, MOST_STAGES + 1):
            data = {key: self.cleaned_data.get(f"then{part}_{key}") for key in _fields_of()}
            if not data["format"]:
                continue
            was = data["was"] or 0
            kept = known[was - 1] if 1 <= was <= len(known) else {}
            stages.append(_stage(data, kept, preset, from_groups=before == groups.ID))
            before = data["format"]
        return {"later_stages": stages}

    @property
    def is_open(self) -> bool:
        return bool(self.errors) or bool(self["then1_format"].value())

    @property
    def parts(self) -> Iterator[Part]:
        for number, title in enumerate(TITLES, start=1):
            prefix = f"then{number}_"
            own = {name: self[name] for name in self.fields if name.startswith(prefix)}
            yield Part(number, title, {k.removeprefix(prefix): v for k, v in own.items()})

    def field_of(self, stage: int, setting: str) -> str | None:
        """The field that sets that of the event's `stage`, counted with the first one; None if
        the form doesn't ask for it.
        """
        chosen = [part.number for part in self.parts if part.fields["format"].value()]
        if not 2 <= stage <= len(chosen) + 1:
            return None
        name = f"then{chosen[stage - 2]}_{'of' if setting == 'per_group' else setting}"
        return name if name in self.fields else None


def without(data: Mapping[str, Any], gone: int) -> dict[str, Any]:
    """What was sent of a form, one part of it taken away and those after it moved up."""
    kept = {key: data[key] for key in data if not key.startswith("then") or key == "then"}
    for part in range(1, MOST_STAGES):
        old = f"then{part if part < gone else part + 1}_"
        moved = {key.removeprefix(old): data[key] for key in data if key.startswith(old)}
        kept |= {f"then{part}_{key}": value for key, value in moved.items()}
    return kept


def _stage(
    data: Mapping[str, Any], kept: Mapping[str, Any], preset: str, *, from_groups: bool
) -> dict[str, Any]:
    """What the services get for a part; of what was `kept` only what suits its format. `preset`
    is the event's.
    """
    known = kept if kept.get("format") == data["format"] else {}
    own = formats.get(data["format"]).OPTIONS
    options = {key: data[key] for key in OPTIONS if key in own and data[key] is not None}
    return {
        **LATER_STAGE,
        **known,
        "format": data["format"],
        "options": {**known.get("options", {}), **options},
        "take": data["take"] or LATER_STAGE["take"],
        "per_group": data["of"] == "group" and from_groups,
        "best_of": int(data["best_of"] or 1),
        "rules": _rules(data, known.get("rules", {}), preset),
        "seeding": data["seeding"] or LATER_STAGE["seeding"],
        "ties": data["ties"] or LATER_STAGE["ties"],
        **{key: data[key] for key in PACE},
    }


def _rules(data: Mapping[str, Any], known: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """The rules of a part's games, empty for the event's; what the form doesn't ask for stays with
    its preset.
    """
    given = {key: data[key] for key in RULES if data[key]}
    before = known.get("preset", preset)
    if given.get("preset", before) == before:
        given = {**{k: v for k, v in known.items() if k not in RULES}, **given}
    return {"preset": before, **given} if given else {}


def _fields_of() -> dict[str, forms.Field]:
    """The fields of a part, by what they are."""
    return {
        "format": forms.ChoiceField(
            label=_("What is played"),
            choices=[("", _("Nothing more")), *words.FORMATS.items()],
            required=False,
        ),
        "was": forms.IntegerField(required=False, widget=forms.HiddenInput),
        "take": _number(_("How many go on"), 1, 1024, initial=2),
        "of": forms.ChoiceField(
            label=_("Counted"), choices=OF, initial="group", required=False,
            widget=forms.RadioSelect,
        ),
        "best_of": forms.ChoiceField(
            label=_("Each pairing"), choices=list(words.BEST_OF.items()),
            initial="1", required=False, widget=forms.RadioSelect,
        ),
        "rounds": _number(_("Rounds"), 1, 20, initial=3),
        "groups": _number(_("Groups"), 2, 32, initial=2),
        "minutes": _number(_("Minutes"), 1, 720, initial=30),
        "third_place": forms.BooleanField(
            label=_("With a match for third place"), required=False
        ),
        "preset": forms.ChoiceField(
            label=_("Game"), choices=[("", _("As before")), *words.PRESETS.items()],
            required=False,
        ),
        "target": _number(_("Target"), MIN_TARGET, MAX_TARGET),
        "turn_seconds": _number(_("Seconds per turn"), *LIMITS["turn_seconds"]),
        "round_minutes": _number(_("Minutes a round"), *LIMITS["round_minutes"]),
        "seeding": forms.ChoiceField(
            label=_("Seeding"), choices=SEEDINGS, initial="crossed", required=False,
            widget=forms.RadioSelect,
        ),
        "ties": forms.ChoiceField(
            label=_("Level where the line is drawn"), choices=TIES, initial="wait",
            required=False, widget=forms.RadioSelect,
        ),
    }  # fmt: skip


def _number(label: Any, low: int, high: int, initial: int | None = None) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        initial=initial,
        required=False,
        min_value=low,
        max_value=high,
        widget=number_input(),
    )


def _fields(part: int) -> dict[str, forms.Field]:
    return {f"then{part}_{key}": field for key, field in _fields_of().items()}
