"""The table's modules, run by V8 without a browser.

Imports and exports are taken off, and the modules joined to one script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

MODULES = Path(__file__).parents[2] / "platform/pages/static/pages/table"
IMPORT = re.compile(r"^import .*? from \"\./[\w.]+\";$", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)


def joined(*names: str) -> str:
    """The modules as one script, each after those it needs."""
    sources = [(MODULES / f"{name}.js").read_text(encoding="utf-8") for name in names]
    return "\n".join(EXPORT.sub("", IMPORT.sub("", source)) for source in sources)


@pytest.fixture(scope="module")
def script() -> Iterator[Callable[..., MiniRacer]]:
    """script("layout", "chain") -> a context in which these modules are loaded."""
    with ExitStack() as stack:

        def load(*names: str) -> MiniRacer:
            racer = stack.enter_context(MiniRacer())
            racer.eval(joined(*names))
            return racer

        yield load
