"""Phones are rows that lead a cookie to its user until they are ended; and deleting one's own book."""

from threading import Event
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from sessions_app.access import PHONE
from sessions_app.models import Circle, Evening, HandMark, Member, Phone, Role, User
from sessions_app.writers import cleanup, evenings, phones
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import PHONES, at_once, nothing_written
from tests.views.page import Link, Page

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"


@pytest.fixture
def joined(strangers: Client, link: Link, evening: Evening) -> Client:
    """A phone that became a keeper by a link."""
    assert strangers.post(link(), {"player": ""}, headers={"user-agent": IPHONE}).status_code == 302
    return strangers


def answers(client: Client, evening: Evening) -> list[Any]:
    """The statuses of a page of the evening and of one of its circle, and whether the phone is signed in."""
    pages = (f"/sessions/{evening.pk}/", f"/circles/{evening.circle_id}/")
    return [client.get(path).status_code for path in pages] + [client.get("/token/").json()["signed_in"]]


def test_joining_phone_has_a_row_and_a_random_key_and_is_its_user_s_until_it_is_ended(joined: Client, evening: Evening):
    phone = Phone.objects.get()
    assert (phone.device, phone.last_seen_on, phone.ended_at) == ("Safari|iPhone", timezone.localdate(), None)
    assert joined.session[PHONE] == phone.key
    assert len(phone.key) == 32
    theirs = evening_of(other := UserFactory())
    assert [answers(joined, each) for each in (evening, theirs)] == [[200, 200, True], [404, 404, True]]
    Phone.objects.update(user=other)
    assert [answers(joined, each) for each in (evening, theirs)] == [[404, 404, True], [200, 200, True]]
    User.objects.update(is_active=False)
    assert answers(joined, theirs) == [404, 404, False]
    User.objects.update(is_active=True)
    assert answers(joined, theirs) == [200, 200, True]
    Phone.objects.update(ended_at=timezone.now())
    assert answers(joined, theirs) == [404, 404, False]


def test_session_of_before_goes_on_until_its_user_s_old_sessions_are_ended(
    owners: Client, owner: User, evening: Evening
):
    assert answers(owners, evening) == [200, 200, True]
    Phone.objects.create(user=owner, is_of_old_session=True)
    assert answers(owners, evening) == [200, 200, True]
    Phone.objects.update(ended_at=timezone.now())
    assert answers(owners, evening) == [404, 404, False]


def test_page_notes_the_day_of_a_phone_once(joined: Client, evening: Evening, django_assert_num_queries: Any):
    page = f"/sessions/{evening.pk}/"
    member = Member.objects.get(role=Role.KEEPER)
    Member.objects.filter(pk=member.pk).update(last_seen_at=timezone.now().replace(year=2999))
    Phone.objects.update(last_seen_on="2026-01-01")
    poll = f"{page}live/?v={Evening.objects.get(pk=evening.pk).version}"
    with django_assert_num_queries(1):
        assert joined.get(poll).status_code == 204
    joined.get(page)
    assert Phone.objects.get().last_seen_on == timezone.localdate()


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


def test_own_page_lists_the_phones_this_one_first_and_ends_any_of_them(
    joined: Client, second: Client, owners: Client, evening: Evening
):
    page = Page.of(joined.get("/me/"))
    listed = [row.text.split(" since")[0] for row in page.of_class("own-phone")]
    assert listed == ["Safari on iPhone this phone", "Chrome on Android"]
    assert Page.of(second.get("/me/")).of_class("own-phone")[0].text.startswith("Chrome on Android this phone")
    own, other = (f"/me/phones/{Phone.objects.get(device__startswith=kind).pk}/end/" for kind in ("Safari", "Chrome"))
    assert owners.post(other).status_code == 404, "of another user"
    assert (joined.get(other).status_code, second.get("/token/").json()["signed_in"]) == (405, True)
    for _twice in range(2):
        assert joined.post(other)["Location"] == "/me/"
    assert answers(second, evening) == [404, 404, False]
    assert answers(joined, evening) == [200, 200, True]
    assert second.post(other).status_code == 404
    assert joined.post(own)["Location"] == "/"
    assert joined.get("/token/").json()["signed_in"] is False


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


