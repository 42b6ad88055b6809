"""Bad input: 4xx, a sentence beside the field in the reader's language, what was typed kept, nothing written."""

import unicodedata
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.models import GameSession, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, hand_fields, record
from tests.selection import first
from tests.views.page import (
    ENGLISH,
    HTMX_COUNT,
    HTMX_HAND_FORM,
    HTMX_SESSION_FORM,
    HUNGARIAN,
    Node,
    Page,
    hand_form,
    session_form,
)

LANGUAGES = pytest.mark.parametrize("language", [ENGLISH, HUNGARIAN], ids=["en", "hu"])
BOTH = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])


def beside(english: Page, hungarian: Page, field: str, sentence: str) -> None:
    """The sentence stands beside the field, and in Hungarian it is another one."""
    assert sentence in english.error(field)
    assert hungarian.error(field)
    assert sentence not in hungarian.error(field)


class Bad:
    """Posts a form that must be refused, in both languages, plain and with htmx."""

    def __init__(self, client: Client, written: Callable[[], dict[str, Any]]) -> None:
        self.client, self.written = client, written

    def post(self, address: str, fields: dict[str, str], htmx: dict[str, str], status: int = 422) -> tuple[Page, Page]:
        before = self.written()
        pages = []
        for language in (ENGLISH, HUNGARIAN):
            response = self.client.post(address, fields, headers=language | htmx)
            assert response.status_code == status
            page = Page.of(response)
            assert page.is_whole is not bool(htmx)
            pages.append(page)
        assert self.written() == before
        return pages[0], pages[1]

    def hand(
        self, evening: GameSession, htmx: bool, lost: tuple[str, ...] = (), status: int = 422, **fields: Any
    ) -> tuple[Page, Page]:
        """`lost` are the fields whose value no choice of the form can show."""
        posted = hand_fields(evening, **fields)
        address = f"/sessions/{evening.pk}/hands/new/"
        pages = self.post(address, posted, HTMX_HAND_FORM if htmx else {}, status)
        for page in pages:
            kept = hand_form(page)
            wanted = {name: value for name, value in posted.items() if name not in lost and value}
            assert {name: kept.get(name) for name in wanted} == wanted
        return pages

    def session(self, htmx: bool, **fields: Any) -> tuple[Page, Page]:
        posted = {
            "token": "6f2b3ad2-9f0d-4d8e-8f6e-0f6b1a3c9e11",
            "player_1": "Anna",
            "player_2": "Béla",
            "player_3": "Cili",
            "player_4": "",
            "first_dealer": "2",
            "stake": "10",
            "currency": "HUF",
        } | fields
        posted = {name: value for name, value in posted.items() if value is not None}
        pages = self.post("/sessions/new/", posted, HTMX_SESSION_FORM if htmx else {})
        for page in pages:
            kept = session_form(page)
            offered = [option.attrs["value"] for option in page.one("select").all("option")]
            for name, value in posted.items():
                unseen = (name == "currency" and value not in offered) or (
                    name == "first_dealer" and value not in ("1", "2", "3", "4")
                )
                assert unseen or kept.get(name) == value, name
        return pages


@pytest.fixture
def bad(owners: Client, written: Callable[[], dict[str, Any]]) -> Bad:
    return Bad(owners, written)


@BOTH
@pytest.mark.parametrize("tricks", ["12", "-1", "x", "7.0", "07", " ", "1e1", "七", "99999999999999999999"])
def test_tricks_that_are_no_number_from_0_to_11(bad: Bad, evening: GameSession, htmx: bool, tricks: str):
    pages = bad.hand(evening, htmx, lost=("tricks",), tricks=tricks)
    beside(*pages, "tricks", "There are eleven tricks: a number from 0 to 11.")


@BOTH
@pytest.mark.parametrize("tricks", ["", None])
def test_tricks_left_out(bad: Bad, evening: GameSession, htmx: bool, tricks: str | None):
    pages = bad.hand(evening, htmx, tricks=tricks)
    beside(*pages, "tricks", "How many tricks did the declarer take?")


