"""The collected static files: those of two versions, none of older ones, and none that are half written."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test.utils import override_settings

from sessions_app.management.commands import serve


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "source").mkdir()
    (tmp_path / "data").mkdir()
    storages = {"staticfiles": {"BACKEND": "scorekeeper.http.bundles.Storage"}}
    root = tmp_path / "data/static"
    finders = ["django.contrib.staticfiles.finders.FileSystemFinder"]  # of no app, whose files take seconds
    sources = {"STATICFILES_DIRS": [tmp_path / "source"], "STATICFILES_FINDERS": finders}
    with override_settings(STATIC_ROOT=root, STORAGES=storages, **sources):
        yield root


@pytest.fixture
def collect(tmp_path: Path, collected: Path) -> Callable[[str], set[str]]:
    """Return a function that collects a script with this content, and returns the names that it is served by."""

    def collect(content: str) -> set[str]:
        (tmp_path / "source/card.js").write_text(content)
        serve.collect_static_files()
        return {path.name for path in collected.glob("card.*.js*")}

    return collect


def test_files_of_the_version_before_stay_and_older_ones_go(collect: Callable[[str], set[str]]) -> None:
    first, second, third = collect("1;" * 400), collect("2;" * 400), collect("3;" * 400)
    assert first < second, "pages that are open load them"
    assert second - first < third
    assert not first & third
    assert len(first) == len(third) / 2 == 3, "as it is, and compressed in two ways"


def test_file_that_a_full_disk_cut_short_is_collected_again(
    collect: Callable[[str], set[str]], collected: Path
) -> None:
    collected.mkdir()
    (collected / "card.js").write_text("1;")
    collect("1;" * 400)
    assert len((collected / "card.js").read_text()) == 800
