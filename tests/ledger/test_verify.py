"""The faults that 'manage.py verify' names, each planted past the program, and that it finds none in sound data."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.management.commands import serve
from sessions_app.models import Circle, Evening, Hand, HandEntry, HandInPlay, HandMark, Member, Revision, User
from sessions_app.writers import evenings, ledger, results
from tests.factories import UserFactory, begun, evening_of, record, record_all
from tests.full_circle import full_circle

pytestmark = pytest.mark.django_db


class Fault(NamedTuple):
    """A planted fault: its statement and the words that name it, with the book's tables and keys in them."""

    name: str
    statement: str
    words: str


TABLES = {model.__name__.lower(): model._meta.db_table for model in apps.get_app_config("sessions_app").get_models()}
HANDS = (Facts(0, 1, "2H 7"), Facts(1), Facts(2, 1, "3S 4 A-"), Facts(3, 0, "1C 9"))


def planted(name: str) -> Iterator[list[Fault]]:
    """Yield the faults of a book, those of a paragraph of planted_faults.txt together. Those with a * are of SQLite."""
    whole = Path(__file__).with_name("planted_faults.txt").read_text(encoding="utf-8")
    _before, of_book = whole.split(f"\nIn a {name} ")
    of_book = of_book.split("\nIn ")[0].partition("\n")[2]
    for paragraph in of_book.strip().split("\n\n"):
        faults = [Fault(*line.split(" | ")) for line in paragraph.splitlines()]
        assert len({fault.words for fault in faults}) == len(faults), "two would be told by one line"
        yield [fault for fault in faults if connection.vendor == "sqlite" or not fault.name.endswith("*")]


@pytest.fixture
def sheet(owner: User) -> Evening:
    """Played, thrown in, amended, void; doubted once, a hand in play, and one that was counted anew for another."""
    evening = evening_of(owner, ("Anna", "Béla", "Cili", "Dóra"))
    record_all(evening, owner, *HANDS)
    ledger.void(evening.pk, 4, by=owner)
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=owner)
    ledger.amend(evening.pk, 1, facts=Facts(0, 1, "2H 5"), by=owner)
    cause = Revision.objects.latest("pk")
    last = Revision.objects.get(hand__number=3)
    Revision.objects.create(
        hand_id=last.hand_id,
        number=2,
        action="recount",
        before=last.after,
        after=last.after,
        cause=cause,
        version=cause.version,
    )
    Hand.objects.filter(pk=last.hand_id).update(revision_count=2)
    evening.refresh_from_db()
    HandInPlay.objects.create(evening=evening, number=5, dealer=0, version=evening.version)
    evening.save()
    return evening


@pytest.fixture
def book(owner: User) -> dict[str, object]:
    """Every kind of row, in a circle and beside one of strangers; return the keys by which faults name them."""
    full, other = full_circle(owner), evening_of(UserFactory(), ("Xénia", "Ypszilon", "Zoé"))
    strange_owner = other.circle.members.get()
    record(other, strange_owner.user)
    anna, _bela, cili = full.ended.seats.order_by("position").values_list("player", flat=True)
    rows = {
        **{"circle_key": full.circle, "ended": full.ended, "running": full.running, "paid": full.paid},
        **{"opening": full.opening, "merged": full.merged, "profile": full.profile, "keeper": full.keeper},
        **{"claim": full.claim, "invited": full.invited, "first": full.ended.hands.get(number=1)},
        **{"mine": full.circle.members.get(user=owner), "other": other, "strange_owner": strange_owner},
    }
    keys = {name: row.pk for name, row in rows.items()} | {"anna": anna, "cili": cili, "never": 999_999}
    keys |= {"keeper_user": full.keeper.user_id, "dora": full.running.seats.get(position=3).player_id}
    keys |= {"stranger": other.seats.get(position=0).player_id}
    return TABLES | keys | {"tomorrow": (timezone.now() + timedelta(days=1)).replace(microsecond=0)}


def said() -> tuple[str, str]:
    """The output of the command, and its complaints."""
    out = StringIO()
    try:
        call_command("verify", stdout=out)
    except CommandError as error:
        return out.getvalue(), f"{error} ({error.returncode})"
    return out.getvalue(), ""


