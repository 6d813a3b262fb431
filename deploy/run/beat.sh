#!/bin/sh
# The timetable: one process. Two by mistake are harmless, none only delays.
set -eu
exec "${PYTHON:-python}" -m celery -A config beat --schedule "${VAR_DIR:-var}/beat-schedule" --loglevel warning
