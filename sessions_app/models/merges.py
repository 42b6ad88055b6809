"""Two users who became one, and what it takes to make them two again."""

from django.db import models
from django.utils import timezone

from sessions_app.models.people import User


class UserMerge(models.Model):
    """A guest that was merged into `user`: all that named it names the user, and it signs in nobody.

    `record` is what that has moved, changed and deleted (`writers.users.Record`). After a day the row is deleted,
    and the guest with it.
    """

    guest = models.OneToOneField(User, models.CASCADE, related_name="merged")
    user = models.ForeignKey(User, models.CASCADE, related_name="merges")
    at = models.DateTimeField(default=timezone.now, editable=False)
    record = models.JSONField()

    def __str__(self) -> str:
        return f"{self.guest_id} merged into {self.user_id}"
