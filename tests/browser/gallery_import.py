"""The screens of a book that is brought: the page that takes it, the review with matches and faults, and the end."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import uuid4

from sessions_app.models import Circle, Import, User
from sessions_app.readers.book import document
from sessions_app.writers import import_rows
from sessions_app.writers.import_kinds import KINDS
from tests.browser.gallery import LONG, Screen
from tests.factories import UserFactory, evening_of, record


def screens() -> Iterator[Screen]:
    owner, other, newcomer = UserFactory(), UserFactory(), UserFactory()
    evening, mine = evening_of(owner, LONG), evening_of(other, LONG)
    record(evening, owner, "2H 7")
    value = json.loads(b"".join(document.of_circle(evening.circle)))
    yield Screen("import, a stranger", None, "/import/")
    yield Screen("import, into a circle", other, f"/import/?circle={mine.circle_id}")
    yield Screen("import, here already", owner, _address(_brought(owner, value)))
    for part in (*value["players"], *value["sessions"]):
        old, part["id"] = part["id"], str(uuid4())
        for seat in (seat for session in value["sessions"] for seat in session["seats"]):
            seat["player"] = part["id"] if seat["player"] == old else seat["player"]
    yield Screen("import, players matched", other, _address(_brought(other, value, mine.circle)))
    value["sessions"][0]["hands"][0]["number"] = 9
    yield Screen("import, faults", newcomer, _address(_brought(newcomer, value)))
    taken = _brought(UserFactory(), value | {"sessions": []})
    import_rows.begin_to_take(taken)
    KINDS[taken.kind].take(taken, lambda: True)
    import_rows.end_taking(taken)
    keeper = UserFactory()
    yield Screen("import, a table", keeper, _address(_tabled(keeper, evening_of(keeper, LONG).circle)))
    yield Screen("import, taken in", taken.user, _address(taken))


def _tabled(user: User, circle: Circle) -> Import:
    """A table with all that is asked: the game, the order of days, a likeness, a sum not zero, and odd lines."""
    lines = [("date", "game", *LONG, LONG[0].upper()), ("01/02/2024", "", "5", "-5", "1"), ("02/02/2024", "", *"500")]
    lines += [
        ("03/02/2024", "", "8", "-5", "-3"),
        ("x", "", "1", "-1", "0"),
        ("", "x"),
        ("Total", "", "13", "-10", "-2"),
    ]
    text = "\n".join("\t".join(line) for line in lines)
    stored = KINDS["table"].stored(BytesIO(text.encode()), lambda: True)
    return import_rows.open_import(user, stored, file_name="", circle=circle)


def _brought(user: User, value: dict[str, Any], circle: Circle | None = None) -> Import:
    stored = KINDS["book"].stored(BytesIO(document.packed(value)), lambda: True)
    row = import_rows.open_import(user, stored, file_name=f"{' '.join(LONG)}.json", circle=circle)
    KINDS["book"].read(row, lambda: True)
    return row


def _address(row: Import) -> str:
    return f"/import/{row.token}/"
