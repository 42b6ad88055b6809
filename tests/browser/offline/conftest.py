"""A phone on the evening's sheet, ready for losing its network."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, url


@pytest.fixture
def phone_of(new_phone: Callable[..., Page], sign_in: Callable[..., None], expected: set[str]) -> Callable[..., Page]:
    """A phone of this user on the evening's sheet, whose service worker has cached its pages."""
    expected.update((NO_NETWORK, "409", "422"))

    def phone(user: User, evening: Evening) -> Page:
        page = new_phone()
        sign_in(page, user)
        page.goto(url(evening))
        phones.kept(page)
        return page

    return phone


@pytest.fixture
def page(phone_of: Callable[..., Page], evening: Evening, owner: User) -> Page:
    return phone_of(owner, evening)
