"""The command lines: `strigula` of an installed package, and manage.py of a checkout."""

import os
import sys
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from environs import EnvError

from scorekeeper.ops import project
from scorekeeper.ops.data_dir import prepare

USAGE: Final = """\
strigula serve [--port N] [--demo]      serve to this machine and the local network; Ctrl-C stops
strigula serve --host ADDRESS           listen there only; --socket PATH: on a Unix socket
strigula manage COMMAND …               Django's command line: backup, restore, verify, sweep, circles, …
strigula --version                      print the version, also at the foot of the home page

The data are in SCOREKEEPER_DATA, by default in ~/.local/share/strigula.
"""


def strigula() -> None:
    """Run the console script: `serve`, or any command after `manage`."""
    match sys.argv[1:]:
        case ["serve", *_]:
            manage(["strigula", *sys.argv[1:]])
        case ["manage", *arguments]:
            manage(["strigula manage", *arguments])
        case ["--version"]:
            sys.stdout.write(f"Strigula {project.version()}\n")
        case ["help" | "-h" | "--help"]:
            sys.stdout.write(USAGE)
        case _:
            sys.stderr.write(USAGE)
            sys.exit(2)


def manage(arguments: list[str]) -> None:
    """Run a management command in a prepared data folder. A setting that is wrong ends it in a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    try:
        prepare()
        execute_from_command_line(arguments)
    except (ImproperlyConfigured, EnvError) as error:
        if "--traceback" in arguments:
            raise
        sys.exit(str(error))
