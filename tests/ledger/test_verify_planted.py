"""Faults planted past the program, in plain SQL and against all constraints: 'verify' names each and hides no other."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from sessions_app.management.commands import serve
from sessions_app.models import (
    Evening,
    HandEntry,
    HandInPlay,
    HandMark,
    HouseProfile,
    OwnershipClaim,
    Player,
    Role,
    User,
)
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.writers import (
    evening_edit,
    evenings,
    house_profiles,
    installation,
    members,
    players,
    reactions,
    repayments,
)
from tests.factories import MemberFactory, UserFactory, evening_of, record

pytestmark = pytest.mark.django_db


class Fault(NamedTuple):
    """A planted fault: its statement and what is told of it, with the book's keys in them."""

    statement: str
    told: str
    only_on: str = ""


TABLES = {model.__name__.lower(): model._meta.db_table for model in apps.get_app_config("sessions_app").get_models()}
NEVER = 999_999

FAULTS = {
    # Values that only SQLite stores
    "an unreadable token of a payment": Fault(
        "UPDATE {repayment} SET token = 'nonsense' WHERE id = {paid}",
        "payment {paid}: its token cannot be read",
        "sqlite",
    ),
    "an unreadable token of a session": Fault(
        "UPDATE {evening} SET token = 'nonsense' WHERE id = {ended}",
        "session {ended}: its token cannot be read",
        "sqlite",
    ),
    "an unreadable token of a hand": Fault(
        "UPDATE {hand} SET token = 'nonsense' WHERE id = {first}", "hand {first}: its token cannot be read", "sqlite"
    ),
    "an unreadable time": Fault(
        "UPDATE {evening} SET started_at = 'yesterday' WHERE id = {ended}",
        "session {ended}: its started_at cannot be read",
        "sqlite",
    ),
    "a time that never was": Fault(
        "UPDATE {evening} SET ended_at = '2026-02-31 10:00:00' WHERE id = {ended}",
        "session {ended}: its ended_at cannot be read",
        "sqlite",
    ),
    "an unreadable time of a payment": Fault(
        "UPDATE {repayment} SET made_at = 'x' WHERE id = {paid}", "payment {paid}: its made_at cannot be read", "sqlite"
    ),
    "an unreadable stake": Fault(
        "UPDATE {evening} SET stake = 'much' WHERE id = {ended}", "session {ended}: its stake cannot be read", "sqlite"
    ),
    "a history that is no JSON": Fault(
        "UPDATE {revision} SET after = 'x' WHERE hand_id = {first}", "its after cannot be read", "sqlite"
    ),
    "a history of edits that is no JSON": Fault(
        "UPDATE {eveningchange} SET before = 'x' WHERE kind = 'title'", "its before cannot be read", "sqlite"
    ),
    "coins that are no JSON": Fault(
        "UPDATE {circle} SET cash_coins = 'x' WHERE id = {circle_key}",
        "circle {circle_key}: its cash_coins cannot be read",
        "sqlite",
    ),
    "a roll-up that is no JSON": Fault(
        "UPDATE {eveningrollup} SET figures = 'x'", "its figures cannot be read", "sqlite"
    ),
    "a hand in play that is no JSON": Fault("UPDATE {openhand} SET state = 'x'", "its state cannot be read", "sqlite"),
    # Rows that belong to none
    "a session of a circle that is gone": Fault(
        "UPDATE {evening} SET circle_id = {never} WHERE id = {ended}",
        "session {ended}: its circle is circle {never}, which is not there",
    ),
    "a missing seat": Fault(
        "DELETE FROM {seat} WHERE evening_id = {ended} AND position = 1",
        "session {ended}: its seats are [0, 2], not 0 to 1",
    ),
    "a seat of a player that is gone": Fault(
        "UPDATE {seat} SET player_id = {never} WHERE evening_id = {ended} AND position = 1",
        "its player is player {never}, which is not there",
    ),
    "an orphan entry": Fault(
        "UPDATE {handentry} SET hand_id = {never} WHERE hand_id = {first}",
        "its hand is hand {never}, which is not there",
    ),
    "an orphan revision": Fault(
        "UPDATE {revision} SET hand_id = {never} WHERE hand_id = {first}",
        "its hand is hand {never}, which is not there",
    ),
    "an orphan link of a payment": Fault(
        "UPDATE {repaymentevening} SET repayment_id = {never}", "its repayment is payment {never}, which is not there"
    ),
    "a link to a session that is gone": Fault(
        "UPDATE {repaymentevening} SET evening_id = {never}", "its evening is session {never}, which is not there"
    ),
    "a payer that is gone": Fault(
        "UPDATE {repayment} SET payer_id = {never} WHERE id = {paid}",
        "payment {paid}: its payer is player {never}, which is not there",
    ),
    "an orphan user": Fault(
        "UPDATE {member} SET user_id = {never} WHERE id = {keeper}",
        "member {keeper}: its user is user {never}, which is not there",
    ),
    "an inactive user": Fault(
        "UPDATE {user} SET is_active = FALSE WHERE id = {keeper_user}",
        "circle {circle_key}: member {keeper} is user {keeper_user}, who is not active",
    ),
    # Sessions
    "a negative stake": Fault(
        "UPDATE {evening} SET stake = -10 WHERE id = {ended}", "session {ended}: it breaks the rule stake_positive"
    ),
    "a stake without a currency": Fault(
        "UPDATE {evening} SET currency = '' WHERE id = {ended}",
        "session {ended}: it breaks the rule stake_has_a_currency",
    ),
    "an unknown currency": Fault(
        "UPDATE {evening} SET currency = 'XXX' WHERE id = {ended}",
        "session {ended}: its currency is 'XXX', which is unknown",
    ),
    "a negative version": Fault(
        "UPDATE {evening} SET version = -1 WHERE id = {ended}", "session {ended}: its version is -1"
    ),
    "a negative number of hands": Fault(
        "UPDATE {evening} SET hand_count = -1 WHERE id = {ended}", "session {ended}: its hand_count is -1"
    ),
    "a negative counter of a circle": Fault(
        "UPDATE {circle} SET repayment_version = -1 WHERE id = {circle_key}",
        "circle {circle_key}: its repayment_version is -1",
    ),
    "a history of another shape": Fault(
        "UPDATE {revision} SET after = '{{\"facts\": {{}}}}' WHERE hand_id = {first}",
        "session {ended}, hand 1: entry 1 of its history has {{'facts': {{}}}} as the state after it",
    ),
    "a history that is a list": Fault(
        "UPDATE {revision} SET after = '[]' WHERE hand_id = {first}",
        "session {ended}, hand 1: entry 1 of its history has [] as the state after it",
    ),
    "a history of edits of another shape": Fault(
        "UPDATE {eveningchange} SET after = '[1]' WHERE kind = 'title'", "has [1] as the title after it"
    ),
    "an unknown edit": Fault("UPDATE {eveningchange} SET kind = 'mood' WHERE kind = 'title'", "its kind is 'mood'"),
    "an unknown action": Fault("UPDATE {revision} SET action = 'burn' WHERE hand_id = {first}", "its action is 'burn'"),
    "an unknown kind of hand": Fault(
        "UPDATE {hand} SET kind = 'lost' WHERE id = {first}", "hand {first}: its kind is 'lost'"
    ),
    "an unknown reaction": Fault("UPDATE {handmark} SET kind = 'no'", "its kind is 'no'"),
    "a hand number below one": Fault(
        "UPDATE {hand} SET number = 0 WHERE id = {first}", "hand {first}: it breaks the rule hands_from_one"
    ),
    "an entry of nothing": Fault(
        "UPDATE {handentry} SET amount = 0 WHERE hand_id = {first}", "it breaks the rule entry_of_something"
    ),
    # Circles
    "coins that are a list": Fault(
        "UPDATE {circle} SET cash_coins = '[5]' WHERE id = {circle_key}", "circle {circle_key}: its coins are [5]"
    ),
    "coins that are no numbers": Fault(
        'UPDATE {circle} SET cash_coins = \'{{"HUF": "5"}}\' WHERE id = {circle_key}',
        "circle {circle_key}: its coins are {{'HUF': '5'}}, not whole numbers by currency",
    ),
    "coins of an unknown currency": Fault(
        "UPDATE {circle} SET cash_coins = '{{\"XXX\": 5}}' WHERE id = {circle_key}",
        "circle {circle_key}: its coins are {{'XXX': 5}}",
    ),
    "saved house rules of an unknown game": Fault(
        "UPDATE {houseprofile} SET game_key = 'bridge'",
        "circle {circle_key}: its saved house rules 'Home' are of the game 'bridge', which is unknown",
    ),
    "saved house rules that cannot be read": Fault(
        "UPDATE {houseprofile} SET rules = 'nonsense'",
        "circle {circle_key}: the saved house rules {profile} cannot be checked: InvalidRules",
    ),
    "saved house rules spelled otherwise": Fault(
        "UPDATE {houseprofile} SET rules = 'six_five_nil=yes'",
        "circle {circle_key}: its saved house rules 'Home' are 'six_five_nil=yes'; their normal form is ''",
    ),
    "an unknown mark": Fault(
        "UPDATE {player} SET mark_shape = '★', mark_colour = 'red' WHERE id = {anna}",
        "player {anna}: its mark_shape is '★'",
    ),
    "a mark of an unknown colour": Fault(
        "UPDATE {player} SET mark_shape = '♥', mark_colour = 'pink' WHERE id = {anna}",
        "player {anna}: its mark_colour is 'pink'",
    ),
    # Phones
    "an unknown role": Fault(
        "UPDATE {member} SET role = 'boss' WHERE id = {keeper}", "member {keeper}: its role is 'boss'"
    ),
    "a member who is another circle's player": Fault(
        "UPDATE {member} SET player_id = {stranger} WHERE id = {keeper}",
        "circle {circle_key}: member {keeper} is player {stranger} of another circle",
    ),
    "a member by the name of another circle's player": Fault(
        "UPDATE {member} SET held_as_id = {stranger} WHERE id = {keeper}",
        "circle {circle_key}: member {keeper} is player {stranger} of another circle",
    ),
    "a removed member who was another circle's player": Fault(
        "UPDATE {removal} SET player_id = {stranger}", "is player {stranger} of another circle"
    ),
    "a claim of another circle's member": Fault(
        "UPDATE {ownershipclaim} SET member_id = {strange_owner}",
        "circle {circle_key}: claim {claim} is of member {strange_owner} of another circle",
    ),
    "an open claim of a viewer": Fault(
        "UPDATE {member} SET role = 'viewer' WHERE id = {keeper}",
        "circle {circle_key}: claim {claim} is open, but its member is viewer",
    ),
    "a claim that was closed too early": Fault(
        "UPDATE {ownershipclaim} SET closed_at = '2001-01-01 00:00:00+00:00'",
        "circle {circle_key}: claim {claim} was closed before it was made",
    ),
    "an invite to own": Fault(
        "UPDATE {invite} SET role = 'owner' WHERE id = {invited}", "invite {invited}: its role is 'owner'"
    ),
    "an invite that was revoked too early": Fault(
        "UPDATE {invite} SET revoked_at = '2001-01-01 00:00:00+00:00' WHERE id = {invited}",
        "circle {circle_key}: invite {invited} was revoked before it was made",
    ),
    # Payments
    "a payer who did not sit there": Fault(
        "UPDATE {repayment} SET payer_id = {dora} WHERE id = {paid}",
        "circle {circle_key}: payment {paid} has player {dora} as its payer, who sat in none of the sessions it is for",
    ),
    "a payment in a currency that was not played for": Fault(
        "UPDATE {repayment} SET currency = 'CHF' WHERE id = {paid}",
        "circle {circle_key}: payment {paid} is in CHF, for which the circle never played",
    ),
    "a payment of tomorrow": Fault(
        "UPDATE {repayment} SET made_at = '{tomorrow}' WHERE id = {paid}",
        "circle {circle_key}: payment {paid} was booked at {tomorrow}, which is not yet",
    ),
    "a payment of an unknown kind": Fault(
        "UPDATE {repayment} SET kind = 'gift' WHERE id = {paid}", "payment {paid}: its kind is 'gift'"
    ),
    "a payment of less than nothing": Fault(
        "UPDATE {repayment} SET units = -5 WHERE id = {paid}",
        "payment {paid}: it breaks the rule repayment_of_something",
    ),
    "a payment to himself": Fault(
        "UPDATE {repayment} SET payer_id = payee_id WHERE id = {paid}",
        "payment {paid}: it breaks the rule repayment_of_two_people",
    ),
}