@BOTH
@pytest.mark.parametrize("missing", ["", None])
@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("declarer", "Who plays?"),
        ("contract", "Which contract?"),
        ("trump", "Which trumps, or none?"),
        ("dealer", "Who deals?"),
    ],
)
def test_a_field_of_the_hand_left_out(
    bad: Bad, evening: GameSession, htmx: bool, field: str, sentence: str, missing: str | None
):
    beside(*bad.hand(evening, htmx, **{field: missing}), field, sentence)


@BOTH
@pytest.mark.parametrize("field", ["token", "number"])
@pytest.mark.parametrize("value", [None, "", "x", "0", "-1", "9" * 30, "\x00"])
def test_a_form_that_was_not_opened_here(bad: Bad, evening: GameSession, htmx: bool, field: str, value: str | None):
    english, hungarian = bad.hand(evening, htmx, lost=(field,), **{field: value})
    sentence = "This form is out of date."
    assert any(sentence in error for error in english.errors)
    assert hungarian.errors
    assert not any(sentence in error for error in hungarian.errors)


@BOTH
def test_a_kontra_of_an_arrivazs_that_was_not_announced(bad: Bad, evening: GameSession, htmx: bool):
    pages = bad.hand(evening, htmx, arrivazs="none", arrivazs_kontra="1")
    beside(*pages, "arrivazs_kontra", "Only an arrivázs that was announced can be doubled.")


@BOTH
def test_idegen_at_no_trumps(bad: Bad, evening: GameSession, htmx: bool):
    pages = bad.hand(evening, htmx, arrivazs="idegen", trump="none")
    beside(*pages, "arrivazs", "There is no idegen arrivázs at no trumps: choose 'won'.")


@BOTH
@pytest.mark.parametrize("arrivazs", ["won", "idegen"])
@pytest.mark.parametrize("tricks", ["0", "1", "2"])
def test_an_arrivazs_won_with_too_few_tricks(bad: Bad, evening: GameSession, htmx: bool, arrivazs: str, tricks: str):
    pages = bad.hand(evening, htmx, arrivazs=arrivazs, tricks=tricks)
    beside(*pages, "arrivazs", f"the declarer has only {tricks}.")


@BOTH
def test_an_arrivazs_lost_with_all_tricks(bad: Bad, evening: GameSession, htmx: bool):
    pages = bad.hand(evening, htmx, arrivazs="lost", tricks="11")
    beside(*pages, "arrivazs", "Taking all 11 tricks includes the last three: the arrivázs is won.")


@BOTH
def test_six_tricks_without_the_split(bad: Bad, evening: GameSession, htmx: bool):
    pages = bad.hand(evening, htmx, tricks="6")
    beside(*pages, "opponent_tricks", "choose the split")


@BOTH
@pytest.mark.parametrize(("tricks", "split"), [("6", "6"), ("7", "5"), ("11", "1"), ("0", "12")])
def test_a_split_of_more_than_there_are(bad: Bad, evening: GameSession, htmx: bool, tricks: str, split: str):
    english, hungarian = bad.hand(evening, htmx, lost=("opponent_tricks",), tricks=tricks, opponent_tricks=split)
    assert "11" in english.error("opponent_tricks") or "eleven" in english.error("opponent_tricks")
    assert english.error("opponent_tricks") != hungarian.error("opponent_tricks")


@BOTH
@pytest.mark.parametrize("split", ["-1", "x", "12"])
def test_a_split_that_is_no_number_of_tricks(bad: Bad, evening: GameSession, htmx: bool, split: str):
    pages = bad.hand(evening, htmx, lost=("opponent_tricks",), opponent_tricks=split)
    beside(*pages, "opponent_tricks", "There are eleven tricks: a number from 0 to 11.")


