"""The faults that 'manage.py verify' finds, and that it finds none in sound data."""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scorekeeper.text.hungarian_order import sort_key
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, HandInPlay, HandMark, Member, Revision, Role, User
from sessions_app.readers.snapshot import snapshot
from sessions_app.writers import evenings, ledger, reactions
from tests.factories import UserFactory, evening_of, record

pytestmark = pytest.mark.django_db
HANDS = (Facts(0, 1, "2H 7"), Facts(1), Facts(2, 1, "3S 4 A-"), Facts(3, 0, "1C 9"))


@pytest.fixture
def sheet(owner: User) -> Evening:
    return sheet_of(owner)


def sheet_of(owner: User) -> Evening:
    """Played, thrown in, amended, void; doubted once, a hand in play, and one that was counted anew for another."""
    evening = evening_of(owner, ("Anna", "Béla", "Cili", "Dóra"))
    for number, facts in enumerate(HANDS, start=1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    ledger.void(evening.pk, 4, by=owner)
    reactions.mark(evening.pk, 1, HandMark.Kind.HM, by=owner)
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


def run(sql: str, *params: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**NAMES), params)


def said() -> tuple[str, str]:
    """The output of the command, and its complaints."""
    out = io.StringIO()
    try:
        call_command("verify", stdout=out)
    except CommandError as error:
        return out.getvalue(), f"{error} ({error.returncode})"
    return out.getvalue(), ""


def test_it_finds_nothing_where_nothing_is_wrong(sheet: Evening) -> None:
    record(evening_of(sheet.circle.members.get().user), sheet.circle.members.get().user)
    assert said() == ("2 sessions, 5 hands: no faults.\n", "")


TABLES = {
    name: f"sessions_app_{name}" for name in ("circle", "hand", "handentry", "revision", "handmark", "openhand", "seat")
}
NAMES = TABLES | {
    "evening": "sessions_app_evening",
    "of_hand": "WHERE hand_id = (SELECT id FROM sessions_app_hand WHERE number = %s)",
}

#: The planted fault, its statement, the complaint, and its place: a hand's number, None for the evening.
CAUSED_BY = (
    "UPDATE {revision} SET cause_id = (SELECT id FROM {revision} {of_hand} AND number = %s) WHERE action = 'recount'"
)

