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
    yield Screen("import, taken in", taken.user, _address(taken))


def _brought(user: User, value: dict[str, Any], circle: Circle | None = None) -> Import:
    stored = KINDS["book"].stored(BytesIO(document.packed(value)), lambda: True)
    row = import_rows.open_import(user, stored, file_name=f"{' '.join(LONG)}.json", circle=circle)
    KINDS["book"].read(row, lambda: True)
    return row


def _address(row: Import) -> str:
    return f"/import/{row.token}/"
