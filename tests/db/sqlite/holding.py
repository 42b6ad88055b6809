"""A process that has the turn or the database, until it is let go or killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from scorekeeper.db.sqlite import write_queue
print(write_queue.queue_of(Path(sys.argv[1])).acquire(5), flush=True)
sys.stdin.read()
"""
IS_FREE = """
import sys
from pathlib import Path
from scorekeeper.db.sqlite import write_queue
sys.exit(not write_queue.queue_of(Path(sys.argv[1])).acquire(0))
"""


def is_free(database: Path) -> bool:
    """Return whether nobody has the turn: asked as another process does."""
    asked = subprocess.run([sys.executable, "-S", "-c", IS_FREE, str(database)], check=False)  # noqa: S603
    return asked.returncode == 0


@contextmanager
def held(database: Path, program: str = HOLD) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process have the turn at the database meanwhile, or what another program takes."""
    command = [sys.executable, "-c", program, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdin
        assert process.stdout
        try:
            assert process.stdout.readline() == b"True\n"
            yield process
        finally:
            process.kill()
