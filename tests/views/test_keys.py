"""Passkeys and spare keys: a book is kept by one and opened again; forged, replayed and wrong ones open nothing."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.text.spare_words import words_in
from sessions_app import ceremonies, rate_limits
from sessions_app.models import Evening, Member, Passkey, SpareKey, SpentChallenge, User, UserHandle
from sessions_app.readers.people.users import lost_domains
from sessions_app.writers import evenings
from tests.authenticator import PRESENT, VERIFIED, Authenticator
from tests.factories import UserFactory, evening_of
from tests.views.page import Page

pytestmark = pytest.mark.django_db
HERE = {"HTTP_HOST": "localhost"}


def options(client: Client, path: str) -> dict[str, Any]:
    return client.post(path, **HERE).json()


def post(client: Client, path: str, body: str) -> Any:
    return client.post(path, body, content_type="application/json", **HERE)


def keep(client: Client, key: Authenticator | None = None) -> Authenticator:
    """Make a passkey of the client's user, and return its authenticator."""
    key = key or Authenticator()
    response = post(client, "/me/passkeys/", key.make(options(client, "/me/passkeys/options/")))
    assert response.status_code == 200, response.content
    return key


def come_back(key: Authenticator, client: Client) -> Any:
    return post(client, "/passkey/", key.use(options(client, "/passkey/options/")))


def user_of(client: Client) -> User | None:
    return User.objects.filter(phones__key=client.session.get("phone", ""), phones__ended_at=None).first()


FORGED: dict[str, dict[str, Any]] = {
    "origin": {"origin": "https://elsewhere.example"},
    "subdomain": {"origin": "http://other.localhost"},
    "domain": {"rp_id": "elsewhere.example"},
    "unverified": {"flags": PRESENT},
    "absent": {"flags": VERIFIED},
    "framed": {"cross_origin": True},
}


@pytest.mark.parametrize("what", FORGED)
def test_forged_ceremony_makes_nothing_and_opens_nothing(owners: Client, what: str):
    forger = Authenticator(**FORGED[what])
    assert post(owners, "/me/passkeys/", forger.make(options(owners, "/me/passkeys/options/"))).status_code == 403
    assert not Passkey.objects.exists()
    key, phone = keep(owners), Client()
    for name, value in FORGED[what].items():
        setattr(key, name, value)
    refused = come_back(key, phone)
    assert (refused.status_code, refused.json()["why"]) == (403, "Ez a jelkulcs itt semmit sem nyit.")
    assert user_of(phone) is None


def test_passkey_of_another_key_handle_or_user_or_with_a_count_that_runs_back_opens_nothing(
    owners: Client, outsiders: Client
):
    key, other = keep(owners, Authenticator(count=5)), keep(outsiders)
    assert come_back(key, Client()).status_code == 200
    key.count = 4
    assert [come_back(key, Client()).status_code for _time in range(3)] == [403, 403, 200]
    same_id = Authenticator(id=key.id, handle=key.handle)
    same_handle = Authenticator(id=key.id, key=key.key, handle=other.handle)
    unknown = Authenticator(handle=key.handle)
    answers = {come_back(each, Client()).content for each in (same_id, same_handle, unknown)}
    assert len(answers) == 1, "nobody learns which passkeys there are"
    again = Authenticator(id=key.id, key=key.key)
    assert post(outsiders, "/me/passkeys/", again.make(options(outsiders, "/me/passkeys/options/"))).status_code == 409


def test_answer_is_taken_once_from_the_browser_that_asked_and_in_time(
    owners: Client, outsiders: Client, monkeypatch: pytest.MonkeyPatch
):
    made = Authenticator().make(options(owners, "/me/passkeys/options/"))
    assert post(outsiders, "/me/passkeys/", made).status_code == 403, "options of another user"
    key, phone = keep(owners), Client()
    phone.get("/passkey/", **HERE)
    said = key.use(options(phone, "/passkey/options/"))
    other = Client()
    other.get("/passkey/", **HERE)
    assert post(other, "/passkey/", said).status_code == 403
    assert [post(phone, "/passkey/", said).status_code for _twice in range(2)] == [200, 403]
    said = key.use(options(Client(), "/passkey/options/"))
    assert [post(Client(), "/passkey/", said).status_code for _twice in range(2)] == [200, 403], "without cookies"
    SpentChallenge.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert come_back(key, Client()).status_code == 200
    assert SpentChallenge.objects.count() == 1, "those that are over are forgotten"
    monkeypatch.setattr(ceremonies, "CHALLENGE_AGE", -1)
    assert come_back(key, Client()).status_code == 403


def test_passkey_opens_the_book_that_its_handle_points_to_unless_its_user_is_inactive(owners: Client, owner: User):
    key, survivor, phone = keep(owners), UserFactory(), Client()
    owner.refresh_from_db()
    assert not owner.is_guest
    UserHandle.objects.update(user=survivor)
    assert come_back(key, phone).json() == {"next": "/"}
    assert user_of(phone) == survivor
    assert Passkey.objects.get().used_on == timezone.localdate()
    User.objects.filter(pk=survivor.pk).update(is_active=False)
    assert come_back(key, Client()).status_code == 403