@contextmanager
def unchecked(statements: list[str]) -> Iterator[None]:
    """Plant what no constraint would let in, and take it back in the end, before constraints are checked."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
            for table in TABLES.values():
                if any(f" {table} " in statement for statement in statements):
                    _drop_checks(table)
        try:
            for statement in statements:
                cursor.execute(statement)
            yield
        finally:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA ignore_check_constraints = OFF")
            transaction.set_rollback(True)


def _drop_checks(table: str) -> None:
    with connection.cursor() as cursor:
        checks = connection.introspection.get_constraints(cursor, table).items()
        for name in [name for name, about in checks if about["check"]]:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')


def told_in_one_line(told: str, words: str) -> bool:
    return any(all(part in line for part in words.split("…")) for line in told.splitlines())


def test_sound_books_have_no_fault(sheet: Evening, book: dict[str, object]) -> None:
    assert said() == ("4 sessions, 8 hands: no faults.\n", "")


def test_each_fault_planted_in_a_session_is_named(sheet: Evening) -> None:
    for faults in planted("session"):
        with unchecked([fault.statement.format(**TABLES) for fault in faults]):
            told, complaint = said()
        for fault in faults:
            words = fault.words.format(**TABLES)
            place = f"session {sheet.pk}, " if re.match(r"hand \d", words) else f"session {sheet.pk}: …"
            assert told_in_one_line(told, place + words), (fault.name, told)
        many = len(told.splitlines())
        assert complaint == f"1 session, 4 hands: {many} fault{'s' if many > 1 else ''}. Nothing was changed. (1)"


def test_each_fault_planted_in_a_circle_is_named_and_hides_no_other(book: dict[str, object]) -> None:
    others = Q(hand__evening=book["ended"], hand__number=3) | Q(hand__evening=book["other"])
    HandEntry.objects.filter(others).update(amount=F("amount") + 1)
    for faults in planted("circle"):
        with unchecked([fault.statement.format(**book) for fault in faults]):
            told = "".join(said())
        for fault in faults:
            assert told_in_one_line(told, fault.words.format(**book)), (fault.name, told)
        for place in ("session {ended}, hand 3", "session {other}, hand 1"):
            assert f"{place.format(**book)}: it differs from entry 1 of its history" in told, faults


def test_a_demo_that_nobody_has_opened_yet_needs_no_owner(sheet: Evening) -> None:
    Member.objects.filter(circle=sheet.circle).delete()
    assert "it has no owner" in said()[0]
    Circle.objects.update(is_demo=True)
    assert said()[0].startswith("1 session, 4 hands: no faults")


@pytest.mark.parametrize(("deal", "kind", "planted"), [("R 4-3-3", "played", "agreed"), ("= D1+5", "agreed", "played")])
def test_a_kind_that_the_deal_is_not_of_is_named_once(owner: User, deal: str, kind: str, planted: str) -> None:
    evening = begun(owner, "preference")
    record_all(evening, owner, Facts(0, None, deal, deal_stays=kind == "agreed"))
    assert said() == ("1 session, 1 hand: no faults.\n", "")
    Hand.objects.update(kind=planted)
    assert said()[0] == f"session {evening.pk}, hand 1: its kind is {planted!r}; by its deal it is {kind!r}\n"


def test_another_time_zone_is_named_first_and_nothing_is_compared_by_it(book: dict[str, object]) -> None:
    results.change_time_zone("Asia/Tokyo")
    assert said()[1] == (
        "The sessions are counted by the time zone Asia/Tokyo, but SCOREKEEPER_TIME_ZONE is Europe/Budapest. "
        "Set it to Asia/Tokyo, as for the server. Nothing was checked. (1)"
    )
    results.keep_time_zone("Europe/Budapest")
    for warning in ("Warning: The time zone of the sessions was Asia/Tokyo and is Europe/Budapest from now on.\n", ""):
        warned = StringIO()
        serve.Command(stderr=OutputWrapper(warned)).note_time_zone()
        assert warned.getvalue() == warning
    assert "no faults" in said()[0]
