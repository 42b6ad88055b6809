"""The styles: each stands in the list once, and where they are served they are one file."""

import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.utils.functional import empty

from scorekeeper.http.bundles import (
    ARCHIVE_STYLES,
    BUNDLES,
    JOINED,
    SCRIPTS,
    STYLES,
    Storage,
    minified,
    scripts,
    styles,
)
from tests.serving import prepared

SOURCE = Path(settings.BASE_DIR) / "static"


def test_every_style_is_in_a_list_once_or_linked_by_a_page() -> None:
    pages = "\n".join(path.read_text() for path in Path(settings.BASE_DIR).glob("templates/**/*.html"))
    linked = {*re.findall(r"[{]% static '(css/.*?)' %}", pages)} - {*STYLES}
    assert sorted((*STYLES, *ARCHIVE_STYLES, *linked)) == sorted(
        path.relative_to(SOURCE).as_posix() for path in SOURCE.glob("css/**/*.css")
    )


def test_the_layers_are_named_before_anything_else() -> None:
    assert (SOURCE / STYLES[0]).read_text().startswith("@layer tokens, base, components, pages;")


STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "scorekeeper.http.bundles.Storage"}}


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> Path:
    """Return a folder of the test's own with the collected files, which the settings name."""
    copytree(prepared() / "static", tmp_path, dirs_exist_ok=True)
    settings.STATIC_ROOT, settings.STORAGES = str(tmp_path), STORAGES
    return tmp_path


def test_styles_and_scripts_are_served_as_one_file_each_in_their_order(collected: Path) -> None:
    [address] = styles()
    assert isinstance(staticfiles_storage._wrapped, Storage)  # type: ignore[attr-defined]
    assert address.startswith("/static/css/all.")
    served = collected / address.removeprefix("/static/")
    named = re.sub(r"(icons/\w+)\.[0-9a-f]{12}(\.svg)", r"\1\2", served.read_text())
    assert named == "\n".join(minified(path, (SOURCE / path).read_text()) for path in STYLES)
    assert served.with_name(served.name + ".gz").exists()
    [script] = scripts()
    text = (collected / script.removeprefix("/static/")).read_text()
    assert text == "\n".join(minified(path, (SOURCE / path).read_text()) for path in SCRIPTS)


def test_bundles_are_known_before_any_file_is_named(collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that is asked for the service worker first: it would keep other files than the pages ask for."""
    monkeypatch.setattr(staticfiles_storage, "_wrapped", empty)
    assert len(scripts()) == len(styles()) == 1


def test_a_style_that_is_not_there_is_missed_when_they_are_collected(
    collected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new game's, for one: without it the bundle would not be made, and no page be shown."""
    monkeypatch.setitem(BUNDLES, JOINED, (*STYLES, "css/games/new.css"))
    with pytest.raises(ImproperlyConfigured, match=r"missing: css/games/new\.css$"):
        call_command("collectstatic", verbosity=0, interactive=False)


def test_files_that_are_not_ours_are_collected_alone(collected: Path) -> None:
    assert list(staticfiles_storage.post_process({})) == []


def test_a_file_of_few_pages_is_served_without_comments_and_a_vendored_one_as_it_is(collected: Path) -> None:
    for path in ("js/payment_saving.js", "css/repayments.css"):
        served = (collected / staticfiles_storage.url(path).removeprefix("/static/")).read_text()
        assert served == minified(path, (SOURCE / path).read_text())
        assert not re.search(r"/\*|^ *//|^ +", served, re.MULTILINE)
    assert minified("vendor/a.js", "// licence\n  a\n") == "// licence\n  a\n"
