"""The notice of a payment that was just booked, by this phone or by another one before it."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from sessions_app.models import User
from sessions_app.readers.money.repayment_lists import RepaymentView, views_of
from sessions_app.readers.money.who_owes import WhoOwes
from sessions_app.readers.people.members import names_in
from sessions_app.words.parsing import KEY_DIGITS, whole_number
from sessions_app.words.wording import isolated


@dataclass(frozen=True, slots=True)
class Told:
    """The notice of a payment just booked or taken back; `is_by_another` if another phone has booked it."""

    view: RepaymentView
    is_by_another: bool

    @property
    def sentence(self) -> str:
        if self.view.row.is_undone:
            return _("This payment was booked and taken back again. Nothing is booked now.")
        if not self.is_by_another:
            return _("Booked.")
        if self.view.by:
            return _("%(name)s has already booked this. It is booked once.") % {"name": isolated(self.view.by)}
        return _("Another phone has already booked this. It is booked once.")


def told(request: HttpRequest, who: WhoOwes, viewer: User) -> Told | None:
    """Return what to say of the payment that the address names as `booked`: two queries, none without one."""
    key = whole_number(request.GET.get("booked", ""), KEY_DIGITS)
    return None if key is None else told_of(who, key, viewer)


def told_of(who: WhoOwes, key: int, viewer: User) -> Told | None:
    row = who.rows.get(key)
    if row is None:
        return None
    (view,) = views_of(who, [row], names_in(who.circle.pk), viewer)
    return Told(view, not view.by_me)
