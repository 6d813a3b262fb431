"""The project as a Django app: it carries the commands that concern the whole."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    label = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401
