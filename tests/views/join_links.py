"""The addresses of invite links, and the roles that they give."""

from collections.abc import Callable

from sessions_app.models import Evening, Member, User

type Link = Callable[..., str]


def role_of(user: User, evening: Evening) -> str | None:
    return Member.objects.filter(user=user, circle=evening.circle).values_list("role", flat=True).first()
