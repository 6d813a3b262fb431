"""The Celery application. Tasks live in each app's tasks.py; the timetable is in the settings."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("muggins")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
