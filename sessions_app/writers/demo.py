"""The writer of demo circles: past evenings and one in play, of every game in turn, written by the ledger."""

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import cycle
from typing import Any
from uuid import uuid4

from django.core import signing
from django.urls import reverse
from django.utils import timezone

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidDeal
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, Member, Role, User
from sessions_app.readers.evening.figures import stored_figures_of
from sessions_app.readers.people.new_circles import DEMO_NAMES, DEMO_SALT, owned_alone
from sessions_app.transactions import (
    held,
    hold_circle,
    hold_circle_and_evening,
    hold_evening,
    hold_user,
    raise_version,
    writing,
)
from sessions_app.writers import evenings, ledger, results

#: Ages of the evenings, in days. The last is still in play.
DAYS_AGO = (37, 23, 16, 0)
#: Time since the last hand of the evening in play was recorded; a correction came after it.
JUST_NOW = timedelta(minutes=4)
#: Most draws of a hand until one may follow those before it.
DRAWS = 20


@writing
def load() -> str:
    """Create a demo circle without members and return the path that opens it. Call before requests are served."""
    nobody = User.new_guest()
    circle = lay(nobody)
    circle.members.filter(user=nobody).delete()
    return f"{reverse('demo')}?key={signing.dumps(circle.pk, salt=DEMO_SALT)}"


@writing
def join(key: str, user: User) -> bool:
    """Make `user` an owner of the demo circle that `key` opens; return False if it opens none."""
    user = hold_user(user.pk)
    try:
        circle = hold_circle(signing.loads(key, salt=DEMO_SALT))
    except (signing.BadSignature, Circle.DoesNotExist):
        return False
    if not circle.is_demo:
        return False  # a backup was restored from before the demo: its number is another circle's
    Member.objects.get_or_create(circle=circle, user=user, defaults={"role": Role.OWNER})
    return True


@writing
def clear(user: User) -> None:
    """Delete all demo circles that `user` owns alone, with their evenings."""
    for circle in held(owned_alone(user)):
        # Read again under the lock: another owner may have joined. A hand may just be recorded: lock the evenings.
        if owned_alone(user).filter(pk=circle.pk).exists():
            list(held(circle.evenings.all()))
            circle.repayments.all().delete()
            circle.evenings.all().delete()
            circle.delete()


def lay(user: User) -> Circle:
    """Create a demo circle with a running evening and earlier ones, owned by `user`, and return it.

    Raise NewCircleRefused if the server has none.

    One transaction a hand: a member who saves one meanwhile does not wait for all, even if a dozen demos are made.
    """
    circle = evenings.new_circle(user, is_demo=True)
    for days_ago, game in zip(DAYS_AGO, cycle(GAMES.values())):
        _play(circle, user, days_ago, game)
    return circle


def _play(circle: Circle, user: User, days_ago: int, game: Game[Any, Any, Any]) -> None:
    # Seeded, so that every demo is the same: two people can talk about its contents.
    chance = random.Random(days_ago)  # noqa: S311  cards, not keys
    pace = [timedelta(minutes=chance.randint(5, 11)) for _ in range(chance.randint(13, 21))]
    if days_ago:
        begin = (timezone.localtime() - timedelta(days=days_ago)).replace(hour=19, minute=chance.randrange(60))
    else:
        begin = timezone.now() - sum(pace, JUST_NOW)
    names = DEMO_NAMES[: min(game.seat_counts)]
    opening = evenings.Opening(names, chance.randrange(len(names)), Decimal(10), "HUF", game.key)
    evening = evenings.start(opening, token=uuid4(), by=user, circle=circle)
    over = _record_hands(evening, chance, user, begin, pace)
    _correct(evening, chance, user, over + timedelta(minutes=2))
    ended_at = over + timedelta(minutes=9) if days_ago else None
    _date(evening.pk, begin, ended_at)


@writing
def _date(evening_id: int, started_at: datetime, ended_at: datetime | None) -> None:
    _circle, evening = hold_circle_and_evening(evening_id)
    evening.started_at, evening.ended_at = started_at, ended_at
    raise_version(evening, "started_at", "ended_at")
    results.drop_rollup(evening)  # another phone may have ended it meanwhile
    if ended_at:
        results.write_rollup(evening, stored_figures_of(evening))


def _record_hands(
    evening: Evening, chance: random.Random, user: User, when: datetime, pace: Iterable[timedelta]
) -> datetime:
    """Record a hand for each time of `pace`, or until none may follow; return the time of the last."""
    game, dealer = evening.game, evening.first_dealer
    for number, taken in enumerate(pace, 1):
        at = when + taken
        thrown_in = Facts(dealer, deal_stays=game.redeals[0] == "stays")
        drawn = (thrown_in,) if number % 11 == 0 else _drawn(evening, chance, dealer)
        hand = _written(drawn, partial(ledger.record, evening.pk, token=uuid4(), number=number, by=user, at=at))
        if hand is None:
            break
        when, dealer = at, hand.dealer if hand.deal_stays else game.next_dealer(hand.sitting, hand.dealer)
    return when


def _drawn(evening: Evening, chance: random.Random, dealer: int) -> Iterator[Facts]:
    """Yield up to `DRAWS` hands of usual kinds."""
    for _ in range(DRAWS):
        declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
        yield Facts(dealer, declarer, evening.game.deal_to_text(deal), evening.game.is_agreed(deal))


def _written(drawn: Iterable[Facts], write: Callable[..., Hand]) -> Hand | None:
    """Write the first of these hands that may stand there and return it; None if none may."""
    for facts in drawn:
        with suppress(InvalidDeal):
            return write(facts=facts)
    return None


@writing
def _correct(evening: Evening, chance: random.Random, user: User, when: datetime) -> None:
    """Correct two mistakes, as players do: amend one hand with the right deal, and void one that was not played."""
    hold_evening(evening.pk)
    played = list(evening.hands.exclude(kind=Hand.Kind.THROWN_IN).order_by("-number").values_list("number", flat=True))
    # Recent enough to be on the page that the evening opens with.
    wrong, void = played[chance.randint(5, 8)], played[chance.randint(1, 4)]
    dealer = evening.hands.get(number=wrong).dealer
    _written(_drawn(evening, chance, dealer), partial(ledger.amend, evening.pk, wrong, by=user, at=when))
    ledger.void(evening.pk, void, by=user, at=when)
