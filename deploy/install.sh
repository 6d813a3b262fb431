#!/bin/sh
# Makes a virtual environment with everything in it. Says in one sentence what is missing.
set -eu
venv=$1

python=""
for candidate in "${PYTHON:-}" python3.14 python3.13 python3.12 python3.11 python3 python; do
    [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "Muggins needs Python 3.11 or later: install it (Debian, Ubuntu: apt-get install python3 python3-venv) or name it with PYTHON=/path/to/python3.11." >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "This Python can't make a virtual environment: install its venv module (Debian, Ubuntu: apt-get install python3-venv)." >&2
    exit 1
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "Installing into $venv …"
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt ||
    ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .; then
    echo "The packages could not be installed: check that this machine reaches its package index, then run make again." >&2
    exit 1
fi
