"""The contract that a declarer names, and the answers to it, against vectors and a model."""

from collections.abc import Iterator
from itertools import product

import pytest

from scorekeeper.games.errors import MalformedState
from scorekeeper.games.preference import Strain
from scorekeeper.games.preference.announcing import Answer, Defender, Named, Whisting
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.house_rules import BOOK, HOUSE_RULES, Rules, Ten
from tests.games.refusals import code, refusal
from tests.games.vectors import referee_vectors


def whisting_of(contract: str, answers: str = "", rules: Rules = BOOK) -> Whisting:
    named = Named.from_text(contract)
    assert named.level is not None
    return Whisting(named.level, named.strain, tuple(map(Answer, answers.split())), rules)


@pytest.mark.parametrize(("given_contract", "given_answers", "expected"), referee_vectors("preference", "whisting.txt"))
def test_answers_follow_the_vectors(given_contract: str, given_answers: str, expected: str) -> None:
    contract, *switches = given_contract.split()
    whisting = whisting_of(contract, rules=HOUSE_RULES.read(" ".join(switches)))
    for said in filter(None, given_answers.split(", ")):
        assert whisting.to_answer is not None
        whisting = whisting.answer(whisting.to_answer, Answer(said))
    match expected.split():
        case ["=", result]:
            assert (whisting.result, whisting.is_over, whisting.to_answer) == (result, True, None)
        case [who, said, "refused", why]:
            assert refusal(lambda: whisting.answer(Defender(who), Answer(said))).code == why
        case [who, *answers]:
            assert whisting.to_answer == Defender(who.removesuffix(":"))
            assert whisting.legal_answers == tuple(map(Answer, answers))
            assert (whisting.result, whisting.is_over) == (None, False)


# --- every contract, in every house, and all that can be answered ---------------------------------------------

CONTRACTS = [(level, strain) for level in range(6, 11) for strain in (*Strain, None)]
HOUSES = [
    Rules(half_whist=half, stalingrad=stalingrad, ten=ten)
    for half, stalingrad, ten in product((True, False), (True, False), Ten)
]


def come_to(level: int, strain: Strain | None, rules: Rules) -> dict[str, str]:
    """All legal sequences of answers, and their results."""
    if level == 10 and rules.ten is Ten.CHECKED:
        return {"": "cc"}
    if rules.stalingrad and (level, strain) == (6, Strain.SPADES):
        return {"": "ww"}
    endings = {"whist whist": "ww", "whist pass": "wp", "pass whist": "pw", "pass pass": "pp"}
    if rules.half_whist and level < 8:
        endings |= {"pass half pass": "ph", "pass half whist": "rh"}
    return endings


def every_whisting() -> Iterator[tuple[Whisting, dict[str, str]]]:
    for (level, strain), rules in product(CONTRACTS, HOUSES):
        if not (rules.stalingrad and level == 6 and strain is None):
            endings = come_to(level, strain, rules)
            for said in {" ".join(ending.split()[:at]) for ending in endings for at in range(4)}:
                yield Whisting(level, strain, tuple(map(Answer, said.split())), rules), endings


ALL = list(every_whisting())


def test_every_answer_at_every_point_is_taken_or_refused_as_in_the_model() -> None:
    for whisting, endings in ALL:
        said = list(whisting.answers)
        goes_on = {
            ending.split()[len(said)] for ending in endings if ending.split()[: len(said)] == said != ending.split()
        }
        speaker = "second" if len(said) == 1 else "first"
        expected = {(speaker, answer) for answer in goes_on}
        taken = {(who, each) for who, each in product(Defender, Answer) if not code(whisting.answer, who, each)}
        assert taken == expected, whisting
        assert set(whisting.legal_answers) == goes_on
        assert whisting.result == endings.get(" ".join(said))
        assert whisting.is_over == (whisting.to_answer is None) == (not goes_on)


# --- refusals and the small things ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "answers", "rules", "why"),
    [
        ("6", "", Rules(stalingrad=True), "strain_needed"),
        ("6S", "half", BOOK, "answers_impossible"),
        ("6S", "whist half", BOOK, "answers_impossible"),
        ("6S", "whist whist whist", BOOK, "answers_impossible"),
        ("6S", "pass half half", BOOK, "answers_impossible"),
        ("8S", "pass half", BOOK, "answers_impossible"),
        ("6S", "pass half", Rules(half_whist=False), "answers_impossible"),
        ("6S", "whist", Rules(stalingrad=True), "answers_impossible"),
        ("10S", "whist", Rules(ten=Ten.CHECKED), "answers_impossible"),
    ],
)
def test_answers_that_cannot_have_been_given_are_refused_and_so_is_a_six_that_needs_its_strain(
    contract: str, answers: str, rules: Rules, why: str
) -> None:
    assert refusal(lambda: whisting_of(contract, answers, rules)).code == why


def test_every_bid_can_be_named_and_has_one_text_and_nothing_else_is_a_contract() -> None:
    for bid in tuple(Call)[:26]:
        named = Named.from_text(bid)
        assert (named.to_text(), named.highest) == (bid, bid)
    for text in ("here", "pass", "6X", "M6", "m", "06", "6 S", ""):
        with pytest.raises(MalformedState):
            Named.from_text(text)
    assert [Named(level).highest for level in (6, 10)] == [Call.N6, Call.N10]
    for level, strain in ((5, None), (11, None), (0, Strain.SPADES), (None, Strain.SPADES)):
        with pytest.raises(ValueError, match="is no contract"):
            Named(level, strain)
