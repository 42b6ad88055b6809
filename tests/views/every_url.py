"""Every URL there is: its permissions, and its address."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver


class Row(NamedTuple):
    """The statuses of a method for owner, keeper, viewer, outsider and stranger."""

    owner: int
    keeper: int
    viewer: int
    outsider: int
    stranger: int


ALL_OK = Row(200, 200, 200, 200, 200)
ALL_GO = Row(302, 302, 302, 302, 302)
#: A book of one's own: whatever his role in the circle.
USERS_SEE = Row(200, 200, 200, 200, 404)
USERS_GO = Row(302, 302, 302, 302, 404)
#: No browser has held a ceremony; the passkey is another user's.
NO_PASSKEY = Row(403, 403, 403, 403, 404)
NOBODY = Row(404, 404, 404, 404, 404)
MEMBERS = Row(200, 200, 200, 404, 404)
WRITERS_SEE = Row(200, 200, 403, 404, 404)
WRITERS_GO = Row(302, 302, 403, 404, 404)
OWNERS_SEE = Row(200, 403, 403, 404, 404)
OWNERS_GO = Row(302, 403, 403, 404, 404)
#: A session of the circle is running.
RUNS = Row(409, 403, 403, 404, 404)
#: The keeper's claim is due; the owner has made none.
CLAIMANTS_GO = Row(409, 302, 403, 404, 404)
#: A table needs one.
NOT_THE_LAST_OWNER = Row(409, 302, 302, 404, 404)
#: It has a hand.
STAYS = Row(409, 409, 403, 404, 404)
#: Nobody else sees a file that the owner has brought.
OF_THE_OWNER = Row(200, 404, 404, 404, 404)
OWNER_GOES = Row(302, 404, 404, 404, 404)
REFUSED = Row(405, 405, 405, 405, 405)
#: A tap of another game's referee.
NOT_HERE = Row(404, 404, 403, 404, 404)

REFEREE_VERBS = (
    *("announce", "finish", "dealer", "call", "uncall", "declarer", "undeclarer", "unannounce", "say", "unsay"),
    *("trick", "untrick", "claim", "stands", "dispute", "concede"),
)
#: Of a game in which a table agrees on something without a hand.
ENTRIES = ("entries-new", "entries-edit")
#: Names of URLs that have the same rows.
SHARED: tuple[tuple[dict[str, Row], tuple[str, ...]], ...] = (
    (
        {"GET": ALL_OK},
        (
            *("home", "past", "game-mark", "game-rules", "blank-sheet", "game-worth", "me", "token", "messages"),
            *("service-worker", "manifest", "book-schema", "offline", "healthz", "healthz-ready"),
        ),
    ),
    ({"POST": ALL_GO}, ("me-settings", "demo-clear", "set_language")),
    ({"POST": USERS_GO}, ("phones-end-others", "me-no-key")),
    ({"GET": ALL_OK, "POST": ALL_GO}, ("evening-new", "link-paste", "join-paste", "join", "import", "demo")),
    (
        {"GET": MEMBERS},
        (
            *("evening", "evening-live", "settle", "settle-live", "hand", "referee", "referee-live", "evening-csv"),
            *("evening-json", "evening-xlsx", "evening-print", "evening-png", "evening-svg", "table-view"),
            *("table-view-live", "members", "house-profiles", "circle", "circle-live", "circle-csv", "circle-json"),
            *("circle-xlsx", "circle-statistics", "circle-year", "circle-year-print", "year-png", "player-statistics"),
            *("figure-evenings", "circle-player", "statement", "check"),
        ),
    ),
    ({"GET": WRITERS_SEE}, ("count-tables", "evening-next", "hand-new-live", "invite-link")),
    (
        {"POST": WRITERS_GO},
        (
            *("lineup-home", "evening-end", "evening-reopen", "hand-void", "hand-restore", "hand-mark"),
            *("announce-put-back", "member-me", "house-profile-save", "house-profile-rename", "house-profile-remove"),
            *("owner-claim", "owner-object", "circle-rename", "repayment-undo", "cash-coins"),
            *(f"referee-{verb}" for verb in REFEREE_VERBS),
            *(f"player-{verb}" for verb in ("rename", "mark", "rest", "mine", "merge", "unmerge")),
        ),
    ),
    (
        {"GET": WRITERS_SEE, "POST": WRITERS_GO},
        ("evening-edit", "lineup", "hand-new", "hand-edit", "announce-back", "invite", *ENTRIES),
    ),
    ({"POST": NOT_HERE}, tuple(f"referee-{verb}" for verb in ("close", "partner", "take", "honour", "unhonour"))),
    ({"POST": OWNERS_GO}, ("invite-revoke", "member-role", "member-remove", "circle-undelete")),
)
#: By the name of the URL. A method that is not named is refused to everybody: 405.
TABLE: dict[str, dict[str, Row]] = {
    **{name: rows for rows, names in SHARED for name in names},
    "evening-remove": {"GET": WRITERS_SEE, "POST": STAYS},
    "hand-preview": {"GET": WRITERS_GO, "POST": WRITERS_SEE},
    "announce": {"GET": WRITERS_GO, "POST": WRITERS_GO},
    "member-leave": {"POST": NOT_THE_LAST_OWNER},
    "owner-take": {"POST": CLAIMANTS_GO},
    "circle-leave": {"GET": MEMBERS, "POST": NOT_THE_LAST_OWNER},
    "circle-archive": {"GET": OWNERS_SEE, "POST": RUNS},
    "circle-delete": {"GET": OWNERS_SEE, "POST": OWNERS_GO},
    "repayments": {"GET": MEMBERS, "POST": WRITERS_GO},
    "phone-end": {"POST": OWNER_GOES},
    "me-link": {"GET": USERS_GO, "POST": USERS_GO},
    "link": {"GET": NOBODY, "POST": NOBODY},
    "me-delete": {"GET": USERS_SEE, "POST": Row(409, 302, 302, 302, 404)},
    "import-review": {"GET": OF_THE_OWNER, "POST": OWNER_GOES},
    "import-undo": {"POST": OWNER_GOES},
    "me-passkey-options": {"POST": USERS_SEE},
    "me-passkeys": {"POST": NO_PASSKEY},
    "me-passkey-remove": {"POST": NOBODY},
    "me-spare-key": {"GET": USERS_GO, "POST": USERS_SEE},
    "me-merge": {"GET": ALL_GO, "POST": ALL_GO},
    "me-merge-undo": {"GET": USERS_SEE, "POST": USERS_GO},
    "passkey-options": {"POST": ALL_OK},
    "passkey": {"GET": ALL_OK, "POST": Row(403, 403, 403, 403, 403)},
    "spare-key": {"GET": ALL_OK, "POST": Row(422, 422, 422, 422, 422)},
    "metrics": {"GET": NOBODY},
}


@cache
def patterns() -> tuple[tuple[str, URLPattern], ...]:
    """Every path of the URLconf, with its view."""
    return tuple(_patterns_of(get_resolver()))


def _patterns_of(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _patterns_of(entry, path)
        else:
            yield path, entry


def name_of(path: str) -> str:
    return dict(patterns())[path].name or ""


def row_of(path: str) -> dict[str, Row]:
    return TABLE.get(name_of(path), {})


def paths(method: str | None = None) -> list[str]:
    """The paths of an evening or a circle, or those of them that take this method."""
    return [path for path, _pattern in patterns() if is_members_only(path) and method in (None, *row_of(path))]


def is_members_only(path: str) -> bool:
    return "evening_id" in path or "circle_id" in path


def address(path: str, evening: int | str, **others: int | str) -> str:
    """A path with its gaps filled in; `evening` is also the circle's number unless that is given."""
    rows = ("number", "member_id", "profile_id", "player_id", "repayment_id", "phone_id", "passkey_id")
    filled_in: dict[str, int | str] = {
        **{"evening_id": evening, "circle_id": evening, **dict.fromkeys(rows, 1)},
        **{"game_key": "asszorti", "measure": "hands", "year": 2026, "role": "keeper"},
        **{"token": "1-x", "language": "hu", "version": "0"},
    }
    for gap, value in (filled_in | others).items():
        for kind in ("int", "str"):
            path = path.replace(f"<{kind}:{gap}>", str(value))
    return f"/{path}"
