"""A guest with rows of every kind, the user whose book the guest's phone opens, and their merge."""

from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement
from scorekeeper.games.asszorti.hand_in_play import Announced
from sessions_app.hand_facts import Seen
from sessions_app.models import (
    Circle,
    Evening,
    HandMark,
    Member,
    Phone,
    Role,
    User,
    UserHandle,
    UserMerge,
)
from sessions_app.writers import (
    circles,
    evenings,
    import_rows,
    keys,
    members,
    phones,
    players,
    repayments,
    users,
)
from sessions_app.writers.import_kinds import KINDS
from tests import moves
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import book, everything
from tests.views.scene import EMPTY_BOOK


def rich(guest: User) -> Evening:
    """Let the guest have written whatever can be written."""
    evening = evening_of(guest)
    record(evening, guest)
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=guest)
    circle = evening.circle_id
    anna = evening.seats.get(position=0).player_id
    players.rename(circle, anna, "Annuska", by=guest)
    circles.save_profile(circle, evening.game_key, "Friday", "", by=guest)
    members.make_link(circle, Role.KEEPER, by=guest)
    row = book(evening, guest, repayments.Wanted(anna, evening.seats.get(position=1).player_id, 5, "HUF")).row
    repayments.undo(circle, row.pk, by=guest)
    said = Announced(2, 0, Announcement(Contract.TWO, Trump.HEARTS))
    moves.announce(evening.pk, said, seen=Seen(2, 0), by=guest, token=uuid4())
    Phone.objects.create(user=guest)
    phones.make_link(guest)
    UserHandle.objects.create(user=guest, handle=b"handle").passkeys.create(
        credential_id=b"id", public_key=b"", rp_id="localhost"
    )
    keys.make_spare_key(guest.pk)
    import_rows.open_import(guest, stored(), file_name="book.json", circle=None)
    former = MemberFactory(user=guest)
    MemberFactory(circle=former.circle, role=Role.OWNER)
    members.leave(former)
    merged_before = UserFactory()
    Phone.objects.create(user=merged_before)
    users.merge(merged_before.pk, guest.pk)
    return evening


def stored() -> import_rows.Stored:
    return KINDS["book"].stored(BytesIO(EMPTY_BOOK.encode()), lambda: True)


def member_of(circle: Circle, user: User, role: Role = Role.KEEPER, **more: Any) -> Member:
    member: Member = MemberFactory(circle=circle, user=user, role=role, **more)
    return member


def merge_of(guest: User, user: User) -> UserMerge:
    users.merge(guest.pk, user.pk)
    return UserMerge.objects.get(guest=guest, user=user)


def rows() -> dict[str, list[dict[str, Any]]]:
    """All there is, but for the counters that each write raises, and the merges."""
    counters = {"version", "ended_version", "repayment_version"}
    found = everything()
    for model in ("Circle", "Evening"):
        found[model] = [{name: row[name] for name in row.keys() - counters} for row in found[model]]
    return found | {"UserMerge": []}


@pytest.fixture
def guest() -> User:
    guest: User = UserFactory()
    Phone.objects.create(user=guest)
    return guest


@pytest.fixture
def user(owner: User) -> User:
    """The one whose book the guest's phone opens."""
    Phone.objects.create(user=owner)
    return owner
