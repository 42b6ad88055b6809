"""Two names that are one person: merged, unmerged, refused, and whatever happens in between."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from scorekeeper.games.amounts import Amount
from sessions_app.errors import LineupRefused, MergeRefused, PlayersRefused, RepaymentRefused, SamePerson
from sessions_app.models import Circle, Evening, Player, Repayment, Role, User
from sessions_app.readers.book.leaderboards import leaderboards
from sessions_app.readers.evening.edit import changes_of, shape_of
from sessions_app.readers.evening.seating import names_of
from sessions_app.readers.people.circles import evening_circles, players_of
from sessions_app.readers.people.members import names_by_user
from sessions_app.readers.people.players import is_alike, likenesses
from sessions_app.readers.verify import verify
from sessions_app.writers import evening_edit, evenings, lineup, members, players, repayments
from tests.factories import MemberFactory, evening_of, record
from tests.ledger.books import assert_verified, everything, nothing_written
from tests.ledger.payments import book, ended, key, payers_and_payees, version_of, wanted

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(owner: User, evening: Evening) -> Evening:
    """An evening of the same circle, with Bela in the place of Béla."""
    found = evening_of(owner, names=("Anna", "Bela", "Cili"))
    assert found.circle_id == evening.circle_id
    return found


def named(name: str) -> Player:
    return Player.objects.get(name=name)


def merge(into: str, name: str, by: User) -> None:
    player = named(into)
    players.merge(player.circle_id, player.pk, named(name).pk, by=by)


def unmerge(name: str, by: User) -> None:
    player = named(name)
    players.unmerge(player.circle_id, player.pk, by=by)


def points(circle: Circle) -> dict[str, tuple[Amount, int]]:
    names = dict(Player.objects.values_list("pk", "name"))
    return {names[row.player]: (row.value, row.evenings) for board in leaderboards(circle).games for row in board.rows}


def merging_aside() -> dict[str, Any]:
    """All rows but for history, versions and search texts, which grow by merging and unmerging."""
    found = everything()
    found.pop("EveningChange")
    for row in found["Evening"]:
        row.pop("version")
    return found


def test_figures_are_the_sum_and_every_page_shows_the_remaining_name(owner: User, evening: Evening, other: Evening):
    record(evening, owner, "2H 7", declarer=1)
    record(other, owner, "2H 7", declarer=1)
    record(other, owner, "2H 5", declarer=1)
    before, was = points(evening.circle), merging_aside()
    assert (before["Béla"], before["Bela"]) == ((12, 1), (4, 1))
    merge("Béla", "Bela", owner)
    assert points(evening.circle) == {"Anna": (-8, 2), "Béla": (16, 2), "Cili": (-8, 2)}
    assert names_of(other) == ["Anna", "Béla", "Cili"]
    assert_verified()
    unmerge("Bela", owner)
    assert points(evening.circle) == before
    assert merging_aside() == was
    assert_verified()


def test_phones_follow_a_merge_and_its_undoing(owner: User, evening: Evening, other: Evening):
    theirs = MemberFactory(circle=evening.circle, player=named("Bela"))
    left = MemberFactory(circle=evening.circle, player=named("Bela"))
    members.leave(left)
    was = merging_aside()
    merge("Béla", "Bela", owner)
    assert names_by_user(evening.circle_id) == {theirs.user_id: "Béla", left.user_id: "Béla"}
    unmerge("Bela", owner)
    assert names_by_user(evening.circle_id) == {theirs.user_id: "Bela", left.user_id: "Bela"}
    assert merging_aside() == was


def test_a_phone_that_has_chosen_again_in_between_keeps_its_choice(owner: User, evening: Evening, other: Evening):
    theirs = MemberFactory(circle=evening.circle, player=named("Bela"))
    merge("Béla", "Bela", owner)
    members.set_player(theirs, named("Cili").pk)
    unmerge("Bela", owner)
    assert names_by_user(evening.circle_id)[theirs.user_id] == "Cili"


def test_a_form_opened_before_the_merge_means_the_person(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    member = MemberFactory(circle=evening.circle)
    members.set_player(member, named("Bela").pk)
    assert names_by_user(evening.circle_id)[member.user_id] == "Béla"
    unmerge("Bela", owner)
    assert names_by_user(evening.circle_id)[member.user_id] == "Bela"


def test_a_merged_name_that_is_typed_means_the_person_until_it_is_taken_apart(
    owner: User, evening: Evening, other: Evening
):
    merge("Béla", "Bela", owner)
    third = evening_of(owner, names=("Anna", "bela", "Dóra"))
    fourth = evening_of(owner, names=("Anna", "Béla", "Dóra"))
    assert names_of(third) == names_of(fourth) == ["Anna", "Béla", "Dóra"]
    unmerge("Bela", owner)
    assert names_of(third) == ["Anna", "Bela", "Dóra"]
    assert names_of(fourth) == ["Anna", "Béla", "Dóra"]


def test_the_two_names_cannot_be_seated_at_one_table(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    before = everything()
    with pytest.raises(SamePerson) as refused:
        evening_of(owner, names=("Béla", "Anna", "Bela"))
    assert (refused.value.first, refused.value.second) == ("Béla", "Bela")
    with pytest.raises(LineupRefused, match="sits_already"):
        lineup.join(evening.pk, "Bela", 2, seen=0, by=owner)
    assert everything() == before


def test_seats_that_are_swapped_or_renumbered_keep_whose_they_were(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    shape = shape_of(other)
    seen = changes_of(other).order_by("-pk")[0].pk
    swapped = type(shape)(tuple(reversed(shape.players)), tuple(reversed(shape.names)), 0, shape.stake, shape.currency)
    evening_edit.edit(other.pk, swapped, seen=seen, by=owner)
    lineup.join(other.pk, "Dóra", 0, seen=Evening.objects.get(pk=other.pk).seating, by=owner)
    unmerge("Bela", owner)
    assert sorted(names_of(other)) == ["Anna", "Bela", "Cili", "Dóra"]
    assert names_of(evening) == ["Anna", "Béla", "Cili"]


def test_an_evening_removed_leaves_the_other_names_of_its_players(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    for each in (evening, other):
        evenings.remove(each.pk, by=owner) if Evening.objects.count() > 1 else None
    assert {player.name for player in Player.objects.all()} >= {"Béla", "Bela"}
    assert_verified()


@pytest.mark.parametrize(
    ("into", "name", "code"),
    [
        ("Béla", "Béla", "itself"),
        ("Béla", "Anna", "one_table"),
        ("Bela", "Dóra", "merged_already"),
        ("Dóra", "Bela", "merged_already"),
        ("Dóra", "Béla", "has_names"),
    ],
)
def test_impossible_merge_is_refused_and_writes_nothing(
    owner: User, evening: Evening, other: Evening, into: str, name: str, code: str
):
    evening_of(owner, names=("Anna", "Cili", "Dóra"))
    merge("Béla", "Bela", owner)
    before = everything()
    with pytest.raises(MergeRefused) as refused:
        merge(into, name, owner)
    assert refused.value.code == code
    assert (refused.value.evening is not None) is (code == "one_table")
    assert everything() == before


def test_a_foreign_circle_s_player_is_not_there(owner: User, evening: Evening):
    foreign = Player.objects.create(circle=Circle.objects.create(), name="Bela")
    bela = named("Béla")
    for into, name in ((bela.pk, foreign.pk), (foreign.pk, bela.pk)):
        with pytest.raises(Player.DoesNotExist):
            players.merge(evening.circle_id, into, name, by=owner)
    with pytest.raises(Player.DoesNotExist):
        players.unmerge(evening.circle_id, foreign.pk, by=owner)


def test_merging_or_unmerging_twice_changes_nothing(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    once = everything()
    merge("Béla", "Bela", owner)
    assert everything() == once
    unmerge("Bela", owner)
    once = everything()
    unmerge("Bela", owner)
    assert everything() == once


def test_history_tells_of_both_with_the_names(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    unmerge("Bela", owner)
    told = [(change.kind, change.before["name"], change.after["name"]) for change in changes_of(other)]
    assert told == [("merge", "Bela", "Béla"), ("unmerge", "Béla", "Bela")]
    assert list(changes_of(evening)) == []


def test_phones_and_searches_learn_of_it(owner: User, evening: Evening, other: Evening):
    Player.objects.filter(name="Bela").update(name="Bözsi", sort_key="")
    Player.objects.filter(name="Bözsi").get().save()
    versions = dict(Evening.objects.values_list("pk", "version"))
    merge("Béla", "Bözsi", owner)
    other.refresh_from_db()
    assert other.version == versions[other.pk] + 1
    assert "bela" in other.search_text.split()
    assert Evening.objects.get(pk=evening.pk).version == versions[evening.pk]


def test_a_merged_name_is_offered_nowhere(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    assert evening_circles(owner)[0].suggested == ("Anna", "Béla", "Cili")
    assert [player.name for player in players_of(evening.circle)] == ["Anna", "Béla", "Cili"]


def test_player_who_plays_no_more_is_offered_again_after_sitting_down(owner: User, evening: Evening):
    players.set_plays_no_more(evening.circle_id, named("Béla").pk, True)
    assert evening_circles(owner)[0].suggested == ("Anna", "Cili")
    evening_of(owner, names=("Anna", "Béla", "Cili"))
    assert evening_circles(owner)[0].suggested == ("Anna", "Béla", "Cili")


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
        ("Béla", "bela", True),
        ("Béla", "BÉLA.", True),
        ("Béla K.", "Béla", True),
        ("Béla K.", "bela k", True),
        ("Béla K.", "Béla N.", False),
        ("Béla", "Bélus", False),
        ("Kis Béla", "Nagy Béla", False),
        ("Szabó-Nagy Éva", "szabo nagy eva", True),
        ("!", "?", False),
        ("Дима", "Дима Б.", True),
    ],
)
def test_likely_pairs_are_found_by_folded_names(name: str, other: str, alike: bool):
    assert is_alike(name, other) is is_alike(other, name) is alike


def test_a_pair_that_sat_at_one_table_is_not_proposed(owner: User, evening: Evening, other: Evening):
    evening_of(owner, names=("Anna", "Béla", "Béla K."))
    pairs = likenesses(players_of(evening.circle))
    assert [(pair.first.name, pair.second.name) for pair in pairs] == [("Bela", "Béla"), ("Bela", "Béla K.")]


# --- verify ---


def spoil(sql: str, *params: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


def faults() -> list[str]:
    found: list[str] = []
    verify(lambda fault: found.append(str(fault)))
    return found


def test_verify_names_a_wrong_merge(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    bela, anna, merged = named("Béla").pk, named("Anna").pk, named("Bela").pk
    circle = f"circle {evening.circle_id}"
    assert faults() == []
    spoil("UPDATE sessions_app_player SET merged_into_id = %s WHERE id = %s", anna, bela)
    found = faults()
    assert f"{circle}: player {merged} is merged into player {bela}, who is merged into player {anna}" in found
    assert f"{circle}: player {bela} is merged into player {anna}, but still has seats or phones" in found
    spoil("UPDATE sessions_app_player SET merged_into_id = NULL")
    [fault] = faults()
    assert fault.endswith(f"belongs to player {bela} by the name of player {merged}, who is not merged into him")
    foreign = Player.objects.create(circle=MemberFactory(role=Role.OWNER).circle, name="Bela")
    spoil("UPDATE sessions_app_player SET merged_into_id = %s WHERE id = %s", foreign.pk, anna)
    assert f"{circle}: player {anna} is merged into player {foreign.pk} of another circle" in faults()


# --- At once ---


@pytest.mark.django_db(transaction=True)
def test_two_phones_that_merge_both_ways_at_once_make_one_merge(owner: User, evening: Evening, other: Evening):
    def attempt(pair: tuple[str, str]) -> str:
        try:
            merge(*pair, owner)
        except PlayersRefused as refused:
            return str(refused)
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as both:
        answers = sorted(both.map(attempt, [("Béla", "Bela"), ("Bela", "Béla")]))
    assert answers == ["done", "merged_already"]
    assert Player.objects.filter(merged_into__isnull=False).count() == 1
    assert faults() == []


# --- Payments of a player with two names: they go along with a merged name, and come back with it ---


@pytest.fixture
def payments_other(played: Evening, owner: User) -> Evening:
    """An evening of the same circle, with Bela in the place of Béla."""
    found = evening_of(owner, names=("Anna", "Bela", "Cili"))
    ended(found, owner)
    return found


def payments_merge(evening: Evening, into: str, name: str, by: User) -> None:
    players.merge(evening.circle_id, key(into), key(name), by=by)


def payments_unmerge(evening: Evening, name: str, by: User) -> None:
    players.unmerge(evening.circle_id, key(name), by=by)


def test_payments_of_a_merged_name_are_the_persons_until_it_is_unmerged(
    played: Evening, payments_other: Evening, owner: User
) -> None:
    book(payments_other, owner, wanted("Bela", "Anna", evenings=(payments_other.pk,)))
    book(payments_other, owner, wanted("Cili", "Bela"))
    book(payments_other, owner, wanted("Béla", "Cili"))
    was = Repayment.objects.order_by("pk").values()
    before, version = list(was), version_of(payments_other)
    payments_merge(payments_other, "Béla", "Bela", owner)
    assert payers_and_payees() == [("Béla", "Anna"), ("Cili", "Béla"), ("Béla", "Cili")]
    assert version_of(payments_other) == version + 1
    assert_verified()
    payments_unmerge(payments_other, "Bela", owner)
    assert list(was.all()) == before
    assert version_of(payments_other) == version + 2
    assert_verified()


def test_payment_booked_while_merged_belongs_to_the_name_that_sat_there(
    played: Evening, payments_other: Evening, owner: User
) -> None:
    payments_merge(payments_other, "Béla", "Bela", owner)
    book(payments_other, owner, wanted("Béla", "Anna", evenings=(payments_other.pk,)))
    book(payments_other, owner, wanted("Béla", "Anna", evenings=(played.pk,)))
    book(payments_other, owner, wanted("Béla", "Anna", evenings=(played.pk, payments_other.pk)))
    book(payments_other, owner, wanted("Bela", "Anna"))
    book(payments_other, owner, wanted("Béla", "Anna"))
    assert {payer for payer, _payee in payers_and_payees()} == {"Béla"}
    assert_verified()
    payments_unmerge(payments_other, "Bela", owner)
    assert [payer for payer, _payee in payers_and_payees()] == ["Bela", "Béla", "Béla", "Bela", "Béla"]
    assert_verified()


def test_payment_of_a_merged_name_to_its_person_is_refused(
    played: Evening, payments_other: Evening, owner: User
) -> None:
    payments_merge(payments_other, "Béla", "Bela", owner)
    with nothing_written(), pytest.raises(RepaymentRefused, match="himself"):
        book(payments_other, owner, wanted("Bela", "Béla"))


@pytest.mark.parametrize("kind", ["payment", "opening"])
@pytest.mark.parametrize("pair", [("Béla", "Bela"), ("Bela", "Béla")])
def test_players_who_paid_each_other_are_not_merged(
    played: Evening, payments_other: Evening, owner: User, kind: str, pair: tuple[str, str]
) -> None:
    row, _new = book(payments_other, owner, wanted(*pair, kind=kind))
    with nothing_written(), pytest.raises(MergeRefused) as refused:
        payments_merge(payments_other, "Béla", "Bela", owner)
    assert refused.value.code == "paid"
    repayments.undo(payments_other.circle_id, row.pk, by=owner)
    payments_merge(payments_other, "Béla", "Bela", owner)
    assert payers_and_payees() == [("Béla", "Béla")]
    assert_verified()
    payments_unmerge(payments_other, "Bela", owner)
    assert payers_and_payees() == [pair]
    assert_verified()
