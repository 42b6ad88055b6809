"""Every URL there is: its permissions, and its address."""

from collections.abc import Iterator
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
PLAYER_VERBS = ("rename", "mark", "rest", "mine", "merge", "unmerge")
#: Of a game in which a table agrees on something without a hand.
ENTRIES = ("entries-new", "entries-edit")
#: By the name of the URL. A method that is not named is refused to everybody: 405.
TABLE: dict[str, dict[str, Row]] = {
    "home": {"GET": ALL_OK},
    "past": {"GET": ALL_OK},
    "evening-new": {"GET": ALL_OK, "POST": ALL_GO},
    "evening": {"GET": MEMBERS},
    "evening-live": {"GET": MEMBERS},
    "count-tables": {"GET": WRITERS_SEE},
    "evening-edit": {"GET": WRITERS_SEE, "POST": WRITERS_GO},
    "evening-remove": {"GET": WRITERS_SEE, "POST": STAYS},
    "evening-next": {"GET": WRITERS_SEE},
    "lineup": {"GET": WRITERS_SEE, "POST": WRITERS_GO},
    "lineup-home": {"POST": WRITERS_GO},
    "settle": {"GET": MEMBERS},
    "settle-live": {"GET": MEMBERS},
    "evening-end": {"POST": WRITERS_GO},
    "evening-reopen": {"POST": WRITERS_GO},
    "hand-new": {"GET": WRITERS_SEE, "POST": WRITERS_GO},
    "hand-new-live": {"GET": WRITERS_SEE},
    "hand-preview": {"GET": WRITERS_GO, "POST": WRITERS_SEE},
    "hand": {"GET": MEMBERS},
    "hand-edit": {"GET": WRITERS_SEE, "POST": WRITERS_GO},
    "hand-void": {"POST": WRITERS_GO},
    "hand-restore": {"POST": WRITERS_GO},
    "hand-mark": {"POST": WRITERS_GO},
    **{name: {"GET": WRITERS_SEE, "POST": WRITERS_GO} for name in ENTRIES},
    "announce": {"GET": WRITERS_GO, "POST": WRITERS_GO},
    "announce-back": {"GET": WRITERS_SEE, "POST": WRITERS_GO},
    "announce-put-back": {"POST": WRITERS_GO},
    "referee": {"GET": MEMBERS},
    "referee-live": {"GET": MEMBERS},
    **{f"referee-{verb}": {"POST": WRITERS_GO} for verb in REFEREE_VERBS},
    **{f"referee-{verb}": {"POST": NOT_HERE} for verb in ("close", "partner", "take", "honour", "unhonour")},
    "evening-csv": {"GET": MEMBERS},
    "evening-json": {"GET": MEMBERS},
    "evening-xlsx": {"GET": MEMBERS},
    "evening-print": {"GET": MEMBERS},
    "evening-png": {"GET": MEMBERS},
    "evening-svg": {"GET": MEMBERS},
    "table-view": {"GET": MEMBERS},
    "table-view-live": {"GET": MEMBERS},
    "invite": {"GET": WRITERS_SEE, "POST": WRITERS_GO},
    "invite-link": {"GET": WRITERS_SEE},
    "invite-revoke": {"POST": OWNERS_GO},
    "members": {"GET": MEMBERS},
    "member-me": {"POST": WRITERS_GO},
    "member-leave": {"POST": NOT_THE_LAST_OWNER},
    "member-role": {"POST": OWNERS_GO},
    "member-remove": {"POST": OWNERS_GO},
    "house-profiles": {"GET": MEMBERS},
    "house-profile-save": {"POST": WRITERS_GO},
    "house-profile-rename": {"POST": WRITERS_GO},
    "house-profile-remove": {"POST": WRITERS_GO},
    "owner-claim": {"POST": WRITERS_GO},
    "owner-object": {"POST": WRITERS_GO},
    "owner-take": {"POST": CLAIMANTS_GO},
    "circle": {"GET": MEMBERS},
    "circle-live": {"GET": MEMBERS},
    "circle-rename": {"POST": WRITERS_GO},
    "circle-leave": {"GET": MEMBERS, "POST": NOT_THE_LAST_OWNER},
    "circle-archive": {"GET": OWNERS_SEE, "POST": RUNS},
    "circle-delete": {"GET": OWNERS_SEE, "POST": OWNERS_GO},
    "circle-undelete": {"POST": OWNERS_GO},
    "circle-csv": {"GET": MEMBERS},
    "circle-json": {"GET": MEMBERS},
    "circle-xlsx": {"GET": MEMBERS},
    "circle-statistics": {"GET": MEMBERS},
    "circle-year": {"GET": MEMBERS},
    "circle-year-print": {"GET": MEMBERS},
    "year-png": {"GET": MEMBERS},
    "player-statistics": {"GET": MEMBERS},
    "figure-evenings": {"GET": MEMBERS},
    "circle-player": {"GET": MEMBERS},
    "statement": {"GET": MEMBERS},
    **{f"player-{verb}": {"POST": WRITERS_GO} for verb in PLAYER_VERBS},
    "repayments": {"GET": MEMBERS, "POST": WRITERS_GO},
    "repayment-undo": {"POST": WRITERS_GO},
    "cash-coins": {"POST": WRITERS_GO},
    "game-mark": {"GET": ALL_OK},
    "game-rules": {"GET": ALL_OK},
    "blank-sheet": {"GET": ALL_OK},
    "game-worth": {"GET": ALL_OK},
    "check": {"GET": MEMBERS},
    "me": {"GET": ALL_OK},
    "phone-end": {"POST": Row(302, 404, 404, 404, 404)},
    "me-link": {"GET": Row(302, 302, 302, 302, 404), "POST": Row(302, 302, 302, 302, 404)},
    "link-paste": {"GET": ALL_OK, "POST": ALL_GO},
    "link": {"GET": Row(404, 404, 404, 404, 404), "POST": Row(404, 404, 404, 404, 404)},
    "me-settings": {"POST": ALL_GO},
    "phones-end-others": {"POST": Row(302, 302, 302, 302, 404)},
    "me-delete": {"GET": Row(200, 200, 200, 200, 404), "POST": Row(409, 302, 302, 302, 404)},
    "join-paste": {"GET": ALL_OK, "POST": ALL_GO},
    "join": {"GET": ALL_OK, "POST": ALL_GO},
    "import": {"GET": ALL_OK, "POST": ALL_GO},
    "import-review": {"GET": OF_THE_OWNER, "POST": OWNER_GOES},
    "import-undo": {"POST": OWNER_GOES},
    "me-passkey-options": {"POST": USERS_SEE},
    "me-passkeys": {"POST": NO_PASSKEY},
    "me-passkey-remove": {"POST": NOBODY},
    "me-spare-key": {"GET": USERS_GO, "POST": USERS_SEE},
    "me-no-key": {"POST": USERS_GO},
    "me-merge": {"GET": ALL_GO, "POST": ALL_GO},
    "me-merge-undo": {"GET": USERS_SEE, "POST": USERS_GO},
    "passkey-options": {"POST": ALL_OK},
    "passkey": {"GET": ALL_OK, "POST": Row(403, 403, 403, 403, 403)},
    "spare-key": {"GET": ALL_OK, "POST": Row(422, 422, 422, 422, 422)},
    "demo": {"GET": ALL_OK, "POST": ALL_GO},
    "demo-clear": {"POST": ALL_GO},
    "set_language": {"POST": ALL_GO},
    "token": {"GET": ALL_OK},
    "messages": {"GET": ALL_OK},
    "service-worker": {"GET": ALL_OK},
    "manifest": {"GET": ALL_OK},
    "book-schema": {"GET": ALL_OK},
    "offline": {"GET": ALL_OK},
    "healthz": {"GET": ALL_OK},
    "healthz-ready": {"GET": ALL_OK},
    "metrics": {"GET": NOBODY},
}


