"""Another phone of mine, by a link and a code on which both phones agree; and a guest's phone that brings circles."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from sessions_app.access import PHONE
from sessions_app.models import Circle, Evening, Member, Phone, PhoneLink, Revision, Role, User, UserMerge
from sessions_app.rate_limits import Limit
from sessions_app.readers.people.phones import code_of, token_of
from sessions_app.writers import circles, phones, users
from tests.factories import UserFactory, evening_of
from tests.ledger.books import PHONES, at_once
from tests.views.page import HTMX_BODY, Page

pytestmark = pytest.mark.django_db
PIXEL = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36"


@pytest.fixture
def link(owners: Client, owner: User, evening: Evening) -> PhoneLink:
    """The link that the owner's phone shows."""
    assert owners.post("/me/link/")["Location"] == "/me/link/"
    return owner.phone_links.get()


def at(link: PhoneLink) -> str:
    return f"/link/{token_of(link)}/"


def agree(client: Client, link: PhoneLink) -> Any:
    return client.post("/me/link/", {"do": "agree", "link": str(link.pk)})


def text(client: Client, path: str, status: int = 200) -> str:
    return Page.of(client.get(path), status).text


def test_new_phone_comes_in_when_both_have_agreed(
    owners: Client, strangers: Client, outsiders: Client, owner: User, evening: Evening, link: PhoneLink
):
    assert token_of(link) in owners.get("/me/link/").content.decode()
    assert "This opens 1 circle on this phone" in text(strangers, at(link))
    assert strangers.post(at(link), headers={"user-agent": PIXEL})["Location"] == at(link)
    assert "agree on the other phone" in text(strangers, at(link))
    agree(outsiders, link)
    strangers.post(at(link))
    assert strangers.get("/token/").json()["signed_in"] is False
    assert "This opens 1 circle on another phone: Chrome on Android" in text(owners, "/me/link/")
    agree(owners, link)
    assert "Open my circles" in text(strangers, at(link))
    assert strangers.post(at(link))["Location"] == "/"
    assert strangers.get(f"/sessions/{evening.pk}/").status_code == 200
    phone = Phone.objects.get(key=strangers.session[PHONE])
    assert (phone.user, Phone.objects.filter(user=owner, ended_at=None).count()) == (owner, 2)
    assert "Done" in text(owners, "/me/link/")


def test_link_is_closed_by_a_refusal_and_by_the_next_one(owners: Client, strangers: Client, link: PhoneLink):
    strangers.post(at(link))
    owners.post("/me/link/")
    assert "not valid" in text(strangers, at(link), 404)
    later = PhoneLink.objects.get()
    strangers.post(at(later))
    assert owners.post("/me/link/", {"do": "refuse"})["Location"] == "/me/"
    assert "not valid" in text(strangers, at(later), 404)


def test_pages_of_a_link_follow_it_until_it_is_their_turn(owners: Client, strangers: Client, link: PhoneLink):
    def news(client: Client, path: str) -> Any:
        shown = Page.of(client.get(path)).one(id="phone-link")
        return partial(client.get, path, {"live": shown.attrs["data-version"]})

    made = news(owners, "/me/link/")
    strangers.post(at(link))
    opened = news(strangers, at(link))
    assert opened().status_code == 204
    asks = made()
    assert b"<html" not in asks.content
    assert b"let it in" in asks.content
    assert b"data-live" not in asks.content, "nothing moves under the thumb that agrees"
    agree(owners, link)
    assert b"Open my circles" in opened().content
    strangers.post(at(link))
    assert b"Done" in made().content
    owners.post("/me/link/", {"do": "refuse"})
    assert (made().status_code, opened().status_code) == (404, 404)


def test_link_is_one_phone_s_and_used_once(
    owners: Client, strangers: Client, client_of: Callable[..., Client], link: PhoneLink
):
    strangers.post(at(link))
    other, copy = client_of(None), client_of(None)
    copy.cookies["sessionid"] = strangers.cookies["sessionid"].value
    assert "Another phone has opened" in text(other, at(link), 410)
    assert other.post(at(link)).status_code == 410
    agree(owners, link)
    assert other.post(at(link)).status_code == 410
    assert other.get("/token/").json()["signed_in"] is False
    strangers.post(at(link))
    assert "used already" in text(copy, at(link), 410)
    assert copy.post(at(link)).status_code == 410
    assert strangers.get(at(link))["Location"] == "/me/"


