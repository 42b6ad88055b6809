"""The faults that 'manage.py verify' names, each planted past the program, and that it finds none in sound data."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.management.commands import serve
from sessions_app.models import (
    Circle,
    Evening,
    Hand,
    HandEntry,
    HandInPlay,
    HandMark,
    HouseProfile,
    Member,
    OwnershipClaim,
    Player,
    Revision,
    Role,
    User,
)
from sessions_app.writers import (
    circles,
    evenings,
    installation,
    ledger,
    members,
    players,
    repayments,
)
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import edit

pytestmark = pytest.mark.django_db


class Fault(NamedTuple):
    """A planted fault: its statement and the words that name it, with the book's tables and keys in them."""

    name: str
    statement: str
    words: str


TABLES = {model.__name__.lower(): model._meta.db_table for model in apps.get_app_config("sessions_app").get_models()}
NEVER = 999_999
HANDS = (Facts(0, 1, "2H 7"), Facts(1), Facts(2, 1, "3S 4 A-"), Facts(3, 0, "1C 9"))


def planted() -> dict[str, list[Fault]]:
    """Return the faults of planted_faults.txt by the book that they are planted in, as its head has it."""
    found: dict[str, list[Fault]] = {}
    for line in Path(__file__).with_name("planted_faults.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("In "):
            faults = found[line.split()[2]] = []
        elif " | " in line and not line.startswith("#"):
            faults.append(Fault(*line.split(" | ")))
    return found


def together(name: str) -> Iterator[list[Fault]]:
    """Yield a book's faults, three at a time, which stand far apart. Those with a * are of SQLite."""
    faults = planted()[name]
    steps = -(-len(faults) // 3)
    for at in range(steps):
        yield [fault for fault in faults[at::steps] if connection.vendor == "sqlite" or not fault.name.endswith("*")]


# --- The books ---


@pytest.fixture
def sheet(owner: User) -> Evening:
    return sheet_of(owner)


def sheet_of(owner: User) -> Evening:
    """Played, thrown in, amended, void; doubted once, a hand in play, and one that was counted anew for another."""
    evening = evening_of(owner, ("Anna", "Béla", "Cili", "Dóra"))
    for number, facts in enumerate(HANDS, start=1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
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
    """Every kind of row, in a circle and beside another one; return the keys by which faults name them."""
    ended = evening_of(owner)
    for _hand in range(3):
        record(ended, owner)
    evenings.mark_hand(ended.pk, 1, HandMark.Kind.HM, by=owner)
    circle = ended.circle
    anna, bela, cili = ended.seats.values_list("player", flat=True)
    edit(ended, owner, title="Name day", stake=Decimal(20), names=("Anna", "Béla", "Cecília"))
    evenings.end(ended.pk)
    running = evening_of(owner, ("Anna", "Béla", "Cecília", "Dóra"), currency="EUR")
    HandInPlay.objects.create(evening=running, number=1, dealer=0, version=running.version)
    dora = running.seats.get(position=3).player_id
    payments = _booked(ended, owner, bela, anna)
    merged = Player.objects.create(circle=circle, name="Cili")
    players.merge(circle.pk, cili, merged.pk, by=owner)
    circles.save_profile(circle.pk, "asszorti", "Home", "", by=owner)
    keys = payments | _phones(circle, owner, bela) | _circle_beside()
    keys |= {"anna": anna, "dora": dora, "cili": cili, "merged": merged.pk}
    keys |= {"circle_key": circle.pk, "ended": ended.pk, "running": running.pk}
    keys |= {"first": ended.hands.get(number=1).pk, "profile": HouseProfile.objects.get().pk, "never": NEVER}
    return TABLES | keys | {"tomorrow": (timezone.now() + timedelta(days=1)).replace(microsecond=0)}


def _phones(circle: Circle, owner: User, player: int) -> dict[str, object]:
    """Add a keeper who claims the circle, a viewer's link, a removed member and another link; return their keys."""
    members.make_link(circle.pk, Role.KEEPER, by=owner)
    keeper, removed = (MemberFactory(circle=circle, role=Role.KEEPER, player_id=player) for _phone in range(2))
    members.remove(circle.pk, removed.pk)
    invited = members.make_link(circle.pk, Role.VIEWER, by=owner)
    members.claim(keeper)
    claim = OwnershipClaim.objects.get().pk
    mine = circle.members.get(user=owner).pk
    return {"mine": mine, "keeper": keeper.pk, "keeper_user": keeper.user_id, "claim": claim, "invited": invited.pk}


def _circle_beside() -> dict[str, object]:
    """Make a circle of strangers with a hand; return its keys."""
    evening = evening_of(UserFactory(), ("Xénia", "Ypszilon", "Zoé"))
    owner = evening.circle.members.get()
    record(evening, owner.user)
    stranger = evening.seats.get(position=0).player_id
    return {"other": evening.pk, "stranger": stranger, "strange_owner": owner.pk}


def _booked(evening: Evening, by: User, payer: int, payee: int) -> dict[str, object]:
    """Book a payment for the evening, a debt from a paper book, and one that is undone; return the first two's keys."""
    for_session = repayments.Wanted(payer, payee, 20, "HUF", (evening.pk,))
    paper_debt, in_vain = replace(for_session, evenings=(), kind="opening"), replace(for_session, evenings=())
    paid, opening, undone = (
        repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row.pk
        for wanted in (for_session, paper_debt, in_vain)
    )
    repayments.undo(evening.circle_id, undone, by=by)
    return {"paid": paid, "opening": opening}


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


# --- The faults ---


def test_sound_books_have_no_fault(sheet: Evening, book: dict[str, object]) -> None:
    assert said() == ("4 sessions, 8 hands: no faults.\n", "")


def test_each_fault_planted_in_a_session_is_named(sheet: Evening) -> None:
    for faults in together("session"):
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
    for faults in together("circle"):
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
    evening = evenings.start(
        evenings.Opening(("Anna", "Béla", "Cili"), 0, game_key="preference"), token=uuid4(), by=owner
    )
    facts = Facts(0, None, deal, deal_stays=kind == "agreed")
    ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner)
    assert said() == ("1 session, 1 hand: no faults.\n", "")
    Hand.objects.update(kind=planted)
    assert said()[0] == f"session {evening.pk}, hand 1: its kind is {planted!r}; by its deal it is {kind!r}\n"


def test_another_time_zone_is_named_first_and_nothing_is_compared_by_it(book: dict[str, object]) -> None:
    installation.change_time_zone("Asia/Tokyo")
    assert said()[1] == (
        "The sessions are counted by the time zone Asia/Tokyo, but SCOREKEEPER_TIME_ZONE is Europe/Budapest. "
        "Set it to Asia/Tokyo, as for the server. Nothing was checked. (1)"
    )
    installation.keep_time_zone("Europe/Budapest")
    for warning in ("Warning: The time zone of the sessions was Asia/Tokyo and is Europe/Budapest from now on.\n", ""):
        warned = StringIO()
        serve.Command(stderr=OutputWrapper(warned)).note_time_zone()
        assert warned.getvalue() == warning
    assert "no faults" in said()[0]
