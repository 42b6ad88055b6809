"""The payments of a circle: book one, take one back, and the list of all; and the coins that it pays in."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.currencies import CURRENCIES, cash_coins
from sessions_app.access import CircleRequest, circle_page
from sessions_app.errors import OverpaidSince, RepaymentRefused, RepaymentTokenSpent, SameRepayment
from sessions_app.forms.repayment import NOT_PLAYED_FOR, RepaymentForm
from sessions_app.models import Circle, Repayment, Role
from sessions_app.readers.money.lists import coin_of
from sessions_app.readers.money.repayments import (
    currencies_played_for,
    last_played_for,
    latest_key,
    page_of,
    sessions_to_pay,
    view_at,
)
from sessions_app.readers.people import circles
from sessions_app.views.errors import refill_of
from sessions_app.views.htmx import answer, go
from sessions_app.views.payment_notices import Question, question_of, told_at, told_by_address
from sessions_app.words.amounts import currency_words, payment_words, too_much
from sessions_app.words.wording import KEY_DIGITS, offered_currencies, whole_number
from sessions_app.writers import circles as circle_writer
from sessions_app.writers import repayments
from sessions_app.writers.repayments import Booked, Wanted

#: Parameters of the address of a settling page or a circle's that choose the list shown; its forms carry them along.
LIST_SHOWN: Final = ("scope", "way", "cut", "currency")


@circle_page(Role.VIEWER, "GET", "HEAD", "POST", writes=Role.KEEPER, dear=True)
def show(request: CircleRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, RepaymentForm(initial=_opened(request)))
    form = RepaymentForm(request.POST)
    if request.headers.get("Accept") == "application/json":
        return _from_outbox(request, form)
    return _save(request, form) if form.is_valid() else _page(request, form, status=422)


@refill_of(show)
@circle_page(Role.KEEPER, "POST", dear=True)
def _refill(request: CircleRequest) -> HttpResponse:
    notice = _("This form was open for too long. Nothing was lost: press Book again.")
    return _page(request, RepaymentForm(initial=_typed(request)), status=403, notice=notice)


@circle_page(Role.KEEPER, "POST")
def undo(request: CircleRequest, repayment_id: int) -> HttpResponse:
    """Take a payment back, and go back to the page that the form was on."""
    try:
        row = repayments.undo(request.circle.pk, repayment_id, by=request.member.user)
    except Repayment.DoesNotExist:
        if request.headers.get("Accept") != "application/json":
            raise
        return JsonResponse({"sentence": _("This payment is not in this circle.")}, status=404)
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"number": row.pk})
    return go(request, _where(request, RepaymentForm(request.POST)))


@circle_page(Role.KEEPER, "POST")
def coins(request: CircleRequest) -> HttpResponse:
    """Save the smallest coin in which the circle pays, by currency; anything but a coin that is offered is none."""
    wanted = {currency: whole_number(request.POST.get(f"coin_{currency}", "")) for currency in CURRENCIES}
    chosen = {currency: coin for currency, coin in wanted.items() if coin in cash_coins(currency)}
    circle_writer.set_cash_coins(request.circle.pk, {key: coin for key, coin in chosen.items() if coin})
    return go(request, reverse("repayments", args=[request.circle.pk]))


# --- Booking ---


def _save(request: CircleRequest, form: RepaymentForm) -> HttpResponse:
    """Book the payment of a valid form and go on, or answer with the form and the reason."""
    try:
        booked = _book(request, form)
    except RepaymentRefused as refused:
        _refuse(form, refused)
        return _page(request, form, status=422)
    except RepaymentTokenSpent as spent:
        notice = _("Not booked: this form has booked another payment already. Press Book again to book this one too.")
        return _again(request, {"token": uuid4()}, notice, spent.row)
    except SameRepayment as same:
        notice = _("Somebody has just booked the same payment. Is this another one? Then press Book again.")
        return _again(request, {"another": "1"}, notice, same.row)
    except OverpaidSince as since:
        question = _question(request, form, since)
        return _page(request, RepaymentForm(initial=_opened(request)), status=409, question=question)
    return go(request, _where(request, form, booked=booked.row.pk))


def _book(request: CircleRequest, form: RepaymentForm) -> Booked:
    """Book the payment of a valid form. Raise RepaymentRefused, RepaymentTokenSpent, SameRepayment, OverpaidSince."""
    said = form.cleaned_data
    fields = ("payer", "payee", "units", "currency", "note", "kind")
    return repayments.book(
        request.circle.pk,
        Wanted(evenings=said["for"], **{name: said[name] for name in fields}),
        token=said["token"] or uuid4(),
        by=request.member.user,
        known=said["known"],
        another=bool(said["another"]),
        seen=said["seen"],
        anyway=bool(said["anyway"]),
    )


def _from_outbox(request: CircleRequest, form: RepaymentForm) -> HttpResponse:
    """Answer a phone's outbox in JSON: the number of the payment, or one sentence why it was refused.

    The sentence beside a number tells of the phone that has booked it before.
    """
    if not form.is_valid():
        return JsonResponse({"sentence": _wrong(form)} | _amount_question(request.circle, form), status=422)
    try:
        booked = _book(request, form)
    except RepaymentRefused as refused:
        _refuse(form, refused)
        return JsonResponse({"sentence": _wrong(form)}, status=422)
    except RepaymentTokenSpent:
        # Sent again, it is another payment.
        spent = {"sentence": _("This form has booked another payment already."), "token": str(uuid4())}
        return JsonResponse(spent, status=409)
    except SameRepayment:
        said = {"sentence": _("Somebody has booked the same payment meanwhile."), "another": True}
        return JsonResponse(said, status=409)
    except OverpaidSince as since:
        return JsonResponse(_question(request, form, since).as_json(), status=409)
    found: dict[str, Any] = {"number": booked.row.pk}
    told = told_at(request.circle, booked.row.pk, request.member.user)
    if told and told.sentence:
        found["sentence"] = told.sentence
    return JsonResponse(found)


def _amount_question(circle: Circle, form: RepaymentForm) -> dict[str, Any]:
    """Return the answers to a question about the amount for an outbox, each with the payment in words; else nothing."""
    if not form.answers or form.errors.keys() != {"amount"}:
        return {}
    said = form.cleaned_data
    names = dict(circle.players.filter(pk__in=(said["payer"], said["payee"])).values_list("pk", "name"))
    payer, payee = (names.get(said[field], "?") for field in ("payer", "payee"))
    return {
        "answers": [
            {
                "words": each.words,
                "label": payment_words(payer, payee, each.units, said["currency"]),
                "fields": {each.name: each.value},
            }
            for each in form.answers
        ]
    }


def _question(request: CircleRequest, form: RepaymentForm, since: OverpaidSince) -> Question:
    said = form.cleaned_data
    return question_of(request.POST, said["units"], said["currency"], since, back=_where(request, form))


def _wrong(form: RepaymentForm) -> str:
    return " ".join(dict.fromkeys(str(sentence) for errors in form.errors.values() for sentence in errors))


def _refuse(form: RepaymentForm, refused: RepaymentRefused) -> None:
    sentences = {
        "himself": _("Nobody pays themselves: choose two players."),
        "no_player": _("This player is not in this circle."),
        "nothing": _("The amount must be more than zero."),
        "too_much": too_much(form.cleaned_data["currency"]),
        "currency": NOT_PLAYED_FOR,
        "evening": _("Choose a session of this circle with a hand on its sheet."),
        "chips": _("That session was paid in chips: nothing is to be paid for it."),
        "no_result": _("That session has not ended yet. A payment is for sessions that have."),
        "two_currencies": _("These sessions are in two currencies: book a payment for each."),
        "not_its_currency": _("A payment for that session is in its currency: %(currency)s.")
        % {"currency": currency_words(refused.currency)},
        "not_there": _("This player did not sit in that session."),
    }
    form.add_error(refused.field, str(sentences[refused.code]))


def _where(request: CircleRequest, form: RepaymentForm, **said: object) -> str:
    """Return the address of the page that the form was on, and of the list that it showed."""
    settle, is_on_circle = whole_number(str(form.data.get("settle", "")), KEY_DIGITS), form.data.get("page") == "circle"
    if settle is not None:
        page = reverse("settle", args=[settle])
    else:
        page = reverse("circle" if is_on_circle else "repayments", args=[request.circle.pk])
    if settle is not None or is_on_circle:
        said = {name: request.GET[name][:40] for name in LIST_SHOWN if name in request.GET} | said
    return f"{page}{'?' if said else ''}{urlencode(said, safe=',')}#open"


# --- The page ---


def _opened(request: CircleRequest) -> dict[str, Any]:
    """Return the values of a form just opened, with those that a link brings along."""
    brought = {name: request.GET.get(name, "")[:40] for name in ("payer", "payee", "amount", "currency", "settle")}
    brought["page"] = request.GET.get("page", "")[:10]
    return {**brought, "for": request.GET.getlist("for"), "token": uuid4(), "kind": Repayment.Kind.PAYMENT}


def _typed(request: CircleRequest) -> dict[str, Any]:
    typed = {**request.POST.dict(), "for": request.POST.getlist("for")}
    return typed | ({"amount": typed["meant"]} if typed.get("meant") else {})


def _again(request: CircleRequest, changed: dict[str, Any], notice: str, since: Repayment) -> HttpResponse:
    """Answer 409 with the form as it was filled in, and the payment that was booked since."""
    form = RepaymentForm(initial=_typed(request) | changed)
    return _page(request, form, status=409, notice=notice, since=since.pk)


def _page(
    request: CircleRequest,
    form: RepaymentForm,
    status: int = 200,
    notice: str = "",
    since: int = 0,
    question: Question | None = None,
) -> HttpResponse:
    """Render the page, by a fixed number of queries; with a `question` instead of the form."""
    user = request.member.user
    circle = circles.circle_at(request.circle.pk) if request.method == "POST" else request.circle
    players = circles.players_of(circle)
    latest = last_played_for(circle.pk)
    currencies = sorted(currencies_played_for(circle), key=lambda each: each != latest)
    context: dict[str, Any] = {
        "circle": circle,
        "name": circles.name_of(circle, players) or _("Circle"),
        "form": form,
        "players": players,
        **_offered_by(form, circle, currencies, latest),
        "known": latest_key(circle.pk),
        "listed": page_of(circle.pk, user, whole_number(request.GET.get("before", ""), KEY_DIGITS)),
        "since": view_at(circle.pk, since, user) if since else None,
        "told": told_by_address(request, circle, user) if request.method != "POST" else None,
        "notice": notice,
        "question": question,
        "coins": [(each, cash_coins(each), coin_of(circle, each)) for each in currencies if cash_coins(each)],
        "may_write": request.member.may(Role.KEEPER),
    }
    return answer(request, "repayments/page.html", context, "repayment-form", status=status)


def _offered_by(form: RepaymentForm, circle: Circle, currencies: Sequence[str], latest: str) -> dict[str, Any]:
    """Return the currencies and sessions that the form offers, and those chosen: two queries at most."""
    asked = {str(each) for each in form["for"].value() or ()}
    keys = {key for each in asked if (key := whole_number(each, KEY_DIGITS)) is not None}
    sessions = sessions_to_pay(circle, keys)
    chosen = [each for each in sessions if each.id in keys]
    return {
        "currencies": currencies,
        "currency": form["currency"].value() or next((each.currency for each in chosen), latest),
        "other_currencies": [currency for currency in offered_currencies() if currency not in currencies],
        "several": chosen[::-1] if len(asked) > 1 else [],
        "offered": [(str(each.id), each, each in chosen) for each in sessions],
    }
