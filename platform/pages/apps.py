"""The app of the HTML pages."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "pages"
