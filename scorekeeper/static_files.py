"""The static files as they are served: named after what is in them, compressed, and all styles in one file.

A page waits for its styles before it shows anything, and a phone asks for six files at a time: one is sooner there than
sixteen. They are only put one behind the other, when they are collected; in tests and in the source each stays a file.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from scorekeeper.games import GAMES

#: In the order in which they count: tokens.css names the layers, and within a layer the later wins.
STYLES: Final = (
    "css/tokens.css",
    "css/base.css",
    "css/components.css",
    "css/top.css",
    "css/pages.css",
    *(f"css/faces/{key}.css" for key in GAMES),
    "css/house.css",
    "css/phone.css",
    "css/members.css",
    "css/referee.css",
    "css/sheet.css",
    "css/asking.css",
    "css/table_view.css",
    "css/settle.css",
    "css/mending.css",
    "css/lineup.css",
    "css/network.css",
    "css/landscape.css",
    "css/letters.css",
)
JOINED: Final = "css/all.css"


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's own, which also puts the styles into one."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run and set(STYLES) <= set(paths):
            texts = []
            for path in STYLES:
                storage, name = paths[path]
                with storage.open(name) as style:
                    texts.append(style.read())
            if self.exists(JOINED):
                self.delete(JOINED)
            self._save(JOINED, ContentFile(b"\n".join(texts)))
            paths = {**paths, JOINED: (self, JOINED)}
        yield from super().post_process(paths, dry_run, **options)


def styles() -> list[str]:
    """The addresses of the styles that a page needs, in order."""
    paths = [JOINED] if isinstance(staticfiles_storage._wrapped, Storage) else STYLES  # type: ignore[attr-defined]
    return [staticfiles_storage.url(path) for path in paths]
