"""An evening at which every post of every URL has an effect."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.test import Client
from django.utils import timezone

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Call, Item
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.asszorti.play import Play
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, Member, OwnershipClaim, Phone, Player, Role, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.readers.people.members import ROLES, token_of
from sessions_app.writers import circles, evening_edit, import_rows, ledger, members, players
from tests import moves
from tests.factories import MemberFactory, hand_fields, record
from tests.full_circle import EMPTY_BOOK, pay, stored, take_along
from tests.views.every_url import ENTRIES, address, name_of

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
    evening_edit.join_lineup(evening_id, "Dóra", 2, seen=seating, by=by)


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
#: Names of URLs whose scene differs from the others' by more than its path.
OWN = {*BEFORE, *ENTRIES, "owner-claim", "player-unmerge", "me-merge-undo"}


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
        self.profile = circles.save_profile(circle, self.evening.game_key, "Friday", "", by=self.by)
        self.repayment = pay(self.evening, self.by, seats=(0, 1), units=50)
        self.brought = import_rows.open_import(self.by, stored(), file_name="book.json", circle=None)
        self.phone = Phone.objects.create(user=self.by)
        if self.name == "me-merge-undo":
            take_along(MemberFactory(circle_id=circle).user, self.by)
        for said in BEFORE.get(self.name, ()):
            said(self.evening.pk, seen=self.seen, by=self.by)

    def agree(self) -> None:
        """Let the table have agreed on something, in a game that has that."""
        Evening.objects.filter(pk=self.evening.pk).update(game_key="preference")
        facts = Facts(1, None, "= D1+5", deal_stays=True)
        ledger.record(self.evening.pk, token=UUID(int=9), number=1, facts=facts, by=self.by)

    @property
    def name(self) -> str:
        return name_of(self.path)

    @property
    def seen(self) -> Seen:
        return moves.seen(self.evening)

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
                **{"token": str(UUID(int=6)), "payer": str(players[1]), "payee": str(players[0])},
                **{"amount": "12", "currency": "HUF"},
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


def scenes(paths: Iterable[str], evening: Evening, by: User) -> Iterator[Scene]:
    """Yield a scene for each path, one for all that need none of their own; what is written meanwhile is taken back."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(path if name_of(path) in OWN else "", []).append(path)
    for group in groups.values():
        with transaction.atomic():
            scene = Scene(group[0], evening, by)
            for scene.path in group:
                yield scene
            transaction.set_rollback(True)


@contextmanager
def taken_back(client: Client) -> Iterator[None]:
    """Undo the writes meanwhile, and the phone's new cookies."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    client.cookies = cookies