PLANTED: dict[str, tuple[str, tuple[object, ...], int | None, str]] = {
    "a changed entry": ("UPDATE {handentry} SET amount = amount + 1 {of_hand}", (1,), 1, "its entries are"),
    "an entry taken away": ("DELETE FROM {handentry} {of_hand}", (1,), 1, "its entries are"),
    "an entry for another reason": ("UPDATE {handentry} SET reason = 'tip' {of_hand}", (3,), 3, "its entries are"),
    "an entry of a void hand": (
        "UPDATE {handentry} SET amount = 99 {of_hand}",
        (4,),
        4,
        "it differs from entry 2 of its history",
    ),
    "a wrong total": (
        "UPDATE {evening} SET sheet = %s",
        (json.dumps([["paid", 0, 1, 5, 1]]),),
        None,
        "its total of ('paid', 0, 1) is (5, 1)",
    ),
    "no totals": ("UPDATE {evening} SET sheet = '[]'", (), None, "is (0, 0); the recount gives"),
    "a sheet that is none": ("UPDATE {evening} SET sheet = '[[1]]'", (), None, "its sheet cannot be read: ValueError"),
    "a stale standing": (
        "UPDATE {hand} SET standing = 'pools' WHERE number = 2",
        (),
        2,
        "the standing after it is 'pools'",
    ),
    "a stale standing of a void hand": (
        "UPDATE {hand} SET standing = 'x' WHERE number = 4",
        (),
        4,
        "the standing after it",
    ),
    "a stale standing of the evening": ("UPDATE {evening} SET standing = 'pools'", (), None, "its standing is 'pools'"),
    "other facts": ("UPDATE {hand} SET deal = '2H 8' WHERE number = 3", (), 3, "its entries are"),
    "another dealer": ("UPDATE {hand} SET dealer = 3 WHERE number = 2", (), 2, "it differs from entry 1"),
    "a deal that cannot be": (
        "UPDATE {hand} SET deal = '2H 12' WHERE number = 3",
        (),
        3,
        "it cannot be counted: InvalidDeal",
    ),
    "a deal spelled otherwise": ("UPDATE {hand} SET deal = '2h 7' WHERE number = 4", (), 4, "it cannot be counted"),
    "a hand that stands again": (
        "UPDATE {hand} SET is_void = (1 = 0) WHERE number = 4",
        (),
        4,
        "it differs from entry 2 of its history",
    ),
    "a title that is not searched": (
        "UPDATE {evening} SET title = 'Éva'",
        (),
        None,
        "note it is 'anna bela cili dora eva'",
    ),
    "a note that is not searched": ("UPDATE {evening} SET note = 'Éva'", (), None, "its search text is 'anna bela ci"),
    "a circle's name that is not searched": (
        "UPDATE {circle} SET name = 'Kör'",
        (),
        None,
        "note it is 'anna bela cili dora kor'",
    ),
    "a search text": ("UPDATE {evening} SET search_text = 'x'", (), None, "its search text is 'x'; by its names"),
    "a hand that does not stand": (
        "UPDATE {hand} SET is_void = (1 = 1) WHERE number = 3",
        (),
        3,
        "it differs from entry 2 of its",
    ),
    "a number passed over": ("UPDATE {hand} SET number = 9 WHERE number = 4", (), 9, "it follows hand 3"),
    "a last number": ("UPDATE {evening} SET last_number = 7", (), None, "should have number 7, but has number 4"),
    "a number of hands": ("UPDATE {evening} SET hand_count = 1", (), None, "its hand count is 1; the recount gives 2"),
    "a lost revision": ("DELETE FROM {revision} {of_hand} AND number = 1", (4,), 4, "has the entries [2], but its"),
    "a revision count": (
        "UPDATE {hand} SET revision_count = 3 WHERE number = 1",
        (),
        1,
        "has the entries [1, 2], but its",
    ),
    "all history lost": ("DELETE FROM {revision} {of_hand}", (2,), 2, "has the entries [], but its"),
    "something before the first": (
        "UPDATE {revision} SET before = after {of_hand} AND number = 1",
        (1,),
        1,
        "the first entry of its history has a state before it",
    ),
    "a broken chain": (
        "UPDATE {revision} SET before = '{{}}' {of_hand} AND number = 2",
        (1,),
        1,
        "entry 2 of its history does not begin where",
    ),
    "another end": (
        "UPDATE {revision} SET after = '{{}}' {of_hand} AND number = 2",
        (1,),
        1,
        "it differs from entry 2 of its history",
    ),
    "recorded twice": (
        "UPDATE {revision} SET action = 'record' {of_hand} AND number = 2",
        (4,),
        4,
        "does not begin with its only recording",
    ),
    "never recorded": (
        "UPDATE {revision} SET action = 'amend' {of_hand} AND number = 1",
        (4,),
        4,
        "does not begin with its only recording",
    ),
    "caused by itself": (
        "UPDATE {revision} SET cause_id = id {of_hand} AND number = 2",
        (3,),
        3,
        "names entry 2 of hand 3 as its cause",
    ),
    "caused by a recording": (CAUSED_BY, (1, 1), 3, "names entry 1 of hand 1 as its cause"),
    "caused by a later hand": (CAUSED_BY, (4, 2), 3, "names entry 2 of hand 4 as its cause"),
    "a wrong version": (
        "UPDATE {revision} SET version = 99 {of_hand}",
        (2,),
        2,
        "entry 1 of its history has version 99",
    ),
    "a version twice": (
        "UPDATE {revision} SET version = 2 {of_hand}",
        (2,),
        2,
        "entry 1 of its history has version 2",
    ),
    "a version lost": (
        "UPDATE {revision} SET version = NULL {of_hand}",
        (2,),
        2,
        "entry 1 of its history has no version",
    ),
    "an evening behind its hands": (
        "UPDATE {evening} SET version = 3",
        (),
        3,
        "entry 1 of its history has version 4",
    ),
    "a mark from the future": ("UPDATE {handmark} SET revision = 7", (), 1, "marked entry 7 of its history"),
    "a hand in play from the future": ("UPDATE {openhand} SET version = 99", (), None, "hand in play has version 99"),
    "a hand in play's number": ("UPDATE {openhand} SET number = 6", (), None, "play has number 6, but the last"),
    "a hand in play of no shape": ("UPDATE {openhand} SET state = '[]'", (), None, "which cannot be read: "),
    "a hand in play of another shape": (
        "UPDATE {openhand} SET state = %s",
        (json.dumps({"nonsense": 1}),),
        None,
        "its hand in play says ",
    ),
    "what a hand in play replaced": (
        "UPDATE {openhand} SET replaced = %s",
        (json.dumps({"dealer": 0}),),
        None,
        "its hand in play replaced ",
    ),
    "an evening that ended before it began": (
        "UPDATE {evening} SET ended_at = %s",
        ("1999-12-31 00:00:00+00:00",),
        None,
        "it ended at 1999-12-31 00:00:00+00:00, before it started at",
    ),
    "a hand in play's dealer": ("UPDATE {openhand} SET dealer = 5", (), None, "its hand in play is dealt by seat 5"),
    "no lineup": ("UPDATE {evening} SET lineup = ''", (), None, "its lineup is ''"),
    "a lineup spelled otherwise": ("UPDATE {evening} SET lineup = '0-01-2-3'", (), None, "its lineup is '0-01-2-3'"),
    "a seat twice": ("UPDATE {evening} SET lineup = '0-1-1'", (), None, "its lineup is '0-1-1'"),
    "a seat too many": (
        "UPDATE {hand} SET lineup = '0-1-2-7' WHERE number = 1",
        (),
        1,
        "its lineup is '0-1-2-7'; the seats are",
    ),
    "too few": ("UPDATE {hand} SET lineup = '0-1' WHERE number = 2", (), 2, "its lineup is '0-1'"),
    "another table": ("UPDATE {hand} SET lineup = '0-1-2' WHERE number = 1", (), 1, "its entries are"),
    "a lost seat": ("DELETE FROM {seat} WHERE position = 1", (), None, "its seats are [0, 2, 3]"),
    "a dealer from nowhere": ("UPDATE {evening} SET first_dealer = 6", (), None, "seat 6 is the first dealer"),
    "chips in a game that is paid at the end": (
        "UPDATE {evening} SET in_chips = TRUE, game_key = 'preference'",
        (),
        None,
        "it is paid in chips, but no hand of preference is paid by itself",
    ),
    "rules that are none": (
        "UPDATE {evening} SET rules = 'nonsense'",
        (),
        None,
        "its house rules cannot be checked: InvalidRules",
    ),
    "rules spelled otherwise": ("UPDATE {evening} SET rules = 'six_five_nil=yes'", (), None, "their normal form is ''"),
    "a game that nobody knows": (
        "UPDATE {evening} SET game_key = 'bridge'",
        (),
        None,
        "its game is 'bridge', which is unknown",
    ),
}


