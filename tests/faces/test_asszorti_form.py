"""The hand form of Asszorti: every possible deal can be entered, and every impossible one gets its error."""

from fractions import Fraction
from typing import Any

import pytest
from django.utils import translation

from scorekeeper.games.asszorti import Arrivazs, Contract, Kontra, Rules, Trump, deal_from_text, score
from sessions_app.base_forms import Choice
from sessions_app.faces.asszorti.hand_form import HandForm, rows
from sessions_app.faces.asszorti.words import result, step
from sessions_app.models import Evening
from sessions_app.words.wording import who_pays
from tests.factories import hand_fields
from tests.forms.errors import assert_refused, codes_of, sentences_of

NAMES = ["Anna", "Béla", "Cili", "Dóra"]
LONG = "7" * 10_000
#: Posted values that are no seat, no choice, no number.
NO_SEAT, NO_LEVEL = (3, -1, "x", "0.0", "\x00", LONG), (6, -1, "x", LONG)


def posted(seats: int = 3, **fields: Any) -> HandForm:
    return HandForm(hand_fields(Evening(), **fields), names=NAMES[:seats])


#: The wrong field, its code, its sentence in English, and posted fields, each of which is refused so.
WRONG: list[tuple[str, str, str, list[dict[str, Any]]]] = [
    (field, code, sentence, [values if isinstance(values, dict) else {field: values} for values in wrong])
    for field, code, sentence, wrong in (
        ("tricks", "required", "How many tricks did the declarer take?", ("", None)),
        ("tricks", "invalid_choice", "There are eleven tricks: a number from 0 to 11.", (12, "x", "7.0", " 7", LONG)),
        ("dealer", "required", "Who deals?", ("", None)),
        ("dealer", "invalid_choice", "Nobody sits there.", NO_SEAT),
        ("declarer", "required", "Who plays?", ("", None)),
        ("declarer", "invalid_choice", "Nobody sits there.", NO_SEAT),
        ("contract", "required", "Which contract?", ("", None)),
        ("contract", "invalid_choice", "Choose one of the options.", ("4", "HAND", "h", "\x00", LONG)),
        ("trump", "required", "Which trumps, or none?", ("", None)),
        ("trump", "invalid_choice", "Choose one of the options.", ("Hearts", "H", "\x00", LONG)),
        ("game_kontra", "invalid_choice", "Choose one of the options.", NO_LEVEL),
        ("arrivazs", "invalid_choice", "Choose one of the options.", ("WON", "maybe", LONG)),
        ("arrivazs_kontra", "invalid_choice", "Choose one of the options.", NO_LEVEL),
        ("arrivazs_kontra", "kontra_unannounced", "Only an arrivázs that was announced can be doubled.", (1, 5)),
        *(
            (field, code, "This form is out of date. Go back to the session and open it again.", wrong)
            for field, code, wrong in (
                ("token", "required", ("", None)),
                ("token", "invalid", ("x", "0" * 31, "\x00", LONG)),
                ("number", "required", ("", None)),
                ("number", "min_value", (0, -1)),
                ("number", "invalid", ("x", "1.5", "NaN", "1e400", LONG)),
                ("number", "max_value", (10**6 + 1,)),
            )
        ),
        (
            "arrivazs",
            "idegen_no_trumps",
            "There is no idegen arrivázs at no trumps: choose 'won'.",
            ({"trump": "none", "arrivazs": "idegen"},),
        ),
        *(
            (
                "arrivazs",
                "arrivazs_few_tricks",
                f"An arrivázs is won with the last three tricks; the declarer has only {tricks}.",
                [{"arrivazs": arrivazs, "tricks": tricks} for arrivazs in ("won", "idegen")],
            )
            for tricks in (0, 2)
        ),
        (
            "arrivazs",
            "arrivazs_all_tricks",
            "Taking all 11 tricks includes the last three: the arrivázs is won.",
            ({"arrivazs": "lost", "tricks": 11},),
        ),
        (
            "opponent_tricks",
            "required",
            "With 6 tricks it matters how the opponents share the other 5: choose the split.",
            ({"tricks": 6}, {"tricks": 6, "opponent_tricks": None}),
        ),
        (
            "opponent_tricks",
            "tricks_range",
            "That is too many: there are 11 tricks in all.",
            [{"tricks": tricks, "opponent_tricks": 12 - tricks} for tricks in (1, 6, 7, 11)],
        ),
        ("opponent_tricks", "invalid_choice", "There are eleven tricks: a number from 0 to 11.", (12, "x", "\x00")),
    )
]


@pytest.mark.parametrize(("field", "code", "sentence", "wrong"), WRONG)
def test_wrong_field_gets_its_error_in_both_languages_and_keeps_what_was_posted(
    field: str, code: str, sentence: str, wrong: list[dict[str, Any]]
) -> None:
    for fields in wrong:
        assert_refused(lambda fields=fields: posted(**fields), field, code, sentence)
        form = posted(**fields)
        assert form.deal is None
        assert {name: form[name].value() for name in form.data} == form.data
        said = {name: None if value is None else str(value) for name, value in fields.items()}
        assert {name: form.data.get(name) for name in fields} == said


