#!/bin/sh
# A worker for everything else: the outbox, tournaments, ratings.
set -eu
exec "${PYTHON:-python}" -m celery -A config worker --queues work --concurrency 2 \
    --hostname "work@%h-$$" --without-gossip --without-mingle --loglevel warning
