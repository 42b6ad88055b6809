"""Two names that are one person: merged, unmerged, refused, and whatever happens in between."""

from functools import partial

import pytest

from sessions_app.errors import LineupRefused, MergeRefused, RepaymentRefused, SamePerson
from sessions_app.models import Circle, Evening, Player, Repayment, Role, User
from sessions_app.readers.evening.edit import changes_of, shape_of
from sessions_app.readers.evening.seating import names_of
from sessions_app.readers.people.circles import evening_circles, players_of
from sessions_app.readers.people.members import names_by_user
from sessions_app.readers.people.players import is_alike, likenesses
from sessions_app.writers import evening_edit, evenings, members, players, repayments
from tests.factories import MemberFactory, evening_of, record
from tests.ledger.books import (
    assert_verified,
    at_once,
    book,
    ended,
    everything,
    faults,
    key,
    nothing_written,
    payers_and_payees,
    version_of,
    wanted,
)
from tests.ledger.test_leaderboards import points

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(owner: User, evening: Evening) -> Evening:
    """An evening of the same circle, with Bela in the place of Béla."""
    found = evening_of(owner, names=("Anna", "Bela", "Cili"))
    assert found.circle_id == evening.circle_id
    return found


@pytest.fixture
def both_played(owner: User, evening: Evening, other: Evening) -> tuple[Evening, Evening]:
    for each in (evening, other):
        ended(each, owner)
    return evening, other


def named(name: str) -> Player:
    return Player.objects.get(name=name)


def merge(into: str, name: str, by: User) -> None:
    players.merge(named(into).circle_id, key(into), key(name), by=by)


def unmerge(name: str, by: User) -> None:
    players.unmerge(named(name).circle_id, key(name), by=by)


def merging_aside() -> dict[str, list[dict[str, object]]]:
    """All rows but for history and versions, which grow by merging and unmerging."""
    found = everything()
    found.pop("EveningChange")
    for row in found["Evening"]:
        row.pop("version")
    return found


def test_merged_name_is_its_person_everywhere_until_it_is_unmerged(owner: User, evening: Evening, other: Evening):
    record(evening, owner, "2H 7", declarer=1)
    record(other, owner, "2H 7", declarer=1)
    record(other, owner, "2H 5", declarer=1)
    phone, left = (MemberFactory(circle=evening.circle, player=named("Bela")) for _phone in range(2))
    members.leave(left)
    players.rename(evening.circle_id, key("Bela"), "Bözsi", by=owner)
    before, was = points(evening.circle)["asszorti"], merging_aside()
    versions = dict(Evening.objects.values_list("pk", "version"))
    assert (before["Béla"], before["Bözsi"]) == ((12, 1), (4, 1))
    merge("Béla", "Bözsi", owner)
    assert points(evening.circle)["asszorti"] == {"Anna": (-8, 2), "Béla": (16, 2), "Cili": (-8, 2)}
    other.refresh_from_db()
    assert names_of(other) == ["Anna", "Béla", "Cili"]
    assert "bela" in other.search_text.split()
    assert other.version == versions[other.pk] + 1
    assert Evening.objects.get(pk=evening.pk).version == versions[evening.pk]
    assert names_by_user(evening.circle_id) == {phone.user_id: "Béla", left.user_id: "Béla"}
    assert evening_circles(owner)[0].suggested == ("Anna", "Béla", "Cili")
    assert [player.name for player in players_of(evening.circle)] == ["Anna", "Béla", "Cili"]
    assert_verified()
    unmerge("Bözsi", owner)
    assert points(evening.circle)["asszorti"] == before
    assert names_by_user(evening.circle_id) == {phone.user_id: "Bözsi", left.user_id: "Bözsi"}
    assert merging_aside() == was
    told = [(change.kind, change.before["name"], change.after["name"]) for change in changes_of(other)]
    assert told == [("name", "Bela", "Bözsi"), ("merge", "Bözsi", "Béla"), ("unmerge", "Béla", "Bözsi")]
    assert list(changes_of(evening)) == []
    assert_verified()


def test_phone_and_names_chosen_while_merged_are_kept_as_they_were_chosen(
    owner: User, evening: Evening, other: Evening
):
    theirs, late = MemberFactory(circle=evening.circle, player=named("Bela")), MemberFactory(circle=evening.circle)
    merge("Béla", "Bela", owner)
    members.set_player(theirs, key("Cili"))
    members.set_player(late, key("Bela"))  # of a form that was opened before
    third = evening_of(owner, names=("Anna", "bela", "Dóra"))
    fourth = evening_of(owner, names=("Anna", "Béla", "Dóra"))
    assert names_of(third) == names_of(fourth) == ["Anna", "Béla", "Dóra"]
    assert names_by_user(evening.circle_id)[late.user_id] == "Béla"
    unmerge("Bela", owner)
    assert [names_of(each)[1] for each in (third, fourth)] == ["Bela", "Béla"]
    assert [names_by_user(evening.circle_id)[each.user_id] for each in (theirs, late)] == ["Cili", "Bela"]


def test_two_merged_names_cannot_be_seated_at_one_table_and_are_merged_and_unmerged_once(
    owner: User, evening: Evening, other: Evening
):
    merge("Béla", "Bela", owner)
    with nothing_written():
        merge("Béla", "Bela", owner)
        with pytest.raises(SamePerson) as refused:
            evening_of(owner, names=("Béla", "Anna", "Bela"))
        assert (refused.value.first, refused.value.second) == ("Béla", "Bela")
        with pytest.raises(LineupRefused, match="sits_already"):
            evening_edit.join_lineup(evening.pk, "Bela", 2, seen=0, by=owner)
    unmerge("Bela", owner)
    with nothing_written():
        unmerge("Bela", owner)


