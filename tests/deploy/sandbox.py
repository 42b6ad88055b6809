"""`python -m tests.deploy.sandbox UNIT COMMAND…`: a command with no more system calls than the unit allows it.

That is the part of a unit's sandbox that takes neither systemd nor root.
"""

import ctypes
import errno
import os
import re
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM
EQUAL: Final = 4
#: PR_SET_MDWE and PR_MDWE_REFUSE_EXEC_GAIN of Linux 6.3.
DENY_WRITE_EXECUTE: Final = (65, 1, 0, 0, 0)


class Compared(ctypes.Structure):
    """libseccomp's scmp_arg_cmp: an argument of a system call, and what it has to be."""

    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def enter(unit: Path) -> None:
    """Refuse this process, from now on, what the unit refuses."""
    text = unit.read_text()
    [families] = settings_of(text, "RestrictAddressFamilies")
    allowed: set[str] = set()
    for line in settings_of(text, "SystemCallFilter"):
        names = {call for name in line.removeprefix("~").split() for call in calls_of(name)}
        allowed = allowed - names if line.startswith("~") else allowed | names
    if settings_of(text, "MemoryDenyWriteExecute") == ["true"]:
        ctypes.CDLL(None).prctl(*DENY_WRITE_EXECUTE)
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    filters = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(REFUSE)))
    add = library.seccomp_rule_add_array
    numbers = {name: library.seccomp_syscall_resolve_name(name.encode()) for name in allowed}
    for name, number in numbers.items():
        if number >= 0 and name != "socket":  # the others are of other machines
            assert add(filters, ctypes.c_uint32(ALLOW), number, 0, None) == 0
    for family in families.split():
        compared = Compared(0, EQUAL, getattr(socket, family), 0)
        assert add(filters, ctypes.c_uint32(ALLOW), numbers["socket"], 1, ctypes.byref(compared)) == 0
    assert library.seccomp_load(filters) == 0


def settings_of(unit: str, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.+)$", unit, re.MULTILINE)


def calls_of(name: str) -> set[str]:
    """Return the system calls of a group of systemd's, or the one of that name."""
    return {call for each in groups()[name] for call in calls_of(each)} if name.startswith("@") else {name}


@cache
def groups() -> dict[str, list[str]]:
    """Return systemd's groups of system calls, which may hold each other."""
    command = ["systemd-analyze", "syscall-filter"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    found: dict[str, list[str]] = {}
    for line in listed.splitlines():
        if line.startswith("@"):
            found[line] = members = []
        elif line.startswith(" ") and not line.strip().startswith("#") and found:
            members.append(line.strip())
    return found


if __name__ == "__main__":
    enter(Path(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606
