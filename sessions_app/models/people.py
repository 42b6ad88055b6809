"""Users (phones and accounts), circles, and a circle's players, members, removals, invites, claims and house rules."""

from typing import Any, Final, Self
from uuid import uuid4

from django.contrib.auth.models import AbstractUser
from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scorekeeper.http.device_names import LABEL_LENGTH
from scorekeeper.text.hungarian_order import sort_key

NAME_LENGTH = 40
CIRCLE_NAME_LENGTH = 80
#: The characters of a keyed hash of the server's code.
CODE_KEY_LENGTH = 32


#: The settings of a user that a page shows, and their values: '' is the first of them. A cookie copies them.
SETTINGS: Final = {
    "theme": ("", "light", "dark"),
    "text_size": ("", "large", "larger"),
    "awake": ("", "off"),
    "thumb": ("", "left"),
}


class Row(models.Model):
    """Base class of all tables but that of users. Logs and errors name a row by its kind and key, as `verify` does."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class User(AbstractUser):
    """A guest or an account. A phone becomes a guest by its first write: no name to choose, no password to lose.

    A guest has nothing but its phones; with a passkey or a spare key it is one no longer. `wants_no_key`: it has
    dismissed the line that offers one. Language and settings hold on all phones of the user; '' is what each phone says
    itself. `code_key` is the hash of the server's code that it has entered, '' if none (`readers.people.new_circles`).
    `is_missed`: a claim says that its phones are lost, so its next request closes that claim.
    """

    is_guest = models.BooleanField(default=False)
    wants_no_key = models.BooleanField(default=False)
    is_missed = models.BooleanField(default=False)
    language = models.CharField(max_length=12, default="", blank=True)
    theme = models.CharField(max_length=5, default="", blank=True)
    text_size = models.CharField(max_length=6, default="", blank=True)
    awake = models.CharField(max_length=3, default="", blank=True)
    thumb = models.CharField(max_length=4, default="", blank=True)
    code_key = models.CharField(max_length=CODE_KEY_LENGTH, default="", blank=True)

    @classmethod
    def new_guest(cls) -> Self:
        guest = cls(username=f"guest-{uuid4().hex}", is_guest=True)
        guest.set_unusable_password()
        guest.save()
        return guest


class Circle(Row):
    """A circle of people who play together, or a demo's invented one. Its name is blank until somebody gives it one.

    `repayment_version` grows with every write to its repayments, and to whose they are; `ended_version` whenever one
    of its evenings ends, is reopened, or is changed or deleted after its end. `cash_coins` is the smallest coin in
    which it pays, by currency, in the currency's smallest unit; a currency without one is paid to the unit.

    A circle that is archived (`archived_at`) or about to be deleted (`deleted_from` is when) is closed: nobody writes
    to it. From `deleted_from` on it is hidden from everybody, and its rows are deleted.
    """

    name = models.CharField(max_length=CIRCLE_NAME_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    is_demo = models.BooleanField(default=False)
    repayment_version = models.PositiveIntegerField(default=0)
    ended_version = models.PositiveIntegerField(default=0)
    cash_coins = models.JSONField(default=dict, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_from = models.DateTimeField(null=True, blank=True)

    @property
    def is_closed(self) -> bool:
        return self.archived_at is not None or self.deleted_from is not None

    @property
    def is_gone(self) -> bool:
        """Return whether the circle is hidden from everybody."""
        return self.deleted_from is not None and self.deleted_from <= timezone.now()


#: The condition of circles that are not closed.
OPEN = Q(archived_at=None, deleted_from=None)


class SortKeyField(models.TextField):  # type: ignore[type-arg]
    """The key of the row's `name` in Hungarian order. Saving a row sets it; `update` must be given it as well."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        key = sort_key(model_instance.name)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


#: The shapes and colours of a player's mark. Shapes tell marks apart; a colour alone never does.
MARK_SHAPES = ("♥", "♦", "♣", "♠")
MARK_COLOURS = ("red", "orange", "green", "blue", "ink")


