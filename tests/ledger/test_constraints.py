"""Database constraints, for writes that bypass the ledger."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from sessions_app.models import (
    LARGEST_RESULT,
    MOST_UNITS,
    Circle,
    Evening,
    FormerResult,
    Hand,
    HandEntry,
    HandInPlay,
    HandMark,
    HouseProfile,
    Invite,
    Member,
    OwnershipClaim,
    Player,
    Removal,
    Repayment,
    RepaymentEvening,
    Revision,
    Role,
    Seat,
    User,
)
from tests.factories import record
from tests.ledger.books import nothing_written

TABLES: list[type[models.Model]] = [
    *(Player, Member, Removal, Invite, OwnershipClaim, HouseProfile),
    *(Evening, Seat, FormerResult, Hand, Revision, HandEntry, HandMark, HandInPlay),
    *(Repayment, RepaymentEvening),
]


def evening_like(evening: Evening, **changed: object) -> Evening:
    return Evening(**{"circle": evening.circle, "first_dealer": 0, "token": uuid4()} | changed)


def hand_like(evening: Evening, **changed: object) -> Hand:
    played = {"kind": "played", "dealer": 0, "declarer": 1, "deal": "2H 7"}
    return Hand(**{"evening": evening, "number": 2, "token": uuid4()} | played | changed)


def entry_like(evening: Evening, **changed: object) -> HandEntry:
    plain = {"hand": evening.hands.get(), "account": "paid", "seat": 0, "against": 2, "amount": 1, "reason": "points"}
    return HandEntry(**plain | changed)


def pool_twice(evening: Evening) -> HandEntry:
    entry_like(evening, account="pool", against=None).save()
    return entry_like(evening, account="pool", against=None)


def revision_like(evening: Evening, **changed: object) -> Revision:
    return Revision(**{"hand": evening.hands.get(), "number": 2, "action": "amend", "after": {}} | changed)


def seat_like(evening: Evening, **changed: object) -> Seat:
    newcomer = Player.objects.get_or_create(circle=evening.circle, name="Dóra")[0]
    return Seat(**{"evening": evening, "position": 3, "player": newcomer} | changed)


def former_like(evening: Evening, **changed: object) -> FormerResult:
    plain = {"seat": evening.seats.get(position=0), "result": 5, "result_parts": 3, "currency": "HUF"}
    return FormerResult(**plain | changed)


def newcomer_like(evening: Evening, **changed: object) -> Player:
    """Anna has a mark."""
    Player.objects.filter(circle=evening.circle, name="Anna").update(mark_shape="♥", mark_colour="red")
    return Player(**{"circle": evening.circle, "name": "Dóra"} | changed)


def seat_of_one_name(evening: Evening) -> Seat:
    seat = seat_like(evening)
    seat.sat_as = seat.player
    return seat


def owner_of(evening: Evening) -> Member:
    return evening.circle.members.get()


def removal_like(evening: Evening, **changed: object) -> Removal:
    """Somebody was taken off this table before."""
    gone, _new = User.objects.get_or_create(username="gone")
    Removal.objects.get_or_create(circle=evening.circle, user=gone)
    return Removal(**{"circle": evening.circle, "user": gone} | changed)


def invite_like(evening: Evening, **changed: object) -> Invite:
    """There is an open link to write."""
    Invite.objects.get_or_create(circle=evening.circle, role=Role.KEEPER, revoked_at=None)
    return Invite(**{"circle": evening.circle, "role": Role.VIEWER} | changed)


def claim_like(evening: Evening, **changed: object) -> OwnershipClaim:
    return OwnershipClaim(**{"circle": evening.circle, "member": owner_of(evening)} | changed)


def second_claim(evening: Evening) -> OwnershipClaim:
    """There is an open claim already."""
    claim_like(evening).save()
    return claim_like(evening)


def mark_like(evening: Evening, **changed: object) -> HandMark:
    plain = {"hand": evening.hands.get(), "user": owner_of(evening).user, "kind": "ok", "revision": 1}
    return HandMark(**plain | changed)


def second_mark(evening: Evening) -> HandMark:
    """The same member has said something of this hand before."""
    mark_like(evening, kind="hm").save()
    return mark_like(evening)


def profile_like(evening: Evening, **changed: object) -> HouseProfile:
    """The table has house rules called Friday."""
    HouseProfile.objects.get_or_create(circle=evening.circle, game_key="asszorti", name="Friday")
    return HouseProfile(**{"circle": evening.circle, "game_key": "asszorti", "name": "Home"} | changed)


def repayment_like(evening: Evening, **changed: object) -> Repayment:
    anna, bela = (evening.seats.get(position=seat).player for seat in (0, 1))
    plain = {"circle": evening.circle, "payer": anna, "payee": bela, "units": 1, "currency": "HUF"}
    return Repayment(**plain | changed)


def with_one_player(evening: Evening, **columns: str) -> Repayment:
    """A payment with a column's player in another column."""
    paid = repayment_like(evening)
    for column, other in columns.items():
        setattr(paid, column, getattr(paid, other))
    return paid


