"""The members of the table: its owner, Béla who keeps the score, Cili who watches, and their phones."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, Member, Role, User
from tests.views.members.membership import named


@pytest.fixture
def bela(evening: Evening) -> Member:
    return named(evening, "Béla", Role.KEEPER)


@pytest.fixture
def cili(evening: Evening) -> Member:
    return named(evening, "Cili", Role.VIEWER)


@pytest.fixture
def belas(client_of: Callable[..., Client], bela: Member) -> Client:
    return client_of(bela.user)


@pytest.fixture
def cilis(client_of: Callable[..., Client], cili: Member) -> Client:
    return client_of(cili.user)


@pytest.fixture
def me(owner: User, evening: Evening) -> Member:
    """The owner."""
    return Member.objects.get(user=owner, circle=evening.circle)