@pytest.fixture
def book(owner: User) -> dict[str, object]:
    """Every kind of row, in a circle and beside another one; return the keys by which faults name them."""
    ended = evening_of(owner)
    for _hand in range(3):
        record(ended, owner)
    reactions.mark(ended.pk, 1, HandMark.Kind.HM, by=owner)
    circle = ended.circle
    anna, bela, cili = ended.seats.values_list("player", flat=True)
    _edit(ended, owner, title="Name day", stake=Decimal(20), names=("Anna", "Béla", "Cecília"))
    evenings.end(ended.pk)
    running = evening_of(owner, ("Anna", "Béla", "Cecília", "Dóra"), currency="EUR")
    HandInPlay.objects.create(evening=running, number=1, dealer=0, version=running.version)
    dora = running.seats.get(position=3).player_id
    for_session = repayments.Wanted(bela, anna, 20, "HUF", (ended.pk,))
    paper_debt, in_vain = replace(for_session, evenings=(), kind="opening"), replace(for_session, evenings=())
    booked = [
        repayments.book(circle.pk, wanted, token=uuid4(), by=owner).row.pk
        for wanted in (for_session, paper_debt, in_vain)
    ]
    repayments.undo(circle.pk, booked[-1], by=owner)
    players.merge(circle.pk, cili, Player.objects.create(circle=circle, name="Cili").pk, by=owner)
    house_profiles.save(circle.pk, "asszorti", "Home", "", by=owner)
    invited = members.make_link(circle.pk, Role.KEEPER, by=owner)
    keeper, removed = (MemberFactory(circle=circle, role=Role.KEEPER, player_id=bela) for _phone in range(2))
    members.remove(circle.pk, removed.pk)
    invited = members.make_link(circle.pk, Role.VIEWER, by=owner)
    members.claim(keeper)
    other = evening_of(UserFactory(), ("Xénia", "Ypszilon", "Zoé"))
    record(other, other.circle.members.get().user)
    return TABLES | {
        "never": NEVER,
        "circle_key": circle.pk,
        "ended": ended.pk,
        "first": ended.hands.get(number=1).pk,
        "other": other.pk,
        "paid": booked[0],
        "anna": anna,
        "dora": dora,
        "stranger": other.seats.get(position=0).player_id,
        "strange_owner": other.circle.members.get().pk,
        "keeper": keeper.pk,
        "keeper_user": keeper.user_id,
        "claim": OwnershipClaim.objects.get().pk,
        "invited": invited.pk,
        "profile": HouseProfile.objects.get().pk,
        "tomorrow": (timezone.now() + timedelta(days=1)).replace(microsecond=0),
    }


