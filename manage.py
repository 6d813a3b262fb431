#!/usr/bin/env python
"""Muggins on the command line: `python manage.py help`."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Runs a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.exit(f"Muggins can't start. {problem}")


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent)
    main()
