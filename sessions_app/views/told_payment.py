"""The notice of a payment that was just booked or taken back."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from sessions_app.models import Circle, Repayment, User
from sessions_app.readers.money.lists import PaymentList
from sessions_app.readers.money.repayments import RepaymentView, view_at
from sessions_app.words.wording import KEY_DIGITS, isolated, whole_number

#: The time in which all phones show the notice of a payment.
LATELY: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Told:
    """The notice of a payment; `is_answer` to the phone that has just sent it."""

    view: RepaymentView
    is_answer: bool = True

    @property
    def sentence(self) -> str:
        """The sentence above the payment: that it was taken back, or that another phone has booked it. '' for none."""
        if self.view.row.is_undone:
            return _("Taken back: nothing is booked.")
        if self.view.by_me or not self.is_answer:
            return ""
        if self.view.by:
            return _("%(name)s has already booked this. It is booked once.") % {"name": isolated(self.view.by)}
        return _("Another phone has already booked this. It is booked once.")


def told_at(circle: Circle, key: int, viewer: User, *, is_answer: bool = True) -> Told | None:
    """Return the notice of the circle's payment with this key, None if there is no such payment: four queries."""
    view = view_at(circle.pk, key, viewer)
    return Told(view, is_answer) if view else None


def told_by_address(request: HttpRequest, circle: Circle, viewer: User) -> Told | None:
    """Return the notice of the payment that the address names as `booked`: four queries, none without one."""
    key = whole_number(request.GET.get("booked", ""), KEY_DIGITS)
    return None if key is None else told_at(circle, key, viewer)


def told_lately(request: HttpRequest, circle: Circle, viewer: User, shown: PaymentList | None = None) -> Told | None:
    """Return the notice of the payment that the address names, else of the latest that any phone has just booked.

    Beside a list, of the latest in its currency between two of its players. Four queries, one where there is nothing.
    """
    if "booked" in request.GET:
        return told_by_address(request, circle, viewer)
    lately = Repayment.objects.filter(circle=circle.pk, made_at__gt=timezone.now() - LATELY).order_by("-pk")
    if shown:
        people = [player.id for player, _amount in shown.balances]
        lately = lately.filter(currency=shown.currency, payer__in=people, payee__in=people)
    key = lately.values_list("pk", flat=True).first()
    return None if key is None else told_at(circle, key, viewer, is_answer=False)
