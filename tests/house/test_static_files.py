"""Static files as an ASGI server gets them."""

from __future__ import annotations

import asyncio
import gzip
import warnings
from pathlib import Path
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application

TEXT = b"main { color: green }\n" * 500


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "site.css").write_bytes(TEXT)
    (tmp_path / "site.css.gz").write_bytes(gzip.compress(TEXT))
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False
    return tmp_path


def fetch(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[bytes, bytes], bytes]:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"",
        "headers": [(b"host", b"testserver"), *sent],
    }  # fmt: skip

    async def ask() -> tuple[int, dict[bytes, bytes], bytes]:
        app = ApplicationCommunicator(get_asgi_application(), scope)
        await app.send_input({"type": "http.request", "body": b""})
        start = await app.receive_output(20)
        body = b""
        while True:
            part = await app.receive_output(20)
            body += part.get("body", b"")
            if not part.get("more_body"):
                break
        return start["status"], dict(start["headers"]), body

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("headers", "status", "length"),
    [({}, 200, len(TEXT)), ({"range": "bytes=3-9"}, 206, 7), ({"if_none_match": "x"}, 200, None)],
)
def test_a_file_is_served_whole_and_without_a_warning(
    folder: Path, headers: dict[str, str], status: int, length: int | None
) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="StreamingHttpResponse")
        got, sent, body = fetch("/static/site.css", **headers)
    expected = TEXT[3:10] if status == 206 else TEXT
    assert (got, body) == (status, expected)
    assert int(sent[b"Content-Length"]) == (length or len(TEXT))
    assert sent[b"Content-Type"].startswith(b"text/css")


def test_a_compressed_file_and_a_head_and_an_unchanged_file(folder: Path) -> None:
    status, headers, body = fetch("/static/site.css", accept_encoding="gzip")
    assert (status, headers[b"Content-Encoding"], gzip.decompress(body)) == (200, b"gzip", TEXT)
    status, headers, body = fetch("/static/site.css", method="HEAD")
    assert (status, int(headers[b"Content-Length"]), body) == (200, len(TEXT), b"")
    status, _headers, body = fetch("/static/site.css", if_none_match=headers[b"ETag"].decode())
    assert (status, body) == (304, b"")