class Player(Row):
    """A person who plays in a circle. Not a login. `sort_key` orders names alike on every database.

    `token` names the player in documents that leave the server (`readers.book.document`), and stays when he is renamed.

    A player who is `merged_into` another is another name of the same person. His seats and phones belong to the other,
    and each names its former player in `sat_as` or `held_as`. So no reader has to know of merging, no person sits twice
    at a table, and unmerging gives back exactly those. Merging is one level deep.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="players")
    token = models.UUIDField(default=uuid4, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, validators=[MinLengthValidator(1)])
    sort_key = SortKeyField(editable=False)

    mark_shape = models.CharField(max_length=1, blank=True, choices=[(shape, shape) for shape in MARK_SHAPES])
    mark_colour = models.CharField(max_length=6, blank=True, choices=[(colour, colour) for colour in MARK_COLOURS])
    plays_no_more = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="merged")

    class Meta:
        constraints = [
            models.UniqueConstraint("circle", "name", name="player_once_in_a_circle"),
            models.UniqueConstraint("circle", "token", name="player_token_once"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.UniqueConstraint(
                "circle", "mark_shape", "mark_colour", condition=~Q(mark_shape=""), name="mark_once_in_a_circle"
            ),
            models.CheckConstraint(
                condition=Q(mark_shape="", mark_colour="") | ~Q(mark_shape="") & ~Q(mark_colour=""),
                name="mark_has_a_shape_and_a_colour",
            ),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("pk")), name="merged_into_somebody_else"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """A member's role: a viewer sees, a keeper also writes, an owner also runs the circle."""

    VIEWER = "viewer"
    KEEPER = "keeper"
    OWNER = "owner"

    def covers(self, needed: Self) -> bool:
        """Return whether this role may do all that `needed` may."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


class Member(Row):
    """A phone or account that may see a circle; `player` is its holder, None if he only watches or is not known.

    If the name it chose is merged into another player, `player` is that one, and `held_as` the chosen name.
    `to_be_asked`: it created the circle and has neither answered nor dismissed the question which player holds it.
    `device`: what its browser says that it is ('Safari|iPhone'), '' if unknown; no more of its headers is stored.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role)
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="members")
    held_as = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    to_be_asked = models.BooleanField(default=False)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    since = models.DateTimeField(default=timezone.now, editable=False)
    device = models.CharField(max_length=LABEL_LENGTH, default="", blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("circle", "user", name="member_once_of_a_circle"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="member_role_known"),
        ]

    #: Set by `access` for a member of a closed circle.
    only_sees = False

    def may(self, needed: Role) -> bool:
        """Return whether the member may do all that `needed` may. In a closed circle all members may only see."""
        return Role(self.role).covers(needed) and (needed == Role.VIEWER or not self.only_sees)


class Removal(Row):
    """A former member of a circle.

    Unless he left `by_choice`, no link made before the removal admits the same phone again.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="removals")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    held_as = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    by_choice = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint("circle", "user", name="removed_once_from_a_circle")]


class Invite(Row):
    """A link by which a phone becomes a member. Its token is derived from the row and the secret key, never stored."""

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="invites")
    role = models.CharField(max_length=8, choices=[(role.value, role.label) for role in (Role.KEEPER, Role.VIEWER)])
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=[Role.KEEPER, Role.VIEWER]), name="invite_to_write_or_watch"),
            models.UniqueConstraint("circle", "role", condition=Q(revoked_at=None), name="one_open_invite_a_role"),
        ]


class OwnershipClaim(Row):
    """A member's claim after a lost phone: granted after a day without objection.

    It is a keeper's, to run the circle; or with `lost` any member's but an owner's, to be that keeper or viewer.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="ownership_claims")
    member = models.ForeignKey(Member, models.CASCADE, related_name="ownership_claims")
    lost = models.ForeignKey(Member, models.CASCADE, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("circle", condition=Q(closed_at=None), name="one_open_claim_a_circle"),
            models.CheckConstraint(condition=Q(lost=None) | ~Q(lost=F("member")), name="claim_of_another_member"),
        ]


class HouseProfile(Row):
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


class UserMerge(Row):
    """A guest that was merged into `user`: all that named it names the user, and it signs in nobody.

    `record` is what that has moved, changed and deleted (`writers.users.Record`). After a day the row is deleted,
    and the guest with it.
    """

    guest = models.OneToOneField(User, models.CASCADE, related_name="merged")
    user = models.ForeignKey(User, models.CASCADE, related_name="merges")
    at = models.DateTimeField(default=timezone.now, editable=False)
    record = models.JSONField()