def second_repayment(evening: Evening) -> Repayment:
    """This token has booked a payment before."""
    paid = repayment_like(evening)
    paid.save()
    return repayment_like(evening, token=paid.token)


def named_twice(evening: Evening) -> RepaymentEvening:
    paid = repayment_like(evening)
    paid.save()
    RepaymentEvening.objects.create(repayment=paid, evening=evening)
    return RepaymentEvening(repayment=paid, evening=evening)


#: For each constraint something that breaks it and no other; the evening has one hand, Béla's 6 points.
BREAKING: list[tuple[str, Callable[[Evening], models.Model]]] = [
    ("player_once_in_a_circle", lambda evening: Player(circle=evening.circle, name="Anna")),
    ("player_token_once", lambda evening: newcomer_like(evening, token=evening.circle.players.first().token)),
    ("house_profile_once_by_a_name", lambda evening: profile_like(evening, name="Friday")),
    ("house_profile_has_a_name", lambda evening: profile_like(evening, name="")),
    ("house_profile_of_a_game", lambda evening: profile_like(evening, game_key="")),
    ("mark_once_in_a_circle", lambda evening: newcomer_like(evening, mark_shape="♥", mark_colour="red")),
    ("mark_has_a_shape_and_a_colour", lambda evening: newcomer_like(evening, mark_shape="♣")),
    ("mark_has_a_shape_and_a_colour", lambda evening: newcomer_like(evening, mark_colour="blue")),
    ("merged_into_somebody_else", lambda evening: newcomer_like(evening, pk=10**6, merged_into_id=10**6)),
    ("sat_as_another_name", seat_of_one_name),
    ("player_has_a_name", lambda evening: Player(circle=evening.circle, name="")),
    (
        "member_once_of_a_circle",
        lambda evening: Member(circle=evening.circle, user=evening.circle.members.get().user, role="viewer"),
    ),
    (
        "member_role_known",
        lambda evening: Member(circle=Circle.objects.create(), user=evening.circle.members.get().user, role="guest"),
    ),
    ("removed_once_from_a_circle", removal_like),
    ("invite_to_write_or_watch", lambda evening: invite_like(evening, role=Role.OWNER)),
    ("one_open_invite_a_role", lambda evening: invite_like(evening, role=Role.KEEPER)),
    ("one_open_claim_a_circle", second_claim),
    ("claim_of_another_member", lambda evening: claim_like(evening, lost=owner_of(evening))),
    ("one_mark_a_member", second_mark),
    ("mark_kind_known", lambda evening: mark_like(evening, kind="eh")),
    ("stake_positive", lambda evening: evening_like(evening, stake=Decimal(0), currency="HUF")),
    ("stake_positive", lambda evening: evening_like(evening, stake=Decimal(-1), currency="HUF")),
    ("stake_has_a_currency", lambda evening: evening_like(evening, stake=Decimal(1), currency="")),
    ("hands_counted_exist", lambda evening: evening_like(evening, last_number=1, hand_count=2)),
    ("seat_taken_once", lambda evening: seat_like(evening, position=2)),
    (
        "player_sits_once",
        lambda evening: seat_like(evening, player=evening.seats.get(position=0).player),
    ),
    ("result_in_range", lambda evening: seat_like(evening, result=LARGEST_RESULT + 1)),
    ("result_in_range", lambda evening: seat_like(evening, result=-LARGEST_RESULT - 1)),
    ("result_of_whole_parts", lambda evening: seat_like(evening, result=1, result_parts=0)),
    ("points_in_range", lambda evening: seat_like(evening, points=LARGEST_RESULT + 1)),
    ("points_in_range", lambda evening: seat_like(evening, points=-LARGEST_RESULT - 1)),
    ("points_of_whole_parts", lambda evening: seat_like(evening, points=1, points_parts=0)),
    ("former_result_in_range", lambda evening: former_like(evening, result=LARGEST_RESULT + 1)),
    ("former_result_in_range", lambda evening: former_like(evening, result=-LARGEST_RESULT - 1)),
    ("former_result_of_whole_parts", lambda evening: former_like(evening, result_parts=0)),
    ("former_result_has_a_currency", lambda evening: former_like(evening, currency="")),
    ("hand_number_once", lambda evening: hand_like(evening, number=1)),
    ("hand_token_once", lambda evening: hand_like(evening, token=evening.hands.get().token)),
    ("hands_from_one", lambda evening: hand_like(evening, number=0)),
    ("hand_kind_matches_deal", lambda evening: hand_like(evening, kind="other")),
    ("hand_kind_matches_deal", lambda evening: hand_like(evening, deal="", declarer=None)),
    ("hand_kind_matches_deal", lambda evening: hand_like(evening, kind="thrown_in", declarer=None)),
    ("hand_kind_matches_deal", lambda evening: hand_like(evening, kind="thrown_in", deal="")),
    ("hand_kind_matches_deal", lambda evening: hand_like(evening, kind="agreed")),
    ("hand_kind_matches_deal", lambda evening: hand_like(evening, kind="agreed", deal="", declarer=None)),
    ("only_a_recount_has_a_cause", lambda evening: revision_like(evening, action="recount")),
    ("only_a_recount_has_a_cause", lambda evening: revision_like(evening, cause=Revision.objects.get())),
    ("nobody_declares_where_the_deal_stays", lambda evening: hand_like(evening, deal_stays=True)),
    ("revision_number_once", lambda evening: revision_like(evening, number=1)),
    ("revision_action_known", lambda evening: revision_like(evening, action="erase")),
    ("entry_once_for_a_reason", lambda evening: entry_like(evening, against=1)),
    ("entry_once_for_a_reason", lambda evening: pool_twice(evening)),
    ("entry_of_something", lambda evening: entry_like(evening, account="pool", amount=0)),
    ("entry_of_two", lambda evening: entry_like(evening, account="bank", against=0)),
    ("paid_to_somebody", lambda evening: entry_like(evening, amount=-1)),
    ("paid_to_somebody", lambda evening: entry_like(evening, against=None)),
    ("repayment_token_once", second_repayment),
    ("repayment_of_something", lambda evening: repayment_like(evening, units=0)),
    ("repayment_of_something", lambda evening: repayment_like(evening, units=MOST_UNITS + 1)),
    ("repayment_of_two_people", lambda evening: with_one_player(evening, payee="payer")),
    ("repayment_kind_known", lambda evening: repayment_like(evening, kind="gift")),
    ("repayment_has_a_currency", lambda evening: repayment_like(evening, currency="")),
    ("repayment_undone_at_a_time", lambda evening: repayment_like(evening, undone_by=owner_of(evening).user)),
    ("repayment_payer_as_another_name", lambda evening: with_one_player(evening, payer_as="payer")),
    ("repayment_payee_as_another_name", lambda evening: with_one_player(evening, payee_as="payee")),
    ("repayment_names_an_evening_once", named_twice),
]


