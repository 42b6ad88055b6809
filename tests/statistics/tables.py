"""The names of the measures in the tables of docs/statistics.md."""

import re

from django.conf import settings


def names_by_heading() -> dict[str, set[str]]:
    """Return the names in the first columns, by the heading of their table in small letters."""
    page = (settings.BASE_DIR / "docs" / "statistics.md").read_text(encoding="utf-8")
    return {
        text.split("\n")[0].lower(): {
            name for cell in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)
        }
        for text in re.split(r"^###? ", page, flags=re.MULTILINE)[1:]
    }
