"""Database constraints, for writes that bypass the ledger."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any
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


def newcomer(evening: Evening) -> Player:
    return Player.objects.get_or_create(circle=evening.circle, name="Dóra")[0]


def seated(evening: Evening, seat: int) -> Player:
    return evening.seats.get(position=seat).player


def owner_of(evening: Evening) -> Member:
    return evening.circle.members.get()


#: The columns of a row of each model that breaks nothing, besides those that are there.
PLAIN: dict[type[models.Model], Callable[[Evening], dict[str, object]]] = {
    Evening: lambda evening: {"circle": evening.circle, "first_dealer": 0, "token": uuid4()},
    Hand: lambda evening: {
        **{"evening": evening, "number": 2, "token": uuid4()},
        **{"kind": "played", "dealer": 0, "declarer": 1, "deal": "2H 7"},
    },
    HandEntry: lambda evening: {
        **{"hand": evening.hands.get(), "account": "paid", "seat": 0, "against": 2, "amount": 1, "reason": "points"}
    },
    Revision: lambda evening: {"hand": evening.hands.get(), "number": 2, "action": "amend", "after": {}},
    Seat: lambda evening: {"evening": evening, "position": 3, "player": newcomer(evening)},
    FormerResult: lambda evening: {
        **{"seat": evening.seats.get(position=0), "result": 5, "result_parts": 3, "currency": "HUF"}
    },
    Player: lambda evening: {"circle": evening.circle, "name": "Emil"},
    Member: lambda evening: {"circle": Circle.objects.create(), "user": owner_of(evening).user, "role": "viewer"},
    Invite: lambda evening: {"circle": evening.circle, "role": Role.VIEWER},
    OwnershipClaim: lambda evening: {"circle": evening.circle, "member": owner_of(evening)},
    HandMark: lambda evening: {
        **{"hand": evening.hands.get(), "user": owner_of(evening).user, "kind": "ok", "revision": 1}
    },
    HouseProfile: lambda evening: {"circle": evening.circle, "game_key": "asszorti", "name": "Home"},
    Removal: lambda evening: {"circle": evening.circle, "user": User.objects.get_or_create(username="gone")[0]},
    Repayment: lambda evening: {
        **{"circle": evening.circle, "payer": seated(evening, 0), "payee": seated(evening, 1)},
        **{"units": 1, "currency": "HUF"},
    },
}


def like(model: type[models.Model], evening: Evening, **changed: object) -> Any:
    return model(**PLAIN[model](evening) | changed)


def second(model: type[models.Model], evening: Evening, **changed: object) -> Any:
    """A row like another one that is stored."""
    like(model, evening, **changed).save()
    return like(model, evening, **changed)


def marked_like_anna(evening: Evening) -> Any:
    mark = {"mark_shape": "♥", "mark_colour": "red"}
    Player.objects.filter(circle=evening.circle, name="Anna").update(**mark)
    return like(Player, evening, **mark)


def with_one_player(evening: Evening, **columns: str) -> Repayment:
    """A payment with a column's player in another column."""
    paid: Repayment = like(Repayment, evening)
    for column, other in columns.items():
        setattr(paid, column, getattr(paid, other))
    return paid


def named_twice(evening: Evening) -> RepaymentEvening:
    paid: Repayment = like(Repayment, evening)
    paid.save()
    RepaymentEvening.objects.create(repayment=paid, evening=evening)
    return RepaymentEvening(repayment=paid, evening=evening)