def test_a_demo_that_nobody_has_opened_yet_needs_no_owner(sheet: Evening) -> None:
    Member.objects.filter(circle=sheet.circle).delete()
    assert "it has no owner" in said()[0]
    Circle.objects.update(is_demo=True)
    assert said()[0].startswith("1 session, 4 hands: no faults")


@pytest.mark.parametrize("name", PLANTED)
def test_it_names_what_is_planted(sheet: Evening, name: str) -> None:
    statement, params, hand, what = PLANTED[name]
    run(statement, *params)

    told, complaint = said()
    where = f"session {sheet.pk}" if hand is None else f"session {sheet.pk}, hand {hand}"
    assert [line for line in told.splitlines() if line.startswith(f"{where}: ") and what in line], told
    many = len(told.splitlines())
    assert complaint == f"1 session, 4 hands: {many} fault{'s' if many > 1 else ''}. Nothing was changed. (1)"


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


@pytest.mark.parametrize("table", ["openhand", "hand"])
@pytest.mark.only_on("sqlite")  # PostgreSQL keeps no token that is none
def test_a_broken_token_is_named(sheet: Evening, table: str) -> None:
    run(f"UPDATE {{{table}}} SET token = 'nonsense' || id")  # noqa: S608  # our own words
    told, complaint = said()
    name, rows = ("hand in play", HandInPlay) if table == "openhand" else ("hand", Hand)
    key = rows.objects.values_list("pk", flat=True).order_by("pk")[0]
    assert f"{name} {key}: its token cannot be read: ValueError" in told
    assert complaint


def test_a_seat_of_another_circles_player_is_named(sheet: Evening) -> None:
    other = evening_of(UserFactory()).seats.get(position=0).player_id
    sheet.seats.filter(position=2).update(player=other)
    told, complaint = said()
    assert told.startswith(f"session {sheet.pk}: seat 2 is held by player {other} of another circle\n")
    assert "its search text is" in told
    assert complaint.startswith("2 sessions, 4 hands: 2 faults.")


def test_a_player_with_another_name_s_sort_key_is_named(sheet: Evening) -> None:
    bela = sheet.circle.players.get(name="Béla")
    sheet.circle.players.filter(pk=bela.pk).update(sort_key=sort_key("Zoé"))
    told, complaint = said()
    assert told.startswith(f"circle {sheet.circle_id}: the sort key of player {bela.pk} is '")
    assert complaint.startswith("1 session, 4 hands: 1 fault.")


def test_a_circle_without_an_owner_is_named(sheet: Evening) -> None:
    sheet.circle.members.update(role=Role.KEEPER)
    told, complaint = said()
    assert told == f"circle {sheet.circle_id}: it has no owner\n"
    assert complaint.startswith("1 session, 4 hands: 1 fault.")


def test_what_is_planted_in_one_hand_is_told_of_that_one_alone(sheet: Evening) -> None:
    run("UPDATE {hand} SET standing = 'pools' WHERE number = 2")
    told, _complaint = said()
    assert told == f"session {sheet.pk}, hand 2: the standing after it is 'pools'; the recount gives ''\n"


@pytest.mark.django_db(transaction=True)
def test_it_reads_one_moment_and_keeps_nobody_from_writing() -> None:
    owner = UserFactory()
    evening = sheet_of(owner)

    def writes() -> None:
        record(evening, owner, dealer=0)
        connection.close()

    with snapshot(), ThreadPoolExecutor(1) as another:
        assert Hand.objects.count() == 4
        another.submit(writes).result(timeout=30)
        assert Hand.objects.count() == 4
    assert Hand.objects.count() == 5
    assert said() == ("1 session, 5 hands: no faults.\n", "")
