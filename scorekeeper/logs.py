"""What never stands in a log: the secret of an invite link, whoever writes the line and wherever in it."""

import logging
import re
from typing import Final

# The address of a link, whatever follows in it, and a token that stands by itself (`invitations.token_of`).
# Before it may stand a slash that was encoded.
SECRET: Final = re.compile(
    r"(?<=join/)[^/?#\s'\"<>]+|(?:(?<![\w-])|(?<=%2F))\d+-[\w-]{24}(?![\w-])", re.ASCII | re.IGNORECASE
)


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


def redacted(text: str) -> str:
    """The text with '…' where a secret stood."""
    return SECRET.sub("…", text)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # arguments that do not fit the message: their writer's mistake stops no request
        return f"{record.msg} (its arguments do not fit it)"
