"""Which socket goes where. An unknown path is answered, not a traceback."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from games import routing
from games.consumers import NoSuchSocket
from pages.consumers import PageConsumer

websocket_urlpatterns: list[Any] = [
    *routing.websocket_urlpatterns,
    path("ws/page", PageConsumer.as_asgi()),
    re_path(r"", NoSuchSocket.as_asgi()),
]
