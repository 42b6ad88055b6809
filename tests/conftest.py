"""The fixed cast of the tests: an evening, and an owner, a keeper, a viewer and an outsider of its table."""

import unicodedata
from collections.abc import Callable, Iterator
from shutil import copyfile
from typing import Any

import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.db import connection
from django.db.models.signals import post_migrate
from django.test import Client
from django.utils import translation

from sessions_app import dear_pages, rate_limits
from sessions_app.base_forms import LONGEST
from sessions_app.models import Evening, Role, User
from sessions_app.writers import rate_counts
from tests.factories import MemberFactory, UserFactory, evening_of, hand_fields
from tests.serving import DATABASE, migrated
from tests.toy.registered import registered


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool, django_db_modify_db_settings: None) -> bool:
    """On SQLite the test database is a copy of one that was migrated once: each process would take seconds for it.

    It is kept as Django finds it, and goes with its folder.
    """
    if connection.vendor == "sqlite":
        copyfile(migrated() / DATABASE, connection.settings_dict["TEST"]["NAME"])
        return True
    return django_db_keepdb


@pytest.fixture(scope="session", autouse=True)
def no_permissions_are_created() -> None:
    """A database that a test has emptied is not filled again with a row for each model: nothing here reads them."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)


@pytest.fixture(autouse=True)
def reset_rate_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests come from one address; and none asks for the key of the counts, as one in each process would."""
    rate_limits.forget()
    dear_pages.forget()
    monkeypatch.setattr(dear_pages, "DEAR", float("inf"))  # a page may take long on a slow machine
    monkeypatch.setattr(rate_counts, "key", lambda: b"of the tests")


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are not counted: PostgreSQL counts them by queries, and SQLite in a file beside it."""
    monkeypatch.setattr(rate_limits, "count", lambda *args, **kwargs: None)


@pytest.fixture
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def normalizes_nothing_long(monkeypatch: pytest.MonkeyPatch) -> None:
    normalize = unicodedata.normalize

    def normalized(form: Any, text: str) -> str:
        assert len(text) <= LONGEST
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", normalized)


@pytest.fixture
def toy() -> Iterator[None]:
    """One game more than there is: the house knows it by its two registries alone."""
    with registered():
        yield


@pytest.fixture
def owner(db: None) -> User:
    return UserFactory()


@pytest.fixture
def evening(owner: User) -> Evening:
    """Anna, Béla and Cili, Anna deals first, 10 forints a point."""
    return evening_of(owner)


@pytest.fixture
def evening_of_four(owner: User) -> Evening:
    return evening_of(owner, names=("Anna", "Béla", "Cili", "Dóra"))


class Phone(Client):
    """A client that takes every download to its end, which closes its file."""

    def request(self, **request: Any) -> Any:
        response: Any = super().request(**request)
        if response.streaming:
            response.streaming_content = [b"".join(response.streaming_content)]
        return response


@pytest.fixture
def client_of() -> Callable[[User | None], Client]:
    """A phone on which this user is signed in; it speaks English."""

    def phone(user: User | None) -> Client:
        client = Phone(headers={"accept-language": "en"})
        if user is not None:
            client.force_login(user)
        return client

    return phone


@pytest.fixture
def owners(client_of: Callable[..., Client], owner: User) -> Client:
    return client_of(owner)


@pytest.fixture
def keepers(client_of: Callable[..., Client], evening: Evening) -> Client:
    return client_of(MemberFactory(circle=evening.circle, role=Role.KEEPER).user)


@pytest.fixture
def viewers(client_of: Callable[..., Client], evening: Evening) -> Client:
    return client_of(MemberFactory(circle=evening.circle, role=Role.VIEWER).user)


@pytest.fixture
def outsiders(client_of: Callable[..., Client], db: None) -> Client:
    """Somebody who has an evening of his own."""
    outsider = UserFactory()
    evening_of(outsider)
    return client_of(outsider)


@pytest.fixture
def strangers(client_of: Callable[..., Client], db: None) -> Client:
    """A phone that has never written anything."""
    return client_of(None)


@pytest.fixture
def post_hand() -> Callable[..., Any]:
    """Post a hand of an evening as the form would: the next number unless `number` is given."""

    def post(client: Client, evening: Evening, **fields: Any) -> Any:
        evening.refresh_from_db()
        return client.post(f"/sessions/{evening.pk}/hands/new/", hand_fields(evening, **fields))

    return post
