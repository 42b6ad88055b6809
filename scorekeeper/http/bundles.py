"""Static files storage: hashed names, compressed; a bundle of styles, one of the archive's styles, one of scripts.

A page waits for its styles before it shows anything, and a phone asks for six files at a time: one file is there sooner
than sixteen. collectstatic makes the bundles, and leaves comments and indentation out of every style and script. Tests
without this storage serve each file by itself. The loading order of the scripts follows from their heads.
"""

import re
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Final

import rjsmin  # type: ignore[import-untyped]
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from scorekeeper.games import GAMES

#: In the order of the cascade: tokens.css declares the layers, and within a layer the later file wins. A style that is
#: in no list is of few pages, which load it.
STYLES: Final = (
    "css/tokens.css",
    "css/base.css",
    "css/components.css",
    "css/choices.css",
    "css/page_header.css",
    "css/card_backs.css",
    "css/home.css",
    "css/text_fields.css",
    "css/hand_form.css",
    "css/hand.css",
    "css/transfers.css",
    "css/pushes.css",
    "css/line_chart.css",
    *(f"css/games/{key}.css" for key in GAMES),
    "css/house_rules.css",
    "css/outbox.css",
    "css/evening.css",
    "css/invite.css",
    "css/join.css",
    "css/fold.css",
    "css/announced_hand.css",
    "css/speakers.css",
    "css/seats.css",
    "css/sheet.css",
    "css/evening_bar.css",
    "css/recount_preview.css",
    "css/running_totals.css",
    "css/hand_form_bar.css",
    "css/settle.css",
    "css/demo.css",
    "css/many_seats.css",
    "css/provisional.css",
    "css/network.css",
    "css/rules.css",
    "css/landscape.css",
    "css/large_screen.css",
    "css/large_text.css",
    "css/long_words.css",
    "css/print.css",
)
JOINED: Final = "css/all.css"
#: Styles of the archive (circles, players, statistics, past evenings). Only its pages load them, beside the others.
ARCHIVE_STYLES: Final = (
    "css/archive/circle.css",
    "css/archive/statistics.css",
    "css/archive/bar_chart.css",
    "css/archive/past.css",
    "css/archive/year.css",
)
JOINED_ARCHIVE: Final = "css/archive.css"
SOURCE: Final = Path(settings.BASE_DIR) / "static"
HTMX: Final = "vendor/htmx-4.0.1.min.js"
SERVICE_WORKER: Final = "js/service_worker.js"
#: Not in the bundle: the pages of an evening, of payments, of a file, of a pasted link and of keys load the first six
#: by themselves, large screens the seventh; only the service worker loads the others.
NOT_BUNDLED: Final = (
    "js/payment_saving.js",
    "js/scroll_anchor.js",
    "js/upload.js",
    "js/scan_link.js",
    "js/passkeys.js",
    "js/spare_key.js",
    "js/keys.js",
    "js/form_refill.js",
    SERVICE_WORKER,
)
#: The head of a script, in ESLint's notation: the globals that it uses of other scripts, and those that it exports.
HEAD: Final = re.compile(r"^/\* (global|exported) (.+) \*/$", re.MULTILINE)


def names_in_head(kind: str, text: str) -> list[str]:
    """Return the names in a script's `/* global a, b */` or `/* exported c */`."""
    return [name for found, names in HEAD.findall(text) if found == kind for name in names.split(", ")]


def dependencies(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return for each script, by its path, the paths of the scripts that export the globals it uses."""
    exporters = {name: path for path, text in texts.items() for name in names_in_head("exported", text)}
    used = {path: names_in_head("global", text) for path, text in texts.items()}
    return {path: sorted({exporters[name] for name in used[path] if name in exporters}) for path in sorted(texts)}


def in_loading_order(needs: Mapping[str, list[str]]) -> list[str]:
    """Return the paths so that each script comes after those that it needs.

    The order is the same in every process: servers must agree on the hash of the bundle. Raise graphlib.CycleError for
    scripts that need each other.
    """
    return list(TopologicalSorter(needs).static_order())


def needed_by(path: str, needs: Mapping[str, list[str]]) -> set[str]:
    """Return the script itself and all that it needs, directly or not."""
    return {path}.union(*(needed_by(other, needs) for other in needs[path]))


NEEDS: Final = dependencies({f"js/{path.name}": path.read_text() for path in SOURCE.glob("js/*.js")})
#: All pages load all of these, so that a phone already has them when it opens an evening.
SCRIPTS: Final = (HTMX, *(path for path in in_loading_order(NEEDS) if path not in NOT_BUNDLED))
WORKER_SCRIPTS: Final = tuple(path for path in in_loading_order(NEEDS) if path in needed_by(SERVICE_WORKER, NEEDS))
JOINED_SCRIPTS: Final = "js/all.js"
BUNDLES: Final = {JOINED: STYLES, JOINED_ARCHIVE: ARCHIVE_STYLES, JOINED_SCRIPTS: SCRIPTS}
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
LAID_OUT: Final = re.compile(r"\s*\n\s*")


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, which also joins the styles into one file, and the scripts into another."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Minify our files, and make the bundles. Raise ImproperlyConfigured if a part is missing: pages need it."""
        for path in () if dry_run else [path for path in paths if path.startswith(("css/", "js/"))]:
            paths = {**paths, path: self._put(path, minified(path, self._text(path, paths)))}
        for joined, parts in BUNDLES.items():
            missing = [path for path in parts if path not in paths]
            if dry_run or len(missing) == len(parts):  # collecting other files only
                continue
            if missing:
                raise ImproperlyConfigured(f"Static files that every page needs are missing: {', '.join(missing)}")
            paths = {**paths, joined: self._put(joined, "\n".join(self._text(path, paths) for path in parts))}
        yield from super().post_process(paths, dry_run, **options)

    def _text(self, path: str, paths: dict[str, Any]) -> str:
        storage, name = paths[path]
        with storage.open(name) as file:
            text: str = file.read().decode()
        return text

    def _put(self, path: str, text: str) -> tuple["Storage", str]:
        """Store a file in place of what was collected; return it as an entry of the paths."""
        if self.exists(path):
            self.delete(path)
        self._save(path, ContentFile(text.encode()))
        return self, path


def minified(path: str, text: str) -> str:
    """Return a script of ours minified, a style without comments and indents, a vendored file as it is.

    No minifier of styles was found that knows nesting: rcssmin makes `& :is(a)` inside a rule `&:is(a)`.
    """
    if path.startswith("vendor/"):
        return text
    return rjsmin.jsmin(text) if path.endswith(".js") else LAID_OUT.sub("\n", COMMENT.sub("", text)).strip()


def is_joined() -> bool:
    # isinstance() looks at __class__, which makes the lazy object create its storage.
    return isinstance(staticfiles_storage, Storage)


def styles() -> list[str]:
    """Return the addresses of the styles of a page, in order."""
    return _addresses(JOINED)


def archive_styles() -> list[str]:
    """Return the addresses of the styles that only the pages of the archive load, in order."""
    return _addresses(JOINED_ARCHIVE)


def scripts() -> list[str]:
    """Return the addresses of the scripts of a page, in order."""
    return _addresses(JOINED_SCRIPTS)


def _addresses(bundle: str) -> list[str]:
    return [staticfiles_storage.url(path) for path in ([bundle] if is_joined() else BUNDLES[bundle])]
