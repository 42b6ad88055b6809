#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from environs import EnvError

from scorekeeper.ops import installation

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    try:
        installation.prepare()
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, EnvError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error))
