"""The log: a refusal is a line, a failure is all there is to know, and the secret of a link is in neither."""

import io
import json
import logging
import re
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http.multipartparser import MultiPartParserError
from django.test import Client

from scorekeeper.ops.logging_setup import HOUR, MAX_HOSTS, JsonFormatter, WithoutSecrets, WrongHosts, redacted
from sessions_app.models import Evening, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.writers import members
from tests.views.conftest import static_folder  # noqa: F401
from tests.views.page import Page


@pytest.fixture
def handler() -> Any:
    """The program's own handler."""
    [handler] = (handler for handler in logging.getLogger().handlers if handler.name == "stderr")
    return handler


@pytest.fixture
def log(handler: Any) -> Iterator[io.StringIO]:
    """The output of the handler meanwhile."""
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


@pytest.fixture
def token(evening: Evening, owner: User) -> str:
    return token_of(members.make_link(evening.circle_id, Role.KEEPER, by=owner))


def test_log_record_of_any_logger_passes_both_filters_of_one_handler() -> None:
    known = [logging.getLogger(name) for name in (None, *logging.root.manager.loggerDict)]
    handlers = {handler.name: handler for logger in known for handler in logger.handlers if handler.name}
    assert set(handlers) == {"stderr"}
    assert [type(one) for one in handlers["stderr"].filters] == [WrongHosts, WithoutSecrets]


