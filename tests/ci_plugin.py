"""A pytest plugin (-p tests.ci_plugin) under which nothing gets by: a skipped, excused or deselected test fails."""

from collections.abc import Generator, Sequence

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    excuse = getattr(report, "wasxfail", None)
    if report.skipped or excuse is not None:
        report.longrepr = f"not run, or excused: {excuse or _reason(report)}"
        report.outcome = "failed"
        vars(report).pop("wasxfail", None)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped:
        report.longrepr = f"not collected: {_reason(report)}"
        report.outcome = "failed"
    return report


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    if items:
        raise pytest.UsageError(f"deselected: {', '.join(item.nodeid for item in items)}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr)
