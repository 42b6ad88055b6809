"""A guest's phone opens a book, and takes its circles along: it is that book's phone from then on, for a day undone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, Member, Phone, PhoneLink, Revision, Role, User, UserMerge
from sessions_app.signing_in import PHONE
from sessions_app.writers import circles, phones, users
from tests.factories import UserFactory, evening_of
from tests.views.page import HTMX_BODY, Page
from tests.views.test_phone_link import at

pytestmark = pytest.mark.django_db
MERGE, UNDO = "/me/merge/", "/me/merge/undo/"


@pytest.fixture
def guest() -> User:
    user: User = UserFactory()
    return user


@pytest.fixture
def theirs(guest: User) -> Evening:
    """The guest's own session."""
    evening = evening_of(guest, names=("Dóra", "Edit", "Feri"))
    circles.rename(evening.circle_id, "Mondays")
    return evening


@pytest.fixture
def phone(client_of: Callable[..., Client], guest: User, theirs: Evening) -> Client:
    """The guest's phone, which has asked to open the owner's book, and may."""
    return client_of(guest)


@pytest.fixture
def arrived(phone: Client, owners: Client, owner: User, evening: Evening) -> Client:
    circles.rename(evening.circle_id, "Fridays")
    arrive(phone, owners, owner)
    return phone


def arrive(phone: Client, owners: Client, owner: User) -> None:
    """Let the phone open the book of the owner by a link, to which both have agreed."""
    owners.post("/me/link/")
    link = PhoneLink.objects.get(user=owner)
    phone.post(at(link))
    phones.agree_link(owner, link.pk)
    assert phone.post(at(link))["Location"] == MERGE


def take(phone: Client) -> Any:
    return phone.post(MERGE, {"take": "1"})


def opens(phone: Client, *evenings: Evening) -> list[int]:
    return [phone.get(f"/sessions/{evening.pk}/").status_code for evening in evenings]


@pytest.mark.parametrize("headers", [{}, HTMX_BODY])
def test_question_names_the_circles_here_and_there(
    arrived: Client, guest: User, evening: Evening, headers: dict[str, str]
):
    page = Page.of(arrived.get(MERGE, headers=headers))
    assert page.is_whole
    named = [[item.text for item in names.all("li")] for names in page.all("ul", class_="brought")]
    assert named == [["Mondays"], ["Fridays"]]
    assert "only an invite leads back" in page.text
    Member.objects.create(circle=evening.circle, user=guest, role=Role.VIEWER)
    Phone.objects.create(user=guest)
    page = Page.of(arrived.get(MERGE, headers=headers))
    assert sum("in both" in item.text for item in page.all("li")) == 2
    assert "the stronger role stays" in page.text
    assert "only an invite leads back" not in page.text


def test_phone_that_takes_its_circles_along_opens_both_books_and_is_the_other_s_phone(
    phone: Client, owners: Client, owner: User, evening: Evening, theirs: Evening
):
    assert take(phone)["Location"] == "/", "without a proof"
    assert opens(phone, evening, theirs) == [404, 200]
    assert not UserMerge.objects.exists()
    arrive(phone, owners, owner)
    assert opens(phone, evening, theirs) == [404, 200]
    assert take(phone)["Location"] == "/"
    assert opens(phone, evening, theirs) == [200, 200]
    assert opens(owners, evening, theirs) == [200, 200]
    assert phone.session[SESSION_KEY] == str(owner.pk)
    assert Phone.objects.get(key=phone.session[PHONE]).user == owner


def test_second_tap_second_tab_and_lost_answer_change_nothing(
    arrived: Client, client_of: Callable[..., Client], owner: User, evening: Evening, theirs: Evening
):
    arrived.get(MERGE)
    arrived.get("/me/")
    before = arrived.cookies.copy()
    take(arrived)
    arrived.cookies = before  # the answer did not arrive
    assert opens(arrived, evening, theirs) == [200, 200]
    for answer in ("take", "leave", "stay"):
        arrived.cookies = before
        assert arrived.post(MERGE, {answer: "1"})["Location"] == "/"
        assert opens(arrived, evening, theirs) == [200, 200]
    assert UserMerge.objects.get().user == owner


def test_another_phone_of_the_guest_goes_on_with_its_cookie_and_its_waiting_hand(
    arrived: Client, strangers: Client, guest: User, owner: User, evening: Evening, theirs: Evening, post_hand: Any
):
    other = phones.add(guest, "")
    session = strangers.session
    session[PHONE], session[SESSION_KEY] = other.key, str(guest.pk)
    session.save()
    strangers.cookies["sessionid"] = session.session_key
    assert opens(strangers, evening, theirs) == [404, 200]
    take(arrived)
    assert post_hand(strangers, theirs).status_code == 302
    assert Revision.objects.get().made_by == owner
    assert opens(strangers, evening, theirs) == [200, 200]
    assert strangers.session[SESSION_KEY] == str(owner.pk)


def test_question_about_another_guest_s_circles_is_asked_anew(arrived: Client, guest: User, theirs: Evening):
    """Meanwhile the phone became a third user's, by the guest's other phone."""
    third = UserFactory()
    arrived.get(MERGE)
    arrived.get("/me/")
    users.merge(guest.pk, third.pk)
    assert take(arrived)["Location"] == MERGE
    assert theirs.circle.members.get().user == third
    arrived.get(MERGE)
    assert take(arrived)["Location"] == "/"
    assert theirs.circle.members.get().user not in (guest, third)


def test_merge_is_offered_to_be_undone_for_a_day_and_gives_the_phone_back(
    arrived: Client, owners: Client, guest: User, evening: Evening, theirs: Evening, django_assert_num_queries: Any
):
    take(arrived)
    offered = Page.of(owners.get("/me/"))
    assert offered.all("a", href=UNDO)
    with django_assert_num_queries(5):
        page = Page.of(owners.get(UNDO))
    assert [item.text for item in page.one("ul", class_="brought").all("li")] == ["Mondays"]
    assert "this phone" in Page.of(arrived.get(UNDO)).text
    said = {"merge": page.one("button", name="merge").attrs["value"]}
    for _twice in range(2):
        assert owners.post(UNDO, said)["Location"] == "/"
    assert opens(arrived, evening, theirs) == [404, 200]
    assert opens(owners, evening, theirs) == [200, 404]
    assert arrived.session[SESSION_KEY] == str(guest.pk)
    assert not Page.of(owners.get("/me/")).all("a", href=UNDO)


def test_merge_that_cannot_be_undone_says_why(arrived: Client, owners: Client, evening: Evening, theirs: Evening):
    take(arrived)
    Phone.objects.filter(key=arrived.session[PHONE]).update(ended_at=timezone.now())
    named = {"merge": UserMerge.objects.get().pk}
    for headers in ({}, HTMX_BODY):
        response = owners.post(UNDO, named, headers=headers)
        assert (response.status_code, "They stay together" in Page.of(response).text) == (409, True)
    UserMerge.objects.update(at=timezone.now() - timedelta(days=1))
    assert "nothing to take apart" in Page.of(owners.get(UNDO)).text
    assert owners.post(UNDO, named).status_code == 302
    assert opens(owners, evening, theirs) == [200, 200]