@BOTH
@pytest.mark.parametrize("field", ["dealer", "declarer"])
@pytest.mark.parametrize("seat", ["3", "-1", "x", "9" * 30])
def test_a_seat_of_another_session(bad: Bad, owner: User, evening: GameSession, htmx: bool, field: str, seat: str):
    """Seat 3 is taken in the owner's other session, which has four players."""
    evening_of(owner, names=("Anna", "Béla", "Cili", "Dóra"))
    pages = bad.hand(evening, htmx, lost=(field,), **{field: seat})
    beside(*pages, field, "Nobody sits there.")


@BOTH
@pytest.mark.parametrize("seat", ["0", "1", "2", "3"])
def test_at_a_table_of_four_who_deals_cannot_play(bad: Bad, evening_of_four: GameSession, htmx: bool, seat: str):
    pages = bad.hand(evening_of_four, htmx, dealer=seat, declarer=seat)
    beside(*pages, "declarer", "With four players the dealer sits out and cannot be declarer.")


@BOTH
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("contract", "4"),
        ("contract", "Hand"),
        ("trump", "♥"),
        ("trump", "HEARTS"),
        ("game_kontra", "6"),
        ("game_kontra", "-1"),
        ("game_kontra", "kontra"),
        ("arrivazs", "maybe"),
        ("arrivazs_kontra", "6"),
    ],
)
def test_a_choice_that_was_not_offered(bad: Bad, evening: GameSession, htmx: bool, field: str, value: str):
    pages = bad.hand(evening, htmx, lost=(field,), **{field: value})
    beside(*pages, field, "Choose one of the options.")


@pytest.mark.parametrize("redeal", ["x", "2", "\x00", "stay"])
def test_a_redeal_of_no_known_kind_is_refused_with_a_sentence(bad: Bad, evening: GameSession, redeal: str):
    english, hungarian = bad.hand(evening, False, lost=("redeal",), redeal=redeal)
    assert english.errors
    assert hungarian.errors
    assert english.errors != hungarian.errors


@BOTH
@pytest.mark.parametrize("revision", ["x", "1.5", "\x00"])
def test_a_correction_whose_revision_is_nonsense_is_refused_with_a_sentence(
    bad: Bad, owner: User, evening: GameSession, htmx: bool, revision: str
):
    record(evening, owner, "2H 7")
    evening.refresh_from_db()
    posted = hand_fields(evening, tricks="9", revision=revision)
    headers = HTMX_HAND_FORM if htmx else {}
    english, hungarian = bad.post(f"/sessions/{evening.pk}/hands/1/edit/", posted, headers)
    assert english.errors
    assert english.errors != hungarian.errors


@BOTH
@pytest.mark.parametrize("revision", ["0", "-1", "9" * 18, "9" * 30])
def test_a_correction_of_a_revision_that_never_was_overwrites_nothing(
    bad: Bad, owner: User, evening: GameSession, htmx: bool, revision: str
):
    record(evening, owner, "2H 7", declarer=1)
    posted = hand_fields(evening, tricks="9", revision=revision)
    headers = HTMX_HAND_FORM if htmx else {}
    bad.post(f"/sessions/{evening.pk}/hands/1/edit/", posted, headers, status=409)


@BOTH
def test_a_hand_posted_to_an_ended_session(bad: Bad, evening: GameSession, htmx: bool):
    evenings.end(evening.pk)
    english, hungarian = bad.hand(evening, htmx, status=409)
    sentence = "This session has ended. Reopen to add or correct hands."
    assert sentence in english.text
    assert sentence not in hungarian.text
    assert hungarian.of_class("notice")
    assert "Settle up" in english.links


@BOTH
def test_a_hand_that_was_kept_by_an_ended_session_is_saved_once_it_is_reopened(
    owners: Client, evening: GameSession, htmx: bool
):
    address = f"/sessions/{evening.pk}/hands/new/"
    headers = HTMX_HAND_FORM if htmx else {}
    evenings.end(evening.pk)
    page = Page.of(owners.post(address, hand_fields(evening), headers=headers))
    evenings.reopen(evening.pk)
    assert owners.post(address, hand_form(page), headers=headers).status_code in (200, 302)
    assert evening.hands.get().deal == "2H 7"


