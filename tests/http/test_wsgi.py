"""Requests that a test client cannot make: a server's own call."""

import io
from typing import Any

import pytest

from scorekeeper.wsgi import application
from tests.views.conftest import static_folder  # noqa: F401

pytestmark = pytest.mark.django_db


def answer(path: str, query: str = "", body: bytes = b"", **headers: str) -> tuple[str, bytes]:
    """The status and the body of an answer to a request with these headers."""
    said: list[str] = []
    environ: dict[str, Any] = {
        **{"REQUEST_METHOD": "POST" if body else "GET", "PATH_INFO": path, "QUERY_STRING": query},
        **{"SERVER_NAME": "testserver", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1"},
        **{"wsgi.input": io.BytesIO(body), "wsgi.url_scheme": "http", "wsgi.errors": io.StringIO()},
        **{"CONTENT_LENGTH": str(len(body)), **headers},
    }
    parts = application(environ, lambda status, _headers, _info=None: said.append(status))
    return said[0], b"".join(parts)


@pytest.mark.parametrize(
    ("path", "query"), [("/offline/", "x=%41"), ("/demo/", "key=%5cud800"), ("/demo/", "key=%2b2AA-")]
)
def test_no_content_type_breaks_a_page(path: str, query: str) -> None:
    charsets = *("rot13", "hex", "zlib", "undefined", "unicode_escape", "utf-7", ""), "x" * 11_000
    for content_type in (*(f"text/plain; charset={name}" for name in charsets), "text/plain; charset*=foo''x"):
        status, _body = answer(path, query, CONTENT_TYPE=content_type)
        assert status == "200 OK", content_type


def test_posted_form_is_read_as_utf_8_whatever_it_says() -> None:
    boundary = "multipart/form-data; boundary=x; charset="
    body = b'--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n\\ud800\r\n--x--\r\n'
    for charset in ("unicode_escape", "rot13", "utf-8"):
        status, _body = answer("/demo/", body=body, CONTENT_TYPE=boundary + charset)
        assert status == "403 Forbidden", "without the form's cookie"


def test_a_file_is_kept_nowhere() -> None:
    content = b"x" * 3_000_000  # more than Django keeps in memory, and more than any form of ours may hold
    body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' + content + b"\r\n--x--\r\n"
    status, _body = answer("/demo/", body=body, CONTENT_TYPE="multipart/form-data; boundary=x")
    assert status == "400 Bad Request"
