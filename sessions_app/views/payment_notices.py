"""Notices of a payment: that it was just booked or taken back, and the question whether it is still owed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from sessions_app.errors import OverpaidSince
from sessions_app.models import Circle, Repayment, User
from sessions_app.readers.money.lists import PaymentList, token_of
from sessions_app.readers.money.repayments import RepaymentView, view_at
from sessions_app.words.amounts import amount_words, payment_words, typed
from sessions_app.words.wording import KEY_DIGITS, isolated, whole_number

# --- The notice of a payment that was just booked or taken back ---

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


# --- The question about a suggestion that is no longer current: book what is left, all, or nothing? ---


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the question: its words, the payment that it books in words, and all fields of its form.

    `changed` are those of the fields that differ from the form that was sent.
    """

    words: str
    label: str
    changed: Mapping[str, str]
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The question and its answers; `back` is the address of the page that the payment was suggested on."""

    sentence: str
    answers: tuple[Answer, ...]
    back: str

    def as_json(self) -> dict[str, Any]:
        """Return it for the outbox of a phone."""
        answers = [{"words": each.words, "label": each.label, "fields": each.changed} for each in self.answers]
        return {"sentence": self.sentence, "answers": answers}


def question_of(posted: QueryDict, units: int, currency: str, since: OverpaidSince, back: str) -> Question:
    """Return the question about a payment of the posted fields."""
    words = {
        "payer": isolated(since.payer.name),
        "all": amount_words(units, currency),
        "left": amount_words(since.left, currency),
        "paid": amount_words(units - since.left, currency),
    }
    answers = [_answer(posted, _("%(all)s all the same") % words, _label(since, units, currency), {"anyway": "1"})]
    if since.left:
        # As a page that is current would suggest it: two phones that answer so book one payment.
        payer, payee = since.payer, since.payee
        token = token_of(payer.circle_id, currency, payer.pk, payee.pk, since.left, since.seen)
        rest = {"amount": typed(since.left, currency), "token": str(token), "seen": str(since.seen)}
        answers.insert(0, _answer(posted, _("Book %(left)s") % words, _label(since, since.left, currency), rest))
    return Question(_sentence(since, units) % words, tuple(answers), back)


def _sentence(since: OverpaidSince, units: int) -> str:
    """Return the question. A hand that was corrected may be the reason, too."""
    is_paid = since.paid >= units - since.left
    if since.left and is_paid:
        return _("%(payer)s has paid %(paid)s of it since: book %(left)s, %(all)s all the same, or nothing?")
    if since.left:
        return _("%(payer)s owes only %(left)s by now: book %(left)s, %(all)s all the same, or nothing?")
    if is_paid:
        return _("%(payer)s has paid it since: book %(all)s all the same, or nothing?")
    return _("%(payer)s owes nothing by now: book %(all)s all the same, or nothing?")


def _answer(posted: QueryDict, words: str, label: str, changed: Mapping[str, str]) -> Answer:
    names = [name for name in posted if name != "csrfmiddlewaretoken" and name not in changed]
    kept = [(name, value) for name in names for value in posted.getlist(name)]
    return Answer(words, label, changed, (*kept, *changed.items()))


def _label(since: OverpaidSince, units: int, currency: str) -> str:
    return payment_words(since.payer.name, since.payee.name, units, currency)
