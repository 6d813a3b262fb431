#!/bin/sh
# A worker for the clock: turns that run out, bots' moves, deals that are due. Run two of them.
set -eu
exec "${PYTHON:-python}" -m celery -A config worker --queues clock --concurrency 2 \
    --hostname "clock@%h-$$" --without-gossip --without-mingle --loglevel warning
