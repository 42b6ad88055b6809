"""Phones are rows: a session's cookie leads to its user by the row of its phone, until that is ended."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.access import PHONE
from sessions_app.models import Evening, Member, Phone, Role, User
from tests.factories import UserFactory, evening_of
from tests.views.join_links import Link

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
