"""Every URL there is: its permissions, and an evening at which every post has an effect."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from io import BytesIO
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Item
from scorekeeper.games.asszorti.auction import Call
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.asszorti.play import Play
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, Member, OwnershipClaim, Phone, Player, Repayment, Role, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.readers.people.invitations import ROLES, token_of
from sessions_app.writers import house_profiles, import_rows, ledger, lineup, members, players, repayments
from sessions_app.writers.import_kinds import KINDS
from tests import moves
from tests.factories import hand_fields, record


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
#: What the owner has brought is nobody else's.
OF_THE_OWNER = Row(200, 404, 404, 404, 404)
OWNER_GOES = Row(302, 404, 404, 404, 404)
REFUSED = Row(405, 405, 405, 405, 405)
#: It exists with DEBUG only.
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


CALLED = partial(moves.bid, move=lambda auction: auction.call(2, Call.THREE))
PLAYS = partial(moves.let_play, declarer=2)
NAMED = partial(moves.name, announcement=Announcement(Contract.TWO, Trump.HEARTS, arrivazs=False))
DOUBLED = partial(moves.double, move=lambda doubling: doubling.say(0, Item.GAME))
SAID = Announced(1, 0, Announcement(Contract.TWO, Trump.SPADES))
CORRECTED = partial(moves.announce, said=SAID, token=UUID(int=8))
WON = partial(moves.play, move=lambda play: play.won(0))
CLAIMED = partial(moves.play, move=Play.claim)
STANDS = partial(moves.play, move=Play.stands)


def sits_down(evening_id: int, *, seen: Seen, by: User) -> None:
    seating = Evening.objects.get(pk=evening_id).seating
    lineup.join(evening_id, "Dóra", 2, seen=seating, by=by)


#: The notes of the hand in play before the tap: Béla has dealt hand 2, Cili plays, Anna leads.
BEFORE: dict[str, tuple[Callable[..., None], ...]] = {
    "referee-uncall": (CALLED,),
    "referee-undeclarer": (PLAYS,),
    "referee-announce": (PLAYS,),
    **{f"referee-{verb}": (PLAYS, NAMED) for verb in ("unannounce", "say", "trick", "claim", "concede")},
    "announce-back": (PLAYS, NAMED),
    "announce-put-back": (PLAYS, NAMED, CORRECTED),
    "referee-unsay": (PLAYS, NAMED, DOUBLED),
    "referee-untrick": (PLAYS, NAMED, WON),
    "referee-stands": (PLAYS, NAMED, CLAIMED),
    "referee-dispute": (PLAYS, NAMED, CLAIMED),
    "referee-finish": (PLAYS, NAMED, WON, CLAIMED, STANDS),
    "lineup-home": (sits_down,),
}


#: A book without a session.
EMPTY_BOOK = (
    '{"circle":{"cash_coins":{},"is_demo":false,"name":"Mondays"},"format":"strigula book","house_profiles":[],'
    '"payments":[],"players":[],"sessions":[],"version":1}'
)
#: The fields of posts that are the same in every scene, by the name of the URL.
BODIES: dict[str, dict[str, str]] = {
    "hand-mark": {"mark": "hm"},
    "me-delete": {"sure": "on"},
    "import": {"text": EMPTY_BOOK},
    "import-review": {"drop": ""},
    "evening-new": {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1"},
    "me-settings": {"theme": "dark"},
    "set_language": {"language": "hu", "next": "/"},
    "invite": {"role": "viewer"},
    "join": {"player": ""},
    "member-role": {"role": "keeper"},
    "house-profile-save": {"name": "Home"},
    "house-profile-rename": {"name": "Home"},
    "circle-rename": {"name": "Friday's"},
    "circle-delete": {"name": "anna, béla, cili, anna."},
    "player-rename": {"name": "Annuska"},
    "player-mark": {"mark": "♠blue"},
    "player-rest": {"plays": "no"},
    "cash-coins": {"coin_HUF": "5"},
    "referee-announce": {"contract": "2", "trump": "hearts"},
    "referee-finish": {"token": str(UUID(int=7))},
    "referee-dealer": {"seat": "0"},
    "referee-call": {"seat": "2", "call": "3"},
    "referee-declarer": {"seat": "2"},
    "referee-say": {"seat": "0", "item": "game"},
    "referee-trick": {"seat": "0"},
}


@dataclass
class Scene:
    """An evening with a hand, open links, a claim that is due, and the notes of the next hand before this URL."""

    path: str
    evening: Evening
    by: User

    def __post_init__(self) -> None:
        if self.name in ENTRIES:
            self.agree()
        else:
            record(self.evening, self.by, "2H 7")
        self.evening.refresh_from_db()
        circle = self.evening.circle_id
        self.links = {role: members.make_link(circle, role, by=self.by) for role in ROLES}
        of_circle = Member.objects.filter(circle=circle)
        self.viewer, keeper = of_circle.get(role=Role.VIEWER), of_circle.get(role=Role.KEEPER)
        closed_at = timezone.now() if self.name == "owner-claim" else None
        long_ago = timezone.now() - timedelta(days=2)
        self.claim = OwnershipClaim.objects.create(
            circle_id=circle, member=keeper, made_at=long_ago, closed_at=closed_at
        )
        #: Another name of Anna; to be merged, or merged already where it is to be taken apart.
        self.namesake = Player.objects.create(circle=self.evening.circle, name="anna.")
        if self.name == "player-unmerge":
            players.merge(circle, self.evening.seats.get(position=0).player_id, self.namesake.pk, by=self.by)
        self.profile = house_profiles.save(circle, self.evening.game_key, "Friday", "", by=self.by)
        self.repayment = self.pays()
        stored = KINDS["book"].stored(BytesIO(EMPTY_BOOK.encode()), lambda: True)
        self.brought = import_rows.open_import(self.by, stored, file_name="book.json", circle=None)
        self.phone = Phone.objects.create(user=self.by)
        for said in BEFORE.get(self.name, ()):
            said(self.evening.pk, seen=self.seen, by=self.by)

    def agree(self) -> None:
        """Let the table have agreed on something, in a game that has that."""
        Evening.objects.filter(pk=self.evening.pk).update(game_key="preference")
        facts = Facts(1, None, "= D1+5", deal_stays=True)
        ledger.record(self.evening.pk, token=UUID(int=9), number=1, facts=facts, by=self.by)

    def pays(self) -> Repayment:
        """Let Anna have paid Béla."""
        anna, bela, *_others = self.evening.seats.values_list("player", flat=True)
        wanted = repayments.Wanted(anna, bela, 50, "HUF")
        return repayments.book(self.evening.circle_id, wanted, token=uuid4(), by=self.by).row

    @property
    def name(self) -> str:
        return name_of(self.path)

    @property
    def seen(self) -> Seen:
        self.evening.refresh_from_db()
        row = moves.latest(self.evening)
        return Seen(self.evening.last_number + 1, row.version if row else 0)

    @property
    def address(self) -> str:
        token = str(self.brought.token) if self.name.startswith("import-") else token_of(self.links[Role.KEEPER])
        figure = figure_of(self.evening) if "figure" in self.path else ""
        rows = {"member_id": self.viewer.pk, "profile_id": self.profile.pk, "circle_id": self.evening.circle_id}
        rows |= {"player_id": self.evening.seats.get(position=0).player_id, "repayment_id": self.repayment.pk}
        rows |= {"phone_id": self.phone.pk}
        return address(self.path, self.evening.pk, token=token, figure=figure, **rows)

    def body(self) -> dict[str, str]:
        """The fields that the page would post here: a post with an effect."""
        seen = self.seen
        hand = hand_fields(self.evening, tricks="8", dealer="1", declarer="2")
        agreed = {"token": hand["token"], "number": hand["number"], "line": "D2+3"}
        players = dict(self.evening.seats.values_list("position", "player"))
        bodies: dict[str, dict[str, str]] = BODIES | {
            "evening-edit": {
                **{f"who_{seat + 1}": str(player) for seat, player in players.items()},
                **{f"player_{seat + 1}": name for seat, name in enumerate(("Anna", "Béla", "Csilla"))},
                "first_dealer": "1",
            },
            **dict.fromkeys(("hand-new", "hand-preview", "hand-edit", "announce"), hand),
            **dict.fromkeys(ENTRIES, agreed),
            "lineup": {"seen": str(self.evening.seating), "name": "Dóra", "after": "2"},
            "lineup-home": {"seen": str(self.evening.seating), "seat": "0"},
            **{name: {"link": token_of(self.links[Role.KEEPER])} for name in ("join-paste", "link-paste")},
            "member-me": {"player": str(self.evening.seats.get(position=0).player_id)},
            **{f"player-{verb}": {"other": str(self.namesake.pk)} for verb in ("merge", "unmerge")},
            "repayments": {
                "token": str(UUID(int=6)),
                "payer": str(players[1]),
                "payee": str(players[0]),
                "amount": "12",
                "currency": "HUF",
            },
            "owner-object": {"claim": str(self.claim.pk)},
        }
        said = bodies.get(self.name, {})
        is_tap = self.name.startswith("referee-") or self.name.startswith("announce-")
        return {"number": str(seen.number), "seen": str(seen.version)} | said if is_tap else said

    def ask(self, client: Client, method: str, headers: dict[str, str] | None = None) -> Any:
        """Send the request, and roll back its writes: everybody meets the same evening."""
        data = self.body() if method == "POST" else None
        with taken_back(client):
            return getattr(client, method.lower())(self.address, data, headers=headers or {})


@contextmanager
def taken_back(client: Client) -> Iterator[None]:
    """Undo the writes meanwhile, and the phone's new cookies."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    client.cookies = cookies