def test_several_mistakes_are_all_said_at_once(bad: Bad, evening: GameSession):
    english, _hungarian = bad.hand(evening, False, lost=("tricks", "dealer"), tricks="12", dealer="9", trump=None)
    assert english.error("tricks")
    assert english.error("dealer")
    assert english.error("trump")


def test_a_field_that_is_wrong_is_seen_though_it_stands_in_a_fold(bad: Bad, evening: GameSession):
    english, _hungarian = bad.hand(evening, False, lost=("dealer",), dealer="9")
    assert "open" in english.one("details").attrs


# A new session


@BOTH
@pytest.mark.parametrize("seat", ["player_1", "player_2", "player_3"])
@pytest.mark.parametrize("name", [None, "", " ", "   \t  ", "\u00a0\u2003", "\u3000"])
def test_a_name_left_out_or_of_spaces_only(bad: Bad, htmx: bool, seat: str, name: str | None):
    beside(*bad.session(htmx, **{seat: name}), seat, "Enter a name.")


@BOTH
@pytest.mark.parametrize("seat", ["player_1", "player_4"])
@pytest.mark.parametrize("name", ["x" * 41, "é" * 150, "😀" * 41])
def test_a_name_that_is_too_long(bad: Bad, htmx: bool, seat: str, name: str):
    beside(*bad.session(htmx, **{seat: name}), seat, "A name has at most 40 characters.")


@BOTH
@pytest.mark.parametrize("name", ["\u200b", "\u200d\u200d", "\u2060", "\ufe0f", "\u200e"])
def test_a_name_with_nothing_to_be_read_in_it(bad: Bad, htmx: bool, name: str):
    beside(*bad.session(htmx, player_2=name), "player_2", "This name has no visible characters.")


@BOTH
@pytest.mark.parametrize(
    "name", ["Anna\u202eanna", "\u2066Béla", "A\u2069", "a\x07b", "a\x1bb", "a\ue000b", "a\uffffb"]
)
def test_a_name_that_would_disturb_the_line_it_stands_in(bad: Bad, htmx: bool, name: str):
    beside(*bad.session(htmx, player_2=name), "player_2", "contains characters that cannot be shown")


@BOTH
def test_a_name_with_a_nul_in_it(bad: Bad, htmx: bool):
    english, hungarian = bad.session(htmx, player_2="An\x00na")
    assert english.error("player_2")
    assert english.error("player_2") != hungarian.error("player_2")


@BOTH
@pytest.mark.parametrize("name", ["Anna", " anna ", "ANNA", "Ａnna".replace("Ａ", "A")])
def test_the_same_name_twice(bad: Bad, htmx: bool, name: str):
    beside(*bad.session(htmx, player_3=name), "player_3", "Two players cannot have the same name")


@BOTH
def test_the_same_name_written_in_two_ways_of_unicode(bad: Bad, htmx: bool):
    pages = bad.session(htmx, player_1="Béla", player_2="Be\u0301la")
    beside(*pages, "player_2", "Two players cannot have the same name")