def test_request_of_a_link_is_logged_without_its_secret_whatever_becomes_of_it(
    strangers: Client, evening: Evening, token: str, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
    for path in ("/join/{}x/", "/join/{}/x/", "/join/{}/?from={}", "/join/{}%0a/", "/join%252F{}/"):
        strangers.get(path.format(wrong, wrong))
        assert re.search("Not Found: /join(/|%2F)…", lines_of(log)[-1]), path
    path = f"/join/{token}/"
    assert Client(enforce_csrf_checks=True).post(path, {"player": ""}).status_code == 403
    assert "Forbidden" in lines_of(log)[-1]
    assert strangers.put(path).status_code == 405
    members.close_links(evening.circle_id, Role.KEEPER)
    assert strangers.get(path).status_code == 410
    assert "Gone: /join/…/" in lines_of(log)[-1]
    monkeypatch.setattr("sessions_app.views.invite.invite_of", lambda found: {}[f"cannot read {found!r}"])
    strangers.raise_request_exception = False
    assert strangers.get(path).status_code == 500
    assert "Internal Server Error: /join/…/" in log.getvalue()
    assert "cannot read '…'" in lines_of(log)[-1]
    assert token[:20] not in log.getvalue()


def test_wrong_host_is_logged_once_an_hour_and_a_scan_of_host_names_is_cut_off(
    strangers: Client, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr("scorekeeper.http.rate_counter.time.time", lambda: now)
    for host in ("cards.example", "cards.example", "Cards.example", "cards.example:8000"):
        assert strangers.get("/", headers={"host": host}).status_code == 400
    assert len(lines_of(log)) == 1
    assert "No page for host 'cards.example': it is none of SCOREKEEPER_HOSTS [" in lines_of(log)[0]
    now += HOUR
    strangers.get("/", headers={"host": "cards.example"})
    assert len(lines_of(log)) == 2
    for number in range(2 * MAX_HOSTS):
        strangers.get("/", headers={"host": f"h{number}.example\x1b" * 40})
    assert len(lines_of(log)) == 1 + MAX_HOSTS
    assert max(map(len, lines_of(log))) < 300


def test_secret_is_removed_from_a_log_line_wherever_it_stands(token: str, log: io.StringIO) -> None:
    logger = logging.getLogger("django.request")
    logger.warning("by %s, %s", Exception(f"GET /join/{token}/"), {"token": token}, stack_info=True)
    logger.warning("%(path)s", {"path": f"/join/{token}"})
    logger.warning(f"/join/{token}: 100 %")
    logger.warning("/join/%s and no more", token, "nothing")
    assert log.getvalue().count("…") >= 5
    assert token not in log.getvalue()


def test_row_of_a_database_error_is_removed_with_all_its_lines_and_nothing_else_is() -> None:
    error = "psycopg.errors.CheckViolation: new row violates a constraint\nDETAIL:  {}"
    row = "Failing row contains (1, Névnap\nBögre\n\nXénia, Zsiványok)."
    causes = "\n\nThe above exception was the direct cause of", "\n\nDuring handling of"
    for after in ("", "\nCONTEXT:  a query", *causes):
        assert redacted((error + after).format(row)) == (error + after).format("…")
    for text in (
        "Not Found: /sessions/12/hands/3/",
        "5f0c7f9e-9a0b-4a55-8f3b-0f4f6c0f9d11",
        "12345678-1234-1234-1234-123456789012",
        "2026-11-21 11:18:23,214 WARNING django.request: 100 %",
        "join us",
    ):
        assert redacted(text) == text


def lines_of(log: io.StringIO) -> list[str]:
    return log.getvalue().splitlines()


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (PermissionDenied("not you"), 403, "Forbidden (Permission denied): /"),
        (BadRequest("no sense"), 400, "no sense: /"),
        (SuspiciousOperation("odd\nINFO a line of its own \x1b[31m"), 400, "odd INFO a line of its own  [31m"),
        (MultiPartParserError("half a body"), 400, "Bad request (Unable to parse request body): /"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_refusal_is_one_short_line(
    strangers: Client, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, said: str
) -> None:
    assert strangers.get("/" + "x" * 5000).status_code == 404
    assert strangers.post("/sessions/new/", {f"field{n}": "x" for n in range(1100)}).status_code == 400
    monkeypatch.setattr("sessions_app.views.home.visitor", Mock(side_effect=error))
    response = strangers.get("/")
    assert response.status_code == status
    assert len(lines_of(log)) == 3
    assert lines_of(log)[-1].endswith(f": {said} [{response['X-Request-ID']}]")
    assert max(map(len, lines_of(log))) < 300


def test_a_failure_keeps_its_traceback_and_says_which_request_it_was(
    strangers: Client, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_app.views.home.visitor", Mock(side_effect=RuntimeError("it broke")))
    strangers.raise_request_exception = False
    response = strangers.get("/")
    assert response.status_code == 500
    first, *traceback = lines_of(log)
    code = response["X-Request-ID"]
    assert first.endswith(f"Internal Server Error: / [{code}]")
    assert traceback[0] == "Traceback (most recent call last):"
    assert traceback[-1] == "RuntimeError: it broke"
    assert Page.of(response).one("strong").text == code
    assert strangers.get("/", headers={"X-Request-ID": code})["X-Request-ID"] != code, "a new one each time"


def test_line_of_any_logger_has_the_id_of_the_request_that_is_answered(
    strangers: Client, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(*_args: object, **_options: object) -> None:
        logging.getLogger("sessions_app").warning("in the midst of it")

    monkeypatch.setattr("sessions_app.views.home.visitor", note)
    response = strangers.get("/")
    logging.getLogger("sessions_app").warning("after it")
    inside, after = lines_of(log)
    assert inside.endswith(f"in the midst of it [{response['X-Request-ID']}]")
    assert after.endswith("after it")


def test_json_log_has_the_same_contents_in_fields(
    strangers: Client, token: str, handler: Any, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handler, "formatter", JsonFormatter())
    answers = [strangers.get("/nowhere/"), Client(enforce_csrf_checks=True).post(f"/join/{token}/")]
    monkeypatch.setattr("sessions_app.views.home.visitor", Mock(side_effect=RuntimeError(f"no /join/{token}")))
    strangers.raise_request_exception = False
    answers.append(strangers.get("/"))
    lines = [json.loads(line) for line in lines_of(log)]
    assert [line["request"] for line in lines] == [answer["X-Request-ID"] for answer in answers]
    assert [line["status"] for line in lines] == [404, 403, 500]
    assert (lines[0]["level"], lines[0]["logger"]) == ("WARNING", "django.request")
    assert lines[0]["message"] == "Not Found: /nowhere/"
    assert datetime.fromisoformat(lines[0]["time"]).tzinfo
    assert ["traceback" in line for line in lines] == [False, False, True]
    assert lines[2]["traceback"].endswith("RuntimeError: no /join/…")
    assert token not in log.getvalue()
