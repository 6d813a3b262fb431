"""What the site's own players are called: always a bot, and always seen to be one."""

from __future__ import annotations

FIRST_NAMES = {
    "easy": ("Ana", "Bruno", "Cleo", "Dario", "Elsa", "Felix", "Greta", "Hugo"),
    "medium": ("Karim", "Luz", "Mateo", "Nadia", "Oscar", "Petra", "Quim", "Rosa"),
    "hard": ("Selma", "Tomas", "Ursula", "Vito", "Wanda", "Xavi", "Yara", "Zeno"),
}


def name_of(level: str, number: int) -> str:
    """The `number`-th bot of a level, from 1; names are numbered when they run out.

    >>> name_of("easy", 1), name_of("easy", 9)
    ('Bot Ana', 'Bot Ana 2')
    """
    first_names = FIRST_NAMES[level]
    turn, place = divmod(number - 1, len(first_names))
    return f"Bot {first_names[place]}" + (f" {turn + 1}" if turn else "")
