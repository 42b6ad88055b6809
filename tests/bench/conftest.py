"""Options of a bench beside pytest's own, and the phones of the browser tests."""

import pytest

from tests.bench.hands import TABLES
from tests.browser.conftest import base_url as base_url
from tests.browser.conftest import browser_context_args as browser_context_args
from tests.browser.conftest import browser_type_launch_args as browser_type_launch_args


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--goals", action="store_true", help="fail where a goal is missed: speed is the machine's, too")
    parser.addoption("--game", default="asszorti", choices=tuple(TABLES), help="what is played")
    parser.addoption("--language", default="en", choices=("en", "hu"), help="what the phones speak")


@pytest.fixture
def goals(request: pytest.FixtureRequest) -> bool:
    """Return whether a goal that is missed is a failure."""
    return bool(request.config.getoption("--goals"))
