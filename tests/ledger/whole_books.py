"""Books with everything in them, written by the program's own writers: the same seed makes the same book."""

from contextlib import suppress
from copy import deepcopy
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any, Final
from uuid import uuid4

from scorekeeper.games import GAMES
from scorekeeper.games.errors import InvalidDeal
from sessions_app.errors import LineupRefused, RepaymentRefused
from sessions_app.hand_facts import Facts, FormState
from sessions_app.models import Circle, Evening, Member, Player, Repayment, Role, User
from sessions_app.readers.book import document
from sessions_app.readers.evening import seating
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import (
    circles,
    evening_edit,
    evenings,
    ledger,
    members,
    players,
    repayments,
)
from tests.factories import UserFactory
from tests.games.registered import AnyGame
from tests.ledger.books import edit
from tests.ledger.test_conformance import some_facts
from tests.statistics.generate import RULES

NAMES: Final = ("Anna", "Béla", "Cili", "Dóra", "Edit", 'Feri "=1+1"', "Gábor 👨‍👩‍👧")
SESSIONS: Final = 3
HANDS: Final = 9
#: Values of which each can stand somewhere.
ANY: Final = (None, 0, 1, 2, -3, "", "HUF", "2H 7", True, False, [], "2020-01-01T00:00:00+00:00")


def whole_book(game: AnyGame, seed: int) -> Circle:
    """Write a circle's book of a game: corrections, merges, payments, and players who come and go."""
    chance = Random(seed)  # noqa: S311  cards, not keys
    circle = Circle.objects.create(name="Péntek & társai: 1/2?", cash_coins={"HUF": 5})
    writers = [_phone(circle, role, name) for role, name in zip(Role, ("Anna", "Béla", ""), strict=True)]
    owner = writers[-1]
    circles.save_profile(circle.pk, game.key, "Otthon", "", by=owner)
    for number in range(SESSIONS):
        _session(circle, game, chance, writers, is_last=number == SESSIONS - 1)
    _gone(circle, writers[0])
    bela = circle.players.get(name="Béla")
    players.set_mark(circle.pk, bela.pk, "♠", "blue")
    players.rename(circle.pk, bela.pk, "Béla bá", by=owner)
    _merges(circle, chance, owner)
    _pays(circle, chance, writers)
    circles.rename(circle.pk, "Péntek & társai: 1/2?!")
    circle.refresh_from_db()
    return circle


@cache
def book_of_another_server() -> bytes:
    """Return the document of a book that this database has no more. It is written once, as tests only bring it."""
    circle = whole_book(GAMES["asszorti"], 3)
    data = b"".join(document.of_circle(circle))
    circle.repayments.all().delete()
    circle.evenings.all().delete()
    circle.delete()
    return data


def _phone(circle: Circle, role: Role, name: str) -> User:
    player = Player.objects.create(circle=circle, name=name) if name else None
    user: User = UserFactory()
    Member.objects.create(circle=circle, user=user, role=role, player=player)
    return user


def _gone(circle: Circle, user: User) -> None:
    """Let a member leave: the history still names him."""
    members.leave(circle.members.get(user=user))


def _session(circle: Circle, game: AnyGame, chance: Random, writers: list[User], *, is_last: bool) -> None:
    count = game.seat_counts[0]
    names = ["Anna", "Béla", *chance.sample(NAMES[2:], count - 2)]
    stake, currency = chance.choice([(None, ""), (Decimal("0.05"), "EUR"), (Decimal(10), "HUF")])
    rules = game.rules_to_text(game.rules_from_text(chance.choice(RULES.get(game.key, ("",)))))
    opening = evenings.Opening(names, chance.randrange(count), stake, currency, game.key, rules)
    evening = evenings.start(opening, token=uuid4(), by=writers[-1], circle=circle)
    _edit(evening, chance, writers[-1])
    for _hand in range(HANDS):
        by = chance.choice(writers)
        if chance.randrange(4) == 0:
            _lineup(evening, chance, by)
        _record(evening, chance, by)
        if chance.randrange(2):
            _correct(evening, chance, by)
    evenings.end(evening.pk)
    if is_last:
        evenings.reopen(evening.pk)
        _correct(evening, chance, writers[0])


