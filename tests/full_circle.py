"""A circle in which every table has rows, by the program's own writers; and its kinds of rows one by one."""

from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from typing import Any, Final
from uuid import uuid4

from django.utils import timezone

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement
from scorekeeper.games.asszorti.hand_in_play import Announced
from sessions_app.hand_facts import Seen
from sessions_app.models import (
    Circle,
    Evening,
    HandMark,
    HouseProfile,
    Import,
    ImportMade,
    Invite,
    Member,
    OwnershipClaim,
    Phone,
    Player,
    Repayment,
    Role,
    User,
    UserHandle,
)
from sessions_app.writers import circles, evenings, import_rows, members, phones, players, repayments, users
from sessions_app.writers.import_kinds import KINDS
from tests import moves
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import edit

#: A book without a session.
EMPTY_BOOK: Final = (
    '{"circle":{"cash_coins":{},"is_demo":false,"name":"Mondays"},"format":"strigula book","house_profiles":[],'
    '"payments":[],"players":[],"sessions":[],"version":1}'
)


@dataclass(frozen=True)
class FullCircle:
    """A circle with an evening of three that has ended, one of four in which a hand is played, and all else."""

    circle: Circle
    ended: Evening
    running: Evening
    paid: Repayment
    opening: Repayment
    merged: Player
    profile: HouseProfile
    keeper: Member
    claim: OwnershipClaim
    invited: Invite


def full_circle(owner: User, names: tuple[str, str, str] = ("Anna", "Béla", "Cili")) -> FullCircle:
    """Write one as its owner. The third player has another name too; the keeper, who is the second, claims it."""
    ended = evening_of(owner, names)
    for _hand in range(3):
        record(ended, owner, declarer=0)
    evenings.mark_hand(ended.pk, 1, HandMark.Kind.HM, by=owner)
    evenings.end(ended.pk)
    now = (names[0], names[1], f"{names[2]} K.")
    edit(ended, owner, title="Name day", stake=Decimal(20), names=now)  # the result of before is kept
    circle, (_one, other, third) = ended.circle, ended.seats.order_by("position").values_list("player", flat=True)
    running = evening_of(owner, (*now, "Dani"), currency="EUR")
    said = Announced(0, 1, Announcement(Contract.TWO, Trump.HEARTS))
    moves.announce(running.pk, said, seen=Seen(1, 0), by=owner, token=uuid4())
    running.refresh_from_db()
    paid = pay(ended, owner, evenings=(ended.pk,))
    opening, undone = pay(ended, owner, kind=Repayment.Kind.OPENING), pay(ended, owner)
    repayments.undo(circle.pk, undone.pk, by=owner)
    merged = Player.objects.create(circle=circle, name=names[2])
    players.merge(circle.pk, third, merged.pk, by=owner)
    profile = circles.save_profile(circle.pk, "asszorti", "Home", "", by=owner)
    keeper, removed = (MemberFactory(circle=circle, player_id=other) for _phone in range(2))
    members.remove(circle.pk, removed.pk)
    members.make_link(circle.pk, Role.KEEPER, by=owner)
    invited = members.make_link(circle.pk, Role.VIEWER, by=owner)
    members.claim(keeper)
    brought = Import.objects.create(user=owner, circle=circle, kind="book", state="taken", closed_at=timezone.now())
    ImportMade.objects.create(of=brought, what=ImportMade.What.PLAYER, key=third)
    claim = OwnershipClaim.objects.get(circle=circle)
    return FullCircle(circle, ended, running, paid, opening, merged, profile, keeper, claim, invited)


def pay(evening: Evening, by: User, units: int = 20, *, seats: tuple[int, int] = (1, 0), **more: Any) -> Repayment:
    """Book a payment in forints of one seat's player to another's."""
    payer, payee = (evening.seats.get(position=seat).player_id for seat in seats)
    wanted = repayments.Wanted(payer, payee, units, "HUF", **more)
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row


def stored() -> import_rows.Stored:
    """An empty book as it was sent."""
    return KINDS["book"].stored(BytesIO(EMPTY_BOOK.encode()), lambda: True)


def rows_of_user(user: User) -> None:
    """Let a user have all that a user alone has: phones, keys, an open import, a circle left, a guest taken along."""
    Phone.objects.create(user=user)
    phones.make_link(user)
    UserHandle.objects.create(user=user, handle=b"handle").passkeys.create(
        credential_id=b"id", public_key=b"", rp_id="localhost"
    )
    phones.make_spare_key(user.pk)
    import_rows.open_import(user, stored(), file_name="book.json", circle=None)
    former = MemberFactory(user=user)
    MemberFactory(circle=former.circle, role=Role.OWNER)
    members.leave(former)
    take_along(UserFactory(), user)


def take_along(guest: User, user: User) -> None:
    """Let the guest's phone have opened the user's book."""
    Phone.objects.create(user=guest)
    users.merge(guest.pk, user.pk)
