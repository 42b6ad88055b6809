from pathlib import Path

import pytest
from django.db import connection


@pytest.fixture
def database() -> Path:
    """The file of the tests' own database."""
    return Path(connection.settings_dict["NAME"]).resolve()
