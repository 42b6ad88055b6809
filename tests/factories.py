"""Things for the tests to begin from. Evenings and hands are made by the program's own writers."""

import itertools
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import factory
from django.db.models import Model
from django.utils import timezone

from scorekeeper.games.base import Account
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, HandEntry, Member, Revision, Role, Total, User
from sessions_app.readers.evening.sheets import UNDONE_WITHIN
from sessions_app.readers.people.circles import evening_circles
from sessions_app.writers import evenings, ledger


class UserFactory(factory.django.DjangoModelFactory[User]):
    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"guest-{n}")
    is_guest = True


class MemberFactory(factory.django.DjangoModelFactory[Member]):
    class Meta:
        model = Member

    circle = factory.LazyFunction(Circle.objects.create)
    user = factory.SubFactory(UserFactory)
    role = Role.KEEPER


def evening_of(
    owner: User,
    names: Sequence[str] = ("Anna", "Béla", "Cili"),
    first_dealer: int = 0,
    stake: Decimal | None = Decimal(10),
    currency: str = "HUF",
) -> Evening:
    """An evening, on a phone that has been asked whose it is, and belongs to none of them."""
    evening = started(evenings.Opening(names, first_dealer, stake, currency), by=owner)
    Member.objects.filter(circle=evening.circle_id, user=owner).update(to_be_asked=False)
    return evening


def begun(
    by: User,
    game: str = "asszorti",
    rules: str = "",
    names: Sequence[str] = ("Anna", "Béla", "Cili"),
    first_dealer: int = 0,
    circle: Circle | None = None,
    **opening: Any,
) -> Evening:
    """An evening of a game by house rules, for points, in this circle or a new one; no phone is asked whose it is."""
    said = evenings.Opening(names, first_dealer, game_key=game, rules=rules, **opening)
    evening = evenings.start(said, token=uuid4(), by=by, circle=circle)
    Member.objects.filter(circle=evening.circle_id).update(to_be_asked=False)
    return evening


def started(opening: evenings.Opening, *, by: User) -> Evening:
    """An evening in the circle of `by` that knows the most of these names, at least two; else in a new one.

    The program is told the circle: this spares a test to name it.
    """
    circles = evening_circles(by) if Member.objects.filter(user=by).exists() else ()
    known = {each.id: len(opening.names) - len(each.unknown(opening.names)) for each in circles if not each.is_demo}
    most = max(known, key=lambda circle: known[circle], default=0)
    circle = Circle.objects.get(pk=most) if known.get(most, 0) >= 2 else None
    return evenings.start(opening, token=uuid4(), by=by, circle=circle)


def record(evening: Evening, by: User, deal: str = "2H 7", declarer: int | None = None, **facts: Any) -> Hand:
    """Record the next hand; the dealer is the one whose turn it would be if every hand stood."""
    evening.refresh_from_db()
    number, seats = evening.last_number + 1, evening.seats.count()
    dealer = facts.pop("dealer", (evening.first_dealer + number - 1) % seats)
    declarer = (dealer + 1) % seats if declarer is None else declarer
    return ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(dealer, declarer, deal, **facts), by=by)


def record_all(evening: Evening, by: User, *hands: Facts) -> None:
    """Record these as the next hands."""
    evening.refresh_from_db()
    for number, facts in enumerate(hands, evening.last_number + 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=by)


def strike_out(evening: Evening, number: int, by: User) -> Hand:
    """Make a hand void so late that it stays struck through on the sheet."""
    hand = evening.hands.get(number=number)
    return ledger.void(evening.pk, number, by=by, at=hand.recorded_at + 2 * UNDONE_WITHIN)


def repeat(evening: Evening, count: int) -> None:
    """Let the evening's hands be played again until there are so many: the ledger's rows, at once."""
    played = list(evening.hands.order_by("number").prefetch_related("entries", "revisions"))
    more = [(number, played[(number - 1) % len(played)]) for number in range(len(played) + 1, count + 1)]
    Hand.objects.bulk_create(_copy(hand, number=number, token=uuid4()) for number, hand in more)
    made = list(evening.hands.filter(number__gt=len(played)).order_by("number"))
    pairs = [(copy, hand) for copy, (_number, hand) in zip(made, more, strict=True)]
    HandEntry.objects.bulk_create(_copy(row, hand=copy) for copy, hand in pairs for row in hand.entries.all())
    versions = itertools.count(evening.version + 1)
    Revision.objects.bulk_create(
        _copy(row, hand=copy, version=next(versions)) for copy, hand in pairs for row in hand.revisions.all()
    )
    written = HandEntry.objects.filter(hand__evening=evening).values_list("account", "seat", "against", "amount")
    sheet: dict[Account, Total] = {}
    for account, seat, against, amount in written:
        so_far = sheet.get((account, seat, against), Total(0, 0))
        sheet[account, seat, against] = Total(so_far.amount + amount, so_far.entries + 1)
    played_out = sum(not hand.is_thrown_in for hand in (*played, *made))
    Evening.objects.filter(pk=evening.pk).update(
        last_number=count, hand_count=played_out, sheet=sheet, version=next(versions)
    )


def _copy[Row: Model](row: Row, **changed: Any) -> Row:
    columns = [field for field in row._meta.concrete_fields if not (field.primary_key or field.name in changed)]
    fields = {column.attname: getattr(row, column.attname) for column in columns}
    return type(row)(**fields, **changed)


def end(evening: Evening, days_ago: int = 0) -> Evening:
    """End the evening, as if it had begun so many days ago; return it."""
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(started_at=timezone.now() - timedelta(days=days_ago))
    return evening


def hand_fields(evening: Evening, **fields: Any) -> dict[str, str]:
    """The fields posted for a plain hand, 2 hearts with 7 tricks, with other fields put in; None leaves one out."""
    posted = {
        "token": uuid4(),
        "number": evening.last_number + 1,
        "dealer": "0",
        "declarer": "1",
        "contract": "2",
        "trump": "hearts",
        "game_kontra": "0",
        "arrivazs": "none",
        "tricks": "7",
        "opponent_tricks": "",
    } | fields
    return {name: str(value) for name, value in posted.items() if value is not None}
