"""The screens of keys: keeping a book by a passkey or a spare key, and the ways back into it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from secrets import token_bytes
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page

from sessions_app.models import Circle, Passkey, Phone, PhoneLink, User, UserHandle
from sessions_app.readers.people.phones import token_of
from sessions_app.writers import evenings, keys, phones, users
from tests.browser.gallery import LONG, Screen, played, submitted
from tests.factories import MemberFactory, UserFactory, evening_of
from tests.http.test_user_agent import IPHONE


def screens() -> Iterator[Screen]:
    guest, kept, one = UserFactory(), UserFactory(), UserFactory()
    evenings.end(played(guest, 2).pk)
    keys.make_spare_key(kept.pk)
    for authenticator, domain in (("Google Password Manager", "localhost"), ("", "cards.example.org")):
        _passkey(kept, authenticator, domain)
    last = _passkey(one, "", "localhost")
    yield Screen("home, offers to keep the book", guest, "/")
    yield Screen("own page of a guest", guest, "/me/")
    yield Screen("own page, kept", kept, "/me/")
    yield Screen("last passkey", one, "/me/", _tap(f"form[action='/me/passkeys/{last.pk}/remove/'] button"))
    yield Screen("spare key, made", guest, "/me/", _tap(".spare-key .button"))
    yield Screen("passkey, ways back", None, "/passkey/")
    yield Screen("spare key, to type", None, "/spare-key/")
    yield Screen("spare key, wrong", None, "/spare-key/", _type("abandon ability able"))
    guest_of_both = _guest_with_circle(evening_of(kept, ("Dóra", "Edit", "Feri")).circle)
    yield Screen("spare key, two books", guest_of_both, "/spare-key/", _leave_for(kept))
    yield from _links()
    both, stuck = _merged(), _merged(ended_at=timezone.now())
    yield Screen("own page, circles taken along", both, "/me/")
    yield Screen("take apart again, nothing", guest, "/me/merge/undo/")
    yield Screen("take apart again, refused", stuck, "/me/merge/undo/", _tap(".own button"))
    yield Screen("take apart again", both, "/me/merge/undo/")


def _links() -> Iterator[Screen]:
    waits, asked, agreed, used = (_link() for _one in range(4))
    for link in (asked, agreed, used):
        phones.ask_link(link, "secret", IPHONE)
    for link in (agreed, used):
        phones.agree_link(link.user, link.pk)
    phones.use_link(used, "secret")
    # A walk through all screens takes longer than a link lasts.
    PhoneLink.objects.update(made_at=timezone.now() + timedelta(hours=1))
    yield Screen("link, made", waits.user, "/me/link/")
    yield Screen("link, a phone asks", asked.user, "/me/link/")
    yield Screen("link, agreed", agreed.user, "/me/link/")
    yield Screen("link, opened", None, f"/link/{token_of(waits)}/")
    yield Screen("link, opened by a phone that asks", None, f"/link/{token_of(_link())}/", _tap("main form button"))
    yield Screen("link, used", None, f"/link/{token_of(used)}/", status=410)


def _link() -> PhoneLink:
    """Return the link of a user in two circles."""
    user: User = UserFactory()
    evening_of(user, LONG)
    evening_of(user, ("Dóra", "Edit", "Feri"))
    link: PhoneLink = phones.make_link(user)
    return link


def _passkey(user: User, authenticator: str, domain: str) -> Passkey:
    handle = UserHandle.objects.create(user=user, handle=token_bytes(32))
    made = {"credential_id": token_bytes(16), "public_key": b"", "device": "Chrome|Android"}
    passkey: Passkey = handle.passkeys.create(rp_id=domain, authenticator=authenticator, **made)
    Passkey.objects.filter(pk=passkey.pk).update(made_at=passkey.made_at - timedelta(days=90))
    return passkey


def _guest_with_circle(also: Circle) -> User:
    """Return a guest with a circle of its own, and with this one."""
    guest: User = UserFactory()
    evening_of(guest)
    MemberFactory(circle=also, user=guest)
    return guest


def _merged(**phone: Any) -> User:
    """Return a user into whom a guest was merged; `phone` says more of the guest's phone."""
    user: User = UserFactory()
    guest = _guest_with_circle(evening_of(user).circle)
    Phone.objects.create(user=guest, device="Safari|iPhone", **phone)
    users.merge(guest.pk, user.pk)
    return user


def _tap(button: str) -> Callable[[Page], None]:
    return lambda page: submitted(page, button)


def _type(words: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.locator("textarea").fill(words)
        submitted(page, "main form .primary")

    return act


def _leave_for(kept: User) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        _type(keys.make_spare_key(kept.pk))(page)
        page.locator("main .keep a.button").tap()
        page.locator("button[name=leave]").wait_for()

    return act
