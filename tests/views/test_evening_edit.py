"""Edit, end, reopen and delete an evening: names, stake, seats, title, and the history of changes."""

from collections.abc import Callable
from datetime import timedelta
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
from tests.factories import end, evening_of, hand_fields, record
from tests.ledger.books import nothing_written
from tests.views.page import HTMX_HAND_FORM, HUNGARIAN, Page, at, filled, hand_form

EDIT = "edit/"
HTMX = {"HX-Request": "true", "HX-Target": "form#edit-form"}


def form_of(page: Page) -> dict[str, str]:
    return filled(page.one("form", id="edit-form"))


def opened(client: Client, evening: Evening, **changed: Any) -> dict[str, str]:
    """The fields that the page would post, with other values put in."""
    return form_of(Page.of(client.get(at(evening, EDIT)))) | changed


def names(evening: Evening) -> tuple[str, ...]:
    return shape_of(evening).names


def stake(evening: Evening) -> tuple[Decimal | None, str]:
    evening.refresh_from_db()
    return evening.stake, evening.currency


def test_edit_form_shows_the_session_as_it_is_and_what_is_mended_stands_in_the_history(
    cast: dict[str, Client], owner: User, evening: Evening
):
    phone = cast["keeper"]
    record(evening, owner, "2H 7", declarer=0)
    assert Page.of(phone.get(at(evening))).links["Edit"] == at(evening, EDIT)
    form = opened(phone, evening)
    assert [form[f"player_{seat}"] for seat in (1, 2, 3)] == ["Anna", "Béla", "Cili"]
    assert (form["first_dealer"], form["stake"], form["currency"], form["seen"]) == ("1", "10", "HUF", "0")
    assert "player_4" not in form
    posted = form | {"player_3": "Csilla", "stake": "0.5", "currency": "EUR"}
    assert phone.post(at(evening, EDIT), posted)["Location"] == at(evening)
    page = Page.of(cast["viewer"].get(at(evening)))
    assert [money.text for money in page.of_class("money")] == ["€6.00", "−€3.00", "−€3.00"]
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert ("Csilla" in page.text, "Cili" in page.text) == (True, False)
    history = [entry.text for entry in Page.of(phone.get(at(evening, EDIT))).of_class("history")[0].all("li")]
    assert "Stake changed" in history[0]
    assert "was: HUF 10 a point now: €0.50 a point" in history[0]
    assert "Name corrected" in history[1]
    assert "was: Cili now: Csilla" in history[1]
    assert "on this phone" in history[1]


def test_an_arrow_moves_a_player_and_writes_nothing(owners: Client, evening: Evening):
    posted = opened(owners, evening, player_2="Barnabás", arrange="up:2")
    for headers in ({}, HTMX):
        with nothing_written():
            page = Page.of(owners.post(at(evening, EDIT), posted, headers=headers))
        assert page.is_whole is not bool(headers)
        form = form_of(page)
        assert [form[f"player_{seat}"] for seat in (1, 2, 3)] == ["Barnabás", "Anna", "Cili"]
        assert (form["who_1"], form["who_2"], form["first_dealer"]) == (posted["who_2"], posted["who_1"], "2")
    owners.post(at(evening, EDIT), form)
    assert names(evening) == ("Barnabás", "Anna", "Cili")
    assert sorted(EveningChange.objects.values_list("kind", flat=True)) == ["name", "seats"]


def test_seats_stay_once_a_hand_is_recorded_or_the_session_ended_and_the_page_says_why(
    owners: Client, owner: User, evening: Evening
):
    late = form_of(Page.of(owners.post(at(evening, EDIT), opened(owners, evening, stake="20", arrange="up:2"))))
    record(evening, owner)
    with nothing_written():
        page = Page.of(owners.post(at(evening, EDIT), late), 409)
    assert "the seats can no longer be swapped" in page.text
    assert (form_of(page)["player_1"], form_of(page)["stake"]) == ("Anna", "20")
    assert owners.post(at(evening, EDIT), form_of(page)).status_code == 302
    assert stake(evening) == (Decimal(20), "HUF")
    for said in ("first hand is on the sheet", "session has ended"):
        page = Page.of(owners.get(at(evening, EDIT)))
        assert said in page.text
        assert not page.all("button", name="arrange")
        assert form_of(page)["first_dealer"] == "1"
        evenings.end(evening.pk)
    assert owners.post(at(evening, EDIT), opened(owners, evening, stake="7")).status_code == 302
    assert stake(evening) == (Decimal(7), "HUF")


