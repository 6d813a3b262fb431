"""What comes after the first part: a knockout of the best of each group, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages import words
from pages.forms.section import Section, Words, number_input
from tournaments import formats
from tournaments.formats import groups
from tournaments.models import Tournament
from tournaments.options import LATER_STAGE

PARTS: Final = 2
TITLES: Final = (pgettext_lazy("stage", "Then"), _("And then"))
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
OPTIONS: Final = ("rounds", "groups")


class Following(Section):
    """Two parts more, each none if no format is chosen. More, and rules of their own, come from the
    API and are kept.
    """

    TITLE: ClassVar[Words] = _("Then: more stages")
    TEMPLATE: ClassVar[str] = "pages/settings/following.html"

    def prepare(self) -> None:
        for part in range(1, PARTS + 1):
            self.fields |= _fields(part)

    @classmethod
    def initial_of(cls, event: Tournament) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for part, stage in enumerate(event.later_stages[:PARTS], start=1):
            found |= {
                f"then{part}_{key}": value
                for key, value in {
                    "format": stage["format"],
                    "take": stage["take"],
                    "of": "group" if stage["per_group"] else "all",
                    "best_of": str(stage["best_of"]),
                    "seeding": stage["seeding"],
                    "ties": stage["ties"],
                    **{key: stage["options"][key] for key in OPTIONS if key in stage["options"]},
                }.items()
            }
        return found

    def settings(self) -> dict[str, Any]:
        known = self.event.later_stages if self.event is not None else []
        stages = []
        for part in range(1, PARTS + 1):
            before = known[part - 1] if part <= len(known) else {}
            stage = self._stage(part, before)
            if stage is None:
                break
            stages.append(stage)
        else:
            stages += known[PARTS:]
        return {"later_stages": stages}

    @property
    def is_open(self) -> bool:
        return bool(self.errors) or bool(self["then1_format"].value())

    @property
    def parts(self) -> Iterator[tuple[Words, dict[str, BoundField]]]:
        """The fields of each part, by what they are."""
        for part, title in enumerate(TITLES, start=1):
            prefix = f"then{part}_"
            yield (
                title,
                {
                    name.removeprefix(prefix): self[name]
                    for name in self.fields
                    if name.startswith(prefix)
                },
            )

    def _stage(self, part: int, before: Mapping[str, Any]) -> dict[str, Any] | None:
        data = {key: self.cleaned_data.get(f"then{part}_{key}") for key in _fields_of()}
        earlier = "format" if part == 1 else f"then{part - 1}_format"
        from_groups = self.data.get(earlier) == groups.ID
        if not data["format"]:
            return None
        kept = before if before.get("format") == data["format"] else {}
        own = formats.get(data["format"]).OPTIONS
        options = {key: data[key] for key in OPTIONS if key in own and data[key] is not None}
        return {
            **LATER_STAGE,
            **kept,
            "format": data["format"],
            "options": {**kept.get("options", {}), **options},
            "take": data["take"] or LATER_STAGE["take"],
            "per_group": data["of"] == "group" and from_groups,
            "best_of": int(data["best_of"] or 1),
            "seeding": data["seeding"] or LATER_STAGE["seeding"],
            "ties": data["ties"] or LATER_STAGE["ties"],
        }


def _fields_of() -> dict[str, forms.Field]:
    """The fields of a part, by what they are."""
    return {
        "format": forms.ChoiceField(
            label=_("What is played"),
            choices=[("", _("Nothing more")), *words.FORMATS.items()],
            required=False,
        ),
        "take": forms.IntegerField(
            label=_("How many go on"), initial=2, required=False, min_value=1, max_value=1024,
            widget=number_input(),
        ),
        "of": forms.ChoiceField(
            label=_("Counted"), choices=OF, initial="group", required=False,
            widget=forms.RadioSelect,
        ),
        "best_of": forms.ChoiceField(
            label=_("Each pairing"), choices=(("1", _("One match")), ("3", _("Best of three"))),
            initial="1", required=False, widget=forms.RadioSelect,
        ),
        "rounds": forms.IntegerField(
            label=_("Rounds"), initial=3, required=False, min_value=1, max_value=20,
            widget=number_input(),
        ),
        "groups": forms.IntegerField(
            label=_("Groups"), initial=2, required=False, min_value=2, max_value=32,
            widget=number_input(),
        ),
        "seeding": forms.ChoiceField(
            label=_("Seeding"), choices=SEEDINGS, initial="crossed", required=False,
            widget=forms.RadioSelect,
        ),
        "ties": forms.ChoiceField(
            label=_("Level where the line is drawn"), choices=TIES, initial="wait",
            required=False, widget=forms.RadioSelect,
        ),
    }  # fmt: skip


def _fields(part: int) -> dict[str, forms.Field]:
    return {f"then{part}_{key}": field for key, field in _fields_of().items()}