@BOTH
@pytest.mark.parametrize(
    ("stake", "sentence"),
    [
        ("0", "The stake must be more than zero"),
        ("0.000", "The stake must be more than zero"),
        ("-1", "The stake must be more than zero"),
        ("-0", "The stake must be more than zero"),
        ("NaN", "Enter an amount, such as 10 or 0.5."),
        ("sNaN", "Enter an amount, such as 10 or 0.5."),
        ("Infinity", "Enter an amount, such as 10 or 0.5."),
        ("-inf", "Enter an amount, such as 10 or 0.5."),
        ("x", "Enter an amount, such as 10 or 0.5."),
        ("1 2", "Enter an amount, such as 10 or 0.5."),
        ("1e400", "That is too much for one point."),
        ("1e400000000000", "That is too much for one point."),
        ("1000000000", "That is too much for one point."),
        ("9" * 100, "That is too much for one point."),
        ("9" * 101, "This is too long: 100 characters at most."),
        ("0.0001", "That amount is too small."),
    ],
)
def test_a_stake_that_is_none(bad: Bad, htmx: bool, stake: str, sentence: str):
    beside(*bad.session(htmx, stake=stake, currency="EUR"), "stake", sentence)


@BOTH
@pytest.mark.parametrize("stake", ["1e-400", "1e-4", "0." + "0" * 90 + "1"])
def test_a_stake_of_next_to_nothing_is_refused_in_words(bad: Bad, htmx: bool, stake: str):
    english, hungarian = bad.session(htmx, stake=stake, currency="EUR")
    assert english.error("stake")
    assert english.error("stake") != hungarian.error("stake")


@BOTH
@pytest.mark.parametrize(("stake", "currency"), [("0.5", "HUF"), ("0.001", "EUR"), ("0.001", "USD")])
def test_a_stake_smaller_than_the_currency_s_coin(bad: Bad, htmx: bool, stake: str, currency: str):
    sentence = "This currency has no small change" if currency == "HUF" else "No coin is that small"
    beside(*bad.session(htmx, stake=stake, currency=currency), "stake", sentence)


@BOTH
@pytest.mark.parametrize("currency", ["XXX", "huf", "HUFF", "€", "x" * 5000, "\x00", "<b>"])
def test_a_currency_that_is_not_among_those_offered(bad: Bad, htmx: bool, currency: str):
    beside(*bad.session(htmx, currency=currency), "currency", "Choose one of the currencies offered.")


@BOTH
@pytest.mark.parametrize("currency", ["", None])
def test_a_stake_in_no_currency(bad: Bad, htmx: bool, currency: str | None):
    beside(*bad.session(htmx, currency=currency), "currency", "In which currency?")


@BOTH
@pytest.mark.parametrize(("dealer", "sentence"), [(None, "Who deals first?"), ("", "Who deals first?")])
def test_no_first_dealer(bad: Bad, htmx: bool, dealer: str | None, sentence: str):
    english, hungarian = bad.session(htmx, first_dealer=dealer)
    assert sentence in english.errors
    assert hungarian.errors
    assert sentence not in hungarian.errors


@BOTH
@pytest.mark.parametrize("dealer", ["4", "0", "5", "-1", "x"])
def test_a_first_dealer_where_nobody_sits(bad: Bad, htmx: bool, dealer: str):
    english, hungarian = bad.session(htmx, first_dealer=dealer)
    sentence = "Nobody sits there."
    assert sentence in english.errors
    assert hungarian.errors
    assert sentence not in hungarian.errors


def test_a_first_dealer_who_is_wrong_is_read_with_the_field_too(bad: Bad):
    """As with every other field: who hears the page hears the sentence with the choices it is about."""
    english, _hungarian = bad.session(False, first_dealer="4")
    assert english.error("first_dealer") == "Nobody sits there."


# Names that are strange and good

STRANGE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=1>',
    "{{ 7|add:7 }}{% now 'Y' %}",
    "&amp; &lt;b&gt;",
    "'; DROP TABLE hands; --",
    "שלום",
    "مريم بنت علي",
    "\u200fعلي 12",
    "👩‍👩‍👧‍👦 🇭🇺",
    "👍🏽",
    "%s %(name)s {0}",
    "Zö\u0301e\u0308",
    "張三 李四",
    "a" * 40,
    "😀" * 40,
    'O\'Brien \\ "x"',
]


