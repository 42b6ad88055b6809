"""The label of a feat on the page of a year."""

from typing import NamedTuple

from sessions_app.words.wording import Words


class FeatLabel(NamedTuple):
    """A feat by its code, with the words above it."""

    code: str
    label: Words
