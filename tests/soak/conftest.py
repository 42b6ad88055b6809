"""These take minutes, on purpose."""

import faulthandler

import pytest


@pytest.fixture(autouse=True)
def long() -> None:
    """pytest prints where every thread stands when a test takes longer than the others ever do."""
    faulthandler.cancel_dump_traceback_later()
