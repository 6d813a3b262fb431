"""Keys that an embedded site makes for itself at first start and keeps in its data folder."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_create(path: Path, size: int = 32) -> bytes:
    """The bytes in `path`; made at random, readable by the owner alone, where there are none.

    Two processes that start at once agree: the file is linked into place whole, and the first wins.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(size))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_bytes()
