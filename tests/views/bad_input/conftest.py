"""The owner's phone, which posts bad input."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.views.bad_input.refused_forms import Bad


@pytest.fixture
def bad(owners: Client, written: Callable[[], dict[str, Any]]) -> Bad:
    return Bad(owners, written)
