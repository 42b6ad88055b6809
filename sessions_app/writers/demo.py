"""A table with a session in play and a past: evenings of every game in turn, written through the ledger."""

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
from scorekeeper.games.base import Game, InvalidDeal
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, Member, Role, User
from sessions_app.readers.demo import SALT, owned_alone
from sessions_app.writers import evenings, ledger
from sessions_app.writers.transactions import held, hold_circle, hold_evening, writing

#: Of whom each game takes as many as it needs.
NAMES = ("Anna", "Béla", "Cili", "Dani")
#: The last of them is still played.
DAYS_AGO = (37, 23, 16, 0)
#: So long ago the last hand of the evening in play was recorded; it was corrected since.
JUST_NOW = timedelta(minutes=4)
#: So often a hand is drawn again that may not follow those before it.
DRAWS = 20


@writing
def load() -> str:
    """Make a demo table that belongs to nobody yet, and return the path that opens it. Before anybody is served."""
    nobody = User.new_guest()
    circle = lay(nobody)
    circle.members.filter(user=nobody).delete()
    return f"{reverse('demo')}?key={signing.dumps(circle.pk, salt=SALT)}"


@writing
def join(key: str, user: User) -> bool:
    """Make `user` an owner of the demo table that `key` opens; False if it opens none."""
    try:
        circle = hold_circle(signing.loads(key, salt=SALT))
    except (signing.BadSignature, Circle.DoesNotExist):
        return False
    Member.objects.get_or_create(circle=circle, user=user, defaults={"role": Role.OWNER})
    return True


@writing
def clear(user: User) -> None:
    """Take away all demo tables that `user` owns alone, with all that was played and tried at them."""
    for circle in held(owned_alone(user)):
        # As they are now: another may have become an owner too, and somebody may just have recorded a hand.
        if owned_alone(user).filter(pk=circle.pk).exists():
            list(held(circle.evenings.all()))
            circle.evenings.all().delete()
            circle.delete()


def lay(user: User) -> Circle:
    """Make a demo table with a running evening and those before it, owned by `user`.

    A hand at a turn: nobody who saves one meanwhile waits for all of these, be there a dozen who look round.
    """
    # Not among one's own evenings, should one know an Anna and a Béla.
    circle = evenings.new_circle(user, is_demo=True)
    for days_ago, game in zip(DAYS_AGO, cycle(GAMES.values())):
        _play(circle, user, days_ago, game)
    return circle


def _play(circle: Circle, user: User, days_ago: int, game: Game[Any, Any, Any]) -> None:
    # The same table for everybody who asks: what one sees in it, the other can be told about.
    chance = random.Random(days_ago)  # noqa: S311  cards, not keys
    pace = [timedelta(minutes=chance.randint(5, 11)) for _ in range(chance.randint(13, 21))]
    if days_ago:
        begin = (timezone.localtime() - timedelta(days=days_ago)).replace(hour=19, minute=chance.randrange(60))
    else:
        begin = timezone.now() - sum(pace, JUST_NOW)
    names = NAMES[: min(game.seat_counts)]
    opening = evenings.Opening(names, chance.randrange(len(names)), Decimal(10), "HUF", game.key)
    evening = evenings.start(opening, token=uuid4(), by=user, circle=circle)
    over = _record_hands(evening, chance, user, begin, pace)
    _correct(evening, chance, user, over + timedelta(minutes=2))
    ended_at = over + timedelta(minutes=9) if days_ago else None
    Evening.objects.filter(pk=evening.pk).update(started_at=begin, ended_at=ended_at)


def _record_hands(
    evening: Evening, chance: random.Random, user: User, when: datetime, pace: Iterable[timedelta]
) -> datetime:
    """Let them play until it is late, or until nothing may follow any more; when that was."""
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
    """Hands such as an evening brings."""
    for _ in range(DRAWS):
        declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
        yield Facts(dealer, declarer, evening.game.deal_to_text(deal), evening.game.is_agreed(deal))


def _written(drawn: Iterable[Facts], write: Callable[..., Hand]) -> Hand | None:
    """The first that may be written there; None if none may."""
    for facts in drawn:
        with suppress(InvalidDeal):
            return write(facts=facts)
    return None


@writing
def _correct(evening: Evening, chance: random.Random, user: User, when: datetime) -> None:
    """Let the table find a mistake or two, as tables do: a hand with its right deal, and one that was none."""
    hold_evening(evening.pk)
    played = list(evening.hands.exclude(kind=Hand.Kind.THROWN_IN).order_by("-number").values_list("number", flat=True))
    # On the page that the evening opens with.
    wrong, void = played[chance.randint(5, 8)], played[chance.randint(1, 4)]
    dealer = evening.hands.get(number=wrong).dealer
    _written(_drawn(evening, chance, dealer), partial(ledger.amend, evening.pk, wrong, by=user, at=when))
    ledger.void(evening.pk, void, by=user, at=when)
