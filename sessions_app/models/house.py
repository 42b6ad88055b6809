"""House rules that a circle saved under a name."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from sessions_app.models.people import NAME_LENGTH, Circle, User


class HouseProfile(models.Model):
    """House rules of a game that a circle saved under a name. `rules` is the game's own line.

    An evening is stamped with the rules themselves: renaming or deleting these changes no evening.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="house_profiles")
    game_key = models.CharField(max_length=20)
    name = models.CharField(max_length=NAME_LENGTH)
    rules = models.CharField(max_length=600, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint("circle", "game_key", "name", name="house_profile_once_by_a_name"),
            models.CheckConstraint(condition=~Q(name=""), name="house_profile_has_a_name"),
            models.CheckConstraint(condition=~Q(game_key=""), name="house_profile_of_a_game"),
        ]

    def __str__(self) -> str:
        return self.name
