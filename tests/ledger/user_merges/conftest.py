"""A guest, and the user whose book the guest's phone opens."""

import pytest

from sessions_app.models import (
    Phone,
    User,
)
from tests.factories import UserFactory


@pytest.fixture
def guest() -> User:
    user: User = UserFactory()
    Phone.objects.create(user=user)
    return user


@pytest.fixture
def user(owner: User) -> User:
    """The one whose book the guest's phone opens."""
    Phone.objects.create(user=owner)
    return owner
