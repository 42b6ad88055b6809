"""A pytest plugin that selects tests: some run only with `--all`, some only on one database.

`thorough` marks the tests that `./run test` leaves out: a second way through the pages of another test, further seeds
of an oracle, a long afternoon, a detail of a page that has its main way tested. `./run test --all`
leaves nothing out; it is run before a release.

Without `--all` Hypothesis tries the same few examples each time, so that no run fails by luck. With `--all` it tries
more and new ones, by a seed that the header of the run prints: `./run test --all --hypothesis-seed=SEED` tries the same
again. A failure prints a `@reproduce_failure` line as well. A finding becomes a test of its own, or a vector.
"""

import gc
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from random import SystemRandom
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

from tests.unsteady import opens_browser

LEFT_OUT: Final = pytest.StashKey[int]()
THOROUGH: Final = pytest.mark.thorough

# A slow machine is no finding.
settings.register_profile("same examples", deadline=None, derandomize=True, max_examples=25)
# Hypothesis derandomizes where it finds CI in the environment, unless it is told not to.
settings.register_profile("new examples", deadline=None, derandomize=False, print_blob=True, max_examples=200)


def first(count: int, values: Iterable[Any]) -> list[Any]:
    """Return the values as parameters of a test: all after the first `count` are thorough."""
    return first_rows(count, ((value,) for value in values))


def first_rows(count: int, rows: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the rows, each with a value for every parameter of a test: all after the first `count` are thorough."""
    return [pytest.param(*row, marks=THOROUGH if at >= count else ()) for at, row in enumerate(rows)]


def heavy() -> settings:
    """Return the settings of a Hypothesis test whose examples are whole evenings: 4 of them, 25 with `--all`.

    A failure is told as it was found: making it smaller takes longer than a test may take.
    """
    phases = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]
    return settings(max_examples=max(4, settings.default.max_examples // 8), phases=phases)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every test, and let Hypothesis try new examples")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = 0
    config.addinivalue_line("markers", "thorough: ./run test leaves it out, ./run test --all runs it")
    config.addinivalue_line("markers", "only_on(vendor): it asks something of one database; CI runs the tests on each")
    settings.load_profile("new examples" if config.option.all else "same examples")
    if config.option.all and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(SystemRandom().randrange(2**32))  # handed on to xdist's workers


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.option.hypothesis_seed
    return f"examples: --hypothesis-seed={seed}" if seed else "examples: the same each time"


def pytest_collection_finish() -> None:
    """Exclude the collected tests from later garbage collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Those of another database are no choice of the caller's, and so are not told as deselected, which CI refuses.
    items[:] = [item for item in items if _is_for_this_database(item)]
    if not config.option.all:
        kept = [item for item in items if not item.get_closest_marker(THOROUGH.name)]
        config.stash[LEFT_OUT] = len(items) - len(kept)
        # The summary tells how many: they are not told as deselected either.
        items[:] = kept
    items[:] = spread(items)


def spread(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the items with those that open a browser evenly among the others, between their modules.

    A browser's test mostly waits: while four processes do nothing else, two cores are idle. A module's other tests stay
    together, since they may share fixtures.
    """
    browsers = [item for item in items if opens_browser(item)]
    among = set(browsers)
    modules = [list(group) for _, group in groupby((item for item in items if item not in among), lambda it: it.path)]
    share = len(browsers) / max(1, len(items) - len(browsers))
    ordered: list[pytest.Item] = []
    due = 0.0
    waiting = iter(browsers)
    for module in modules:
        ordered += module
        due += share * len(module)
        ordered += islice(waiting, int(due))
        due -= int(due)
    return [*ordered, *waiting]


def _is_for_this_database(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("only_on")
    if marker is None:
        return True
    from django.db import connection  # not before pytest-django has read the settings

    return connection.vendor in marker.args


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell xdist's controller, which collects nothing itself."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT] = max(node.config.stash[LEFT_OUT], getattr(node, "workeroutput", {}).get("left_out", 0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.write_line(f"{left_out} thorough tests left out: ./run test --all runs them too.")
