"""A pytest plugin that runs a failed browser test once more, and reports it as unsteady if it then passes.

An unsteady test is a fault of the program or of the test. The run passes so that its other results are not lost, unless
more than `TOLERATED` tests were unsteady.
"""

from typing import Any, Final

import pytest

TOLERATED: Final = 3
UNSTEADY: Final = pytest.StashKey[dict[str, str]]()


def opens_browser(item: pytest.Item) -> bool:
    return "new_phone" in getattr(item, "fixturenames", ())


def pytest_configure(config: pytest.Config) -> None:
    config.stash[UNSTEADY] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if opens_browser(item):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Any:
    """Fail a run that passed with too many unsteady tests. In xdist's workers there is no terminal, and no verdict."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workeroutput"):
        unsteady = session.config.stash[UNSTEADY] = _unsteady(reporter)
        if session.exitstatus == pytest.ExitCode.OK and len(unsteady) > TOLERATED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return (yield)


def _unsteady(reporter: Any) -> dict[str, str]:
    """Return the first failure of each test that failed and then passed, by the test's node id."""
    failed = {report.nodeid for outcome in ("failed", "error") for report in reporter.stats.get(outcome, ())}
    found: dict[str, str] = {}
    for report in reporter.stats.get("rerun", ()):
        if report.nodeid not in failed:
            found.setdefault(report.nodeid, report.longreprtext)
    return found


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    unsteady = config.stash[UNSTEADY]
    for nodeid, failure in unsteady.items():
        terminalreporter.section(f"unsteady: {nodeid}", sep="_")
        terminalreporter.write_line(failure)
    for nodeid in unsteady:
        terminalreporter.write_line(f"UNSTEADY {nodeid}: failed, then passed", yellow=True)
    if len(unsteady) > TOLERATED:
        terminalreporter.write_line(f"FAILED: {len(unsteady)} tests were unsteady, of at most {TOLERATED}", red=True)
