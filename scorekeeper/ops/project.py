"""Where the program's own files lie: in a checkout, or in the packages that a wheel has installed."""

import tomllib
from importlib import metadata
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
#: In a wheel: templates, static files and documents, which a checkout has beside the packages (pyproject.toml).
BUNDLED: Final = PACKAGE / "bundled"
IS_INSTALLED: Final = BUNDLED.is_dir()
BASE_DIR: Final = BUNDLED if IS_INSTALLED else PACKAGE.parent


def version() -> str:
    if IS_INSTALLED:
        return metadata.version("strigula")
    found: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return found


def command(words: str) -> str:
    """Return a command line for the operator, such as `./run manage circles` for 'manage circles'."""
    if IS_INSTALLED:
        return f"strigula {words}"
    return f"./run {words.removeprefix('serve').strip()}".rstrip()