@pytest.fixture
def played(evening: Evening, owner: User) -> Evening:
    record(evening, owner)
    evening.refresh_from_db()
    return evening


def constraints() -> dict[str, tuple[type[models.Model], models.BaseConstraint]]:
    return {constraint.name: (model, constraint) for model in TABLES for constraint in model._meta.constraints}


def words_of(name: str) -> str:
    """The database's name of a constraint; of a unique one SQLite names the columns."""
    model, constraint = constraints()[name]
    if not isinstance(constraint, models.UniqueConstraint):
        return name
    names = [expression.name for expression in constraint.expressions if isinstance(expression, models.F)]
    if len(names) < len(constraint.expressions):
        return name  # it names the index where that is over more than columns
    columns = [model._meta.get_field(each).column for each in names]
    return f"{name}|" + re.escape(", ".join(f"{model._meta.db_table}.{column}" for column in columns)) + "$"


def test_every_constraint_is_broken_here() -> None:
    assert {name for name, _broken in BREAKING} == constraints().keys()


def test_the_database_refuses_what_breaks_a_constraint_and_names_it(played: Evening) -> None:
    for name, broken in BREAKING:
        with taken_back():
            thing = broken(played)
            with nothing_written(), pytest.raises(IntegrityError, match=words_of(name)), transaction.atomic():
                thing.save(force_insert=True)


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_a_form_starts_one_evening_and_an_evening_has_one_hand_in_play(played: Evening) -> None:
    HandInPlay.objects.create(evening=played, number=2, dealer=1)
    for twice, column in (
        (evening_like(played, token=played.token), "token"),
        (HandInPlay(evening=played, number=3, dealer=2), "evening"),
    ):
        with nothing_written(), pytest.raises(IntegrityError, match=column), transaction.atomic():
            twice.save(force_insert=True)


def test_players_and_evening_of_a_seat_or_a_payment_cannot_be_deleted(played: Evening) -> None:
    with nothing_written(), pytest.raises(ProtectedError):
        played.seats.get(position=0).player.delete()
    paid = repayment_like(played)
    paid.save()
    Seat.objects.all().delete()
    RepaymentEvening.objects.create(repayment=paid, evening=played)
    for needed in (paid.payer, paid.payee, played):
        with nothing_written(), pytest.raises(ProtectedError):
            needed.delete()


def test_history_payments_and_house_rules_outlive_the_users_who_made_them(played: Evening) -> None:
    user = User.objects.get(pk=Revision.objects.get().made_by_id)
    profile_like(played, made_by=user).save()
    repayment_like(played, made_by=user, undone_by=user, undone_at=timezone.now()).save()
    user.delete()
    paid = Repayment.objects.get()
    assert (paid.made_by, paid.undone_by, paid.is_undone) == (None, None, True)
    assert HouseProfile.objects.get(name="Home").made_by is None
    assert Revision.objects.get().made_by is None