def test_seats_that_are_swapped_or_renumbered_keep_whose_they_were(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    shape = shape_of(other)
    seen = changes_of(other).order_by("-pk")[0].pk
    swapped = type(shape)(tuple(reversed(shape.players)), tuple(reversed(shape.names)), 0, shape.stake, shape.currency)
    evening_edit.edit(other.pk, swapped, seen=seen, by=owner)
    evening_edit.join_lineup(other.pk, "Dóra", 0, seen=Evening.objects.get(pk=other.pk).seating, by=owner)
    unmerge("Bela", owner)
    assert sorted(names_of(other)) == ["Anna", "Bela", "Cili", "Dóra"]
    assert names_of(evening) == ["Anna", "Béla", "Cili"]


def test_an_evening_removed_leaves_the_other_names_of_its_players(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    evenings.remove(evening.pk, by=owner)
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
    with nothing_written(), pytest.raises(MergeRefused) as refused:
        merge(into, name, owner)
    assert refused.value.code == code
    assert (refused.value.evening is not None) is (code == "one_table")


def test_a_foreign_circle_s_player_is_not_there(owner: User, evening: Evening):
    foreign = Player.objects.create(circle=Circle.objects.create(), name="Bela").pk
    for into, name in ((key("Béla"), foreign), (foreign, key("Béla"))):
        with pytest.raises(Player.DoesNotExist):
            players.merge(evening.circle_id, into, name, by=owner)
    with pytest.raises(Player.DoesNotExist):
        players.unmerge(evening.circle_id, foreign, by=owner)


def test_player_who_plays_no_more_is_offered_again_after_sitting_down(owner: User, evening: Evening):
    players.set_plays_no_more(evening.circle_id, key("Béla"), True)
    assert evening_circles(owner)[0].suggested == ("Anna", "Cili")
    evening_of(owner, names=("Anna", "Béla", "Cili"))
    assert evening_circles(owner)[0].suggested == ("Anna", "Béla", "Cili")


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
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


def test_verify_names_a_wrong_merge(owner: User, evening: Evening, other: Evening):
    merge("Béla", "Bela", owner)
    bela, anna, merged = key("Béla"), key("Anna"), key("Bela")
    circle = f"circle {evening.circle_id}"
    Player.objects.filter(pk=bela).update(merged_into=anna)
    found = faults()
    assert f"{circle}: player {merged} is merged into player {bela}, who is merged into player {anna}" in found
    assert f"{circle}: player {bela} is merged into player {anna}, but still has seats or phones" in found
    Player.objects.update(merged_into=None)
    [fault] = faults()
    assert fault.endswith(f"belongs to player {bela} by the name of player {merged}, who is not merged into him")
    foreign = Player.objects.create(circle=MemberFactory(role=Role.OWNER).circle, name="Bela").pk
    Player.objects.filter(pk=anna).update(merged_into=foreign)
    assert f"{circle}: player {anna} is merged into player {foreign} of another circle" in faults()


@pytest.mark.django_db(transaction=True)
def test_two_phones_that_merge_both_ways_at_once_make_one_merge(owner: User, evening: Evening, other: Evening):
    pairs = [("Béla", "Bela"), ("Bela", "Béla")]
    said = at_once([partial(merge, *pair, owner) for pair in pairs], MergeRefused)
    assert sorted(map(str, said)) == ["None", "merged_already"]
    assert Player.objects.filter(merged_into__isnull=False).count() == 1
    assert faults() == []


def test_payments_are_the_persons_while_merged_and_then_those_of_the_name_that_sat_there(
    both_played: tuple[Evening, Evening], owner: User
) -> None:
    first, second = both_played
    book(second, owner, wanted("Bela", "Anna", evenings=(second.pk,)))
    book(second, owner, wanted("Cili", "Bela"))
    before, version = list(Repayment.objects.order_by("pk").values()), version_of(second)
    merge("Béla", "Bela", owner)
    assert payers_and_payees() == [("Béla", "Anna"), ("Cili", "Béla")]
    assert version_of(second) == version + 1
    assert_verified()
    for payer, sessions in (("Béla", (second.pk,)), ("Béla", (first.pk,)), ("Béla", (first.pk, second.pk))):
        book(second, owner, wanted(payer, "Anna", evenings=sessions))
    for payer in ("Bela", "Béla"):
        book(second, owner, wanted(payer, "Anna"))
    with nothing_written(), pytest.raises(RepaymentRefused, match="himself"):
        book(second, owner, wanted("Bela", "Béla"))
    assert {payer for payer, _payee in payers_and_payees()[2:]} == {"Béla"}
    assert_verified()
    unmerge("Bela", owner)
    assert list(Repayment.objects.order_by("pk").values())[:2] == before
    assert [payer for payer, _payee in payers_and_payees()[2:]] == ["Bela", "Béla", "Béla", "Bela", "Béla"]
    assert_verified()


@pytest.mark.parametrize(("kind", "pair"), [("payment", ("Béla", "Bela")), ("opening", ("Bela", "Béla"))])
def test_players_who_paid_each_other_are_not_merged(
    both_played: tuple[Evening, Evening], owner: User, kind: str, pair: tuple[str, str]
) -> None:
    _first, second = both_played
    row, _new = book(second, owner, wanted(*pair, kind=kind))
    with nothing_written(), pytest.raises(MergeRefused) as refused:
        merge("Béla", "Bela", owner)
    assert refused.value.code == "paid"
    repayments.undo(second.circle_id, row.pk, by=owner)
    merge("Béla", "Bela", owner)
    assert payers_and_payees() == [("Béla", "Béla")]
    assert_verified()
    unmerge("Bela", owner)
    assert payers_and_payees() == [pair]
    assert_verified()
