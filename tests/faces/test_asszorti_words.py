"""Every code of Asszorti's rules has its words. The codes are collected by counting deals of every kind."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from django.utils import translation

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump, deal_from_text, score
from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import InvalidDeal, Message
from sessions_app.faces.asszorti.words import ARRIVAZS, CONTRACTS, TRUMPS, refusal, result, step
from sessions_app.faces.kontra_words import KONTRAS, SHORT_KONTRAS
from sessions_app.words.wording import who_pays

LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])
SPLITS: list[Any] = [
    (tricks, left, right) for tricks in (-1, 0, 2, 3, 6, 7, 11, 12) for left in (None, 0, 5) for right in (None, 0, 5)
]


def deals() -> Iterator[Deal | InvalidDeal]:
    """Deals of every kind, or why they cannot be."""
    for trump, tricks, arrivazs, kontra in product(
        (Trump.HEARTS, Trump.NONE, "x"), SPLITS, Arrivazs, (Kontra.NONE, Kontra.KONTRA)
    ):
        try:
            yield Deal(Contract.TWO, trump, tricks, kontra, arrivazs, kontra)
        except InvalidDeal as invalid:
            yield invalid


def refusals() -> dict[str, Message]:
    invalid = (deal for deal in deals() if isinstance(deal, InvalidDeal))
    return {message.code: message for deal in invalid for message in deal.errors.values()}


def lines() -> dict[tuple[str, bool], ScoreLine]:
    """A line of each code, for a plus and for a minus."""
    possible = (deal for deal in deals() if isinstance(deal, Deal))
    return {(line.code, line.amount > 0): line for deal in possible for line in score(deal).lines}


def test_the_rules_give_no_other_codes_than_are_known_here() -> None:
    assert refusals().keys() == {
        "unknown",
        "tricks_range",
        "tricks_sum",
        "split_half",
        "split_needed",
        "idegen_no_trumps",
        "arrivazs_few_tricks",
        "arrivazs_all_tricks",
        "kontra_unannounced",
    }
    assert {code for code, _plus in lines()} == {"base", "overtricks", "kontra", "deduction", "won", "lost", "idegen"}


@LANGUAGES
def test_every_refusal_of_the_rules_is_a_sentence(language: str) -> None:
    with translation.override(language):
        sentences = {code: refusal(message) for code, message in refusals().items()}
    assert all(sentences.values())
    assert len(set(sentences.values())) == len(sentences)
    assert not any("%" in sentence for sentence in sentences.values())


@LANGUAGES
def test_every_step_of_a_count_has_words(language: str) -> None:
    with translation.override(language):
        words = {code: step(line) for code, line in lines().items()}
    assert all(words.values())
    assert not any("%" in text for text in words.values())
    assert words["base", True] != words["base", False]
    assert words["overtricks", True] != words["overtricks", False]


@LANGUAGES
@pytest.mark.parametrize(
    ("words", "kinds"),
    [(CONTRACTS, Contract), (TRUMPS, Trump), (KONTRAS, Kontra), (SHORT_KONTRAS, Kontra), (ARRIVAZS, Arrivazs)],
)
def test_every_value_of_the_rules_has_a_name_of_its_own(language: str, words: dict[Any, Any], kinds: Any) -> None:
    with translation.override(language):
        names = {kind: str(words[kind]) for kind in kinds}
    assert all(names.values())
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (Message("tricks_sum", {"sum": 12}), "The tricks add up to 12; there are 11."),
        (
            Message("arrivazs_few_tricks", {"tricks": 1}),
            "An arrivázs is won with the last three tricks; the declarer has only 1.",
        ),
    ],
)
def test_a_refusal_says_the_figures(message: Message, sentence: str) -> None:
    with translation.override("en"):
        assert refusal(message) == sentence


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (ScoreLine("game", "base", {"contract": "2", "trump": "hearts"}, 4), "2, hearts"),
        (ScoreLine("game", "base", {"contract": "hand", "trump": "none"}, -16), "from hand, no trumps: lost"),
        (ScoreLine("game", "overtricks", {"count": 1, "each": 2}, 2), "1 trick above six, 2 each"),
        (ScoreLine("game", "overtricks", {"count": 2, "each": 2}, 4), "2 tricks above six, 2 each"),
        (ScoreLine("game", "overtricks", {"count": 1, "each": 2}, -2), "1 trick above six for the opponents, 2 each"),
        (ScoreLine("game", "overtricks", {"count": 3, "each": 1}, -3), "3 tricks above six for the opponents, 1 each"),
        (ScoreLine("game", "kontra", {"kontra": 3, "factor": 8}, 28), "szubkontra ×8"),
        (ScoreLine("game", "deduction", {"base": 4}, -4), "6:5:0: the undoubled base is deducted"),
        (ScoreLine("arrivazs", "won", {}, 8), "arrivázs won"),
        (ScoreLine("arrivazs", "lost", {}, -8), "arrivázs lost"),
        (ScoreLine("arrivazs", "idegen", {}, 16), "idegen arrivázs: no trump in the last three"),
    ],
)
def test_a_step_says_its_figures(line: ScoreLine, words: str) -> None:
    with translation.override("en"):
        assert step(line) == words


@pytest.mark.parametrize(
    ("deal", "written"),
    [("2H 11", "+5"), ("2H 7", "+1"), ("2H 6-3-2", "="), ("2H 6-5-0", "="), ("2H 5", "−1"), ("2H 0", "−6")],
)
def test_a_result_is_written_against_six(deal: str, written: str) -> None:
    assert result(deal_from_text(deal)) == written


@LANGUAGES
@pytest.mark.parametrize(
    ("amounts", "said"),
    [
        ((-56, 112, -56), "Béla +112 · Anna −56 · Cili −56"),
        ((12, -24, 12), "Anna +12 · Cili +12 · Béla −24"),
        ((None, 4, -4), "Béla +4 · Cili −4"),
        ((Fraction(-7, 3), Fraction(2, 3), Fraction(5, 3)), "Béla +⅔ · Cili +1⅔ · Anna −2⅓"),
    ],
)
def test_payers_line_names_winners_first_and_parts_no_name_from_its_figure(
    amounts: tuple[Fraction | int | None, ...], said: str, language: str
) -> None:
    with translation.override(language):
        written = who_pays(amounts, ["Anna", "Béla", "Cili"])
    assert written.replace("\N{NO-BREAK SPACE}", " ") == said
    assert written.split(" ")[0].endswith("\N{NO-BREAK SPACE}·"), "a line breaks after a dot only"


@pytest.mark.parametrize(("language", "said"), [("en", "Nobody pays anybody."), ("hu", "Senki sem fizet senkinek.")])
def test_payers_line_of_a_hand_without_points_says_that_nobody_pays(language: str, said: str) -> None:
    with translation.override(language):
        assert who_pays((0, None, 0), ["Anna", "Béla", "Cili"]) == said