TOKEN = uuid4()
#: For each constraint something that breaks it and no other; the evening has one hand, Béla's 6 points.
BREAKING: list[tuple[str, Callable[[Evening], models.Model]]] = [
    ("player_once_in_a_circle", lambda evening: like(Player, evening, name="Anna")),
    ("player_token_once", lambda evening: like(Player, evening, token=evening.circle.players.first().token)),
    ("house_profile_once_by_a_name", lambda evening: second(HouseProfile, evening)),
    ("house_profile_has_a_name", lambda evening: like(HouseProfile, evening, name="")),
    ("house_profile_of_a_game", lambda evening: like(HouseProfile, evening, game_key="")),
    ("mark_once_in_a_circle", marked_like_anna),
    ("mark_has_a_shape_and_a_colour", lambda evening: like(Player, evening, mark_shape="♣")),
    ("mark_has_a_shape_and_a_colour", lambda evening: like(Player, evening, mark_colour="blue")),
    ("merged_into_somebody_else", lambda evening: like(Player, evening, pk=10**6, merged_into_id=10**6)),
    ("sat_as_another_name", lambda evening: like(Seat, evening, sat_as=newcomer(evening))),
    ("player_has_a_name", lambda evening: like(Player, evening, name="")),
    ("member_once_of_a_circle", lambda evening: like(Member, evening, circle=evening.circle)),
    ("member_role_known", lambda evening: like(Member, evening, role="guest")),
    ("removed_once_from_a_circle", lambda evening: second(Removal, evening)),
    ("invite_to_write_or_watch", lambda evening: like(Invite, evening, role=Role.OWNER)),
    ("one_open_invite_a_role", lambda evening: second(Invite, evening)),
    ("one_open_claim_a_circle", lambda evening: second(OwnershipClaim, evening)),
    ("claim_of_another_member", lambda evening: like(OwnershipClaim, evening, lost=owner_of(evening))),
    ("one_mark_a_member", lambda evening: second(HandMark, evening)),
    ("mark_kind_known", lambda evening: like(HandMark, evening, kind="eh")),
    ("stake_positive", lambda evening: like(Evening, evening, stake=Decimal(0), currency="HUF")),
    ("stake_positive", lambda evening: like(Evening, evening, stake=Decimal(-1), currency="HUF")),
    ("stake_has_a_currency", lambda evening: like(Evening, evening, stake=Decimal(1), currency="")),
    ("hands_counted_exist", lambda evening: like(Evening, evening, last_number=1, hand_count=2)),
    ("seat_taken_once", lambda evening: like(Seat, evening, position=2)),
    ("player_sits_once", lambda evening: like(Seat, evening, player=seated(evening, 0))),
    ("result_in_range", lambda evening: like(Seat, evening, result=LARGEST_RESULT + 1)),
    ("result_in_range", lambda evening: like(Seat, evening, result=-LARGEST_RESULT - 1)),
    ("result_of_whole_parts", lambda evening: like(Seat, evening, result=1, result_parts=0)),
    ("points_in_range", lambda evening: like(Seat, evening, points=LARGEST_RESULT + 1)),
    ("points_in_range", lambda evening: like(Seat, evening, points=-LARGEST_RESULT - 1)),
    ("points_of_whole_parts", lambda evening: like(Seat, evening, points=1, points_parts=0)),
    ("former_result_in_range", lambda evening: like(FormerResult, evening, result=LARGEST_RESULT + 1)),
    ("former_result_in_range", lambda evening: like(FormerResult, evening, result=-LARGEST_RESULT - 1)),
    ("former_result_of_whole_parts", lambda evening: like(FormerResult, evening, result_parts=0)),
    ("former_result_has_a_currency", lambda evening: like(FormerResult, evening, currency="")),
    ("hand_number_once", lambda evening: like(Hand, evening, number=1)),
    ("hand_token_once", lambda evening: like(Hand, evening, token=evening.hands.get().token)),
    ("hands_from_one", lambda evening: like(Hand, evening, number=0)),
    ("hand_kind_matches_deal", lambda evening: like(Hand, evening, kind="other")),
    ("hand_kind_matches_deal", lambda evening: like(Hand, evening, deal="", declarer=None)),
    ("hand_kind_matches_deal", lambda evening: like(Hand, evening, kind="thrown_in", declarer=None)),
    ("hand_kind_matches_deal", lambda evening: like(Hand, evening, kind="thrown_in", deal="")),
    ("hand_kind_matches_deal", lambda evening: like(Hand, evening, kind="agreed")),
    ("hand_kind_matches_deal", lambda evening: like(Hand, evening, kind="agreed", deal="", declarer=None)),
    ("only_a_recount_has_a_cause", lambda evening: like(Revision, evening, action="recount")),
    ("only_a_recount_has_a_cause", lambda evening: like(Revision, evening, cause=Revision.objects.get())),
    ("nobody_declares_where_the_deal_stays", lambda evening: like(Hand, evening, deal_stays=True)),
    ("revision_number_once", lambda evening: like(Revision, evening, number=1)),
    ("revision_action_known", lambda evening: like(Revision, evening, action="erase")),
    ("entry_once_for_a_reason", lambda evening: like(HandEntry, evening, against=1)),
    ("entry_once_for_a_reason", lambda evening: second(HandEntry, evening, account="pool", against=None)),
    ("entry_of_something", lambda evening: like(HandEntry, evening, account="pool", amount=0)),
    ("entry_of_two", lambda evening: like(HandEntry, evening, account="bank", against=0)),
    ("paid_to_somebody", lambda evening: like(HandEntry, evening, amount=-1)),
    ("paid_to_somebody", lambda evening: like(HandEntry, evening, against=None)),
    ("repayment_token_once", lambda evening: second(Repayment, evening, token=TOKEN)),
    ("repayment_of_something", lambda evening: like(Repayment, evening, units=0)),
    ("repayment_of_something", lambda evening: like(Repayment, evening, units=MOST_UNITS + 1)),
    ("repayment_of_two_people", lambda evening: with_one_player(evening, payee="payer")),
    ("repayment_kind_known", lambda evening: like(Repayment, evening, kind="gift")),
    ("repayment_has_a_currency", lambda evening: like(Repayment, evening, currency="")),
    ("repayment_undone_at_a_time", lambda evening: like(Repayment, evening, undone_by=owner_of(evening).user)),
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
    tables = (*PLAIN, HandInPlay, RepaymentEvening)
    return {constraint.name: (model, constraint) for model in tables for constraint in model._meta.constraints}


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
        with transaction.atomic():
            thing = broken(played)
            with nothing_written(), pytest.raises(IntegrityError, match=words_of(name)), transaction.atomic():
                thing.save(force_insert=True)
            transaction.set_rollback(True)


def test_a_form_starts_one_evening_and_an_evening_has_one_hand_in_play(played: Evening) -> None:
    HandInPlay.objects.create(evening=played, number=2, dealer=1)
    for twice, column in (
        (like(Evening, played, token=played.token), "token"),
        (HandInPlay(evening=played, number=3, dealer=2), "evening"),
    ):
        with nothing_written(), pytest.raises(IntegrityError, match=column), transaction.atomic():
            twice.save(force_insert=True)


def test_players_and_evening_of_a_seat_or_a_payment_cannot_be_deleted(played: Evening) -> None:
    with nothing_written(), pytest.raises(ProtectedError):
        played.seats.get(position=0).player.delete()
    paid = like(Repayment, played)
    paid.save()
    Seat.objects.all().delete()
    RepaymentEvening.objects.create(repayment=paid, evening=played)
    for needed in (paid.payer, paid.payee, played):
        with nothing_written(), pytest.raises(ProtectedError):
            needed.delete()


def test_history_payments_and_house_rules_outlive_the_users_who_made_them(played: Evening) -> None:
    user = User.objects.get(pk=Revision.objects.get().made_by_id)
    like(HouseProfile, played, made_by=user).save()
    like(Repayment, played, made_by=user, undone_by=user, undone_at=timezone.now()).save()
    user.delete()
    paid = Repayment.objects.get()
    assert (paid.made_by, paid.undone_by, paid.is_undone) == (None, None, True)
    assert HouseProfile.objects.get(name="Home").made_by is None
    assert Revision.objects.get().made_by is None
