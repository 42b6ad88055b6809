"""The static files as they are served: named after what is in them, compressed, and all styles in one file.

A page waits for its styles before it shows anything, and a phone asks for six files at a time: one is sooner there than
sixteen. The same goes for scripts. They are put one behind the other when they are collected, and freed of what is for
readers; in tests and in the source each stays a file.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
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
    "css/seats.css",
    "css/sheet.css",
    "css/evening_bar.css",
    "css/forward.css",
    "css/entries.css",
    "css/totals.css",
    "css/asking.css",
    "css/table_view.css",
    "css/settle.css",
    "css/mending.css",
    "css/lineup.css",
    "css/network.css",
    "css/rules.css",
    "css/landscape.css",
    "css/letters.css",
)
JOINED: Final = "css/all.css"
#: Those of an evening's two pages are among them: a phone has them before it opens one, and they do nothing elsewhere.
SCRIPTS: Final = (
    "vendor/htmx-4.0.1.min.js",
    "js/network.js",
    "js/outbox_store.js",
    "js/outbox.js",
    "js/words.js",
    "js/connection_sign.js",
    "js/pages.js",
    "js/form_posts.js",
    "js/provisional.js",
    "js/outbox_list.js",
    "js/live_updates.js",
    "js/wake_lock.js",
    "js/worker_setup.js",
    "js/language_switch.js",
    "js/scroll_anchor.js",
    "js/unfold_errors.js",
    "js/form_bar.js",
    "js/hand_form.js",
    "js/hand_saving.js",
    "js/hand_form_sync.js",
    "js/rules_sheet.js",
)
JOINED_SCRIPTS: Final = "js/all.js"
BUNDLES: Final = {JOINED: STYLES, JOINED_SCRIPTS: SCRIPTS}
IN_STYLES: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
IN_SCRIPTS: Final = re.compile(r"^\s*//.*$", re.MULTILINE)
LAID_OUT: Final = re.compile(r"\s*\n\s*")


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's own, which also puts the styles into one, and the scripts."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Raises ImproperlyConfigured for a part of a bundle that is not there: no page could do without it."""
        for joined, parts in BUNDLES.items():
            missing = [path for path in parts if path not in paths]
            if dry_run or len(missing) == len(parts):  # none of ours is collected at all
                continue
            if missing:
                raise ImproperlyConfigured(f"static files that every page needs are missing: {', '.join(missing)}")
            texts = []
            for path in parts:
                storage, name = paths[path]
                with storage.open(name) as part:
                    texts.append(lean(path, part.read().decode()))
            if self.exists(joined):
                self.delete(joined)
            self._save(joined, ContentFile("\n".join(texts).encode()))
            paths = {**paths, joined: (self, joined)}
        yield from super().post_process(paths, dry_run, **options)


def lean(path: str, text: str) -> str:
    """A style or a script of ours without what is there for who reads it: comments of whole lines, and how it is laid
    out. A script's text that goes over several lines would suffer: there is none.
    """
    if path.startswith("vendor/"):
        return text
    return LAID_OUT.sub("\n", (IN_STYLES if path.endswith(".css") else IN_SCRIPTS).sub("", text)).strip()


def is_joined() -> bool:
    return isinstance(staticfiles_storage, Storage)  # asks for its class, and so makes it where nobody has used it yet


def styles() -> list[str]:
    """The addresses of the styles that a page needs, in order."""
    return _addresses(JOINED)


def scripts() -> list[str]:
    """The addresses of the scripts of every page, in order."""
    return _addresses(JOINED_SCRIPTS)


def _addresses(bundle: str) -> list[str]:
    return [staticfiles_storage.url(path) for path in ([bundle] if is_joined() else BUNDLES[bundle])]
