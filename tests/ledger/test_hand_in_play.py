"""The writer of the hand in play: each tap is written once, on the state that its page showed, or not at all."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Auction, Call, Doubling, Item
from scorekeeper.games.asszorti.hand_in_play import Announced, HandState
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.errors import IllegalMove
from sessions_app.errors import EveningEnded, StaleHand
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.writers import evenings, ledger
from tests import moves
from tests.factories import begun
from tests.ledger.books import assert_verified, at_once, nothing_written
from tests.moves import seen

TWO_HEARTS = Announcement(Contract.TWO, Trump.HEARTS)
BELA_PLAYS = Announced(0, 1, TWO_HEARTS)
TOKEN = UUID(int=7)


@pytest.fixture
def noting(owner: User) -> Callable[..., None]:
    """Write as a phone that has just looked."""

    def note(evening: Evening, write: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        write(evening.pk, *args, seen=seen(evening), by=owner, **kwargs)

    return note


@pytest.fixture
def announced(evening: Evening, noting: Callable[..., None]) -> Evening:
    """Béla plays 2 hearts."""
    noting(evening, moves.announce, BELA_PLAYS, token=TOKEN)
    return evening


def hand(evening: Evening) -> HandState:
    return moves.read(HandInPlay.objects.get(evening=evening))


def called(call: str) -> Callable[[Auction], Auction]:
    return lambda auction: auction.call(auction.to_call if auction.to_call is not None else -1, Call(call))


def won(seat: int) -> Callable[[Play], Play]:
    return lambda play: play.won(seat)


def said(seat: int, item: Item = Item.GAME) -> Callable[[Doubling], Doubling]:
    return lambda doubling: doubling.say(seat, item)


#: Every writer but `finish`, with something that it can write at the beginning of a hand.
WRITERS: list[Callable[..., None]] = [
    lambda at, **who: moves.let_deal(at, 2, **who),
    lambda at, **who: moves.bid(at, called("3"), **who),
    lambda at, **who: moves.let_play(at, 1, **who),
    lambda at, **who: moves.announce(at, BELA_PLAYS, token=TOKEN, **who),
]
#: And with entries that it can write once the contract is announced.
LATER_WRITERS: list[Callable[..., None]] = [
    lambda at, **who: moves.announce(at, Announced(0, 2, TWO_HEARTS), token=TOKEN, **who),
    lambda at, **who: moves.unname(at, **who),
    lambda at, **who: moves.double(at, said(0), **who),
    lambda at, **who: moves.play(at, won(1), **who),
    lambda at, **who: moves.play(at, Play.claim, **who),
    lambda at, seen, by: moves.take_back(at, seen=seen),
]


@pytest.mark.parametrize("write", WRITERS)
def test_a_tap_on_another_state_than_the_one_that_is_there_writes_nothing(
    evening: Evening, owner: User, write: Callable[..., None]
) -> None:
    for shown in (Seen(1, 1), Seen(0, 0), Seen(2, 0)):
        with nothing_written(), pytest.raises(StaleHand):
            write(evening.pk, seen=shown, by=owner)
    write(evening.pk, seen=Seen(1, 0), by=owner)
    evening.refresh_from_db()
    assert evening.version == HandInPlay.objects.get().version == 2, "the hand has the evening's new version"


@pytest.mark.parametrize("write", LATER_WRITERS)
def test_an_older_state_overwrites_nothing(
    announced: Evening, owner: User, noting: Callable[..., None], write: Callable[..., None]
) -> None:
    old = seen(announced)
    noting(announced, moves.double, said(2))
    with nothing_written(), pytest.raises(StaleHand):
        write(announced.pk, seen=old, by=owner)


def test_an_ended_evening_takes_none_and_keeps_its_hand_for_when_it_is_reopened(
    announced: Evening, owner: User, noting: Callable[..., None]
) -> None:
    evenings.end(announced.pk)
    shown = seen(announced)
    for write in WRITERS + LATER_WRITERS:
        with nothing_written(), pytest.raises(EveningEnded):
            write(announced.pk, seen=shown, by=owner)
    evenings.reopen(announced.pk)
    noting(announced, moves.play, won(1))
    assert hand(announced).play == Play.from_text("1-2-0 1")


def test_old_tap_does_not_repeat_a_move_that_was_taken_back(
    announced: Evening, owner: User, noting: Callable[..., None]
) -> None:
    old = seen(announced)
    moves.take_back(announced.pk, seen=old)
    assert not HandInPlay.objects.exists()
    with nothing_written():
        moves.take_back(announced.pk, seen=Seen(1, 0))
    noting(announced, moves.announce, BELA_PLAYS, token=TOKEN)
    with pytest.raises(StaleHand):
        moves.take_back(announced.pk, seen=old)


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (lambda at, **who: moves.bid(at, called("2"), **who), "not_the_next_bid"),
        (lambda at, **who: moves.let_deal(at, 3, **who), "not_playing"),
        (lambda at, **who: moves.name(at, TWO_HEARTS, **who), "auction_not_over"),
        (lambda at, **who: moves.double(at, said(0), **who), "not_announced"),
        (lambda at, **who: moves.announce(at, Announced(3, 1, TWO_HEARTS), token=TOKEN, **who), "not_playing"),
        (lambda at, **who: moves.finish(at, token=TOKEN, **who), "not_announced"),
    ],
)
def test_move_that_the_rules_refuse_begins_no_hand_in_play(
    evening: Evening, owner: User, write: Callable[..., None], code: str
) -> None:
    with nothing_written(), pytest.raises(IllegalMove) as refused:
        write(evening.pk, seen=Seen(1, 0), by=owner)
    assert refused.value.message.code == code


def test_announcing_what_is_already_announced_changes_nothing(announced: Evening, owner: User) -> None:
    """The answer to the first was lost, or two phones announce the same: neither is refused."""
    with nothing_written():
        moves.announce(announced.pk, BELA_PLAYS, seen=Seen(1, 0), by=owner, token=TOKEN)
        moves.announce(announced.pk, BELA_PLAYS, seen=seen(announced), by=owner, token=uuid4())


@pytest.mark.parametrize("finished_by", ["the referee", "the form", "another form"])
def test_recording_a_hand_by_any_member_deletes_the_hand_in_play(
    announced: Evening, owner: User, noting: Callable[..., None], finished_by: str
) -> None:
    assert HandInPlay.objects.get().token == TOKEN, "that of the form that announced it"
    noting(announced, moves.play, Play.claim)
    noting(announced, moves.play, Play.stands)
    if finished_by == "the referee":
        moves.finish(announced.pk, seen=seen(announced), token=TOKEN, by=owner)
    else:
        token = TOKEN if finished_by == "the form" else uuid4()
        ledger.record(announced.pk, token=token, number=1, facts=Facts(0, 1, "2H 11-0-0"), by=owner)
    assert Hand.objects.get().deal == "2H 11-0-0"
    assert not HandInPlay.objects.exists()
    assert_verified()


def test_hand_that_is_thrown_in_deletes_the_auction_of_its_own_evening_alone(announced: Evening, owner: User) -> None:
    again = begun(owner)
    moves.bid(again.pk, called("3"), seen=Seen(1, 0), by=owner)
    row = HandInPlay.objects.get(evening=again)
    assert (row.number, row.dealer, row.state.get("auction"), row.changed_by) == (1, 0, "1-2-0 3", owner)
    ledger.record(again.pk, token=uuid4(), number=1, facts=Facts(0, deal_stays=True), by=owner)
    assert HandInPlay.objects.get().evening == announced


def test_hand_is_finished_once_it_is_over_and_as_it_was_shown(
    announced: Evening, owner: User, noting: Callable[..., None]
) -> None:
    with nothing_written(), pytest.raises(IllegalMove) as refused:
        moves.finish(announced.pk, seen=seen(announced), token=TOKEN, by=owner)
    assert refused.value.message.code == "hand_unfinished"
    noting(announced, moves.play, Play.claim)
    noting(announced, moves.play, Play.stands)
    shown = seen(announced)
    noting(announced, moves.double, said(0))
    with nothing_written(), pytest.raises(StaleHand):
        moves.finish(announced.pk, seen=shown, token=TOKEN, by=owner)
    shown = seen(announced)
    first = moves.finish(announced.pk, seen=shown, token=TOKEN, by=owner)
    with nothing_written():
        assert moves.finish(announced.pk, seen=shown, token=TOKEN, by=owner) == first


@pytest.mark.django_db(transaction=True)
def test_a_trick_and_the_end_of_the_hand_at_once_do_not_mix(owner: User, evening: Evening) -> None:
    moves.announce(evening.pk, BELA_PLAYS, seen=Seen(1, 0), by=owner, token=TOKEN)
    shown = seen(evening)
    facts = Facts(0, 1, "2H 7")
    trick, recorded = at_once(
        [
            lambda: moves.play(evening.pk, won(2), seen=shown, by=owner),
            lambda: ledger.record(evening.pk, token=TOKEN, number=1, facts=facts, by=owner),
        ]
    )
    assert trick is None or isinstance(trick, StaleHand)
    assert isinstance(recorded, Hand)
    assert not HandInPlay.objects.exists()
    assert_verified()
