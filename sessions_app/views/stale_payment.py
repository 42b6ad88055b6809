"""The question about a suggested payment of a page that is no longer current: book what is left, all, or nothing?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from sessions_app.errors import OverpaidSince
from sessions_app.readers.money.lists import token_of
from sessions_app.words.amounts import amount_words, payment_words, typed
from sessions_app.words.wording import isolated


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
