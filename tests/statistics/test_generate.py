"""A generated archive is sound, the same for the same seed, and holds all that an archive may hold."""

from collections import Counter
from typing import Any

import pytest

from sessions_app.models import Evening, EveningRollup, Hand, Revision, User
from sessions_app.readers.verify import verify
from tests.statistics.generate import generate
from tests.statistics.reading import facts
from tests.statistics.recount import Figure, recount

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


def test_it_is_sound_and_holds_everything(owner: User) -> None:
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


def test_evenings_repeat_their_hands_in_a_large_book(owner: User) -> None:
    circles = generate(owner, sessions=12, hands=5, players=18, circles=2, distinct=3, seed=1)
    assert [circle.evenings.count() for circle in circles] == [6, 6]
    assert [circle.players.count() for circle in circles] == [9, 9]
    assert len({tuple(hand["deal"] for hand in each["hands"]) for each in facts()}) == 3
    assert len({tuple(each["seats"].values()) for each in facts()}) > 3
    assert verify(print).faults == 0


def test_the_points_of_a_book_sum_to_zero(owner: User) -> None:
    (circle,) = generate(owner, sessions=6, hands=10, players=9, seed=2)
    recounted, players = recount(facts(circle=circle)), circle.players.values_list("pk", flat=True)
    for game in ("asszorti", "tarokk", "preference"):
        assert sum(recounted[Figure(game, "points", player)].value for player in players) == 0
        assert sum(recounted[Figure(game, "hands", player)].value for player in players) > 0
    assert sum(recounted[Figure("all", "evenings", player)].value for player in players) >= 6 * 3
