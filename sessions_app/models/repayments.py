"""Payments that were made between the players of a circle, and opening balances. Rows stay as they were written."""

from typing import Final
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from sessions_app.models.evenings import Evening
from sessions_app.models.people import Circle, Player, Row, User

REPAYMENT_NOTE_LENGTH = 200
#: The most that one payment comes to, in the smallest unit of its currency.
MOST_UNITS: Final = 10**12
#: Begins the `currency` of points; the game's key follows.
POINTS: Final = "points:"


class Repayment(Row):
    """Money or points that the payer handed to the payee. A payment taken back stays, with the time and the user.

    An opening balance (`kind` opening) is the other way round: what the payer owed the payee in a paper book.

    `units` is a whole number of the smallest unit of `currency`, which is an ISO 4217 code or `points:` and a game's
    key. `evenings` are those that it is for, of this currency; none means everything.

    `payer_as` and `payee_as` are the names under which the two paid, while these are merged into them, as
    `Seat.sat_as`. Two who are merged have no payment between them but those taken back.
    """

    class Kind(models.TextChoices):
        PAYMENT = "payment"
        OPENING = "opening"

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="repayments")
    token = models.UUIDField(default=uuid4, editable=False)
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.PAYMENT)
    payer = models.ForeignKey(Player, models.PROTECT, related_name="repaid")
    payee = models.ForeignKey(Player, models.PROTECT, related_name="received")
    payer_as = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    payee_as = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    units = models.BigIntegerField()
    currency = models.CharField(max_length=30)
    evenings = models.ManyToManyField(Evening, through="RepaymentEvening", related_name="repayments")
    note = models.CharField(max_length=REPAYMENT_NOTE_LENGTH, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("circle", "token", name="repayment_token_once"),
            models.CheckConstraint(condition=Q(units__gte=1, units__lte=MOST_UNITS), name="repayment_of_something"),
            models.CheckConstraint(
                condition=~Q(payer=F("payee")) | Q(undone_at__isnull=False), name="repayment_of_two_people"
            ),
            models.CheckConstraint(condition=Q(kind__in=["payment", "opening"]), name="repayment_kind_known"),
            models.CheckConstraint(condition=~Q(currency=""), name="repayment_has_a_currency"),
            # A user may be deleted, and the time stays.
            models.CheckConstraint(
                condition=Q(undone_by__isnull=True) | Q(undone_at__isnull=False), name="repayment_undone_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(payer_as=None) | ~Q(payer_as=F("payer")), name="repayment_payer_as_another_name"
            ),
            models.CheckConstraint(
                condition=Q(payee_as=None) | ~Q(payee_as=F("payee")), name="repayment_payee_as_another_name"
            ),
        ]

    @property
    def is_undone(self) -> bool:
        return self.undone_at is not None

    @property
    def is_opening(self) -> bool:
        return self.kind == self.Kind.OPENING


class RepaymentEvening(Row):
    """An evening that a payment is for."""

    repayment = models.ForeignKey(Repayment, models.CASCADE, related_name="links")
    evening = models.ForeignKey(Evening, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint("repayment", "evening", name="repayment_names_an_evening_once")]
