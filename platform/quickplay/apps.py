"""The app that finds people an opponent."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class QuickplayConfig(AppConfig):
    name = "quickplay"
    verbose_name = _("Quick play")