def test_wrong_edit_is_refused_beside_its_field_and_kept(owners: Client, owner: User, evening: Evening):
    evening_of(owner, ("Anna", "Béla", "Dóra"))
    form = opened(owners, evening, stake="12")
    for field, value, sentence in (
        ("player_2", "Anna", "Two players cannot have the same name"),
        ("player_3", "DÓRA", "That is another player. One person? Merge them: which name stays?"),
        ("stake", "0", "The stake must be more than zero"),
        ("currency", "XXX", "There is no currency with the code XXX."),
        ("title", "x" * 61, "This is too long: 60 characters at most."),
        ("note", "a" + "\u0301" * 3_000, "This is too long: 500 characters at most. Only the beginning is kept"),
        ("title", "a\u202eb", "This contains characters that cannot be shown."),
        ("title", "\u200d", "This has no visible characters."),
    ):
        posted = form | {field: value}
        for headers in ({}, HTMX):
            with nothing_written():
                page = Page.of(owners.post(at(evening, EDIT), posted, headers=headers), 422)
            assert page.is_whole is (not headers), value
            assert sentence in page.error(field)
            kept = {name: typed for name, typed in form.items() if name not in (field, "csrfmiddlewaretoken")}
            assert form_of(page).items() >= kept.items()
            if field.startswith("player_"):
                assert form_of(page)[field] == value


def test_a_stale_form_is_told_what_changed_and_keeps_what_was_typed(owners: Client, keepers: Client, evening: Evening):
    stale = opened(keepers, evening, player_3="Csilla")
    owners.post(at(evening, EDIT), opened(owners, evening, stake="20"))
    for headers in ({}, HTMX):
        with nothing_written():
            page = Page.of(keepers.post(at(evening, EDIT), stale, headers=headers), 409)
        assert page.is_whole is (not headers)
        notice = page.of_class("notice")[0].text
        assert "Nothing was saved" in notice
        assert "was: HUF 10 a point now: HUF 20 a point" in notice
    again = form_of(page)
    assert (again["player_3"], again["stake"]) == ("Csilla", "20")
    assert keepers.post(at(evening, EDIT), again).status_code == 302
    assert (names(evening)[2], stake(evening)[0]) == ("Csilla", Decimal(20))


def test_a_hand_of_the_old_seats_is_asked_about_again_and_not_booked_to_others(
    owners: Client, keepers: Client, evening: Evening
):
    new = at(evening, "hands/new/")
    typed = hand_form(Page.of(keepers.get(new)))
    typed |= {name: value for name, value in hand_fields(evening).items() if name not in ("token", "number")}
    swap = form_of(Page.of(owners.post(at(evening, EDIT), opened(owners, evening, arrange="up:2"))))
    owners.post(at(evening, EDIT), swap)
    outbox = keepers.post(new, typed, headers={"Accept": "application/json"})
    assert "The seats were changed on another phone" in outbox.json()["sentence"]
    for headers in ({}, HTMX_HAND_FORM):
        page = Page.of(keepers.post(new, typed, headers=headers), 409)
        assert "The seats were changed on another phone" in page.text
        again = hand_form(page)
        assert "declarer" not in again
        assert (again["tricks"], again["trump"], again["dealer"]) == ("7", "hearts", "1")
    assert not Hand.objects.exists()
    owners.post(at(evening, EDIT), opened(owners, evening, player_2="Barnabás", stake="20"))
    assert keepers.post(new, again | {"declarer": "0"}).status_code == 302, "a name and a stake hold no hand up"
    assert Hand.objects.get().declarer == 0


