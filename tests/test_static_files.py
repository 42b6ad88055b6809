"""The styles: each stands in the list once, and where they are served they are one file."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command

from scorekeeper.static_files import JOINED, STYLES, Storage, styles

SOURCE = Path(settings.BASE_DIR) / "static"


def test_every_style_is_in_the_list_once() -> None:
    assert sorted(STYLES) == sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.glob("css/**/*.css"))


def test_the_layers_are_named_before_anything_else() -> None:
    assert (SOURCE / STYLES[0]).read_text().startswith("@layer tokens, base, components, pages;")


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> Path:
    """Where the static files are collected as they are served."""
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "scorekeeper.static_files.Storage"}}
    call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path


def test_they_are_served_as_one_file_in_their_order(collected: Path) -> None:
    assert isinstance(staticfiles_storage._wrapped, Storage)  # type: ignore[attr-defined]
    [address] = styles()
    assert address.startswith("/static/css/all.")
    served = collected / address.removeprefix("/static/")
    assert served.read_text() == "\n".join((SOURCE / path).read_text() for path in STYLES)
    assert served.with_name(served.name + ".gz").exists()


def test_they_are_collected_anew_over_an_old_one(collected: Path) -> None:
    (collected / JOINED).write_text("old")
    call_command("collectstatic", verbosity=0, interactive=False)
    assert "old" not in (collected / JOINED).read_text().split()
