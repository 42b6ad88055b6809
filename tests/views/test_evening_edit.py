"""Edit an evening: names, stake, seats, and the history of changes."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, EveningChange, Hand, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evenings, ledger, repayments
from sessions_app.writers.repayments import Wanted
from tests import moves
from tests.factories import evening_of, hand_fields, record
from tests.ledger.books import nothing_written
from tests.selection import first
from tests.views.page import HTMX_BODY, HTMX_HAND_FORM, Page, filled, hand_form

HTMX = {"HX-Request": "true", "HX-Target": "form#edit-form"}
BOTH = pytest.mark.parametrize("headers", first(1, [{}, HTMX]), ids=["plain", "htmx"])


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/edit/"


def form_of(page: Page) -> dict[str, str]:
    return filled(page.one("form", id="edit-form"))


def opened(client: Client, evening: Evening, **changed: Any) -> dict[str, str]:
    """The fields that the page would post, with other values put in."""
    return form_of(Page.of(client.get(url(evening)))) | changed


def names(evening: Evening) -> tuple[str, ...]:
    return shape_of(evening).names


def stake(evening: Evening) -> tuple[Decimal | None, str]:
    evening.refresh_from_db()
    return evening.stake, evening.currency


def test_edit_form_shows_the_session_as_it_is(owners: Client, evening: Evening):
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).links["Edit"] == url(evening)
    form = opened(owners, evening)
    assert [form[f"player_{seat}"] for seat in (1, 2, 3)] == ["Anna", "Béla", "Cili"]
    assert (form["first_dealer"], form["stake"], form["currency"], form["seen"]) == ("1", "10", "HUF", "0")
    assert "player_4" not in form


@BOTH
@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_a_name_and_a_stake_are_mended_and_stand_in_the_history(
    cast: dict[str, Client], owner: User, evening: Evening, who: str, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=0)
    posted = opened(cast[who], evening, player_3="Csilla", stake="0.5", currency="EUR")
    response = cast[who].post(url(evening), posted, headers=headers)
    assert response.headers.get("HX-Redirect" if headers else "Location") == f"/sessions/{evening.pk}/"
    page = Page.of(cast["viewer"].get(f"/sessions/{evening.pk}/"))
    assert [money.text for money in page.of_class("money")] == ["€6.00", "−€3.00", "−€3.00"]
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert "Csilla" in page.text
    assert "Cili" not in page.text
    history = [entry.text for entry in Page.of(cast[who].get(url(evening))).of_class("history")[0].all("li")]
    assert "Stake changed" in history[0]
    assert "was: HUF 10 a point now: €0.50 a point" in history[0]
    assert "Name corrected" in history[1]
    assert "was: Cili now: Csilla" in history[1]
    assert "on this phone" in history[1]


@BOTH
def test_an_arrow_moves_a_player_and_writes_nothing(owners: Client, evening: Evening, headers: dict[str, str]):
    posted = opened(owners, evening, player_2="Barnabás", arrange="up:2")
    with nothing_written():
        page = Page.of(owners.post(url(evening), posted, headers=headers))
    assert page.is_whole is not bool(headers)
    form = form_of(page)
    assert [form[f"player_{seat}"] for seat in (1, 2, 3)] == ["Barnabás", "Anna", "Cili"]
    assert (form["who_1"], form["who_2"], form["first_dealer"]) == (posted["who_2"], posted["who_1"], "2")
    owners.post(url(evening), form)
    assert names(evening) == ("Barnabás", "Anna", "Cili")
    assert sorted(EveningChange.objects.values_list("kind", flat=True)) == ["name", "seats"]


@pytest.mark.parametrize("begun", ["hand", "ended"])
def test_once_it_is_too_late_it_says_why_and_offers_no_arrow(owners: Client, owner: User, evening: Evening, begun: str):
    if begun == "hand":
        record(evening, owner)
    else:
        evenings.end(evening.pk)
    page = Page.of(owners.get(url(evening)))
    assert ("first hand is on the sheet" if begun == "hand" else "session has ended") in page.text
    assert not page.all("button", name="arrange")
    assert form_of(page)["first_dealer"] == "1"
    assert owners.post(url(evening), form_of(page) | {"stake": "7"}).status_code == 302
    assert stake(evening) == (Decimal(7), "HUF")


@BOTH
@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("player_1", "", "Enter a name."),
        ("player_2", "Anna", "Two players cannot have the same name"),
        ("player_3", "DÓRA", "That is another player. One person? Merge them: which name stays?"),
        ("stake", "0", "The stake must be more than zero"),
        ("currency", "XXX", "There is no currency with the code XXX."),
        ("currency", "", "In which currency?"),
    ],
)
def test_wrong_edit_is_refused_beside_its_field_and_kept(
    owners: Client, owner: User, evening: Evening, field: str, value: str, sentence: str, headers: dict[str, str]
):
    evening_of(owner, ("Anna", "Béla", "Dóra"))
    posted = opened(owners, evening, **{"stake": "12", field: value})
    with nothing_written():
        response = owners.post(url(evening), posted, headers=headers)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.is_whole is not bool(headers)
    assert sentence in page.error(field)
    if value != "XXX":
        assert form_of(page) | {"csrfmiddlewaretoken": ""} == posted | {"csrfmiddlewaretoken": ""}


@BOTH
def test_a_stale_form_is_told_what_changed_and_keeps_what_was_typed(
    owners: Client, keepers: Client, evening: Evening, headers: dict[str, str]
):
    stale = opened(keepers, evening, player_3="Csilla")
    owners.post(url(evening), opened(owners, evening, stake="20"))
    with nothing_written():
        response = keepers.post(url(evening), stale, headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert page.is_whole is not bool(headers)
    notice = page.of_class("notice")[0].text
    assert "Nothing was saved" in notice
    assert "was: HUF 10 a point now: HUF 20 a point" in notice
    again = form_of(page)
    assert (again["player_3"], again["stake"]) == ("Csilla", "20")
    assert keepers.post(url(evening), again).status_code == 302
    assert (names(evening)[2], stake(evening)[0]) == ("Csilla", Decimal(20))


def test_seats_that_came_too_late_go_back_and_the_rest_of_what_was_typed_stays(
    owners: Client, owner: User, evening: Evening
):
    late = opened(owners, evening, stake="20", arrange="up:2")
    late = form_of(Page.of(owners.post(url(evening), late)))
    record(evening, owner)
    with nothing_written():
        response = owners.post(url(evening), late)
    page = Page.of(response)
    assert response.status_code == 409
    assert "the seats can no longer be swapped" in page.text
    assert (form_of(page)["player_1"], form_of(page)["stake"]) == ("Anna", "20")
    assert owners.post(url(evening), form_of(page)).status_code == 302


@pytest.mark.parametrize("headers", [{}, HTMX_HAND_FORM, {"Accept": "application/json"}])
def test_a_hand_of_the_old_seats_is_asked_about_again_and_not_booked_to_others(
    owners: Client, keepers: Client, evening: Evening, headers: dict[str, str]
):
    typed = hand_form(Page.of(keepers.get(f"/sessions/{evening.pk}/hands/new/")))
    typed |= {name: value for name, value in hand_fields(evening).items() if name not in ("token", "number")}
    swap = form_of(Page.of(owners.post(url(evening), opened(owners, evening, arrange="up:2"))))
    owners.post(url(evening), swap)
    response = keepers.post(f"/sessions/{evening.pk}/hands/new/", typed, headers=headers)
    assert response.status_code == 409
    assert not Hand.objects.exists()
    if "Accept" in headers:
        assert "The seats were changed on another phone" in response.json()["sentence"]
        return
    page = Page.of(response)
    assert "The seats were changed on another phone" in page.text
    again = hand_form(page)
    assert "declarer" not in again
    assert (again["tricks"], again["trump"], again["dealer"]) == ("7", "hearts", "1")
    saved = keepers.post(f"/sessions/{evening.pk}/hands/new/", again | {"declarer": "0"}, headers=headers)
    assert saved.status_code in (200, 302)
    assert Hand.objects.get().declarer == 0


def test_stake_that_makes_more_money_than_can_be_stored_is_refused_beside_the_field(
    owners: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sessions_app.readers.money.balances.LARGEST_RESULT", 1000)
    record(evening, owner, "2H 7", declarer=0)  # Anna wins 12 points
    evenings.end(evening.pk)
    answer = owners.post(url(evening), opened(owners, evening, stake="100", title="dear"))
    assert answer.status_code == 422
    page = Page.of(answer)
    assert page.one("p", id="error-stake").text == "That is too much for one point."
    assert (form_of(page)["stake"], form_of(page)["title"]) == ("100", "dear")
    assert stake(evening) == (Decimal(10), "HUF")


def test_a_waiting_hand_is_not_held_up_by_a_name_or_a_stake(owners: Client, evening: Evening):
    typed = hand_form(Page.of(owners.get(f"/sessions/{evening.pk}/hands/new/"))) | hand_fields(evening)
    owners.post(url(evening), opened(owners, evening, player_2="Barnabás", stake="20"))
    outbox = owners.post(f"/sessions/{evening.pk}/hands/new/", typed, headers={"Accept": "application/json"})
    assert outbox.json() == {"number": 1}


@BOTH
def test_a_title_and_a_note_are_given_and_stand_where_the_evening_does(
    cast: dict[str, Client], evening: Evening, headers: dict[str, str]
):
    posted = opened(cast["keeper"], evening, title=" Szilveszter  <b>", note="Cili késett.\r\n\r\n\r\n\r\nHó esett. ")
    cast["keeper"].post(url(evening), posted, headers=headers)
    evening.refresh_from_db()
    assert (evening.title, evening.note) == ("Szilveszter <b>", "Cili késett.\n\nHó esett.")
    page = Page.of(cast["viewer"].get(f"/sessions/{evening.pk}/"))
    assert "Szilveszter <b>" in page.of_class("where")[0].text
    assert "Cili késett." in page.text
    assert "Hó esett." in page.text
    text = Page.of(cast["viewer"].get(f"/sessions/{evening.pk}/settle/")).of_class("as-text")[0].one("textarea").text
    assert "Szilveszter <b>" in text
    history = Page.of(cast["owner"].get(url(evening))).of_class("history")[0].text
    assert "Title changed" in history
    assert "was: (empty) now: Szilveszter <b>" in history
    assert "was: (empty) now: Cili késett." in history
    evenings.end(evening.pk)
    card = Page.of(cast["viewer"].get("/sessions/")).of_class("card")[0]
    assert card.of_class("evening-title")[0].text == "Szilveszter <b>"
    assert card.of_class("evening-note")[0].text == "Cili késett. Hó esett."


@BOTH
@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("title", "x" * 61, "This is too long: 60 characters at most."),
        ("note", "a" + "\u0301" * 3_000, "This is too long: 500 characters at most. Only the beginning is kept"),
        ("title", "a\u202eb", "This contains characters that cannot be shown."),
        ("title", "\u200d", "This has no visible characters."),
    ],
)
def test_words_that_cannot_be_kept_are_refused_beside_the_field(
    owners: Client, evening: Evening, field: str, value: str, sentence: str, headers: dict[str, str]
):
    posted = opened(owners, evening, **{"stake": "12", field: value})
    with nothing_written():
        response = owners.post(url(evening), posted, headers=headers)
    assert response.status_code == 422
    page = Page.of(response)
    assert sentence in page.error(field)
    assert form_of(page)["stake"] == "12"


# --- Delete an evening that was started by mistake ---


def remove_url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/remove/"


@pytest.mark.parametrize("who", ["owner", "keeper"])
@pytest.mark.parametrize("headers", first(1, [{}, HTMX_BODY]))
def test_deleted_session_is_gone_for_everybody(
    cast: dict[str, Client], evening: Evening, who: str, headers: dict[str, str]
):
    phone = cast[who]
    assert remove_url(evening) in Page.of(phone.get(f"/sessions/{evening.pk}/edit/")).links.values()
    with nothing_written():
        page = Page.of(phone.get(remove_url(evening), headers=headers))
    assert "Anna, Béla, Cili" in page.text
    assert page.form(remove_url(evening)).text == "Delete"
    assert phone.post(remove_url(evening), headers=headers)["Location"] == "/"
    for one in cast.values():
        assert one.get(f"/sessions/{evening.pk}/").status_code == 404
        assert one.get(f"/sessions/{evening.pk}/live/?v=1").status_code == 404
        assert f"/sessions/{evening.pk}/" not in Page.of(one.get("/")).links.values()
    assert cast["keeper"].post(f"/sessions/{evening.pk}/hands/new/", hand_fields(evening)).status_code == 404
    assert phone.post(remove_url(evening)).status_code == 404


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("hand", "has hands that count"),
        ("played", "A hand is being played"),
        ("paid", "A payment was booked for this session"),
    ],
)
def test_refused_deletion_says_why_the_session_stays(
    owners: Client, owner: User, evening: Evening, state: str, said: str
):
    if state == "played":
        moves.let_play(evening.pk, 2, seen=Seen(1, 0), by=owner)
    else:
        record(evening, owner)
    if state == "paid":
        anna, bela, _cili = evening.seats.values_list("player", flat=True)
        wanted = Wanted(anna, bela, 60, "HUF", evenings=(evening.pk,))
        evenings.end(evening.pk)
        repayments.book(evening.circle_id, wanted, token=uuid4(), by=owner)
        evenings.reopen(evening.pk)
        ledger.void(evening.pk, 1, by=owner)
    assert remove_url(evening) not in Page.of(owners.get(f"/sessions/{evening.pk}/edit/")).links.values()
    with nothing_written():
        asked, tried = owners.get(remove_url(evening)), owners.post(remove_url(evening))
    assert (asked.status_code, tried.status_code) == (200, 409)
    for response in (asked, tried):
        page = Page.of(response)
        assert said in page.text
        assert not page.all("form", action=remove_url(evening))
