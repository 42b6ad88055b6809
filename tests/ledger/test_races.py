"""Every writer beside every other, on the same circle and the same evening, at the same moment."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import cycle
from threading import Barrier
from uuid import uuid4

import pytest
from django.core import signing
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Auction
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.errors import IllegalMove, NotPlaying
from sessions_app.errors import WriteRefused
from sessions_app.hand_facts import Facts, FormState, Seen
from sessions_app.models import Circle, Evening, HandMark, Member, Phone, Role, User, UserMerge
from sessions_app.readers.evening.edit import shape_of
from sessions_app.readers.people.new_circles import DEMO_SALT
from sessions_app.writers import (
    demo,
    evening_edit,
    evenings,
    ledger,
    members,
    players,
    repayments,
    users,
)
from tests import moves
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import assert_verified, edit
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

#: The errors of a writer that comes too late, or has nothing to do.
REFUSALS = (WriteRefused, NotPlaying, IllegalMove, ObjectDoesNotExist)
NAMES = ("Anna", "Béla", "Cili")
#: SQLite lets one write at a time: there are two orders in which two can come, and no more.
ROUNDS = {"sqlite": 1, "postgresql": 2}


@dataclass(frozen=True, slots=True)
class World:
    """A table where much is going on: two evenings, one without a hand, an owner, a keeper."""

    owner: User
    keeper: User
    another_user: User
    circle: Circle
    evening: Evening
    fresh: Evening
    another: Iterator[int]

    @property
    def member(self) -> Member:
        return Member.objects.get(circle=self.circle, user=self.keeper)

    @property
    def seen(self) -> Seen:
        return moves.seen(Evening.objects.get(pk=self.evening.pk))

    @property
    def running(self) -> Evening:
        """The evening as it is, and reopened if another has ended it."""
        evenings.reopen(self.evening.pk)
        return Evening.objects.get(pk=self.evening.pk)

    def opening(self, *names: str) -> Evening:
        opening = evenings.Opening(names or NAMES, 0)
        return evenings.start(opening, token=uuid4(), by=self.keeper, circle=self.circle)

    def mend(self, evening: Evening, **wanted: object) -> None:
        edit(evening, self.keeper, **wanted)


def records(world: World) -> None:
    facts = Facts(0, next(world.another) % 3, "2H 7")
    number = world.running.last_number + 1
    ledger.record(
        world.evening.pk, token=uuid4(), number=number, facts=facts, by=world.keeper, form_state=FormState(another=True)
    )


def amends(world: World) -> None:
    deal = ("2H 5", "3S 9 A*", "1C 11")[next(world.another) % 3]
    ledger.amend(world.running.pk, 1, facts=Facts(1, 2, deal), by=world.keeper)


def voids_or_restores(world: World) -> None:
    write = (ledger.void, ledger.restore)[next(world.another) % 2]
    write(world.running.pk, 1, by=world.owner)


def marks(world: World) -> None:
    kind = list(HandMark.Kind)[next(world.another) % 2]
    evenings.mark_hand(world.evening.pk, 1, kind, by=world.keeper)


def announces(world: World) -> None:
    trump = (Trump.HEARTS, Trump.SPADES)[next(world.another) % 2]
    said = Announced(0, 1, Announcement(Contract.TWO, trump))
    moves.announce(world.running.pk, said, seen=world.seen, by=world.keeper, token=uuid4())


def bids(world: World) -> None:
    moves.take_back(world.running.pk, seen=world.seen)
    moves.bid(world.evening.pk, three_or_pass, seen=world.seen, by=world.keeper)


def three_or_pass(auction: Auction) -> Auction:
    assert auction.to_call is not None
    return auction.call(auction.to_call, auction.legal_calls[0])


def takes_away(world: World) -> None:
    stranger = f"Dóra {next(world.another)}"
    evenings.remove(world.opening("Anna", "Béla", stranger).pk, by=world.keeper)


def swaps_seats(world: World) -> None:
    seated = shape_of(world.fresh)
    world.mend(world.fresh, players=seated.players[1:] + seated.players[:1], names=seated.names[1:] + seated.names[:1])


def sits_down_or_goes_home(world: World) -> None:
    evening = world.running
    if len(evening.sitting) == len(NAMES):
        evening_edit.join_lineup(evening.pk, "Edit", evening.sitting[-1], seen=evening.seating, by=world.keeper)
    else:
        evening_edit.leave_lineup(evening.pk, 3, by=world.keeper)


def renames_and_plays_for_more(world: World) -> None:
    more = next(world.another)
    world.mend(world.evening, names=(f"Anna {more}", "Béla", "Cili", "Edit"), stake=Decimal(11 + more))


def joins(world: World) -> None:
    invite = members.make_link(world.circle.pk, Role.KEEPER, by=world.owner)
    members.join(invite, world.circle.players.earliest("pk").pk, by=world.keeper)


def says_who(world: World) -> None:
    members.ask_no_more(world.member)
    members.set_player(world.member, world.circle.players.earliest("pk").pk)


def changes_role(world: World) -> None:
    role = (Role.VIEWER, Role.KEEPER)[next(world.another) % 2]
    members.change_role(world.circle.pk, world.member.pk, role)


def follows(world: World) -> None:
    member = world.member
    member.last_seen_at = None
    members.note_presence(member)


def joins_and_clears_demos(world: World) -> None:
    offered = evenings.new_circle(world.owner, is_demo=True)
    demo.join(signing.dumps(offered.pk, salt=DEMO_SALT), world.keeper)
    for user in (world.owner, world.keeper):
        demo.clear(user)
    Member.objects.filter(circle=offered, user=world.owner).delete()
    demo.clear(world.keeper)


def pays(world: World) -> None:
    anna, bela, *_others = world.evening.seats.values_list("player", flat=True)
    wanted = repayments.Wanted(anna, bela, 1 + next(world.another), "HUF", (world.evening.pk,))
    repayments.book(world.circle.pk, wanted, token=uuid4(), by=world.keeper)


def takes_a_payment_back(world: World) -> None:
    pays(world)
    repayments.undo(world.circle.pk, world.circle.repayments.latest("pk").pk, by=world.owner)


def is_merged_and_taken_apart(world: World) -> None:
    other, _new = world.circle.players.get_or_create(name="Zoé")
    player = world.evening.seats.earliest("position").player_id
    players.merge(world.circle.pk, player, other.pk, by=world.keeper)
    players.unmerge(world.circle.pk, other.pk, by=world.keeper)


def becomes_one_with_another_user_and_two_again(world: World) -> None:
    users.merge(world.keeper.pk, world.another_user.pk)
    for merge in UserMerge.objects.filter(user=world.another_user):
        users.undo_merge(world.another_user.pk, merge.pk)


#: The writers of more than one step.
STEPS = (
    *(becomes_one_with_another_user_and_two_again, pays, takes_a_payment_back, is_merged_and_taken_apart),
    *(records, amends, voids_or_restores, marks, announces, bids, takes_away, swaps_seats, sits_down_or_goes_home),
    *(renames_and_plays_for_more, joins, says_who, changes_role, follows, joins_and_clears_demos),
)
WRITERS: dict[str, Callable[[World], object]] = {write.__name__: write for write in STEPS} | {
    "settles": lambda world: evenings.settle_doubts(world.evening.pk, 1),
    "starts": lambda world: world.opening(),
    "starts_where_they_are_known": lambda world: evenings.start(
        evenings.Opening(NAMES, 0), token=uuid4(), by=world.keeper
    ),
    "ends_or_reopens": lambda world: (evenings.end, evenings.reopen)[next(world.another) % 2](world.evening.pk),
    "revokes": lambda world: members.revoke_link(
        world.circle.pk, Role.VIEWER, by=world.circle.members.get(user=world.owner)
    ),
    "invites": lambda world: members.make_link(world.circle.pk, Role.VIEWER, by=world.keeper),
    "is_removed": lambda world: members.remove(world.circle.pk, world.member.pk),
    "leaves": lambda world: members.leave(world.member),
    "claims": lambda world: members.claim(world.member),
    "claims_to_be_the_keeper": lambda world: members.claim(world.member, world.member.pk),
    "comes_back": lambda world: members.is_back(world.keeper),
    "objects": lambda world: members.object_to_claim(world.circle.pk, world.circle.ownership_claims.latest("pk").pk),
    "takes_over": lambda world: members.take_over(world.member),
    "lays_a_demo": lambda world: demo.lay(world.keeper),
}


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("sessions_app.writers.members.OBJECTION_TIME", timedelta(0))
    monkeypatch.setattr(demo, "DAYS_AGO", (30,))  # few hands
    owner, keeper = UserFactory(), UserFactory()
    evening = evening_of(owner)
    for _ in range(3):
        record(evening, owner)
    evenings.end(evening.pk)
    evenings.reopen(evening.pk)  # payments may be for it
    MemberFactory(circle=evening.circle, user=keeper, role=Role.KEEPER)
    edit = evening_edit.join_lineup(evening.pk, "Edit", 2, seen=0, by=owner)
    evening_edit.leave_lineup(evening.pk, edit.position, by=owner)
    fresh = evenings.start(evenings.Opening(NAMES, 0), token=uuid4(), by=owner, circle=evening.circle)
    another_user = MemberFactory(circle=evening.circle, role=Role.VIEWER).user
    for user in (keeper, another_user):
        Phone.objects.create(user=user)
    return World(owner, keeper, another_user, evening.circle, evening, fresh, cycle(range(10**6)))


@pytest.mark.parametrize("first", first(2, WRITERS))
def test_two_writers_at_once_do_not_stand_in_each_others_way(
    world: World, first: str, caplog: pytest.LogCaptureFixture
) -> None:
    """None is refused but for a reason of the table's, nobody has to try again, and the books balance."""
    barrier = Barrier(2, timeout=60)

    def run(writer: str) -> Exception | None:
        barrier.wait()
        try:
            WRITERS[writer](world)
        except REFUSALS:
            pass
        except Exception as wrong:  # all of them are listed, with the two that met
            return wrong
        return None

    wrong = []
    with caplog.at_level(logging.WARNING), ThreadPoolExecutor(2) as pool:
        for second in list(WRITERS)[list(WRITERS).index(first) :]:
            for _ in range(ROUNDS[connection.vendor]):
                said = list(pool.map(run, (first, second)))
                wrong += [f"{first} beside {second}: {error!r}" for error in said if error]
                # The keeper is one again, in any state of his membership.
                again = {"role": Role.KEEPER}
                Member.objects.update_or_create(circle=world.circle, user=world.keeper, defaults=again)
        list(pool.map(lambda _: (barrier.wait(), connection.close()), range(2)))
    assert wrong == []
    assert caplog.messages == []
    assert_verified()
