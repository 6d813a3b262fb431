from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages import charts, drawing

STATIC = Path(__file__).parents[2] / "platform/pages/static/pages"
SHEETS = [STATIC / "site.css", STATIC / "event.css"]
ALL_SHEETS = sorted(STATIC.rglob("*.css"))
MODULES = [STATIC / f"{name}.js" for name in ("site", "live", "hearing", "socket", "bracket")]

PHYSICAL = re.compile(
    r"(?<![\w-])(?:left|right|(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)"
    r"|border-(?:top|bottom)-(?:left|right)-radius|float)\s*:"
    r"|(?:text-align|float|clear)\s*:\s*(?:left|right)\b"
)
# Put where the line says, in a felt that is laid from left to right everywhere.
OF_THE_FELT = ".badge, .pop { position: absolute; inset-block-start: 0; left: 0; }"


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda path: path.name)
def test_a_stylesheet_knows_no_left_or_right(sheet: Path) -> None:
    assert PHYSICAL.findall(sheet.read_text().replace(OF_THE_FELT, "")) == []


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda path: path.name)
def test_no_stylesheet_makes_capitals(sheet: Path) -> None:
    """The language decides which ones: ``pages.words.capital``."""
    assert "text-transform" not in sheet.read_text()


@pytest.mark.parametrize("module", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_no_script_makes_capitals(module: Path) -> None:
    assert not re.search("toUpperCase|toLocaleUpperCase", module.read_text())


def test_the_stylesheet_of_every_page_stays_small() -> None:
    assert SHEETS[0].stat().st_size <= 22 * 1024
    assert sum(module.stat().st_size for module in MODULES) <= 13 * 1024


@pytest.mark.parametrize(
    ("first", "second"), [(a, b) for a in range(7) for b in range(a + 1)], ids=str
)
def test_a_tile_shows_as_many_pips_as_it_has(first: int, second: int) -> None:
    assert drawing.shape(first, second).count('class="pip"') == first + second


def test_a_chart_needs_two_values_and_keeps_them_inside() -> None:
    assert charts.line([]) is None
    assert charts.line([1500]) is None
    chart = charts.line([1500, 1500, 1500])
    assert chart is not None
    assert (chart.low, chart.high) == (1480, 1520)
    steep = charts.line([1200, 1800, 1500])
    assert steep is not None
    assert (steep.low, steep.high) == (1200, 1800)
    assert steep.points == "0,140 300,0 600,70"
