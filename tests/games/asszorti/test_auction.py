"""The auction, against the examples of docs/rules/asszorti.md §2 and against a model that is written another way."""

from itertools import product

import pytest

from scorekeeper.games.asszorti import Contract
from scorekeeper.games.asszorti.announcing import Auction, Call
from scorekeeper.games.asszorti.deal import Sides
from scorekeeper.games.auction import Spoken
from scorekeeper.games.errors import Message
from tests.games.auction_model import AuctionModel, Said, has_the_bid
from tests.games.refusals import code, refusal
from tests.games.vectors import referee_vectors

SEATS = (1, 2, 0)
NAMES = dict(zip("ABC", SEATS, strict=True))


def played(*calls: str) -> Auction:
    return Auction.from_text(" ".join(("1-2-0", *calls)))


@pytest.mark.parametrize(("given_calls", "expected"), referee_vectors("asszorti", "auction.txt"))
def test_auction_follows_the_vectors(given_calls: str, expected: str) -> None:
    auction = Auction(SEATS)
    for spoken in filter(None, given_calls.split(", ")):
        name, call = spoken.split(" ")
        auction = auction.call(NAMES[name], Call(call))
    match expected.split(" "):
        case [name, call, "refused", why]:
            assert refusal(lambda: auction.call(NAMES[name], Call(call))).code == why
        case [name, "plays", *contracts]:
            assert (auction.is_over, auction.declarer) == (True, NAMES[name])
            assert auction.contracts_allowed == tuple(map(Contract, contracts))
        case [name, *calls]:
            assert auction.to_call == NAMES[name.removesuffix(":")]
            assert set(auction.legal_calls) == set(map(Call, calls))


# --- every sequence of calls, against a model ---

LADDER = ["3", "2", "1", "hand"]


def bids(said: Said) -> list[str]:
    return [call for _name, call in said if call in LADDER]


def first_turn(said: Said, name: str) -> int:
    """Return the turn in which a player spoke first; the last one, if he has not yet."""
    return [*(speaker for speaker, _call in said), name].index(name)


class Model(AuctionModel):
    def allowed(self, said: Said, name: str) -> set[str]:
        if not bids(said):
            return {"3", "pass"}
        if first_turn(said, name) < first_turn(said, has_the_bid(said)):
            return {"hold", "pass"}
        return {"pass", *LADDER[LADDER.index(bids(said)[-1]) + 1 :][:1]}

    def is_over(self, said: Said) -> bool:
        """After two passes, of which the last may be before any bid: the third must play."""
        return len(self.still_in(said)) == 1


MODEL = Model()
ALL = list(MODEL.every_auction(Call))


def test_every_call_at_every_point_is_taken_or_refused_as_in_the_model() -> None:
    for said, calls in ALL:
        auction = played(*calls)
        name = MODEL.speaks_next(said)
        expected = {(NAMES[name], call) for call in MODEL.allowed(said, name)} if name else set()
        tried = product((*SEATS, 3), Call)
        taken = {(seat, call.value) for seat, call in tried if not code(auction.call, seat, call)}
        assert taken == expected, calls
        assert {(auction.to_call, call) for call in auction.legal_calls} == expected, calls
        assert Auction.from_text(auction.to_text()) == auction
        assert not calls or auction.undo() == played(*calls[:-1])
        assert auction.is_over == (name is None)
        if not auction.is_over:
            assert (auction.declarer, auction.contracts_allowed) == (None, ())
            continue
        final = bids(said)[-1] if bids(said) else None
        assert auction.declarer == NAMES[MODEL.still_in(said)]
        assert [c.value for c in auction.contracts_allowed] == LADDER[LADDER.index(final) if final else 0 :]
        assert auction.is_forced == (final is None)


# --- refusals and the small things --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "seat", "call", "message"),
    [
        ("3", 2, Call.HAND, ("not_the_next_bid", {"call": "hand", "bid": "3", "next": "2"})),
        ("", 1, Call.TWO, ("not_the_next_bid", {"call": "2", "next": "3"})),
        ("3", 0, Call.PASS, ("not_your_turn", {"seat": 0, "turn": 2})),
        ("3 2 pass", 1, Call.ONE, ("hold_or_pass", {"call": "1", "bid": "2"})),
    ],
)
def test_refusal_names_what_may_be_called_instead(before: str, seat: int, call: Call, message: Message) -> None:
    assert refusal(lambda: played(*before.split()).call(seat, call)) == message


def test_contract_is_the_final_bid_or_higher() -> None:
    auction = played("3", "2", "pass", "pass")
    auction.check(Contract.TWO)
    auction.check(Contract.HAND)
    assert refusal(lambda: auction.check(Contract.THREE)) == ("contract_too_low", {"contract": "3", "least": "2"})
    assert refusal(lambda: played("3").check(Contract.THREE)).code == "auction_not_over"


def test_spoken_says_who_said_what() -> None:
    spoken = played("3", "pass", "2", "hold").spoken
    assert spoken == ((1, "3"), (2, "pass"), (0, "2"), (1, "hold"))
    assert all(isinstance(one, Spoken) for one in spoken)


def test_call_or_seat_that_cannot_be_is_refused() -> None:
    assert refusal(lambda: Auction(SEATS, (Call.HOLD,)).to_call).code == "calls_impossible"
    assert refusal(played().undo).code == "nothing_to_undo"
    assert refusal(lambda: Sides.of((1, 2, 3), 0)) == ("not_playing", {"seat": 0})
