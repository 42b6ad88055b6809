"""What a log says: of a refusal one short line, of a failure all there is to know, and the request's id with both.

What never stands in it is the secret of an invite link, whoever writes the line and wherever in it.
"""

import logging
import re
from typing import Final

from scorekeeper.http.response_headers import request_id

# The address of a link, whatever follows in it, and a token that stands by itself (`invitations.token_of`).
# Before it may stand a slash that was encoded.
SECRET: Final = re.compile(
    r"(?<=join/)[^/?#\s'\"<>]+|(?:(?<![\w-])|(?<=%2F))\d+-[\w-]{24}(?![\w-])", re.ASCII | re.IGNORECASE
)

#: A refused request's address is of its sender's making: as long as he likes.
LONGEST: Final = 200


class Line(logging.Formatter):
    """A line a record, with the id of its request; only what failed here is followed by its traceback.

    Nobody is helped by where in the program a stranger was refused, and whoever wants to can be refused all day.
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


class WithoutSecrets(logging.Filter):
    """Takes the secrets out of a record's message, its arguments, its traceback and its stack; drops none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redacted(_message(record)), ()
        if record.exc_info:
            # A formatter that finds the traceback written out writes it no second time.
            record.exc_text = redacted(logging.Formatter().formatException(record.exc_info))
        if record.stack_info:
            record.stack_info = redacted(record.stack_info)
        return True


def is_refusal(record: logging.LogRecord) -> bool:
    """Whether the record tells of a request that was refused, as Django marks it: 400 to 499."""
    status = getattr(record, "status_code", None)
    return isinstance(status, int) and 400 <= status < 500


def shortened(text: str) -> str:
    """The text in one line of what can be printed, and its end cut off where it is long."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def redacted(text: str) -> str:
    """The text with '…' where a secret stood."""
    return SECRET.sub("…", text)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # arguments that do not fit the message: their writer's mistake stops no request
        return f"{record.msg} (its arguments do not fit it)"
