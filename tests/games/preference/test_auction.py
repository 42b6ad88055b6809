"""The auction, against the words of docs/rules/preference.md §3 and against a model that is written another way."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.auction import Spoken
from scorekeeper.games.errors import IllegalMove, Message
from scorekeeper.games.preference.auction import BIDS, Auction, Call, is_below_ladder
from tests.games.auction_model import AuctionModel, Said, has_the_bid
from tests.games.refusals import code, refusal
from tests.games.vectors import referee_vectors

SEATS = (1, 2, 0)
NAMES = dict(zip("ABC", SEATS, strict=True))
BIDS_OF = {level: [f"{level}{strain}" for strain in "SCDHN"] for level in range(6, 11)}
LADDER = [*BIDS_OF[6], *BIDS_OF[7], *BIDS_OF[8], "M", *BIDS_OF[9], *BIDS_OF[10]]


def played(*calls: str) -> Auction:
    return Auction.from_text(" ".join(("1-2-0", *calls)))


def spelled_out(words: list[str]) -> tuple[str, ...]:
    """`6D-6N pass` as 6D 6H 6N pass."""
    spelled = list[str]()
    for word in words:
        low, dash, high = word.partition("-")
        spelled += LADDER[LADDER.index(low) : LADDER.index(high) + 1] if dash else [word]
    return tuple(spelled)


@pytest.mark.parametrize(("given_calls", "expected"), referee_vectors("preference", "auction.txt"))
def test_auction_follows_the_vectors(given_calls: str, expected: str) -> None:
    auction = Auction(SEATS)
    try:
        for spoken in filter(None, given_calls.split(", ")):
            name, call = spoken.split(" ")
            auction = auction.call(NAMES[name], Call(call))
    except IllegalMove:
        pytest.fail(f"{given_calls} was refused")
    match expected.split():
        case [_name, "names", contract, "refused", why]:
            assert refusal(lambda: auction.check(Call(contract))).code == why
        case [name, call, "refused", why]:
            assert refusal(lambda: auction.call(NAMES[name], Call(call))).code == why
        case ["passed", "out"]:
            assert (auction.is_passed_out, auction.declarer, auction.contracts_allowed) == (True, None, ())
        case [name, "plays", *contracts]:
            assert (auction.is_over, auction.declarer) == (True, NAMES[name])
            assert auction.contracts_allowed == spelled_out(contracts)
        case [name, *calls]:
            assert auction.to_call == NAMES[name.removesuffix(":")]
            assert auction.legal_calls == spelled_out(calls)


# --- a model: it takes a player for passed who bid mizer and was outbid, and excepts 6♠ from "here" ---


def standing_bid(said: Said) -> str | None:
    return next((call for _name, call in reversed(said) if call in LADDER), None)


class Model(AuctionModel):
    def still_in(self, said: Said) -> str:
        outbid = "" if standing_bid(said) == "M" else "".join(name for name, call in said if call == "M")
        return "".join(name for name in super().still_in(said) if name not in outbid)

    def allowed(self, said: Said, name: str) -> set[str]:
        bid, holder = standing_bid(said), has_the_bid(said)
        found = {"pass", *(LADDER[LADDER.index(bid) + 1 :] if bid else LADDER)}
        if any(speaker == name for speaker, _call in said):
            found -= {"M"}
        if holder and self.still_in(said) == name + holder and bid not in ("6S", "M"):
            found |= {"here"}
        return found


MODEL = Model()


def agree(auction: Auction, said: Said) -> None:
    """Return whether the referee and the model say the same of one point of an auction."""
    name = MODEL.speaks_next(said)
    expected = {(NAMES[name], call) for call in MODEL.allowed(said, name)} if name else set()
    assert {(auction.to_call, call) for call in auction.legal_calls} == expected, said
    taken = {(seat, call.value) for seat, call in product((*SEATS, 3), Call) if not code(auction.call, seat, call)}
    assert taken == expected, said
    assert (auction.bid, auction.holder) == (standing_bid(said), NAMES.get(has_the_bid(said)))
    assert set(auction.passed) == {NAMES[each] for each in "ABC" if each not in MODEL.still_in(said)}
    assert auction.is_over == (name is None)
    if auction.is_over:
        agree_on_the_end(auction, said)
    else:
        assert (auction.is_passed_out, auction.declarer, auction.contracts_allowed) == (False, None, ())


def agree_on_the_end(auction: Auction, said: Said) -> None:
    bid = standing_bid(said)
    assert auction.declarer == NAMES.get(MODEL.still_in(said))
    assert auction.is_passed_out == (bid is None) == (MODEL.still_in(said) == "")
    contracts = [each for each in LADDER[LADDER.index(bid) :] if each != "M"] if bid else []
    assert list(auction.contracts_allowed) == (["M"] if bid == "M" else contracts)


def test_every_auction_with_a_few_of_the_bids_is_as_in_the_model() -> None:
    found = list(MODEL.every_auction({"6S", "6C", "7D", "M", "9S", "10N", "here", "pass"}))
    for said, calls in found:
        agree(played(*calls), said)
    assert len(found) == len({calls for _said, calls in found}) > 500


def drawn(chance: st.DataObject) -> Iterator[tuple[Said, Auction]]:
    """A random auction, point by point, to its end. Small steps up are as likely as jumps."""
    said, auction = list[tuple[str, str]](), Auction(SEATS)
    yield said, auction
    while name := MODEL.speaks_next(said):
        steps = [call for call in ("here", *LADDER) if call in MODEL.allowed(said, name)]
        call = chance.draw(st.sampled_from(["pass", *steps[:3], *steps]))
        said, auction = MODEL.with_silent_passes([*said, (name, call)]), auction.call(NAMES[name], Call(call))
        yield said, auction


@given(st.data())
def test_every_auction_with_any_bids_ends_as_in_the_model(chance: st.DataObject) -> None:
    for said, auction in drawn(chance):
        agree(auction, said)
        assert Auction.from_text(auction.to_text()) == auction
        if auction.to_call is not None:
            assert auction.call(auction.to_call, auction.legal_calls[0]).undo() == auction
    assert auction.is_over
    # Every bid once, "here" at most over each, and three passes.
    assert len(auction.calls) <= 2 * len(BIDS) + 3


# --- the ladder, exhaustively -------------------------------------------------------------------------------


def test_only_the_higher_of_two_bids_goes_over_the_other() -> None:
    for (low, one), (high, other) in product(enumerate(BIDS[:-1]), enumerate(BIDS)):
        refused = code(played(one).call, 2, other)
        assert refused == (None if high > low else "not_higher"), (one, other)
    assert {code(played(BIDS[-1]).call, 2, other) for other in BIDS} == {"auction_over"}


def test_every_bid_allows_the_contracts_not_below_it_and_a_mizer_if_it_was_one() -> None:
    for (low, bid), (high, contract) in product(enumerate(BIDS), repeat=2):
        auction = played("pass", "pass", bid)
        may = (bid is Call.MIZER) == (contract is Call.MIZER) and high >= low
        assert (contract in auction.contracts_allowed) == may == (code(auction.check, contract) is None), (
            bid,
            contract,
        )


def test_every_bid_but_a_mizer_is_taken_over() -> None:
    for bid in BIDS[1:]:
        assert code(played("6S", "pass", bid).call, 1, Call.HERE) == ("here_over_mizer" if bid is Call.MIZER else None)


@pytest.mark.parametrize("lowest", [6, 7, 10])
def test_exit_ladder_warns_of_every_lower_bid(lowest: int) -> None:
    below = LADDER[: LADDER.index(f"{lowest}S")]
    assert [bid for bid in BIDS if is_below_ladder(bid, lowest)] == below


# --- refusals and the small things --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "seat", "call", "message"),
    [
        ("7S", 2, Call.S6, ("not_higher", {"call": "6S", "bid": "7S"})),
        ("", 1, Call.HERE, ("nothing_to_take", {"call": "here"})),
        ("7S", 0, Call.PASS, ("not_your_turn", {"seat": 0, "turn": 2})),
    ],
)
def test_refusal_names_the_call_and_the_bid(before: str, seat: int, call: Call, message: Message) -> None:
    assert refusal(lambda: played(*before.split()).call(seat, call)) == message


def test_refusal_names_the_contract_and_the_least() -> None:
    auction = played("pass", "pass", "7S")
    assert refusal(lambda: auction.check(Call.S6)) == ("contract_too_low", {"contract": "6S", "least": "7S"})
    assert refusal(lambda: auction.check(Call.PASS)).code == "contract_too_low"


def test_undo_opens_a_finished_auction_again_and_spoken_says_who_said_what() -> None:
    assert refusal(played().undo).code == "nothing_to_undo"
    auction = played("6S", "pass", "10N", "here")
    assert auction.is_over
    assert (auction.undo().to_call, auction.undo().holder) == (1, 0)
    assert auction.spoken == ((1, "6S"), (2, "pass"), (0, "10N"), (1, "here"))
    assert all(isinstance(one, Spoken) for one in auction.spoken)
