"""The embedded site as a process of its own, and a browser without JavaScript to visit it.

For trials, proofs and benchmarks on loopback only.
"""

from __future__ import annotations

import http.cookiejar
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.stack import ROOT, free_port

READY_SECONDS = 90


@dataclass
class Site:
    """An embedded site in a folder of its own, and a browser's cookies."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            key: value
            for key, value in os.environ.items()
            if key not in ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL")
        }
        return kept | {"VAR_DIR": str(self.folder)}

    def manage(self, *arguments: str) -> str:
        """What the command prints. Raises RuntimeError with all of it when it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(
                f"{' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def start(self, *arguments: str) -> None:
        log = (self.folder / "serve.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port), *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(self.log)
            try:
                urllib.request.urlopen(self.url, timeout=2).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(self.log)

    @property
    def log(self) -> str:
        return (self.folder / "serve.log").read_text(errors="replace")

    def interrupt(self) -> tuple[int, float]:
        """Ctrl-C; the exit code and the seconds it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20), time.monotonic() - began

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@dataclass
class Visitor:
    """A browser without JavaScript: cookies, pages and forms."""

    url: str
    cookies: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def _open(self, path: str, data: dict[str, Any] | None = None) -> Any:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        body = None if data is None else urllib.parse.urlencode(data, doseq=True).encode()
        request = urllib.request.Request(self.url + path, data=body, headers={"Referer": self.url})
        return opener.open(request, timeout=20)

    def get(self, path: str) -> str:
        with self._open(path) as answer:
            return str(answer.read().decode())

    def post(self, path: str, page: str, **data: Any) -> str:
        """Sends a form found on `page`; the path that it led to."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(page))
        assert token is not None, f"no form on {page}"
        with self._open(path, {"csrfmiddlewaretoken": token[1], **data}) as answer:
            return str(urllib.parse.urlsplit(answer.url).path)

    @property
    def cookie_header(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
