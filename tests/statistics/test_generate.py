"""A generated archive is sound, the same for the same seed, and holds all that an archive may hold."""

from collections import Counter
from typing import Any

import pytest

from sessions_app.models import Evening, EveningRollup, Hand, Revision, User
from sessions_app.readers.verify import verify
from tests.statistics.generate import generate
from tests.statistics.reading import facts

pytestmark = pytest.mark.django_db


def without_keys(evenings: list[dict[str, Any]]) -> list[Any]:
    """The facts of evenings but for the keys of its rows; players by their place among all."""
    order = {player: at for at, player in enumerate(sorted({p for each in evenings for p in each["seats"].values()}))}
    return [
        (
            [(name, each[name]) for name in ("game", "rules", "stake", "currency", "started_at")],
            {seat: order[player] for seat, player in each["seats"].items()},
            [
                [(name, hand[name]) for name in ("kind", "is_void", "seats", "deal", "entries")]
                for hand in each["hands"]
            ],
        )
        for each in evenings
    ]


def test_generated_book_is_sound_and_has_every_kind_of_hand(owner: User) -> None:
    (circle,) = generate(owner, sessions=15, hands=24, players=12, seed=4)
    faults: list[str] = []
    checked = verify(lambda fault: faults.append(str(fault)))
    assert faults == []
    assert (checked.evenings, checked.hands) == (15, Hand.objects.count())
    assert checked.hands > 15 * 20
    assert set(Hand.objects.values_list("kind", flat=True)) == set(Hand.Kind)
    assert set(Revision.objects.values_list("action", flat=True)) == {"record", "amend", "void", "restore"}
    assert Hand.objects.filter(is_void=True).exists()
    assert Counter(Evening.objects.values_list("game_key", flat=True)) == {"asszorti": 5, "tarokk": 5, "preference": 5}
    assert Evening.objects.exclude(seating=0).exists(), "players came and went"
    assert list(Evening.objects.filter(ended_at=None)) == [circle.evenings.latest("started_at")]
    assert EveningRollup.objects.count() == 14


def test_the_same_seed_makes_the_same_book(owner: User) -> None:
    books = []
    for seed in (7, 7, 8):
        (circle,) = generate(owner, sessions=3, hands=8, players=9, seed=seed)
        books.append(without_keys(facts(circle=circle)))
    assert books[0] == books[1] != books[2]