def test_form_reports_all_wrong_fields() -> None:
    form = posted(declarer="", tricks=11, trump="none", arrivazs="lost", game_kontra=9)
    assert codes_of(form) == {"declarer": ["required"], "game_kontra": ["invalid_choice"]}
    form = posted(tricks=6, arrivazs="none", arrivazs_kontra=1)
    assert codes_of(form) == {"opponent_tricks": ["required"], "arrivazs_kontra": ["kontra_unannounced"]}
    for first in ("x", "12"):
        assert codes_of(posted(tricks=6, opponent_tricks=first)) == {"opponent_tricks": ["invalid_choice"]}


def test_at_a_table_of_four_the_dealer_does_not_play() -> None:
    for seat in range(4):
        with translation.override("en"):
            form = posted(4, dealer=seat, declarer=seat)
            assert sentences_of(form) == {"declarer": ["With four players the dealer sits out and cannot be declarer."]}
    assert [offer.excluded for offer in offers("declarer").values()] == [()] * 3
    assert [offer.excluded for offer in offers("declarer", 4).values()] == [(f"dealer={seat}",) for seat in range(4)]


def test_thrown_in_form_needs_a_dealer_and_a_known_redeal() -> None:
    assert codes_of(posted(redeal="stays", dealer="")) == {"dealer": ["required"]}
    assert codes_of(posted(redeal="stays", dealer=3)) == {"dealer": ["invalid_choice"]}
    assert codes_of(posted(redeal="x")) == {"redeal": ["invalid_choice"]}
    assert not posted(redeal="").is_thrown_in


def offers(name: str, seats: int = 3) -> dict[str, Choice]:
    field = HandForm(names=NAMES[:seats]).fields[name]
    return {value: offer for value, offer in field.choices if value}


def test_form_offers_every_value_of_the_rules_and_excludes_more_than_eleven_tricks_together() -> None:
    assert list(offers("contract")) == [contract.value for contract in Contract]
    assert list(offers("trump")) == [trump.value for trump in Trump]
    assert list(offers("game_kontra")) == list(offers("arrivazs_kontra")) == [str(kontra.value) for kontra in Kontra]
    assert list(offers("arrivazs")) == [arrivazs.value for arrivazs in Arrivazs]
    assert list(offers("tricks")) == list(offers("opponent_tricks")) == [str(n) for n in range(12)]
    worth = [(offer.note, offer.other_note) for offer in offers("contract").values()]
    assert worth == [("2", "4"), ("4", "8"), ("6", "12"), ("8", "16")], "with and without trumps"
    for number, offer in offers("opponent_tricks").items():
        assert offer.excluded == tuple(f"tricks={tricks}" for tricks in range(12) if tricks > 11 - int(number))
    for name in ("contract", "game_kontra", "arrivazs_kontra"):
        assert {offer.excluded for offer in offers(name).values()} == {()}, "nothing else"


def test_the_rows_are_made_once_for_all_houses_that_offer_the_same() -> None:
    """An end after so many hands or points is nothing that a row knows of, and there are millions of those."""
    made = rows(Rules(ladder=2))
    assert rows(Rules(ladder=2, hands=17, points=900, six_five_nil=False)) is made
    assert rows(Rules(ladder=3)) is not made
    assert rows(Rules(ladder=2, no_trump_arrivazs=False)) is not made


# --- Words ---


@pytest.mark.parametrize("language", ["en", "hu"])
def test_every_step_of_a_count_has_words(language: str) -> None:
    deals = ("2H 9 K A+", "2N 4 A-K", "2H 6-5-0 R A*")
    lines = [line for text in deals for line in score(deal_from_text(text)).lines]
    assert {line.code for line in lines} == {"base", "overtricks", "kontra", "deduction", "won", "lost", "idegen"}
    with translation.override(language):
        said = {(line.code, line.amount > 0): step(line) for line in lines}
    assert all(said.values())
    assert not any("%" in text for text in said.values())
    assert said["base", True] != said["base", False]
    assert said["overtricks", True] != said["overtricks", False]


@pytest.mark.parametrize(
    ("deal", "written"),
    [("2H 11", "+5"), ("2H 7", "+1"), ("2H 6-3-2", "="), ("2H 6-5-0", "="), ("2H 5", "−1"), ("2H 0", "−6")],
)
def test_a_result_is_written_against_six(deal: str, written: str) -> None:
    assert result(deal_from_text(deal)) == written


@pytest.mark.parametrize(
    ("amounts", "said"),
    [
        ((-56, 112, -56), "Béla +112 · Anna −56 · Cili −56"),
        ((12, -24, 12), "Anna +12 · Cili +12 · Béla −24"),
        ((None, 4, -4), "Béla +4 · Cili −4"),
        ((Fraction(-7, 3), Fraction(2, 3), Fraction(5, 3)), "Béla +⅔ · Cili +1⅔ · Anna −2⅓"),
        ((0, None, 0), "Nobody pays anybody."),
    ],
)
def test_payers_line_names_winners_first_and_parts_no_name_from_its_figure(
    amounts: tuple[Fraction | int | None, ...], said: str
) -> None:
    with translation.override("en"):
        written = who_pays(amounts, ["Anna", "Béla", "Cili"])
    assert written.replace("\N{NO-BREAK SPACE}", " ") == said
    if any(amounts):
        assert written.split(" ")[0].endswith("\N{NO-BREAK SPACE}·"), "a line breaks after a dot only"