def patterns(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every path of the URLconf, with its view."""
    for entry in (resolver or get_resolver()).url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from patterns(entry, path)
        else:
            yield path, entry


def name_of(path: str) -> str:
    return next(pattern.name or "" for each, pattern in patterns() if each == path)


def row_of(path: str) -> dict[str, Row]:
    return TABLE.get(name_of(path), {})


def paths(method: str | None = None) -> list[str]:
    """The paths of an evening or a circle, or those of them that take this method."""
    return [path for path, _pattern in patterns() if is_members_only(path) and method in (None, *row_of(path))]


def is_members_only(path: str) -> bool:
    return "evening_id" in path or "circle_id" in path


def address(path: str, evening: int | str, **others: int | str) -> str:
    """A path with its gaps filled in; `evening` is also the circle's number unless that is given."""
    filled_in = {
        "evening_id": evening,
        "circle_id": evening,
        "measure": "hands",
        "number": 1,
        "member_id": 1,
        "profile_id": 1,
        "player_id": 1,
        "repayment_id": 1,
        "phone_id": 1,
        "passkey_id": 1,
        "year": 2026,
        "role": "keeper",
        "token": "1-x",
        "language": "hu",
        "version": "0",
    }
    filled_in |= {"game_key": "asszorti"} | others
    for gap, value in filled_in.items():
        for kind in ("int", "str"):
            path = path.replace(f"<{kind}:{gap}>", str(value))
    return f"/{path}"