@pytest.mark.django_db(transaction=True)
def test_link_opened_by_several_phones_and_used_by_copies_of_one_at_once_signs_one_in(link: PhoneLink, owner: User):
    secrets = [f"secret {number}" for number in range(PHONES)]
    asked = at_once([partial(phones.ask_link, link, secret, PIXEL) for secret in secrets])
    assert [each is True for each in asked].count(True) == 1
    [secret] = [secret for secret, each in zip(secrets, asked, strict=True) if each is True]
    assert not phones.use_link(link, secret), "before both have agreed"
    phones.agree_link(owner, link.pk)
    assert not phones.use_link(link, "another")
    assert sorted(at_once([lambda: phones.use_link(link, secret)] * PHONES)) == [False] * (PHONES - 1) + [True]


@pytest.mark.parametrize(
    ("minutes", "is_agreed", "status"), [(1, False, 200), (2, False, 410), (3, True, 200), (4, True, 410)]
)
def test_link_lasts_two_minutes_and_as_long_again_once_agreed(
    strangers: Client, link: PhoneLink, owner: User, minutes: int, is_agreed: bool, status: int
):
    strangers.post(at(link))
    if is_agreed:
        phones.agree_link(owner, link.pk)
    PhoneLink.objects.update(made_at=timezone.now() - timedelta(minutes=minutes))
    assert strangers.get(at(link)).status_code == status
    assert phones.agree_link(owner, link.pk) is (minutes < 2)


@pytest.mark.parametrize(("is_deleted", "onward"), [(False, "/me/merge/"), (True, "/")])
def test_phone_with_circles_of_its_own_is_asked_whether_to_leave_them_when_both_have_agreed(
    owners: Client, outsiders: Client, owner: User, link: PhoneLink, is_deleted: bool, onward: str
):
    if is_deleted:
        Circle.objects.exclude(members__user=owner).update(deleted_from=timezone.now())
    outsiders.post(at(link))
    agree(owners, link)
    assert outsiders.post(at(link))["Location"] == onward
    assert owner.phones.exclude(is_of_old_session=True).exists() is is_deleted
    outsiders.post("/me/merge/", {"leave": "1"})
    assert Phone.objects.get(key=outsiders.session[PHONE]).user == owner


def test_code_leads_to_the_link_however_it_is_typed(strangers: Client, link: PhoneLink):
    code = code_of(link.salt)
    stored = [str(value) for row in PhoneLink.objects.values_list() for value in row]
    assert not any(secret in value for secret in (token_of(link), code) for value in stored)
    for said in (code, f"{code[:4]} {code[4:]}", f" {code.lower()} "):
        for path, field in (("/link/", "code"), ("/join/", "link")):
            assert strangers.post(path, {field: said})["Location"] == at(link)


def test_wrong_code_is_refused_and_codes_are_counted(
    strangers: Client, link: PhoneLink, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sessions_app.rate_limits.CODES", Limit("code", 2))
    wrong = "AAAAAAAA"
    assert [strangers.post("/link/", {"code": wrong}).status_code for _try in range(3)] == [422, 422, 429]
    assert strangers.post("/link/", {"code": code_of(link.salt)}).status_code == 429, "the right one as well"


# --- A guest's phone opens a book and takes its circles along; for a day that is undone ---


MERGE, UNDO = "/me/merge/", "/me/merge/undo/"


@pytest.fixture
def guest() -> User:
    return UserFactory()


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
    assert Page.of(owners.get("/me/")).all("a", href=UNDO)
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
        assert "They stay together" in Page.of(owners.post(UNDO, named, headers=headers), 409).text
    UserMerge.objects.update(at=timezone.now() - timedelta(days=1))
    assert "nothing to take apart" in Page.of(owners.get(UNDO)).text
    assert owners.post(UNDO, named).status_code == 302
    assert opens(owners, evening, theirs) == [200, 200]
