"""A correction at the beginning of a long evening in which later hands depend on earlier ones."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scorekeeper.games import preference
from scorekeeper.games.base import Place
from sessions_app.hand_facts import Facts
from sessions_app.models import Action, Evening, Hand, Role, User
from sessions_app.readers.evening.hand_counts import sheet_of
from sessions_app.writers import evenings, ledger
from tests.factories import MemberFactory
from tests.ledger.books import assert_books_balance, assert_verified
from tests.selection import first

NAMES = ("Anna", "Béla", "Cili", "Dani")
#: Aid from the middle of the evening on, and not its end.
TABLES = {profile: f"{profile} pool_end=never" for profile in preference.GAME.PROFILES}
TABLES["leningrad"] += " aid=yes"
HANDS = 60
SECOND = 2


def long_evening(owner: User, rules: str, seats: int = 3, hands: int = HANDS) -> Evening:
    opening = evenings.Opening(NAMES[:seats], 0, None, "", "preference", rules)
    evening = evenings.start(opening, token=uuid4(), by=owner)
    chance = Random(rules)  # noqa: S311  cards, not keys
    dealer = 0
    for number in range(1, hands + 1):
        dealer = _record(evening, owner, chance, number, dealer)
    return Evening.objects.get(pk=evening.pk)


def _record(evening: Evening, owner: User, chance: Random, number: int, dealer: int) -> int:
    """A hand such as an evening brings; the next dealer."""
    declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
    facts = Facts(dealer, declarer, preference.deal_to_text(deal), preference.is_agreed(deal))
    hand = ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    return dealer if hand.deal_stays else preference.next_dealer(hand.sitting, dealer)


def in_the_book(evening: Evening) -> list[str]:
    return [preference.sheet_to_text(sheet_of(hand.entries.all())) for hand in _hands(evening)]


def as_played_so(evening: Evening) -> list[str]:
    """The entries of the hands if they are counted from the first on, one after the other."""
    standing, found = preference.start(evening.house), []
    for hand in _hands(evening):
        place = Place(hand.sitting, hand.dealer, hand.declarer)
        counted = preference.count(preference.deal_from_text(hand.deal, evening.house), place, standing, evening.house)
        standing = counted.standing
        found.append(preference.entries_to_text(counted.entries))
    return found


def _hands(evening: Evening) -> list[Hand]:
    return list(evening.hands.order_by("number").prefetch_related("entries"))


def another(evening: Evening) -> Facts:
    """Anything else that the second hand may have been, and that changes a row and the pools."""
    hand = evening.hands.get(number=SECOND)
    if hand.deal.startswith("R"):
        return Facts(hand.dealer, preference.playing_seats(hand.sitting, hand.dealer)[0], "9H pp")
    part = preference.participants(hand.sitting, hand.dealer, talon=evening.house.raspasy_dealer)
    return Facts(hand.dealer, None, "R " + "-".join(map(str, (3, 4, 2, 1) if len(part) > 3 else (3, 4, 3))))


@pytest.mark.django_db
@pytest.mark.parametrize("seats", first(1, [3, 4]))
@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_long_recount_is_as_if_the_evening_had_been_played_so(owner: User, rules: str, seats: int) -> None:
    evening = long_evening(owner, rules, seats)
    before = in_the_book(evening)
    with CaptureQueriesContext(connection) as asked:
        ledger.amend(evening.pk, SECOND, facts=another(evening), by=owner)
    evening.refresh_from_db()
    after = in_the_book(evening)
    assert after == as_played_so(evening)
    later = [hand.number for hand in _hands(evening)[SECOND:] if before[hand.number - 1] != after[hand.number - 1]]
    assert later, "some later hand depends on it"
    recounts = evening.hands.filter(revisions__action=Action.RECOUNT).order_by("number")
    assert [hand.number for hand in recounts] == later, "each says so of itself, and no other"
    assert len(asked) < 25, "as many statements as for any correction, however long the evening"
    assert_books_balance(evening)
    assert_verified()


@pytest.mark.django_db(transaction=True)
def test_second_of_two_corrections_at_once_is_refused(owner: User) -> None:
    evening = long_evening(owner, TABLES["book"])
    keeper = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    others, together = another(evening), Barrier(2, timeout=60)
    hand = evening.hands.get(number=SECOND)
    fields = {"token": str(hand.token), "number": str(SECOND), "dealer": str(hand.dealer), "revision": "1"}
    lines = (others.deal, "M 3")
    declarers = ("" if others.declarer is None else str(others.declarer), "0")

    def correct(place: int, user: User) -> tuple[int, str]:
        client = Client(headers={"accept-language": "en"})
        client.force_login(user)
        together.wait()
        posted = {**fields, "line": lines[place], "declarer": declarers[place]}
        response = client.post(f"/sessions/{evening.pk}/hands/{SECOND}/edit/", posted)
        connection.close()
        return response.status_code, response.content.decode()

    with ThreadPoolExecutor(2) as pool:
        first, second = [pool.submit(correct, *each) for each in enumerate((owner, keeper))]
    said = sorted([first.result(), second.result()])
    assert [status for status, _page in said] == [302, 409]
    assert "Changed meanwhile" in said[1][1] or "meanwhile" in said[1][1]
    evening.refresh_from_db()
    assert in_the_book(evening) == as_played_so(evening)
    assert evening.hands.get(number=SECOND).revision_count == SECOND
    assert_books_balance(evening)
    assert_verified()
