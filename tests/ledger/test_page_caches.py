"""The caches of pages: after every kind of write pages are as a process with empty caches draws them."""

import re
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.db.cache import STORE, LRUCache, size_of
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Player, User
from sessions_app.writers import circles, evenings, ledger, players, repayments
from tests.factories import evening_of, record
from tests.ledger.books import edit
from tests.selection import first
from tests.toy.pages import played_evening

pytestmark = pytest.mark.django_db(transaction=True)
#: Random in each form, and in that of a new evening. The tokens of suggested payments are not.
CHANCE = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')
TOKEN = re.compile(r'name="token" value="[^"]*"')


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    shown = CHANCE.sub("", answer.text)
    return TOKEN.sub("", shown) if path == "/" else shown


def caches() -> list[LRUCache[Any]]:
    modules = [module for name, module in sys.modules.items() if name.startswith("sessions_app.")]
    return [value for module in modules for value in vars(module).values() if isinstance(value, LRUCache)]


def assert_bounded() -> None:
    """Every cache is within the bound of all, which no value escapes by growing in its cache."""
    assert set(caches()) <= set(STORE.caches)
    assert STORE.weight == sum(entry.weight for cache in STORE.caches for entry in cache._entries.values())
    assert STORE.weight <= STORE.most
    for cache in STORE.caches:
        for key, entry in cache._entries.items():
            assert size_of(key.key, entry.value) < 1.5 * entry.weight, key.key


def drawn_anew(client: Client, paths: Iterable[str]) -> dict[str, str]:
    for cache in caches():
        cache.clear()
    return {path: text(client, path) for path in paths}


#: The pages by the folder of their addresses, with the numbers of two sessions, a circle, a player and a year.
PAGES = {
    "sessions": ["/sessions/{one}/settle/", "/sessions/{other}/settle/", "/circles/{circle}/"],
    "lists": ["/", "/sessions/?state=all", "/sessions/?player={player}&state=all"],
    "sheets": ["/sessions/{one}/", "/sessions/{other}/", "/circles/{circle}/players/{player}/"],
    "statistics": [
        *("/circles/{circle}/statistics/", "/circles/{circle}/years/{year}/"),
        *("/circles/{circle}/players/{player}/statistics/", "/circles/{circle}/players/{player}/statistics/points/"),
    ],
}


def writes_to(before: Evening, now: Evening, owner: User) -> list[Callable[[], object]]:
    """Return writes of every kind to a circle with an evening that has ended and one that runs, to be made in turn."""
    circle, (anna, bela, cili) = before.circle_id, before.seats.values_list("player", flat=True)
    dora = Player.objects.create(circle=before.circle, name="Dóra").pk
    booked: list[int] = []

    def books(payer: int, payee: int, units: int, *of: Evening, kind: str = "payment") -> None:
        wanted = repayments.Wanted(payer, payee, units, "HUF", tuple(each.pk for each in of), kind=kind)
        booked.append(repayments.book(circle, wanted, token=uuid4(), by=owner).row.pk)

    return [
        lambda: record(now, owner, "3N 5", declarer=2),
        lambda: books(bela, anna, 60, before),
        lambda: books(cili, anna, 25),
        lambda: repayments.undo(circle, booked[-1], by=owner),
        lambda: circles.set_cash_coins(circle, {"HUF": 50}),
        lambda: players.rename(circle, anna, "Annamária", by=owner),
        lambda: books(dora, anna, 500, kind="opening"),
        # No session of hers changes with it.
        lambda: players.rename(circle, dora, "Dorottya", by=owner),
        lambda: evenings.reopen(before.pk),
        lambda: ledger.amend(before.pk, 1, facts=Facts(0, 2, "2H 7"), by=owner),
        lambda: ledger.void(now.pk, 1, by=owner),
        lambda: ledger.restore(now.pk, 1, by=owner),
        lambda: edit(now, owner, stake=Decimal(20)),
        lambda: edit(before, owner, title="Farewell"),
        lambda: evenings.end(now.pk),
        lambda: evenings.end(before.pk),
        lambda: players.merge(circle, anna, Player.objects.create(circle_id=circle, name="Anni").pk, by=owner),
        lambda: circles.rename(circle, "Friday"),
    ]


@pytest.mark.parametrize("which", first(1, PAGES))
def test_after_every_kind_of_write_pages_show_what_is_stored(
    owners: Client, owner: User, evening: Evening, which: str
) -> None:
    before = evening
    record(before, owner, "2H 7", declarer=0)
    evenings.end(before.pk)
    now = evening_of(owner)
    record(now, owner, "2H 7 K", declarer=1)
    circle, bela = evening.circle_id, evening.seats.values_list("player", flat=True)[1]
    numbers = {"one": before.pk, "other": now.pk, "circle": circle, "player": bela, "year": now.started_at.year}
    pages = [page.format(**numbers) for page in PAGES[which]]
    assert drawn_anew(owners, pages)
    for number, write in enumerate(writes_to(before, now, owner)):
        write()
        kept = {page: text(owners, page) for page in pages}
        assert_bounded()
        anew = drawn_anew(owners, pages)  # and so they are kept until the next write
        for page in pages:
            assert kept[page] == anew[page], (number, page)


@pytest.mark.usefixtures("toy")
def test_each_cut_of_cards_has_payments_of_its_own(owners: Client, owner: User) -> None:
    path = f"/sessions/{played_evening(owner).pk}/settle/"
    shown = {cut: text(owners, path + cut) for cut in ("", "?cut=2", "?cut=2,1", "?cut=1,2", "?cut=2")}
    assert len(set(shown.values())) == len(shown) == 4
    for cut, kept in shown.items():
        assert drawn_anew(owners, [path + cut]) == {path + cut: kept}
