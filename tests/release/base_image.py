"""The files of a base image, from those of this machine: no registry is needed. Debian, with busybox for a shell."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

LEFT_OUT = ("test", "idlelib", "tkinter", "_tkinter*", "config-3*", "site-packages", "__pycache__")
#: Packages of Debian whose libraries wheels are linked to.
LIBRARIES = ("libc6", "libgcc-s1", "libstdc++6")
COMMANDS = ("sh", "env", "mkdir", "ls", "id", "touch")


def make(root: Path) -> None:
    for folder in ("bin", "tmp", "proc", "sys", "dev", "usr/local/bin"):
        (root / folder).mkdir(parents=True)
    shutil.copy(str(shutil.which("busybox")), root / "bin/busybox")
    for name in COMMANDS:
        (root / "bin" / name).symlink_to("busybox")
    _copy_python(root)
    packaged = subprocess.run(["dpkg", "-L", *LIBRARIES], capture_output=True, text=True, check=True).stdout.split()  # noqa: S603, S607
    for library in {*_linked(root), *map(Path, packaged)}:
        if ".so" in library.name and library.is_file():
            _copy(root, library)
    shutil.copytree("/etc/ssl/certs", root / "etc/ssl/certs", ignore_dangling_symlinks=True)


def _copy_python(root: Path) -> None:
    stdlib = Path(sysconfig.get_path("stdlib"))
    shutil.copytree(stdlib, root / stdlib.relative_to("/"), symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    binary = Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")
    _copy(root, binary)
    (root / "usr/local/bin/python3").symlink_to(binary)


def _linked(root: Path) -> set[Path]:
    """Return the libraries that Python and its modules are linked to."""
    files = [path for path in root.rglob("*") if path.name.startswith("python3.") or path.suffix == ".so"]
    told = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False).stdout  # noqa: S603, S607
    return {Path(word) for word in told.split() if word.startswith("/") and not word.endswith(":")}


def _copy(root: Path, file: Path) -> None:
    target = root / file.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, target)