def isolated(node: Node, text: str) -> bool:
    """Whether a name cannot turn the direction of what stands round it."""
    alone = any(above.tag == "bdi" or above.attrs.get("dir") == "auto" for above in node.above)
    return alone or ("\u2068" in text and "\u2069" in text) or node.tag in ("title", "option")


@pytest.fixture
def shown(owners: Client, owner: User) -> Callable[[str], dict[str, Page]]:
    """Every page on which the name of a player can stand, as hungarian and english pages."""

    def pages(name: str) -> dict[str, Page]:
        fields = {"player_1": name, "player_2": "Béla", "player_3": "Cili", "player_4": "Dóra", "first_dealer": "2"}
        response = owners.post("/sessions/new/", fields | {"stake": "10", "currency": "HUF"})
        assert response.status_code == 302
        evening = GameSession.objects.latest("pk")
        record(evening, owner, "2H 7", dealer=1, declarer=0)
        record(evening, owner, "2H 7", dealer=0, declarer=1)
        record(evening, owner, "2H 5", dealer=2, declarer=0)
        ledger.amend(evening.pk, 1, facts=ledger.Facts(1, 2, "2H 9"), by=owner)
        ledger.record(evening.pk, token=UUID(int=5), number=4, facts=ledger.Facts(0), by=owner)
        evening.refresh_from_db()
        base = f"/sessions/{evening.pk}/"
        hand = hand_fields(evening, dealer="1", declarer="0")
        answers = {
            "home": owners.get("/"),
            "known names": owners.get("/sessions/new/"),
            "form with a mistake": owners.post("/sessions/new/", fields | {"player_3": ""}),
            "session": owners.get(base),
            "live": owners.get(base + "live/?v=0"),
            "hand": owners.get(base + "hands/1/"),
            "hand lost": owners.get(base + "hands/3/"),
            "thrown in": owners.get(base + "hands/4/"),
            "form": owners.get(base + "hands/new/"),
            "form filled": owners.post(base + "hands/new/", hand | {"count": "1"}),
            "conflict": owners.post(base + "hands/new/", hand | {"number": "1"}),
            "edit": owners.get(base + "hands/3/edit/"),
            "preview": owners.post(base + "hands/preview/", hand, headers=HTMX_COUNT),
            "preview of a loss": owners.post(base + "hands/preview/", hand | {"tricks": "4"}, headers=HTMX_COUNT),
            "settle": owners.get(base + "settle/"),
        }
        evenings.end(evening.pk)
        answers |= {"home after": owners.get("/"), "past": owners.get("/sessions/"), "ended": owners.get(base)}
        return {where: Page.of(answer) for where, answer in answers.items()}

    return pages


@pytest.mark.parametrize("name", first(4, STRANGE))
def test_a_strange_name_is_taken_as_it_is_and_shown_escaped_everywhere(
    shown: Callable[[str], dict[str, Page]], name: str
):
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    for where, page in shown(name).items():
        read = [text for _node, text in page.texts()] + [v for n in page.nodes() for v in n.attrs.values()]
        assert any(kept in text for text in read), where
        assert "<script>alert" not in page.html, where
        assert not page.all("img"), where
        assert "&amp;amp;amp;" not in page.html, where
        assert "&lt;script" not in page.text, where


@pytest.mark.parametrize("name", ["שלום", "مريم 12", "\u200fعلي"])
def test_a_name_from_right_to_left_turns_nothing_round_it(shown: Callable[[str], dict[str, Page]], name: str):
    loose = {
        where: sorted({text.strip() for node, text in page.texts() if name in text and not isolated(node, text)})
        for where, page in shown(name).items()
    }
    assert {where: texts for where, texts in loose.items() if texts} == {}


def test_a_strange_name_that_was_typed_comes_back_escaped_in_the_field(strangers: Client, db: None):
    for name in STRANGE:
        response = strangers.post("/sessions/new/", {"player_1": name})
        page = Page.of(response)
        assert response.status_code == 422
        assert session_form(page)["player_1"] == name
        assert "<script>alert" not in page.html
