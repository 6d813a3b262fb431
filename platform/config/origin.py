"""Which pages may open a socket: only ours.

A browser sends a player's cookie with a socket opened by any site, so the origin must match
exactly: scheme, host and port. Channels' own host validator looks at the host alone. A client that
is no browser sends no origin; it is refused here, since the socket trusts cookies.
"""

from __future__ import annotations

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import validate_host


class SameOrigin:
    """Passes a WebSocket on when its ``Origin`` is one of the site's own; else answers 403."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        if is_ours(origin, host):
            return await self.application(scope, receive, send)
        return await WebsocketDenier()(scope, receive, send)


def is_ours(origin: str, host: str) -> bool:
    """Whether `origin` is the site itself.

    With ``SITE_URL`` set, exactly that. An embedded site is reached by several names, so there the
    origin must be the very host that was asked, which must be an allowed one.
    """
    if settings.SITE_URL:
        return origin == settings.SITE_URL
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return origin == f"http://{host}" and validate_host(name, settings.ALLOWED_HOSTS)
