"""Evenings begun, ended, reopened, edited and taken away; their history; and edits by others meanwhile."""

from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.games.errors import InvalidRules
from sessions_app.errors import (
    EveningUsed,
    PlayerNameTaken,
    SeatsFixed,
    SeatsSwapped,
    StaleEvening,
    StaleHand,
)
from sessions_app.hand_facts import Facts, FormState, Seen
from sessions_app.models import Circle, Evening, EveningChange, Hand, HandInPlay, Member, Player, Revision, Role, User
from sessions_app.readers.evening.edit import Shape, changes_of, latest_change, merged, shape_of
from sessions_app.writers import evening_edit, evenings, ledger
from sessions_app.writers.evenings import Opening
from tests import moves
from tests.factories import MemberFactory, evening_of, record
from tests.ledger.books import as_it_is, assert_verified, edit, nothing_written

TRIO = ("Anna", "Béla", "Cili")


def seats_at(evening: Evening) -> list[tuple[int, str]]:
    return [(seat.position, seat.player.name) for seat in evening.seats.select_related("player")]


@pytest.mark.parametrize("names", [TRIO, (*TRIO, "Dóra")])
def test_a_start_lays_the_table_the_seats_and_the_books(owner: User, names: tuple[str, ...]) -> None:
    begin, token = timezone.now(), uuid4()
    evening = evenings.start(Opening(names, 2, Decimal("0.05"), "EUR"), token=token, by=owner)
    evening.refresh_from_db()
    assert seats_at(evening) == list(enumerate(names))
    assert (evening.token, evening.game_key, evening.first_dealer) == (token, "asszorti", 2)
    assert (evening.stake, evening.currency) == (Decimal("0.05"), "EUR")
    assert begin <= evening.started_at <= timezone.now()
    assert not evening.has_ended
    assert (evening.version, evening.last_number, evening.hand_count) == (1, 0, 0)
    assert (evening.sheet, evening.sitting) == ({}, tuple(range(len(names))))
    [member] = evening.circle.members.all()
    assert (member.user, member.role) == (owner, Role.OWNER)


def test_known_names_are_the_circle_s_players_in_whatever_order_case_and_spelling(owner: User) -> None:
    circle = evening_of(owner, ("Weiß", "Béla", "Anna")).circle
    opening = Opening(("an\u200bna", "WEISS", "bÉLA"), 0, None, "HUF")
    begun = evenings.start(opening, token=uuid4(), by=owner, circle=circle)
    assert seats_at(begun) == [(0, "Anna"), (1, "Weiß"), (2, "Béla")]
    stored = Player.objects.create(circle=circle, name="An\u200bna")
    assert (begun.stake, begun.currency) == (None, ""), "for points only"
    exact = evenings.start(Opening(("An\u200bna", "Béla", "Weiß"), 0), token=uuid4(), by=owner, circle=circle)
    assert exact.seats.get(position=0).player == stored, "kept apart where it is typed so"
    assert circle.players.count() == 4


@pytest.mark.parametrize("names", [("Anna", "Emil", "Flóra"), ("D", "E", "F")])
def test_new_names_come_into_the_circle_that_is_named(owner: User, evening: Evening, names: tuple[str, ...]) -> None:
    begun = evenings.start(Opening(names, 0), token=uuid4(), by=owner, circle=evening.circle)
    assert begun.circle == evening.circle
    assert {player.name for player in evening.circle.players.all()} == {*TRIO, *names}


@pytest.mark.parametrize("role", Role)
def test_evening_without_a_circle_begins_a_new_one_whatever_its_names(evening: Evening, role: Role) -> None:
    member = MemberFactory(circle=evening.circle, role=role)
    mine = evenings.start(Opening(TRIO, 0), token=uuid4(), by=member.user)
    assert mine.circle != evening.circle
    assert [(each.user, each.role) for each in mine.circle.members.all()] == [(member.user, Role.OWNER)]
    assert list(evening.circle.evenings.all()) == [evening]


def test_ending_and_reopening_twice_changes_nothing_more_and_nothing_that_is_not_there(evening: Evening) -> None:
    with nothing_written():
        evenings.reopen(evening.pk)
    evenings.end(evening.pk)
    with nothing_written():
        evenings.end(evening.pk)
        for verb in (evenings.end, evenings.reopen):
            with pytest.raises(Evening.DoesNotExist):
                verb(0)


def test_house_rules_are_stamped_in_their_one_spelling_and_unreadable_ones_begin_nothing(owner: User) -> None:
    opening = Opening(TRIO, 0, rules=" book  ladder=2 six_five_nil=no hands=0 ")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    evening.refresh_from_db()
    assert (evening.game_key, evening.rules) == ("asszorti", "six_five_nil=no ladder=2")
    assert evenings.start(Opening(TRIO, 0), token=uuid4(), by=owner).rules == ""
    with nothing_written(), pytest.raises(InvalidRules):
        evenings.start(Opening(TRIO, 0, rules="ladder=6"), token=uuid4(), by=owner)


