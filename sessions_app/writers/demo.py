"""A table with a past: three players, four evenings, written through the ledger like any other."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import uuid4

from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump, deal_to_text
from scorekeeper.games.base import InvalidDeal
from sessions_app.models import GameSession, Member, Role, Table, User
from sessions_app.writers import evenings, ledger
from sessions_app.writers.ledger import Facts
from sessions_app.writers.writing import held, hold_evening, hold_table, writing

NAMES = ("Anna", "Béla", "Cili")
DAYS_AGO = (37, 23, 16, 2)
SALT = "demo table"


@writing
def load() -> str:
    """Make a demo table that belongs to nobody yet, and return the path that opens it. Before anybody is served."""
    nobody = User.new_guest()
    table = lay(nobody)
    table.members.filter(user=nobody).delete()
    return f"{reverse('demo')}?key={signing.dumps(table.pk, salt=SALT)}"


def find(key: str) -> Table | None:
    """The demo table that `key` opens; None if it opens none."""
    try:
        return Table.objects.filter(pk=signing.loads(key, salt=SALT)).first()
    except signing.BadSignature:
        return None


@writing
def join(key: str, user: User) -> bool:
    """Make `user` an owner of the demo table that `key` opens; False if it opens none."""
    try:
        table = hold_table(signing.loads(key, salt=SALT))
    except (signing.BadSignature, Table.DoesNotExist):
        return False
    Member.objects.get_or_create(table=table, user=user, defaults={"role": Role.OWNER})
    return True


def may_clear(user: User) -> bool:
    """Whether `user` has a demo table that he owns alone: one query."""
    return _own(user).exists()


@writing
def clear(user: User) -> None:
    """Take away all demo tables that `user` owns alone, with all that was played and tried at them."""
    for table in held(_own(user)):
        # As they are now: another may have become an owner too, and somebody may just have recorded a hand.
        if _own(user).filter(pk=table.pk).exists():
            list(held(table.evenings.all()))
            table.evenings.all().delete()
            table.delete()


def _own(user: User) -> QuerySet[Table]:
    others = Member.objects.filter(table=OuterRef("pk"), role=Role.OWNER).exclude(user=user)
    mine = Member.objects.filter(table=OuterRef("pk"), role=Role.OWNER, user=user)
    return Table.objects.filter(Exists(mine), ~Exists(others), is_demo=True)


def lay(user: User) -> Table:
    """Make a demo table with its past evenings, owned by `user`.

    A hand at a turn: nobody who saves one meanwhile waits for all of these, be there a dozen who look round.
    """
    # Not among one's own evenings, should one know an Anna and a Béla.
    table = evenings.new_table(user, is_demo=True)
    for days_ago in DAYS_AGO:
        _play(table, user, days_ago)
    return table


def _play(table: Table, user: User, days_ago: int) -> None:
    # The same table for everybody who asks: what one sees in it, the other can be told about.
    chance = random.Random(days_ago)  # noqa: S311  cards, not keys
    begin = (timezone.localtime() - timedelta(days=days_ago)).replace(hour=19, minute=chance.randrange(60))
    opening = evenings.Opening(NAMES, chance.randrange(3), Decimal(10), "HUF")
    evening = evenings.start(opening, token=uuid4(), by=user, table=table)
    hands = list(_hands(chance, opening.first_dealer, begin))
    for number, (facts, when) in enumerate(hands, 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=user, at=when)
    _, over = hands[-1]
    mistakes = (chance.randint(2, 6), _deal(chance), chance.randint(7, 10))
    _correct(evening, mistakes, user, over + timedelta(minutes=2))
    GameSession.objects.filter(pk=evening.pk).update(started_at=begin, ended_at=over + timedelta(minutes=9))


def _hands(chance: random.Random, dealer: int, when: datetime) -> Iterator[tuple[Facts, datetime]]:
    """What was played, and when."""
    for number in range(1, chance.randint(14, 22)):
        when += timedelta(minutes=chance.randint(5, 11))
        thrown_in = number % 11 == 0
        yield Facts(dealer, deal_stays=True) if thrown_in else Facts(dealer, chance.randrange(3), _deal(chance)), when
        dealer = dealer if thrown_in else (dealer + 1) % 3


@writing
def _correct(evening: GameSession, mistakes: tuple[int, str, int], user: User, when: datetime) -> None:
    """Let the table find a mistake or two, as tables do: a hand with its right deal, and one that was none."""
    wrong, deal, void = mistakes
    hand = hold_evening(evening.pk).hands.get(number=wrong)
    ledger.amend(evening.pk, wrong, facts=Facts(hand.dealer, hand.declarer, deal), by=user, at=when)
    ledger.void(evening.pk, void, by=user, at=when)


def _deal(chance: random.Random) -> str:
    """A hand such as an evening brings: mostly low contracts, six or seven tricks, seldom doubled."""
    return deal_to_text(next(_possible(chance)))


def _possible(chance: random.Random) -> Iterator[Deal]:
    while True:
        tricks = chance.choices(range(3, 11), weights=(2, 6, 14, 30, 24, 14, 7, 3))[0]
        left = chance.randint(0, 11 - tricks)
        arrivazs = chance.choices(list(Arrivazs), weights=(70, 10, 17, 3))[0]
        try:
            yield Deal(
                chance.choices(list(Contract), weights=(40, 33, 15, 12))[0],
                chance.choices(list(Trump), weights=(22, 22, 22, 22, 12))[0],
                (tricks, left, 11 - tricks - left),
                chance.choices(list(Kontra), weights=(72, 18, 7, 2, 1, 0))[0],
                arrivazs,
                Kontra(arrivazs is not Arrivazs.NONE and chance.random() < 0.2),
            )
        except InvalidDeal:
            continue
