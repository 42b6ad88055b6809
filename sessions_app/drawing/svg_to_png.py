"""Draw the SVG on standard input as a PNG on standard output: run as a script, in a process of its own.

The processes of all workers that share a lock file draw one after the other, in the order in which they ask. resvg
holds Python's lock all the while it draws, and ends the process on a picture that is too large for it.
"""

import fcntl
import os
import resource
import sys
from contextlib import suppress
from typing import Final

#: Bytes of memory and seconds of the processor; a picture takes 60 MB and a tenth of a second.
MOST_BYTES: Final = 1_000_000_000
MOST_SECONDS: Final = 10
#: Saves at a table come first.
NICENESS: Final = 10


def main(lock: str, fonts: list[str]) -> None:
    with suppress(PermissionError):  # in a sandbox
        os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    from resvg_py import svg_to_bytes

    svg = sys.stdin.buffer.read().decode()
    turn = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(turn, fcntl.LOCK_EX)  # until the process ends
    sys.stdout.buffer.write(bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
