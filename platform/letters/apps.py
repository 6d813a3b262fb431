from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LettersConfig(AppConfig):
    name = "letters"
    verbose_name = _("Letters")
