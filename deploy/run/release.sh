#!/bin/sh
# Before the processes of a new version start: the database's shape and the static files.
set -eu
"${PYTHON:-python}" manage.py check --deploy
"${PYTHON:-python}" manage.py migrate --noinput
"${PYTHON:-python}" manage.py collectstatic --noinput --verbosity 0
