"""The server processes of a deployment, started on this machine without containers.

The commands are those of `deploy/run/`, the proxy's file is `deploy/nginx.conf.template`: what the
compose file says is what runs here. For trials, proofs and benchmarks on loopback only.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
READY_SECONDS = 60


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def scratch_database(admin_url: str) -> Iterator[str]:
    """The URL of a new, empty database, dropped afterwards."""
    name = f"muggins_{secrets.token_hex(4)}"
    with psycopg.connect(admin_url, autocommit=True) as admin:
        admin.execute(f"create database {name}")
    try:
        yield urlunsplit(urlsplit(admin_url)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(admin_url, autocommit=True) as admin:
            admin.execute(f"drop database {name} with (force)")


@dataclass
class Stack:
    """Processes by name. `start` and `kill` them; `stop` ends them all."""

    environment: Mapping[str, str]
    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def start(self, name: str, command: list[str], **variables: str) -> None:
        """Starts `command` from the project's root; its output goes to `folder`/name.log."""
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **self.environment, **variables, "PYTHON": sys.executable},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(self, *command: str) -> str:
        """Runs `command` to its end; what it printed. Raises CalledProcessError."""
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **self.environment, "PYTHON": sys.executable},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def kill(self, name: str) -> None:
        """kill -9 of the process and its children, without warning."""
        process = self.processes.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """SIGTERM to all, then SIGKILL to whoever is left after ten seconds."""
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for name in list(self.processes):
            with suppress(subprocess.TimeoutExpired):
                self.processes[name].wait(10)
            self.kill(name)

    def log(self, name: str) -> str:
        """What the process has written so far."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def start_web(self, name: str, port: int) -> None:
        """Starts a web process on `port` and waits until it answers."""
        self.ports[name] = port
        self.start(name, ["sh", "deploy/run/web.sh"], PORT=str(port), BIND="127.0.0.1")
        self.wait_for(name, f"http://127.0.0.1:{port}/")

    def wait_for(self, name: str, url: str) -> None:
        """Waits until `url` answers anything below 500."""
        deadline = time.monotonic() + READY_SECONDS
        host = urlsplit(self.environment["SITE_URL"]).netloc
        while time.monotonic() < deadline:
            if self.processes[name].poll() is not None:
                raise RuntimeError(f"{name} ended at once:\n{self.log(name)}")
            try:
                request = urllib.request.Request(url, headers={"Host": host})
                urllib.request.urlopen(request, timeout=2).close()
                return
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError(f"{name} did not answer at {url}:\n{self.log(name)}")

    def start_nginx(self, port: int, web: tuple[int, int]) -> None:
        """Starts nginx from the deployment's own template, in front of two web processes."""
        values = {
            "LISTEN": f"127.0.0.1:{port}",
            "WEB1": f"127.0.0.1:{web[0]}",
            "WEB2": f"127.0.0.1:{web[1]}",
            "STATIC_ROOT": f"{self.environment['VAR_DIR']}/static/",
        }
        site = Template((ROOT / "deploy/nginx.conf.template").read_text()).safe_substitute(values)
        main = (
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx-error.log;\n"
            "worker_processes 1; events { worker_connections 4096; }\n"
            "http { include /etc/nginx/mime.types; access_log off;\n"
            f"{_temp(self.folder)}{site}}}\n"
        )
        (self.folder / "nginx.conf").write_text(main)
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.start("nginx", [nginx, "-c", str(self.folder / "nginx.conf")])
        self.wait_for("nginx", f"http://127.0.0.1:{port}/")


def _temp(folder: Path) -> str:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)


@contextmanager
def deployment(
    database_url: str, redis_url: str, folder: Path, *, clocks: int = 2
) -> Iterator[tuple[Stack, str]]:
    """Two web processes, two clocks, a worker and beat behind nginx; with the site's address."""
    port, web = free_port(), (free_port(), free_port())
    site = f"http://127.0.0.1:{port}"
    key = folder / "master.key"
    key.write_bytes(secrets.token_bytes(32))
    environment = {
        "MUGGINS_MODE": "server",
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": secrets.token_urlsafe(60),
        "MUGGINS_MASTER_KEY_FILE": str(key),
        "VAR_DIR": str(folder / "var"),
        "SITE_URL": site,
        "ALLOWED_HOSTS": "127.0.0.1",
        "TRUSTED_PROXIES": "1",
        "TRUSTED_PROXY": "127.0.0.1",
    }
    stack = Stack(environment, folder)
    try:
        stack.run("sh", "deploy/run/release.sh")
        for name, web_port in zip(("web1", "web2"), web, strict=True):
            stack.start_web(name, web_port)
        for number in range(clocks):
            stack.start(f"clock{number + 1}", ["sh", "deploy/run/clock.sh"])
        stack.start("worker", ["sh", "deploy/run/worker.sh"])
        stack.start("beat", ["sh", "deploy/run/beat.sh"])
        stack.start_nginx(port, web)
        yield stack, site
    finally:
        stack.stop()
