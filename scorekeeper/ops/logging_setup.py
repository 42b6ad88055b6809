"""Log formats: one short line for a rejected request, a traceback for a failure, each with the request's id.

A filter removes the secrets of invite links and the rows of database errors from every line, another one the
repetitions of a wrong host name.
"""

import json
import logging
import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.http.request import split_domain_port

from scorekeeper.http import rate_counter
from scorekeeper.http.middleware import request_id

# The path of an invite link, and a token by itself (`invitations.token_of`), perhaps after an encoded slash.
SECRET: Final = re.compile(
    r"(?<=join/)[^/?#\s'\"<>]+|(?:(?<![\w-])|(?<=%2F))\d+-[\w-]{24}(?![\w-])", re.ASCII | re.IGNORECASE
)
#: PostgreSQL's errors name the row that they are about, with names in it, and notes of several lines. It ends where the
#: error's next part begins, or Python's words before the next error.
ROW: Final = re.compile(
    r"(?<=^DETAIL:  ).+?(?=\n(?:HINT|QUERY|CONTEXT):  |\n\n(?:The above exception was|During handling of)|\Z)",
    re.MULTILINE | re.DOTALL,
)

#: Characters of a rejected request's line: its path can be of any length.
MAX_LENGTH: Final = 200
#: Wrong host names that are logged within an hour: scanners try any number.
MAX_HOSTS: Final = 20
HOUR: Final = 3600


class OneLineFormatter(logging.Formatter):
    """Format a record as one line with its request's id; only failures of the app are followed by a traceback.

    The traceback of a rejected request helps nobody, and strangers could fill the log with them.
    """

    def format(self, record: logging.LogRecord) -> str:
        if is_refusal(record):
            record = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:
        if is_refusal(record):
            record.message = shortened(record.message)
        request = request_id(getattr(record, "request", None))
        return super().formatMessage(record) + (f" [{request}]" if request else "")


class JsonFormatter(logging.Formatter):
    """Format a record as one line of JSON, with the same contents; a traceback is a field of it."""

    def format(self, record: logging.LogRecord) -> str:
        is_refused = is_refusal(record)
        message = record.getMessage()
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": shortened(message) if is_refused else message,
            "request": request_id(getattr(record, "request", None)),
            "status": getattr(record, "status_code", None),
            "traceback": None if is_refused else record.exc_text,  # by WithoutSecrets
            "stack": None if is_refused else record.stack_info,
        }
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


class WithoutSecrets(logging.Filter):
    """Remove secrets and rows from a record's message, arguments, traceback and stack. No record is dropped."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redacted(_message(record)), ()
        if record.exc_info:
            # A formatter does not format a traceback that exc_text has already.
            record.exc_text = redacted(logging.Formatter().formatException(record.exc_info))
        if record.stack_info:
            record.stack_info = redacted(record.stack_info)
        return True


class WrongHosts(logging.Filter):
    """Drop all but one line an hour for each wrong host name, over all workers, and name the setting in that one."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name != "django.security.DisallowedHost":
            return True
        request = getattr(record, "request", None)
        name = str(request.META.get("HTTP_HOST", "")) if request else ""
        record.msg, record.args = "No page for host %a: it is none of SCOREKEEPER_HOSTS", (name,)
        host = split_domain_port(name)[0] or name
        file, who = rate_counter.file(settings.DATA), sha256(host.encode()).digest()[:16]
        if rate_counter.seconds_to_wait(file, "hosts", b"", most=MAX_HOSTS, within=HOUR):
            return False
        if rate_counter.count(file, "host", who, most=1, within=HOUR):
            return False
        rate_counter.count(file, "hosts", b"", most=MAX_HOSTS, within=HOUR)
        return True


def is_refusal(record: logging.LogRecord) -> bool:
    """Return whether the record is of a rejected request, which Django marks with a status of 400 to 499."""
    status = getattr(record, "status_code", None)
    return isinstance(status, int) and 400 <= status < 500


def shortened(text: str) -> str:
    """Return the text as one line of printable characters, cut to MAX_LENGTH."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= MAX_LENGTH else f"{line[:MAX_LENGTH]}…"


def redacted(text: str) -> str:
    """Return the text with '…' in place of each secret and each row."""
    return ROW.sub("…", SECRET.sub("…", text))


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # arguments that do not fit the message must not fail the request
        return f"{record.msg} (its arguments do not fit it)"