PARTS = ("attestationObject", "clientDataJSON", "authenticatorData", "signature", "userHandle")
JUNK = (
    *("", "null", "[]", "{", "1", '"x"', '{"response": 1}', "[" * 9000, "x" * 20_000),
    '{"rawId": 1, "response": {"clientDataJSON": "e30"}}',
)


@pytest.mark.usefixtures("uncounted")
def test_passkey_answer_with_junk_is_refused(owners: Client):
    key = keep(owners)
    made = json.loads(Authenticator().make(options(owners, "/me/passkeys/options/")))
    used = json.loads(key.use(options(owners, "/passkey/options/")))
    for path, said in (("/me/passkeys/", made), ("/passkey/", used)):
        parts = said["response"].keys() & set(PARTS)
        assert len(parts) > 1
        broken = [
            json.dumps(said | {"response": said["response"] | {part: junk}})
            for part, junk in product(parts, (None, 1, "", "ñ", "AAAA", "oA", {}, [1]))
        ]
        for body in (*JUNK, *broken):
            assert post(owners, path, body).status_code == 403, body


def test_wrong_passkeys_are_counted_by_address(owners: Client, monkeypatch: pytest.MonkeyPatch):
    key = keep(owners)
    monkeypatch.setattr(rate_limits, "WRONG_KEYS", replace(rate_limits.WRONG_KEYS, most=2))
    assert [post(Client(), "/passkey/", "{}").status_code for _time in range(3)] == [403, 403, 429]
    assert come_back(key, Client()).status_code == 429
    assert Client().post("/spare-key/", {"link": "abandon " * 11 + "about"}).status_code == 429


def test_last_passkey_is_removed_after_a_word_and_by_its_user_who_is_a_guest_again(
    owners: Client, outsiders: Client, owner: User
):
    keep(owners)
    keep(owners)
    first, second = Passkey.objects.order_by("pk")
    assert owners.post(f"/me/passkeys/{first.pk}/remove/").status_code == 302
    assert outsiders.post(f"/me/passkeys/{second.pk}/remove/", {"sure": "1"}).status_code == 404
    asked = Page.of(owners.post(f"/me/passkeys/{second.pk}/remove/"), 409)
    assert asked.one("h1").text == "Remove the last passkey?"
    assert owners.post(f"/me/passkeys/{second.pk}/remove/", {"sure": "1"}).status_code == 302
    assert not Passkey.objects.exists()
    owner.refresh_from_db()
    assert owner.is_guest


def test_phone_with_other_circles_is_asked_before_it_leaves_them_and_answers_in_time(
    owners: Client, owner: User, client_of: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
):
    guest = UserFactory()
    evening_of(guest)
    key = keep(owners)
    for answer, stands in (("stay", guest), ("leave", owner)):
        phone = client_of(guest)
        assert come_back(key, phone).json() == {"next": "/me/merge/"}
        assert "This phone brings 1 circle" in Page.of(phone.get("/me/merge/", **HERE)).text
        assert phone.post("/me/merge/", {answer: "1"}, **HERE).status_code == 302
        assert (user_of(phone) or guest) == stands
    assert Member.objects.filter(user=guest).count() == 1
    phone = client_of(guest)
    come_back(key, phone)
    monkeypatch.setattr("sessions_app.views.arrival.ANSWERED_WITHIN", -1)
    assert phone.post("/me/merge/", {"leave": "1"}, **HERE)["Location"] == "/passkey/"
    assert user_of(phone) in (None, guest)
    assert phone.get("/me/merge/", **HERE)["Location"] == "/"


def test_passkeys_are_of_the_domain_that_is_set_and_the_page_says_why_there_can_be_none(owners: Client, settings: Any):
    for host, is_secure, said in (
        ("127.0.0.1", False, "a number"),
        ("testserver", False, "needs HTTPS"),
        ("testserver", True, "Keep my book"),
        ("localhost", False, "Keep my book"),
    ):
        assert said in Page.of(owners.get("/me/", headers={"host": host}, secure=is_secure)).text
    assert "A passkey needs scripts" in owners.get("/me/", **HERE).text
    keep(owners)
    settings.PASSKEY_DOMAIN = "example.org"
    settings.ALLOWED_HOSTS = ["cards.example.org", "localhost"]
    assert options(owners, "/passkey/options/")["rpId"] == "example.org"
    assert "another address" in Page.of(owners.get("/me/", **HERE)).text
    page = Page.of(owners.get("/me/", headers={"host": "cards.example.org"}, secure=True))
    assert "It works at localhost only" in page.text
    assert lost_domains("example.org", ["cards.example.org"]) == ["localhost"]
    assert lost_domains("", ["localhost", "127.0.0.1"]) == []


def test_home_offers_to_keep_the_book_after_an_ended_session_until_it_is_kept_or_dismissed(
    owners: Client, owner: User, evening: Evening
):
    offer = "Keep my book, in case this phone is lost"
    assert offer not in Page.of(owners.get("/")).text
    evenings.end(evening.pk)
    assert offer in Page.of(owners.get("/")).text
    assert owners.post("/me/no-key/").status_code == 302
    assert offer not in Page.of(owners.get("/")).text
    User.objects.filter(pk=owner.pk).update(wants_no_key=False)
    keep(owners)
    assert offer not in Page.of(owners.get("/")).text


# --- The spare key: shown once, it opens the book once on a new phone, and is renewed there ---


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
        assert Page.of(opened(typed, strangers), status).all(class_="error")
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
