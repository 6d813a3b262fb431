"""Forms of the pages: a new table, an event's settings in sections, and what is added to it."""

from pages.forms.bots import BotsForm
from pages.forms.event import EventForm
from pages.forms.rules import RulesForm
from pages.forms.table import TableForm

__all__ = ["BotsForm", "EventForm", "RulesForm", "TableForm"]
