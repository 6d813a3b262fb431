"""The ASGI application: pages and API over HTTP, live tables over WebSockets, and the lifespan."""

from __future__ import annotations

import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from config.lifespan import lifespan  # noqa: E402
from config.origin import SameOrigin  # noqa: E402
from config.sockets import websocket_urlpatterns  # noqa: E402

application: Any = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": SameOrigin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
        "lifespan": lifespan,
    }
)
