"""A release, built once for these tests; its tools are then installed in .venv/release."""

from pathlib import Path

import pytest

from tests.serving import run


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what `./run release` writes."""
    folder = tmp_path_factory.mktemp("release")
    run("./run", "release", folder)
    return folder