def test_stake_that_makes_more_money_than_can_be_stored_is_refused_beside_the_field(
    owners: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sessions_app.readers.money.balances.LARGEST_RESULT", 1000)
    record(evening, owner, "2H 7", declarer=0)  # Anna wins 12 points
    evenings.end(evening.pk)
    page = Page.of(owners.post(at(evening, EDIT), opened(owners, evening, stake="100", title="dear")), 422)
    assert page.one("p", id="error-stake").text == "That is too much for one point."
    assert (form_of(page)["stake"], form_of(page)["title"]) == ("100", "dear")
    assert stake(evening) == (Decimal(10), "HUF")


def test_a_title_and_a_note_are_given_and_stand_where_the_evening_does(cast: dict[str, Client], evening: Evening):
    posted = opened(cast["keeper"], evening, title=" Szilveszter  <b>", note="Cili késett.\r\n\r\n\r\n\r\nHó esett. ")
    assert cast["keeper"].post(at(evening, EDIT), posted, headers=HTMX)["HX-Redirect"] == at(evening)
    evening.refresh_from_db()
    assert (evening.title, evening.note) == ("Szilveszter <b>", "Cili késett.\n\nHó esett.")
    page = Page.of(cast["viewer"].get(at(evening)))
    assert "Szilveszter <b>" in page.of_class("where")[0].text
    assert "Cili késett." in page.text
    assert "Hó esett." in page.text
    text = Page.of(cast["viewer"].get(at(evening, "settle/"))).of_class("as-text")[0].one("textarea").text
    assert "Szilveszter <b>" in text
    history = Page.of(cast["owner"].get(at(evening, EDIT))).of_class("history")[0].text
    assert "Title changed" in history
    assert "was: (empty) now: Szilveszter <b>" in history
    assert "was: (empty) now: Cili késett." in history
    evenings.end(evening.pk)
    card = Page.of(cast["viewer"].get("/sessions/")).of_class("card")[0]
    assert card.of_class("evening-title")[0].text == "Szilveszter <b>"
    assert card.of_class("evening-note")[0].text == "Cili késett. Hó esett."


def test_deleted_session_is_gone_for_everybody(cast: dict[str, Client], evening: Evening):
    phone, remove = cast["keeper"], at(evening, "remove/")
    assert remove in Page.of(phone.get(at(evening, EDIT))).links.values()
    with nothing_written():
        page = Page.of(phone.get(remove))
    assert "Anna, Béla, Cili" in page.text
    assert page.form(remove).text == "Delete"
    assert phone.post(remove)["Location"] == "/"
    for one in cast.values():
        assert one.get(at(evening)).status_code == 404
        assert one.get(f"/sessions/{evening.pk}/live/?v=1").status_code == 404
        assert at(evening) not in Page.of(one.get("/")).links.values()


def test_refused_deletion_says_why_the_session_stays(owners: Client, owner: User, evening: Evening):
    remove = at(evening, "remove/")

    def refused(said: str) -> None:
        assert remove not in Page.of(owners.get(at(evening, EDIT))).links.values()
        with nothing_written():
            pages = Page.of(owners.get(remove), 200), Page.of(owners.post(remove), 409)
        for page in pages:
            assert said in page.text
            assert not page.all("form", action=remove)

    moves.let_play(evening.pk, 2, seen=Seen(1, 0), by=owner)
    refused("A hand is being played")
    record(evening, owner)
    refused("has hands that count")
    anna, bela, _cili = evening.seats.values_list("player", flat=True)
    evenings.end(evening.pk)
    wanted = Wanted(anna, bela, 60, "HUF", evenings=(evening.pk,))
    repayments.book(evening.circle_id, wanted, token=uuid4(), by=owner)
    evenings.reopen(evening.pk)
    ledger.void(evening.pk, 1, by=owner)
    refused("A payment was booked for this session")


def way_back(page: Page) -> str:
    (back,) = page.of_class("back")
    return back.attrs["href"]


def test_ended_session_says_who_won_and_how_long_it_was_played_and_leads_to_settling(
    cast: dict[str, Client], owner: User, evening: Evening
):
    record(evening, owner, "2H 5", declarer=2)
    evenings.end(evening.pk)
    for who in ("owner", "viewer"):
        page = Page.of(cast[who].get(at(evening)))
        (bar,) = page.of_class("bar")
        (primary,) = bar.of_class("primary")
        assert (primary.text, primary.attrs["href"]) == ("Settle up", at(evening, "settle/"))
        assert "Reopen" not in bar.text
        assert ("Reopen" in page.buttons) is (who == "owner")
    hungarian = Page.of(cast["viewer"].get(at(evening), headers=HUNGARIAN))
    assert hungarian.of_class("ended-as")[0].text == "Anna és Béla nyert: +4 · 1 leosztás"
    for open_for, said in (
        (timedelta(seconds=59), ""),
        (timedelta(minutes=45), " · 45 min"),
        (timedelta(hours=2), " · 2 h"),
        (timedelta(hours=2, minutes=10, seconds=59), " · 2 h 10"),
        (timedelta(hours=12), " · 12 h"),
        (timedelta(hours=12, seconds=1), ""),
        (timedelta(minutes=-5), ""),
    ):
        Evening.objects.filter(pk=evening.pk).update(ended_at=evening.started_at + open_for)
        for path in ("", "settle/"):
            (shown,) = Page.of(cast["owner"].get(at(evening, path))).of_class("ended-as")
            assert shown.text == f"Anna and Béla won +4 · 1 hand{said}"


def test_ended_evening_is_past_until_it_is_reopened_and_a_hand_sent_again_is_answered_with_itself(
    keepers: Client, evening: Evening
):
    """An answer may be lost on the way: the hand is there, so it is no refusal."""
    posted = hand_fields(evening)
    keepers.post(at(evening, "hands/new/"), posted)
    assert keepers.post(at(evening, "end/"))["Location"] == at(evening, "settle/")
    assert keepers.post(at(evening, "hands/new/"), posted)["Location"] == at(evening, "?saved=1")
    assert Hand.objects.count() == 1
    home = Page.of(keepers.get("/"))
    assert "Continue" not in home.links
    assert len(home.of_class("card")) == 1
    form = Page.of(keepers.get(at(evening, "hands/1/"))).form(at(evening, "reopen/"))
    answer = keepers.post(form.attrs["action"], {"hand": form.one("input", name="hand").attrs["value"]})
    assert answer["Location"] == at(evening, "hands/1/")
    assert "Correct" in Page.of(keepers.get(answer["Location"])).buttons
    assert Page.of(keepers.get("/")).links["Continue"] == at(evening)
    for hand in ("x", "-1", "//elsewhere.example", "9" * 40, "1/../../.."):
        end(evening)
        assert keepers.post(at(evening, "reopen/"), {"hand": hand})["Location"] == at(evening)


def test_the_way_back_is_to_the_page_of_the_past_sessions_and_of_a_hand_to_its_row_on_the_sheet(
    owners: Client, owner: User, play: Callable[..., Evening]
):
    first = end(play(evening_of(owner), 30), 40)
    for days in range(20):
        end(evening_of(owner), days)
    owners.get("/")
    assert way_back(Page.of(owners.get(at(first)))) == "/"
    second = Page.of(owners.get("/sessions/?q=anna")).links["Earlier"]
    assert Page.of(owners.get(second)).one("li", id=f"session-{first.pk}").one("a").attrs["href"] == at(first)
    # By way of an early hand, and of the pages beside the sheet.
    for path in ("?before=13", "hands/3/", "settle/", "table/"):
        owners.get(at(first, path))
    there = f"{second}#session-{first.pk}"
    assert way_back(Page.of(owners.get(at(first)))) == there
    assert way_back(Page.of(owners.get(at(first, "?before=13")))) == there
    owners.get("/sessions/")
    assert way_back(Page.of(owners.get(at(first)))) == f"/sessions/#session-{first.pk}"
    owners.get("/")
    assert way_back(Page.of(owners.get(at(first)))) == "/"
    for number, place in ((30, "#hand-30"), (19, "#hand-19"), (18, "?before=19#hand-18"), (1, "?before=7#hand-1")):
        back = way_back(Page.of(owners.get(at(first, f"hands/{number}/"))))
        assert back == at(first, place)
        assert number in Page.of(owners.get(back)).numbers
