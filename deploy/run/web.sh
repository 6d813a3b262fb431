#!/bin/sh
# A web process: pages, API and live tables. PORT and TRUSTED_PROXY (an address, never '*') are read.
set -eu
exec "${PYTHON:-python}" -m uvicorn config.asgi:application \
    --host "${BIND:-0.0.0.0}" --port "${PORT:-8000}" \
    --ws websockets-sansio --ws-max-size 16384 --ws-per-message-deflate false \
    --ws-ping-interval 20 --ws-ping-timeout 20 \
    --timeout-graceful-shutdown 8 --limit-concurrency 12000 --backlog 4096 \
    --forwarded-allow-ips "${TRUSTED_PROXY:-127.0.0.1}" \
    --lifespan on --no-server-header --log-level warning
