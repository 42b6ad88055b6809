"""A table with a past: evenings of every game in turn, written through the ledger like any other."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle
from typing import Any
from uuid import uuid4

from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from sessions_app.models import GameSession, Member, Role, Table, User
from sessions_app.values import Facts
from sessions_app.writers import evenings, ledger
from sessions_app.writers.writing import held, hold_evening, hold_table, writing

#: Of whom each game takes as many as it needs.
NAMES = ("Anna", "Béla", "Cili", "Dani")
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
    for days_ago, game in zip(DAYS_AGO, cycle(GAMES.values())):
        _play(table, user, days_ago, game)
    return table


def _play(table: Table, user: User, days_ago: int, game: Game[Any, Any, Any]) -> None:
    # The same table for everybody who asks: what one sees in it, the other can be told about.
    chance = random.Random(days_ago)  # noqa: S311  cards, not keys
    begin = (timezone.localtime() - timedelta(days=days_ago)).replace(hour=19, minute=chance.randrange(60))
    names = NAMES[: min(game.seat_counts)]
    opening = evenings.Opening(names, chance.randrange(len(names)), Decimal(10), "HUF", game.key)
    evening = evenings.start(opening, token=uuid4(), by=user, table=table)
    hands = list(_hands(evening, chance, begin))
    for number, (facts, when) in enumerate(hands, 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=user, at=when)
    _, over = hands[-1]
    _correct(evening, chance, user, over + timedelta(minutes=2))
    GameSession.objects.filter(pk=evening.pk).update(started_at=begin, ended_at=over + timedelta(minutes=9))


def _hands(evening: GameSession, chance: random.Random, when: datetime) -> Iterator[tuple[Facts, datetime]]:
    """What was played, and when."""
    game, seats, dealer = evening.game, evening.sitting, evening.first_dealer
    for number in range(1, chance.randint(14, 22)):
        when += timedelta(minutes=chance.randint(5, 11))
        stays = number % 11 == 0 and game.redeals[0] == "stays"
        yield Facts(dealer, deal_stays=stays) if number % 11 == 0 else _likely(evening, chance, dealer), when
        dealer = dealer if stays else game.next_dealer(seats, dealer)


def _likely(evening: GameSession, chance: random.Random, dealer: int) -> Facts:
    declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
    stays = not evening.game.is_hand(deal)
    return Facts(dealer, declarer, evening.game.deal_to_text(deal), stays)


@writing
def _correct(evening: GameSession, chance: random.Random, user: User, when: datetime) -> None:
    """Let the table find a mistake or two, as tables do: a hand with its right deal, and one that was none."""
    wrong, void = chance.randint(2, 6), chance.randint(7, 10)
    dealer = hold_evening(evening.pk).hands.get(number=wrong).dealer
    ledger.amend(evening.pk, wrong, facts=_likely(evening, chance, dealer), by=user, at=when)
    ledger.void(evening.pk, void, by=user, at=when)
