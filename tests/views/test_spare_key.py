"""The spare key: shown once, opens the book once on a new phone, and is renewed there."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.text.spare_words import words_in
from sessions_app.models import Evening, SpareKey, User
from tests.factories import UserFactory, evening_of
from tests.views.page import Page
from tests.views.test_passkeys import user_of

pytestmark = pytest.mark.django_db
WRONG = "abandon " * 11 + "about"


def words_on(response: Any) -> str:
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    assert "Content-Encoding" not in response, "a page with a key is not compressed"
    return " ".join(item.text.strip() for item in Page.of(response).one("ol", class_="key-words").all("li"))


def make(client: Client) -> str:
    return words_on(client.post("/me/spare-key/", headers={"accept-encoding": "gzip"}))


def opened(words: str, client: Client) -> Any:
    return client.post("/spare-key/", {"link": words})


def test_spare_key_opens_the_book_once_and_is_renewed(owners: Client, owner: User, evening: Evening):
    words, phone, thief = make(owners), Client(), Client()
    renewed = words_on(opened(words, phone))
    assert user_of(phone) == owner
    assert phone.get(f"/sessions/{evening.pk}/").status_code == 200
    thief.get("/spare-key/")
    assert opened(words, thief).status_code == 403
    assert user_of(thief) is None
    assert words_on(opened(renewed, Client())) not in (words, renewed)


def test_spare_key_is_stored_as_a_hash_and_a_new_one_replaces_it(owners: Client, owner: User):
    old, new = make(owners), make(owners)
    assert old != new
    assert opened(old, Client()).status_code == 403
    assert not any(word.encode() in bytes(SpareKey.objects.get().digest) for word in new.split())
    owner.refresh_from_db()
    assert not owner.is_guest
    User.objects.update(is_active=False)
    assert opened(new, Client()).status_code == 403
    User.objects.update(is_active=True)
    owners.post("/me/spare-key/", {"remove": "1"})
    assert opened(new, Client()).status_code == 403
    owner.refresh_from_db()
    assert owner.is_guest


def test_browser_that_lost_the_answer_may_ask_again_for_ten_minutes(owners: Client):
    words, phone = make(owners), Client()
    phone.get("/spare-key/")
    cookies = phone.cookies.copy()
    lost = words_on(opened(words, phone))
    phone.cookies = cookies
    again = words_on(opened(words, phone))
    assert opened(lost, Client()).status_code == 403, "nobody has seen it"
    phone.cookies = cookies
    SpareKey.objects.filter(spent_at__isnull=False).update(spent_at=timezone.now() - timedelta(minutes=11))
    assert opened(words, phone).status_code == 403
    assert words_on(opened(again, Client()))


def test_spare_key_is_read_however_it_is_written(owners: Client):
    words = make(owners)
    for write in (
        str.upper,
        lambda words: "\n".join(f"{number}. {word}," for number, word in enumerate(words.split(), start=1)),
        lambda words: f"https://cards.example/spare-key/#{words.replace(' ', '-')}",
        lambda words: " ".join(word[:4] for word in words.split()),
    ):
        words = words_on(opened(write(words), Client()))


def test_wrong_words_open_nothing(strangers: Client):
    misspelt = ("abandom " * 11 + "about", f"{WRONG} about", "abandon " * 12)
    for typed, status in (*((junk, 422) for junk in ("", "x", *misspelt, "á" * 1999, "\x00")), (WRONG, 403)):
        response = opened(typed, strangers)
        assert response.status_code == status
        assert Page.of(response).all(class_="error")
        assert user_of(strangers) is None
    words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    assert words_in(words) == words
    assert words_in(" ".join(reversed(words.split()))) is None


def test_phone_with_other_circles_sees_the_new_key_first_and_is_asked_then(
    owners: Client, owner: User, client_of: Callable[..., Client]
):
    guest = UserFactory()
    evening_of(guest)
    phone = client_of(guest)
    response = opened(make(owners), phone)
    assert words_on(response)
    assert Page.of(response).all("a", href="/me/merge/")
    phone.post("/me/merge/", {"leave": "1"})
    assert user_of(phone) == owner