def _edit(evening: Evening, by: User, **changed: object) -> None:
    evening.refresh_from_db()
    wanted = replace(shape_of(evening), **changed)  # type: ignore[arg-type]
    evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=by)


def told() -> str:
    out = StringIO()
    try:
        call_command("verify", stdout=out)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue()


@contextmanager
def unchecked(statement: str) -> Iterator[None]:
    """Plant what no constraint would let in, and take it back in the end, before constraints are checked."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
            for table in TABLES.values():
                if f" {table} " in statement:
                    _drop_checks(table)
        try:
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


def test_verify_finds_no_fault_in_the_unharmed_book(book: dict[str, object]) -> None:
    assert told() == "3 sessions, 4 hands: no faults.\n"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.only_on(fault.only_on) if fault.only_on else ())
        for name, fault in FAULTS.items()
    ],
)
def test_a_planted_fault_is_named_and_hides_no_other(book: dict[str, object], name: str) -> None:
    statement, words, _only_on = FAULTS[name]
    others = Q(hand__evening=book["ended"], hand__number=3) | Q(hand__evening=book["other"])
    HandEntry.objects.filter(others).update(amount=F("amount") + 1)
    with unchecked(statement.format(**book)):
        said = told()
    assert words.format(**book) in said
    for place in ("session {ended}, hand 3", "session {other}, hand 1"):
        assert f"{place.format(**book)}: it differs from entry 1 of its history" in said


def test_another_time_zone_is_named_first_and_nothing_is_compared_by_it(book: dict[str, object]) -> None:
    installation.change_time_zone("Asia/Tokyo")
    assert told() == (
        "The sessions are counted by the time zone Asia/Tokyo, but SCOREKEEPER_TIME_ZONE is Europe/Budapest. "
        "Set it to Asia/Tokyo, as for the server. Nothing was checked."
    )
    installation.keep_time_zone("Europe/Budapest")
    for warning in ("Warning: The time zone of the sessions was Asia/Tokyo and is Europe/Budapest from now on.\n", ""):
        warned = StringIO()
        serve.Command(stderr=OutputWrapper(warned)).note_time_zone()
        assert warned.getvalue() == warning
    assert "no faults" in told()
