"""Phones are rows: a session's cookie leads to its user by the row of its phone, until that is ended."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, Member, Phone, Role, User
from sessions_app.signing_in import PHONE
from sessions_app.writers import phones
from tests.factories import UserFactory, evening_of
from tests.ledger.books import PHONES, at_once
from tests.views.join_links import Link
from tests.views.page import Page

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"


@pytest.fixture
def joined(strangers: Client, link: Link, evening: Evening) -> Client:
    """A phone that became a keeper by a link."""
    assert strangers.post(link(), {"player": ""}, headers={"user-agent": IPHONE}).status_code == 302
    return strangers


def pages(evening: Evening) -> tuple[str, str]:
    """A page of the evening, and one of its circle."""
    return f"/sessions/{evening.pk}/", f"/circles/{evening.circle_id}/"


def answers(client: Client, evening: Evening) -> list[Any]:
    return [client.get(path).status_code for path in pages(evening)] + [client.get("/token/").json()["signed_in"]]


def test_joining_phone_gets_a_row_of_what_it_is_and_a_random_key_in_its_cookie(joined: Client):
    phone = Phone.objects.get()
    assert (phone.device, phone.last_seen_on, phone.ended_at) == ("Safari|iPhone", timezone.localdate(), None)
    assert joined.session[PHONE] == phone.key
    assert len(phone.key) == 32


def test_ended_phone_is_a_stranger_at_its_next_request(joined: Client, evening: Evening):
    assert answers(joined, evening) == [200, 200, True]
    Phone.objects.update(ended_at=timezone.now())
    assert answers(joined, evening) == [404, 404, False]


def test_phone_given_to_another_user_goes_on_with_its_cookie_as_that_user(joined: Client):
    other = UserFactory()
    theirs = evening_of(other)
    assert answers(joined, theirs) == [404, 404, True]
    Phone.objects.update(user=other)
    assert answers(joined, theirs) == [200, 200, True]


def test_session_of_before_goes_on_until_its_user_s_old_sessions_are_ended(
    owners: Client, owner: User, evening: Evening
):
    assert answers(owners, evening) == [200, 200, True]
    Phone.objects.create(user=owner, is_of_old_session=True)
    assert answers(owners, evening) == [200, 200, True]
    Phone.objects.update(ended_at=timezone.now())
    assert answers(owners, evening) == [404, 404, False]


def test_page_notes_the_day_of_a_phone_once(joined: Client, evening: Evening, django_assert_num_queries: Any):
    page, _circle = pages(evening)
    member = Member.objects.get(role=Role.KEEPER)
    Member.objects.filter(pk=member.pk).update(last_seen_at=timezone.now().replace(year=2999))
    Phone.objects.update(last_seen_on="2026-01-01")
    poll = f"{page}live/?v={Evening.objects.get(pk=evening.pk).version}"
    with django_assert_num_queries(1):
        assert joined.get(poll).status_code == 204
    joined.get(page)
    assert Phone.objects.get().last_seen_on == timezone.localdate()


# --- The user's own page ---


@pytest.fixture
def second(joined: Client, client_of: Any) -> Client:
    """Another phone of the same user."""
    client: Client = client_of(None)
    phone = Phone.objects.create(user=Phone.objects.get().user, device="Chrome|Android")
    session = client.session
    session[PHONE] = phone.key
    session.save()
    client.cookies["sessionid"] = session.session_key  # of a signed cookie that is its value
    return client


def test_own_page_lists_the_phones_this_one_first(joined: Client, second: Client):
    page = Page.of(joined.get("/me/"))
    assert [row.text.split(" since")[0] for row in page.of_class("own-phone")] == [
        "Safari on iPhone this phone",
        "Chrome on Android",
    ]
    assert Page.of(second.get("/me/")).of_class("own-phone")[0].text.startswith("Chrome on Android this phone")


def test_phone_is_ended_from_another_one(joined: Client, second: Client, evening: Evening):
    address = f"/me/phones/{Phone.objects.get(device='Chrome|Android').pk}/end/"
    assert (joined.get(address).status_code, second.get("/token/").json()["signed_in"]) == (405, True)
    for _twice in range(2):
        assert joined.post(address)["Location"] == "/me/"
    assert answers(second, evening) == [404, 404, False]
    assert answers(joined, evening) == [200, 200, True]
    assert second.post(address).status_code == 404


def test_phone_that_ends_itself_is_led_home(joined: Client):
    assert joined.post(f"/me/phones/{Phone.objects.get().pk}/end/")["Location"] == "/"
    assert joined.get("/token/").json()["signed_in"] is False


def test_phone_of_another_user_is_not_found_and_not_ended(joined: Client, owners: Client):
    assert owners.post(f"/me/phones/{Phone.objects.get().pk}/end/").status_code == 404
    assert joined.get("/token/").json()["signed_in"] is True


def test_signing_out_everywhere_else_ends_the_others_and_copies_of_the_own_cookie(
    joined: Client, second: Client, evening: Evening, client_of: Any
):
    thief = client_of(None)
    thief.cookies["sessionid"] = joined.cookies["sessionid"].value
    assert answers(thief, evening) == [200, 200, True]
    since = Phone.objects.get(device="Safari|iPhone").since
    assert joined.post("/me/phones/end-others/")["Location"] == "/me/"
    assert answers(joined, evening) == [200, 200, True]
    assert answers(thief, evening) == answers(second, evening) == [404, 404, False]
    (left,) = Phone.objects.filter(ended_at=None)
    assert (left.device, left.since) == ("Safari|iPhone", since)


def test_signing_out_everywhere_else_ends_copies_of_a_session_of_before(
    owners: Client, evening: Evening, client_of: Any
):
    copy = client_of(None)
    copy.cookies["sessionid"] = owners.cookies["sessionid"].value
    owners.post("/me/phones/end-others/")
    assert answers(owners, evening) == [200, 200, True]
    assert answers(copy, evening) == [404, 404, False]


def test_session_of_before_gets_one_row_and_its_key_by_looking_at_the_own_page(owners: Client, client_of: Any):
    other_tab = client_of(None)
    other_tab.cookies["sessionid"] = owners.cookies["sessionid"].value
    for tab in (owners, other_tab):
        assert tab.get("/me/").status_code == 200
    assert owners.session[PHONE] == other_tab.session[PHONE] == Phone.objects.get().key


@pytest.mark.django_db(transaction=True)
def test_session_of_before_gets_one_row_when_several_tabs_ask_at_once(owner: User):
    tabs = at_once([lambda: phones.of_old_session(owner, IPHONE)] * PHONES)
    assert tabs == [Phone.objects.get()] * PHONES


# --- The members of a circle ---


def test_lists_of_members_tell_by_their_phones_which_of_two_rows_is_which(
    owners: Client, viewers: Client, joined: Client, second: Client, evening: Evening
):
    of_circle = f"/circles/{evening.circle_id}/"

    def lines() -> list[str]:
        devices = Page.of(owners.get(f"/sessions/{evening.pk}/members/")).of_class("device")
        return [
            next(each.text for each in devices if " on " in each.text).partition(" · ")[0],
            next(each.text for each in Page.of(owners.get(of_circle)).of_class("small") if " on " in each.text),
        ]

    assert lines() == ["Chrome on Android, Safari on iPhone"] * 2
    Phone.objects.filter(device="Chrome|Android").update(ended_at=timezone.now())
    assert lines() == ["Safari on iPhone"] * 2
    assert " on iPhone" not in Page.of(viewers.get(of_circle)).text
