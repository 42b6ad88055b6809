"""Search texts and sort keys stay true, whichever writer changes one of their parts."""

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from scorekeeper.text.hungarian_order import sort_key
from sessions_app.models import Evening, Player, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.writers import circles, evening_edit, evenings
from tests.factories import evening_of
from tests.ledger.books import assert_verified, nothing_written
from tests.selection import first

NAMES = ("Zsófi", "Ödön", "Ábel", "Cili", "Dóra", "Csaba", "Łukász")


def text(evening: Evening) -> str:
    return Evening.objects.get(pk=evening.pk).search_text


def mend(evening: Evening, by: User, **changed: object) -> None:
    evening.refresh_from_db()
    wanted = replace(shape_of(evening), **changed)  # type: ignore[arg-type]
    evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=by)


def test_evening_is_found_by_players_circle_title_and_note_as_they_are_now(evening: Evening, owner: User) -> None:
    assert text(evening) == "anna bela cili"
    other, without = evening_of(owner, ("Anna", "Béla", "Dóra")), evening_of(owner, ("Anna", "Cili", "Dóra"))
    mend(evening, owner, names=("Anna", "Őze", "Cili"))
    assert [text(each) for each in (evening, other, without)] == ["anna cili oze", "anna dora oze", "anna cili dora"]
    assert Player.objects.get(name="Őze").sort_key == sort_key("Őze")
    seat = evening_edit.join_lineup(evening.pk, "Ödön", 2, seen=0, by=owner)
    assert text(evening) == "anna cili odon oze"
    evening_edit.leave_lineup(evening.pk, seat.position, by=owner)
    mend(evening, owner, title="Szilveszter Éve", note="Két\nsor")
    circles.rename(evening.circle_id, "Pénteki Kör")
    assert text(evening) == "anna cili oze penteki kor szilveszter eve ket sor"
    with nothing_written():
        circles.rename(evening.circle_id, "Pénteki Kör")


@pytest.mark.parametrize("count", [1, 30])
def test_a_name_costs_as_many_statements_whatever_it_is_found_in(
    owner: User, count: int, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    made = [evening_of(owner) for _ in range(count)]
    # Savepoint, lock, name, two reads, one statement for all evenings, release.
    with django_assert_num_queries(7):
        circles.rename(made[0].circle_id, "Kör")
    assert {text(each) for each in made} == {"anna bela cili kor"}


@pytest.mark.parametrize("seed", first(1, range(8)))
def test_after_any_writers_in_any_order_all_is_as_verify_counts_it(owner: User, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    made = [evening_of(owner, ("Anna", "Béla", "Cili")), evening_of(owner, ("Anna", "Béla", "Zsófi", "Dóra"))]

    def write(evening: Evening) -> None:
        names = list(shape_of(evening).names)
        match chance.randrange(6):
            case 0:
                names[chance.randrange(len(names))] = f"{chance.choice(NAMES)} {chance.randrange(9**9)}"
                mend(evening, owner, names=tuple(names))
            case 1:
                mend(evening, owner, title=chance.choice(NAMES), note=chance.choice(["", *NAMES]))
            case 2:
                circles.rename(evening.circle_id, chance.choice(["", *NAMES]))
            case 3 if len(evening.sitting) < 4:
                evening_edit.join_lineup(
                    evening.pk, chance.choice([n for n in NAMES if n not in names]), 0, seen=None, by=owner
                )  # type: ignore[arg-type]
            case 4 if len(evening.sitting) > 3:
                evening_edit.leave_lineup(evening.pk, chance.choice(evening.sitting), by=owner)
            case _:
                made.append(evening_of(owner, chance.sample(NAMES, 3)))

    for _ in range(12):
        evening = Evening.objects.get(pk=chance.choice(made).pk)
        write(evening)
        assert_verified()
    evenings.remove(made[0].pk, by=owner)
    assert_verified()
