#!/usr/bin/env python
"""Starts what the compose file starts, without containers, and plays one match through nginx.

    DATABASE_URL=postgresql://… REDIS_URL=redis://… .venv/bin/python deploy/try.py

The database named is only used to create a scratch one beside it, which is dropped afterwards.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from deploy.stack import deployment, scratch_database


def main() -> None:
    """Runs the trial; exits with 1 when anything went wrong."""
    admin = os.environ.get("DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
    redis = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/11")
    with (
        tempfile.TemporaryDirectory(prefix="muggins-try-") as folder,
        scratch_database(admin) as database,
        deployment(database, redis, Path(folder)) as (stack, site),
    ):
        print(f"Two web processes, two clocks, a worker and beat behind nginx at {site}")
        print(
            stack.run(
                sys.executable,
                "manage.py",
                "simulate",
                "--players",
                "2",
                "--target",
                "50",
                "--format",
                "single_elimination",
                "--sockets",
                site,
                "--no-progress",
            )
        )
        print(stack.run(sys.executable, "manage.py", "verify", "--quiet"))


if __name__ == "__main__":
    main()
