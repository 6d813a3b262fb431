#!/bin/sh
# Before the processes of a new version start: catalogues, the database's shape, the static files.
set -eu
"${PYTHON:-python}" -m config.languages.catalogues
"${PYTHON:-python}" manage.py check --deploy
"${PYTHON:-python}" manage.py migrate --noinput
"${PYTHON:-python}" manage.py collectstatic --noinput --verbosity 0