def test_session_of_before_gets_one_row_by_the_own_page_and_its_copies_end_with_the_others(
    owners: Client, evening: Evening, client_of: Any
):
    other_tab, copy = client_of(None), client_of(None)
    for each in (other_tab, copy):
        each.cookies["sessionid"] = owners.cookies["sessionid"].value
    for tab in (owners, other_tab):
        assert tab.get("/me/").status_code == 200
    assert owners.session[PHONE] == other_tab.session[PHONE] == Phone.objects.get().key
    owners.post("/me/phones/end-others/")
    assert answers(owners, evening) == [200, 200, True]
    assert answers(copy, evening) == [404, 404, False]


@pytest.mark.django_db(transaction=True)
def test_session_of_before_gets_one_row_when_several_tabs_ask_at_once(owner: User):
    tabs = at_once([lambda: phones.of_old_session(owner, IPHONE)] * PHONES)
    assert tabs == [Phone.objects.get()] * PHONES


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


# --- Deleting one's own book: what goes, what stays, and who must hand a circle over first ---


URL = "/me/delete/"


@pytest.fixture
def keeper(keepers: Client, evening: Evening) -> User:
    return User.objects.get(memberships__circle=evening.circle_id, memberships__role=Role.KEEPER)


def test_deleted_book_leaves_what_it_entered_in_a_shared_circle_and_signs_the_phone_out(
    keepers: Client, owners: Client, keeper: User, evening: Evening
):
    record(evening, keeper, "2H 7")
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.OK, by=keeper)
    before = Evening.objects.get(pk=evening.pk).version
    page = f"/sessions/{evening.pk}/"
    assert keepers.post(URL, {"sure": "on"})["Location"] == "/"
    assert not User.objects.filter(pk=keeper.pk).exists()
    assert not Phone.objects.filter(user=keeper.pk).exists()
    assert keepers.get(page).status_code == 404
    assert [owners.get(page + path).status_code for path in ("", "hands/1/")] == [200, 200]
    assert Evening.objects.get(pk=evening.pk).version >= before
    call_command("verify")


def test_only_owner_of_a_shared_circle_is_refused_and_nothing_is_deleted(
    owners: Client, keepers: Client, played: Evening
):
    with nothing_written():
        page = Page.of(owners.post(URL, {"sure": "on"}), 409)
    assert page.one("a", href=f"/sessions/{played.pk}/members/")
    assert page.one("a", href=f"/circles/{played.circle_id}/delete/")
    assert not page.all("form", action=URL)


def test_circle_without_anybody_else_goes_with_the_book(owners: Client, owner: User, keeper: User, evening: Evening):
    mine = evening_of(User.new_guest())
    Member.objects.filter(circle=mine.circle_id).update(user=owner)
    record(mine, owner, "2H 7")
    keeper.memberships.update(role=Role.OWNER)
    assert "Nobody else" in Page.of(owners.get(URL)).text
    owners.post(URL, {"sure": "on"})
    call_command("verify")
    assert cleanup.delete_due(Event()) == 1
    assert set(Circle.objects.values_list("pk", flat=True)) == {evening.circle_id}
    call_command("verify")


def test_book_is_not_deleted_until_the_box_is_ticked_and_the_page_says_what_is_still_owed(
    keepers: Client, keeper: User, played: Evening
):
    bela = played.seats.get(position=1).player
    Member.objects.filter(circle=played.circle_id, user=keeper).update(player=bela)
    assert "You owe" in Page.of(keepers.get(URL)).text
    assert Page.of(keepers.post(URL, {"sure": ""}), 422).one("p", id="not-sure")
    assert User.objects.filter(pk=keeper.pk).exists()
