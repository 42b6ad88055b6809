"""The hand form of Asszorti: every possible deal can be entered, and every impossible one gets its error."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from django.utils import translation

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Rules,
    Trump,
    deal_from_text,
    score,
)
from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import InvalidDeal, Message
from sessions_app.faces.asszorti.hand_form import HandForm, rows
from sessions_app.faces.asszorti.words import ARRIVAZS, CONTRACTS, TRUMPS, refusal, result, step
from sessions_app.faces.hand_words import KONTRAS, SHORT_KONTRAS
from sessions_app.faces.seating_form import Choice
from sessions_app.models import Evening
from sessions_app.words.wording import who_pays
from tests.factories import hand_fields
from tests.forms.errors import assert_refused, codes_of, sentences_of

NAMES = ["Anna", "Béla", "Cili", "Dóra"]
NOT_OPENED_HERE = "This form is out of date. Go back to the session and open it again."
NOBODY = "Nobody sits there."
OFFERED = "Choose one of the options."
ELEVEN = "There are eleven tricks: a number from 0 to 11."
TOO_MANY = "That is too many: there are 11 tricks in all."
SPLIT = "With 6 tricks it matters how the opponents share the other 5: choose the split."
LONG = "7" * 10_000


def posted(seats: int = 3, **fields: Any) -> HandForm:
    return HandForm(hand_fields(Evening(), **fields), names=NAMES[:seats])


#: The posted fields, the one wrong field, the code, and the sentence in English.
WRONG: list[tuple[dict[str, Any], str, str | None, str]] = [
    *(({"tricks": tricks}, "tricks", "invalid_choice", ELEVEN) for tricks in (12, -1, "x", "7.0", " 7", "\x00", LONG)),
    *(({"tricks": missing}, "tricks", "required", "How many tricks did the declarer take?") for missing in ("", None)),
    *(({"dealer": missing}, "dealer", "required", "Who deals?") for missing in ("", None)),
    *(({"declarer": missing}, "declarer", "required", "Who plays?") for missing in ("", None)),
    *(({"contract": missing}, "contract", "required", "Which contract?") for missing in ("", None)),
    *(({"trump": missing}, "trump", "required", "Which trumps, or none?") for missing in ("", None)),
    *(({"token": missing}, "token", "required", NOT_OPENED_HERE) for missing in ("", None)),
    *(({"token": token}, "token", "invalid", NOT_OPENED_HERE) for token in ("x", "0" * 31, "\x00", LONG)),
    *(({"number": missing}, "number", "required", NOT_OPENED_HERE) for missing in ("", None)),
    *(({"number": number}, "number", "min_value", NOT_OPENED_HERE) for number in (0, -1)),
    *(({"number": number}, "number", "invalid", NOT_OPENED_HERE) for number in ("x", "1.5", "NaN", "1e400", LONG)),
    ({"number": 10**6 + 1}, "number", "max_value", NOT_OPENED_HERE),
    *(({"dealer": seat}, "dealer", "invalid_choice", NOBODY) for seat in (3, -1, "x", "0.0", "\x00", LONG)),
    *(({"declarer": seat}, "declarer", "invalid_choice", NOBODY) for seat in (3, -1, "x", "0.0", "\x00", LONG)),
    *(({"contract": other}, "contract", "invalid_choice", OFFERED) for other in ("4", "HAND", "h", "\x00", LONG)),
    *(({"trump": other}, "trump", "invalid_choice", OFFERED) for other in ("Hearts", "H", "\x00", LONG)),
    *(({"game_kontra": other}, "game_kontra", "invalid_choice", OFFERED) for other in (6, -1, "x", "K", LONG)),
    *(({"arrivazs": other}, "arrivazs", "invalid_choice", OFFERED) for other in ("WON", "maybe", LONG)),
    *(({"arrivazs_kontra": other}, "arrivazs_kontra", "invalid_choice", OFFERED) for other in (6, -1, "x", LONG)),
    *(
        (
            {"arrivazs_kontra": kontra},
            "arrivazs_kontra",
            "kontra_unannounced",
            "Only an arrivázs that was announced can be doubled.",
        )
        for kontra in (1, 5)
    ),
    (
        {"trump": "none", "arrivazs": "idegen"},
        "arrivazs",
        "idegen_no_trumps",
        "There is no idegen arrivázs at no trumps: choose 'won'.",
    ),
    *(
        (
            {"arrivazs": arrivazs, "tricks": tricks},
            "arrivazs",
            "arrivazs_few_tricks",
            f"An arrivázs is won with the last three tricks; the declarer has only {tricks}.",
        )
        for arrivazs, tricks in product(("won", "idegen"), (0, 1, 2))
    ),
    (
        {"arrivazs": "lost", "tricks": 11},
        "arrivazs",
        "arrivazs_all_tricks",
        "Taking all 11 tricks includes the last three: the arrivázs is won.",
    ),
    ({"tricks": 6}, "opponent_tricks", "required", SPLIT),
    ({"tricks": 6, "opponent_tricks": None}, "opponent_tricks", "required", SPLIT),
    *(
        ({"tricks": tricks, "opponent_tricks": first}, "opponent_tricks", "tricks_range", TOO_MANY)
        for tricks, first in ((6, 6), (7, 5), (1, 11), (11, 1), (11, 11))
    ),
    *(
        ({"opponent_tricks": other}, "opponent_tricks", "invalid_choice", ELEVEN)
        for other in (12, -1, "x", "\x00", LONG)
    ),
]


@pytest.mark.parametrize(("fields", "field", "code", "sentence"), WRONG)
def test_wrong_field_gets_its_error_in_both_languages(
    fields: dict[str, Any], field: str, code: str | None, sentence: str
) -> None:
    assert_refused(lambda: posted(**fields), field, code, sentence)
    assert posted(**fields).deal is None


@pytest.mark.parametrize("fields", [fields for fields, *_said in WRONG])
def test_refused_form_keeps_its_posted_values(fields: dict[str, Any]) -> None:
    form = posted(**fields)
    assert not form.is_valid()
    assert {name: form[name].value() for name in form.data} == form.data
    assert {name: form.data.get(name) for name in fields} == {
        name: None if value is None else str(value) for name, value in fields.items()
    }


def test_form_reports_all_wrong_fields() -> None:
    form = posted(declarer="", tricks=11, trump="none", arrivazs="lost", game_kontra=9)
    assert codes_of(form) == {"declarer": ["required"], "game_kontra": ["invalid_choice"]}
    form = posted(tricks=6, arrivazs="none", arrivazs_kontra=1)
    assert codes_of(form) == {"opponent_tricks": ["required"], "arrivazs_kontra": ["kontra_unannounced"]}


@pytest.mark.parametrize("first", ["x", "12"])
def test_split_that_is_no_number_gets_one_error(first: str) -> None:
    assert codes_of(posted(tricks=6, opponent_tricks=first)) == {"opponent_tricks": ["invalid_choice"]}


@pytest.mark.parametrize("seat", range(4))
def test_at_a_table_of_four_the_dealer_does_not_play(seat: int) -> None:
    with translation.override("en"):
        form = posted(4, dealer=seat, declarer=seat)
        assert sentences_of(form) == {"declarer": ["With four players the dealer sits out and cannot be declarer."]}
    with translation.override("hu"):
        assert list(codes_of(posted(4, dealer=seat, declarer=seat))) == ["declarer"]


def test_thrown_in_form_needs_a_dealer_and_a_known_redeal() -> None:
    assert codes_of(posted(redeal="stays", dealer="")) == {"dealer": ["required"]}
    assert codes_of(posted(redeal="stays", dealer=3)) == {"dealer": ["invalid_choice"]}
    assert codes_of(posted(redeal="x")) == {"redeal": ["invalid_choice"]}
    assert not posted(redeal="").is_thrown_in


def offers(name: str, seats: int = 3) -> dict[str, Choice]:
    field = HandForm(names=NAMES[:seats]).fields[name]
    return {value: offer for value, offer in field.choices if value}


@pytest.mark.parametrize("name", ["contract", "game_kontra", "arrivazs_kontra"])
def test_other_choices_exclude_nothing(name: str) -> None:
    assert {offer.excluded for offer in offers(name).values()} == {()}


def test_an_opponent_is_offered_as_many_tricks_as_the_declarer_leaves() -> None:
    for number, offer in offers("opponent_tricks").items():
        assert offer.excluded == tuple(f"tricks={tricks}" for tricks in range(12) if tricks > 11 - int(number))


def test_all_choices_of_the_rules_are_offered() -> None:
    assert list(offers("contract")) == [contract.value for contract in Contract]
    assert list(offers("trump")) == [trump.value for trump in Trump]
    assert list(offers("game_kontra")) == list(offers("arrivazs_kontra")) == [str(kontra.value) for kontra in Kontra]
    assert list(offers("arrivazs")) == [arrivazs.value for arrivazs in Arrivazs]
    assert list(offers("tricks")) == list(offers("opponent_tricks")) == [str(n) for n in range(12)]


def test_at_a_table_of_four_dealing_and_playing_exclude_each_other() -> None:
    assert [offer.excluded for offer in offers("declarer").values()] == [()] * 3
    assert [offer.excluded for offer in offers("declarer", 4).values()] == [(f"dealer={seat}",) for seat in range(4)]


def test_the_worth_of_each_contract_is_told_with_and_without_trumps() -> None:
    assert [(offer.note, offer.other_note) for offer in offers("contract").values()] == [
        ("2", "4"),
        ("4", "8"),
        ("6", "12"),
        ("8", "16"),
    ]


def test_the_rows_are_made_once_for_all_houses_that_offer_the_same() -> None:
    """An end after so many hands or points is nothing that a row knows of, and there are millions of those."""
    made = rows(Rules(ladder=2))
    assert rows(Rules(ladder=2, hands=17, points=900, six_five_nil=False)) is made
    assert rows(Rules(ladder=3)) is not made
    assert rows(Rules(ladder=2, no_trump_arrivazs=False)) is not made


# --- Every code of Asszorti's rules has its words. The codes are collected by counting deals of every kind ---


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