def _edit(evening: Evening, chance: Random, by: User) -> None:
    shape = shape_of(evening)
    turned = {"players": shape.players[1:] + shape.players[:1], "names": shape.names[1:] + shape.names[:1]}
    in_chips = evening.game.pays_per_hand and chance.randrange(3) == 0
    edit(evening, by, **turned, title="Névnap", note="Esőben,\na teraszon.", in_chips=in_chips)
    edit(evening, by, stake=Decimal("2.505"), currency="KWD")
    evening.refresh_from_db()


def _lineup(evening: Evening, chance: Random, by: User) -> None:
    evening.refresh_from_db()
    with suppress(LineupRefused):
        if chance.randrange(2):
            evening_edit.join_lineup(evening.pk, chance.choice(NAMES), evening.sitting[0], seen=evening.seating, by=by)
        else:
            evening_edit.leave_lineup(evening.pk, chance.choice(evening.sitting), by=by)
    evening.refresh_from_db()


def _record(evening: Evening, chance: Random, by: User) -> None:
    evening.refresh_from_db()
    turn = seating.turn(evening)
    for facts in (some_facts(evening, chance, turn.dealer), Facts(turn.dealer)):
        # A deal that may not follow the standing is thrown in.
        with suppress(InvalidDeal):
            state = FormState(another=True)
            ledger.record(evening.pk, token=uuid4(), number=turn.number, facts=facts, by=by, form_state=state)
            return


def _correct(evening: Evening, chance: Random, by: User) -> None:
    """Change a hand, as `tests.ledger.test_conformance` does, by those who sat at it."""
    evening.refresh_from_db()
    hand = evening.hands.get(number=chance.randint(1, evening.last_number))
    if chance.randrange(3):
        (ledger.restore if hand.is_void else ledger.void)(evening.pk, hand.number, by=by)
    elif hand.is_void:
        ledger.amend(evening.pk, hand.number, facts=Facts(hand.dealer), by=by)
    else:
        evening.lineup = hand.lineup
        with suppress(ValueError):
            ledger.amend(evening.pk, hand.number, facts=some_facts(evening, chance, hand.dealer), by=by)


def _merges(circle: Circle, chance: Random, by: User) -> None:
    """Merge a name that sat somewhere, one that never sat, and one that is taken apart again."""
    first, *_others = circle.evenings.order_by("pk")
    sat = [seat.player for seat in first.seats.select_related("player").order_by("position")]
    newcomer = Player.objects.create(circle=circle, name="Bela")
    players.merge(circle.pk, newcomer.pk, sat[-1].pk, by=by)
    apart = Player.objects.create(circle=circle, name="Anni")
    players.merge(circle.pk, sat[0].pk, apart.pk, by=by)
    players.unmerge(circle.pk, apart.pk, by=by)
    never = Player.objects.create(circle=circle, name="Annus")
    players.merge(circle.pk, sat[0].pk, never.pk, by=by)
    players.set_plays_no_more(circle.pk, apart.pk, chance.randrange(2) == 0)


def _pays(circle: Circle, chance: Random, writers: list[User]) -> None:
    """Book paper debts and payments, for one session, several or none, and take one of each back."""
    with_result = list(circle.evenings.exclude(result_currency="").order_by("pk"))
    currency = with_result[0].result_currency
    ended = [evening for evening in with_result if evening.result_currency == currency]
    there = set.intersection(*(set(evening.seats.values_list("player", flat=True)) for evening in ended[:2]))
    payer, payee, *_others = sorted(there)
    for which in ([ended[0].pk], [evening.pk for evening in ended[:2]], []):
        for _twice in range(2):
            wanted = repayments.Wanted(payer, payee, chance.randint(1, 5000), currency, tuple(which), "köszi")
            with suppress(RepaymentRefused):
                row = repayments.book(circle.pk, wanted, token=uuid4(), by=chance.choice(writers)).row
        repayments.undo(circle.pk, row.pk, by=writers[-1])
    owes = repayments.Wanted(payee, payer, 700, "HUF", (), "füzet", Repayment.Kind.OPENING)
    repayments.book(circle.pk, owes, token=uuid4(), by=writers[-1])


def spoil(value: Any, chance: Random) -> None:
    """Change one value somewhere in a document to another that could stand there."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys) if keys else None
        if key is None:
            return
        if not isinstance(value[key], (dict, list)) or not value[key]:
            value[key] = deepcopy(chance.choice(ANY))
            return
        value = value[key]
