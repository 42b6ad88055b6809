"""Search texts and sort keys stay true, whichever writer changes one of their parts."""

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from scorekeeper.text.hungarian_order import sort_key
from sessions_app.models import Evening, Player, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.writers import circles, evening_edit, evenings, lineup
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


def test_a_new_evening_is_found_by_its_players_and_its_circle(evening: Evening, owner: User) -> None:
    assert text(evening) == "anna bela cili"
    circles.rename(evening.circle_id, "Pénteki Kör")
    assert text(evening) == "anna bela cili penteki kor"
    assert text(evening_of(owner, ("Cili", "Anna", "Ödön"))) == "anna cili odon penteki kor"


def test_a_title_and_a_note_are_found(evening: Evening, owner: User) -> None:
    mend(evening, owner, title="Szilveszter Éve", note="Két\nsor")
    assert text(evening) == "anna bela cili szilveszter eve ket sor"


def test_a_new_name_is_found_in_all_his_evenings_and_the_old_in_none(evening: Evening, owner: User) -> None:
    other = evening_of(owner, ("Anna", "Béla", "Dóra"))
    without = evening_of(owner, ("Anna", "Cili", "Dóra"))
    mend(evening, owner, names=("Anna", "Őze", "Cili"))
    assert [text(each) for each in (evening, other, without)] == ["anna cili oze", "anna dora oze", "anna cili dora"]
    assert Player.objects.get(name="Őze").sort_key == sort_key("Őze")
    assert_verified()


def test_a_player_who_comes_is_found_and_one_who_never_played_is_not(evening: Evening, owner: User) -> None:
    seat = lineup.join(evening.pk, "Ödön", 2, seen=0, by=owner)
    assert text(evening) == "anna bela cili odon"
    lineup.leave(evening.pk, seat.position, by=owner)
    assert text(evening) == "anna bela cili"


def test_swapped_seats_change_nothing(evening: Evening, owner: User) -> None:
    was = shape_of(evening)
    mend(evening, owner, players=was.players[::-1], names=was.names[::-1])
    assert text(evening) == "anna bela cili"


def test_a_circle_s_name_given_again_writes_nothing(evening: Evening) -> None:
    circles.rename(evening.circle_id, "Kör")
    with nothing_written():
        circles.rename(evening.circle_id, "Kör")


@pytest.mark.parametrize("count", [1, 30])
def test_a_name_costs_as_many_statements_whatever_it_is_found_in(
    owner: User, count: int, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    made = [evening_of(owner) for _ in range(count)]
    # Savepoint, lock, name, two reads, one statement for all evenings, release.
    with django_assert_num_queries(7):
        circles.rename(made[0].circle_id, "Kör")
    assert {text(each) for each in made} == {"anna bela cili kor"}


@pytest.mark.parametrize("seed", first(2, range(8)))
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
                lineup.join(evening.pk, chance.choice([n for n in NAMES if n not in names]), 0, seen=None, by=owner)  # type: ignore[arg-type]
            case 4 if len(evening.sitting) > 3:
                lineup.leave(evening.pk, chance.choice(evening.sitting), by=owner)
            case _:
                made.append(evening_of(owner, chance.sample(NAMES, 3)))

    for _ in range(12):
        evening = Evening.objects.get(pk=chance.choice(made).pk)
        write(evening)
        assert_verified()
    evenings.remove(made[0].pk, by=owner)
    assert_verified()
