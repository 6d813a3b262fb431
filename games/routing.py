"""The sockets of live tables."""

from __future__ import annotations

from typing import Any

from django.urls import path

from games.consumers import TableConsumer
from games.watching import WatchConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/table/<str:match_id>", TableConsumer.as_asgi()),
    path("ws/watch", WatchConsumer.as_asgi()),
]