def shape(evening: Evening, **changed: object) -> Shape:
    evening.refresh_from_db()
    return replace(shape_of(evening), **changed)  # type: ignore[arg-type]


def swapped(evening: Evening) -> Shape:
    """Béla before Anna; the first dealer deals first."""
    was = shape(evening)
    (a, b, *players), (anna, bela, *names) = was.players, was.names
    return replace(was, players=(b, a, *players), names=(bela, anna, *names), first_dealer=1)


def kinds(evening: Evening) -> list[str]:
    return [change.kind for change in changes_of(evening)]


def test_a_name_is_corrected_in_all_his_evenings_and_their_phones_follow(evening: Evening, owner: User) -> None:
    with nothing_written():
        edit(evening, owner)
    other, ended = evening_of(owner), evening_of(owner)
    without = evening_of(owner, ("Anna", "Béla", "Dóra"))
    evenings.end(ended.pk)
    before = {each.pk: as_it_is(each).version for each in (evening, other, ended, without)}
    edit(evening, owner, names=("Anna", "Béla", "Csilla"))
    for each in (evening, other, ended):
        assert shape_of(each).names == ("Anna", "Béla", "Csilla")
        assert as_it_is(each).version == before[each.pk] + 1
        assert kinds(each) == ["name"]
    assert as_it_is(without).version == before[without.pk]
    change = EveningChange.objects.get()
    assert (change.before, change.after, change.made_by) == ({"name": "Cili"}, {"name": "Csilla"}, owner)
    assert kinds(evening_of(owner, ("Anna", "Béla", "Csilla"))) == [], "one begun later does not tell of it"
    edit(evening, owner, names=("ANNA", "Béla", "Csilla"))
    assert Player.objects.filter(name="ANNA").exists()


@pytest.mark.parametrize(
    "names", [("Anna", "Béla", "BÉLA"), ("Anna", "Béla", "dóra"), ("Béla", "Anna", "Cili")], ids=str
)
def test_a_name_of_another_player_of_the_circle_is_refused_whole(
    evening: Evening, owner: User, names: tuple[str, ...]
) -> None:
    """Names that are exchanged would turn round all evenings of the two."""
    evening_of(owner, ("Anna", "Béla", "Dóra"))
    evening_of(owner, ("Xénia", "Yvett", "Zita"))
    changed = next(place for place, name in enumerate(names) if name != ("Anna", "Béla", "Cili")[place])
    with nothing_written(), pytest.raises(PlayerNameTaken) as refused:
        edit(evening, owner, names=names, stake=Decimal(20))
    assert refused.value.player == shape_of(evening).players[changed]
    edit(evening, owner, names=("Xénia", "Béla", "Cili"))
    assert Player.objects.filter(name="Xénia").count() == 2, "the same name in another circle is free"


