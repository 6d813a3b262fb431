"""Which socket goes where. An unknown path is answered, not a traceback."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from games.consumers import NoSuchSocket, TableConsumer
from games.watching import WatchConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/table/<str:match_id>", TableConsumer.as_asgi()),
    path("ws/watch", WatchConsumer.as_asgi()),
    re_path(r"", NoSuchSocket.as_asgi()),
]
