"""What `make run` says when it can't start."""

from __future__ import annotations

import socket
import subprocess
import sys

from deploy.embedded_site import Site
from deploy.stack import ROOT


def serve(site: Site, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(site.port)],
        cwd=ROOT,
        env=site.environment | variables,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_taken_port_is_said_with_the_way_out(site: Site) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", site.port))
        other.listen()
        answer = serve(site)
    assert answer.returncode == 1
    assert answer.stderr.splitlines()[-1].startswith("CommandError: Can't listen on 127.0.0.1")
    assert f"make run PORT={site.port + 1}" in answer.stderr


def test_a_senseless_setting_is_one_sentence_and_no_traceback(site: Site) -> None:
    answer = serve(site, WEB_CONCURRENCY="2", DATABASE_URL="postgresql://nowhere/x")
    assert answer.returncode == 1
    assert answer.stderr == (
        "Muggins can't start. WEB_CONCURRENCY is 2 with the in-process channel layer: processes "
        "would not hear one another; set REDIS_URL, or WEB_CONCURRENCY=1.\n"
    )


def test_a_machine_without_a_new_enough_python_is_told_what_to_install(site: Site) -> None:
    answer = subprocess.run(
        ["/bin/sh", "deploy/install.sh", str(site.folder / "venv")],
        cwd=ROOT,
        env={"PATH": "/nowhere"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 1
    assert answer.stderr.startswith("Muggins needs Python 3.11 or later: install it (")