@pytest.mark.parametrize(
    ("stake", "currency", "kept"),
    [
        (Decimal(20), "HUF", {"stake": "20", "currency": "HUF"}),
        (Decimal("0.05"), "EUR", {"stake": "0.05", "currency": "EUR"}),
        (None, "HUF", {"stake": "", "currency": ""}),
    ],
)
def test_a_stake_is_changed_or_taken_away_and_points_never(
    evening: Evening, owner: User, stake: Decimal | None, currency: str, kept: dict[str, str]
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    before = as_it_is(evening).version
    edit(evening, owner, stake=stake, currency=currency)
    evening.refresh_from_db()
    assert (evening.stake, evening.version) == (stake, before + 1)
    assert (evening.currency == "") is (stake is None)
    change = EveningChange.objects.get()
    assert (change.kind, change.before, change.after) == ("stake", {"stake": "10", "currency": "HUF"}, kept)
    assert_verified()


def test_seats_are_swapped_before_the_first_hand(evening: Evening, owner: User) -> None:
    before = as_it_is(evening).version
    evening_edit.edit(evening.pk, swapped(evening), seen=0, by=owner)
    assert shape_of(evening).names == ("Béla", "Anna", "Cili")
    evening.refresh_from_db()
    assert (evening.first_dealer, evening.version, evening.seating) == (1, before + 1, 1)
    change = EveningChange.objects.get()
    assert (change.before["names"], change.before["dealer"]) == (["Anna", "Béla", "Cili"], "Anna")
    assert (change.after["names"], change.after["dealer"]) == (["Béla", "Anna", "Cili"], "Anna")
    record(evening, owner, "2H 7", declarer=0)
    assert_verified()


def test_seats_stay_while_a_hand_is_played_after_the_first_and_once_the_evening_has_ended(
    evening: Evening, owner: User
) -> None:
    def require_fixed() -> None:
        with nothing_written(), pytest.raises(SeatsFixed):
            evening_edit.edit(evening.pk, swapped(evening), seen=latest_change(evening), by=owner)

    moves.let_play(evening.pk, 2, seen=Seen(1, 0), by=owner)
    require_fixed()
    record(evening, owner)
    ledger.void(evening.pk, 1, by=owner)
    require_fixed()
    other = evening_of(owner)
    evenings.end(evening.pk)
    evenings.end(other.pk)
    edit(evening, owner, stake=Decimal(5), names=("Anna", "Béla", "Csilla"))
    assert kinds(evening) == ["name", "stake"]
    with pytest.raises(SeatsFixed):
        evening_edit.edit(other.pk, swapped(other), seen=latest_change(other), by=owner)


def test_hand_or_mark_made_before_a_seat_swap_is_refused(evening: Evening, owner: User) -> None:
    evening_edit.edit(evening.pk, swapped(evening), seen=0, by=owner)
    with nothing_written(), pytest.raises(SeatsSwapped):
        ledger.record(
            evening.pk, token=uuid4(), number=1, facts=Facts(0, 1, "2H 7"), by=owner, form_state=FormState(seating=0)
        )
    with nothing_written(), pytest.raises(StaleHand):
        moves.let_play(evening.pk, 1, seen=Seen(1, 0), by=owner)
    row = HandInPlay.objects.get()
    assert (row.dealer, row.has_begun) == (1, False)
    edit(evening, owner, first_dealer=2)  # a hand in play in which nothing is said is in nobody's way
    assert HandInPlay.objects.get().dealer == 2
    ledger.record(
        evening.pk, token=uuid4(), number=1, facts=Facts(2, 1, "2H 7"), by=owner, form_state=FormState(seating=2)
    )
    assert not HandInPlay.objects.exists()


def test_edit_made_before_the_latest_change_or_for_other_players_is_refused(evening: Evening, owner: User) -> None:
    old = shape(evening, stake=Decimal(30))
    others = shape_of(evening_of(owner, ("Xénia", "Yvett", "Zita")))
    edit(evening, owner, stake=Decimal(20))
    with nothing_written(), pytest.raises(StaleEvening) as stale:
        evening_edit.edit(evening.pk, old, seen=0, by=owner)
    assert [change.kind for change in stale.value.changes] == ["stake"]
    with nothing_written(), pytest.raises(StaleEvening):
        evening_edit.edit(evening.pk, others, seen=latest_change(evening), by=owner)


def test_stale_edit_form_renews_untouched_fields_and_keeps_typed_ones(evening: Evening, owner: User) -> None:
    opened = shape(evening)
    edit(evening, owner, stake=Decimal(20), names=("Anna", "Barnabás", "Cili"), note="Cili késett")
    evening_edit.edit(evening.pk, swapped(evening), seen=latest_change(evening), by=owner)
    since, current = list(changes_of(evening)), shape(evening)
    typed = replace(opened, names=("Anna", "Béla", "Csilla"))
    assert merged(typed, since, current) == replace(current, names=("Barnabás", "Anna", "Csilla"))
    for field in ({"stake": Decimal(30)}, {"title": "Szilveszter"}, {"note": "Béla is"}):
        assert merged(replace(opened, **field), since, current) == replace(current, **field)  # type: ignore[arg-type]


def test_an_evening_without_hands_goes_with_the_table_it_alone_made(evening: Evening, owner: User) -> None:
    Member.objects.update(player=evening.seats.all()[0].player)
    evenings.remove(evening.pk, by=owner)
    assert not any(model.objects.exists() for model in (Evening, Player, Circle, Member))


def test_players_who_sit_elsewhere_stay_and_those_it_brought_go(evening: Evening, owner: User) -> None:
    mistake = evening_of(owner, ("Anna", "Béla", "Dóra", "Emil"))
    emil = Player.objects.get(name="Emil")
    MemberFactory(circle=evening.circle, player=emil)
    edit(mistake, owner, names=("Anna", "Béla", "Dorottya", "Emil"), stake=None)
    evenings.remove(mistake.pk, by=owner)
    names = evening.circle.players.order_by("name").values_list("name", flat=True)
    assert list(names) == ["Anna", "Béla", "Cili", "Emil"]
    assert list(Evening.objects.all()) == [evening]


def test_a_table_at_which_somebody_else_is_stays(evening: Evening) -> None:
    keeper = MemberFactory(circle=evening.circle, role=Role.KEEPER)
    moves.let_deal(evening.pk, 2, seen=Seen(1, 0), by=keeper.user)  # a hand in play in which nothing is said
    evenings.remove(evening.pk, by=keeper.user)
    assert Member.objects.count() == 2
    assert not Evening.objects.exists()


def test_a_hand_that_counts_or_one_being_played_keeps_it_and_void_ones_go_along(evening: Evening, owner: User) -> None:
    moves.let_play(evening.pk, 2, seen=Seen(1, 0), by=owner)
    with nothing_written(), pytest.raises(EveningUsed):
        evenings.remove(evening.pk, by=owner)
    record(evening, owner)
    record(evening, owner, declarer=None)  # thrown in
    ledger.void(evening.pk, 1, by=owner)
    with nothing_written(), pytest.raises(EveningUsed):
        evenings.remove(evening.pk, by=owner)
    ledger.void(evening.pk, 2, by=owner)
    evenings.end(evening.pk)
    evenings.remove(evening.pk, by=owner)
    assert [Evening.objects.count(), Hand.objects.count(), Revision.objects.count()] == [0, 0, 0]
