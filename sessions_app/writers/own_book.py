"""The writer that deletes a user: memberships, phones, and the circles in which there is nobody else.

What was entered stays in the other circles, under the players' names, without the user who entered it.
"""

from django.db.models import Q
from django.utils import timezone

from sessions_app.errors import LastOwner
from sessions_app.models import Circle, Evening, HandMark, Role, User
from sessions_app.writers.transactions import hold_circle, writing
from sessions_app.writers.versions import raise_versions


@writing
def delete(user: User) -> None:
    """Delete a user; a circle of his alone is hidden from now on. A second call changes nothing.

    Raise LastOwner if another circle would be left without an owner.
    """
    # Locked with its key, since it is to be deleted.
    if not User.objects.select_for_update().filter(pk=user.pk).exists():
        return
    for circle_id in user.memberships.order_by("circle").values_list("circle", flat=True):
        _leave(hold_circle(circle_id), user)
    marked = HandMark.objects.filter(user=user).values("hand__evening")
    raise_versions(Evening.objects.filter(pk__in=marked))
    User.objects.filter(Q(pk=user.pk) | Q(merged__user=user)).delete()


def _leave(circle: Circle, user: User) -> None:
    """Hide a locked circle if the user is alone in it; else tell the others. Raise LastOwner."""
    others = circle.members.exclude(user=user)
    if not others.exists():
        circle.deleted_from = timezone.now()
        circle.save(update_fields=["deleted_from"])
    elif circle.members.filter(user=user, role=Role.OWNER).exists() and not others.filter(role=Role.OWNER).exists():
        raise LastOwner
    raise_versions(circle.evenings.filter(ended_at=None))
