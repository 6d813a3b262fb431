"""Names for those who come without one."""

from __future__ import annotations

import secrets

_FIRST = (
    "Amber Brisk Calm Clever Coral Dapper Eager Gentle Golden Happy Jolly Keen Lucky Mellow Merry "
    "Nimble Patient Quiet Silver Sunny Swift Teal Tidy Witty"
)
_SECOND = (
    "Badger Bear Crane Finch Fox Gecko Hare Heron Ibis Lark Lynx Magpie Marten Moth Newt Otter Owl "
    "Panda Robin Seal Stork Swan Tern Wren"
)


def pick() -> str:
    """Two words, such as "Quiet Otter"; guests may share one."""
    return f"{secrets.choice(_FIRST.split())} {secrets.choice(_SECOND.split())}"
