"""House rules that a circle saves under names of its own: saved, offered, deleted."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from scorekeeper.games.errors import InvalidRules
from sessions_app.errors import ProfileNameTaken, TooManyProfiles
from sessions_app.models import Circle, Evening, HouseProfile, User
from sessions_app.readers.people.house_profiles import SavedProfile, of_circle, offered
from sessions_app.writers import evenings, house_profiles
from tests.factories import UserFactory, evening_of, started
from tests.ledger.books import nothing_written

GAME = "preference"
TRIO = ("Anna", "Béla", "Cili")


def begun(by: User, names: tuple[str, ...] = TRIO, keep_as: str = "", rules: str = "sochi") -> Evening:
    return started(evenings.Opening(names, 0, None, "", GAME, rules, keep_as), by=by)


def names_of(found: tuple[SavedProfile, ...]) -> list[str]:
    return [each.name for each in found]


def test_rules_are_kept_in_their_one_spelling(owner: User, evening: Evening) -> None:
    kept = house_profiles.save(evening.circle_id, GAME, "Friday", " sochi   ten=checked aid=yes ", by=owner)
    kept.refresh_from_db()
    assert (kept.circle, kept.game_key, kept.name) == (evening.circle, GAME, "Friday")
    assert (kept.rules, kept.made_by) == ("sochi ten=checked", owner)


def test_the_same_again_under_the_same_name_changes_nothing(owner: User, evening: Evening) -> None:
    first = house_profiles.save(evening.circle_id, GAME, "Friday", "sochi", by=owner)
    with nothing_written():
        assert house_profiles.save(evening.circle_id, GAME, "FRIDAY", "sochi", by=owner) == first


def test_other_rules_do_not_take_a_name_that_is_known(owner: User, evening: Evening) -> None:
    house_profiles.save(evening.circle_id, GAME, "Weiß", "sochi", by=owner)
    for name in ("Weiß", "weiß", "WEISS"):
        with nothing_written(), pytest.raises(ProfileNameTaken):
            house_profiles.save(evening.circle_id, GAME, name, "rostov", by=owner)
    house_profiles.save(evening.circle_id, "asszorti", "Weiß", "", by=owner)
    house_profiles.save(evening_of(UserFactory()).circle_id, GAME, "Weiß", "rostov", by=owner)
    assert HouseProfile.objects.count() == 3


def test_profile_of_unreadable_rules_is_refused(owner: User, evening: Evening) -> None:
    with nothing_written(), pytest.raises(InvalidRules):
        house_profiles.save(evening.circle_id, GAME, "Friday", "moscow", by=owner)
    with nothing_written(), pytest.raises(Circle.DoesNotExist):
        house_profiles.save(evening.circle_id + 1, GAME, "Friday", "", by=owner)


def test_a_table_keeps_so_many_and_no_more(owner: User, evening: Evening) -> None:
    for number in range(house_profiles.MOST):
        house_profiles.save(evening.circle_id, GAME, f"Own {number}", f"target={number + 1}", by=owner)
    with nothing_written(), pytest.raises(TooManyProfiles):
        house_profiles.save(evening.circle_id, GAME, "Friday", "sochi", by=owner)
    house_profiles.save(evening.circle_id, GAME, "Own 0", "target=1", by=owner)
    house_profiles.save(evening.circle_id, "tarokk", "Friday", "", by=owner)
    house_profiles.remove(evening.circle_id, HouseProfile.objects.get(name="Own 3").pk)
    house_profiles.save(evening.circle_id, GAME, "Friday", "sochi", by=owner)


def test_a_name_is_changed_and_no_other_of_the_game_has_it(owner: User, evening: Evening) -> None:
    one = house_profiles.save(evening.circle_id, GAME, "Friday", "sochi", by=owner)
    house_profiles.save(evening.circle_id, GAME, "Home", "rostov", by=owner)
    house_profiles.save(evening.circle_id, "tarokk", "Club", "", by=owner)
    with nothing_written(), pytest.raises(ProfileNameTaken):
        house_profiles.rename(evening.circle_id, one.pk, "HOME")
    for name in ("FRIDAY", "Club"):
        house_profiles.rename(evening.circle_id, one.pk, name)
        one.refresh_from_db()
        assert (one.name, one.rules) == (name, "sochi")


def test_another_table_s_are_out_of_reach(owner: User, evening: Evening) -> None:
    theirs = house_profiles.save(evening_of(UserFactory()).circle_id, GAME, "Friday", "sochi", by=owner)
    with nothing_written(), pytest.raises(HouseProfile.DoesNotExist):
        house_profiles.rename(evening.circle_id, theirs.pk, "Home")
    with nothing_written():
        house_profiles.remove(evening.circle_id, theirs.pk)


def test_an_evening_keeps_its_rules_whatever_becomes_of_the_name(owner: User) -> None:
    evening = begun(owner, keep_as="Friday", rules="sochi ten=checked")
    kept = HouseProfile.objects.get()
    house_profiles.rename(evening.circle_id, kept.pk, "Home")
    for _twice in range(2):
        house_profiles.remove(evening.circle_id, kept.pk)
    evening.refresh_from_db()
    assert (evening.rules, HouseProfile.objects.count()) == ("sochi ten=checked", 0)


# --- Kept when an evening begins ---


def test_an_evening_that_begins_keeps_its_rules_at_the_table_at_which_it_is_played(owner: User) -> None:
    first = begun(owner)
    begun(owner, ("Xénia", "Yvonne", "Zoé"))
    evening = begun(owner, ("Cili", "Anna", "Béla"), "Friday", " sochi  ten=checked")
    kept = HouseProfile.objects.get()
    assert (kept.circle, kept.name, kept.rules) == (first.circle, "Friday", "sochi ten=checked")
    assert evening.circle == first.circle


def test_where_the_name_is_taken_no_evening_begins(owner: User) -> None:
    begun(owner, keep_as="Friday", rules="rostov")
    with nothing_written(), pytest.raises(ProfileNameTaken):
        begun(owner, keep_as="Friday")


def test_a_tap_that_comes_twice_keeps_them_once(owner: User) -> None:
    opening, token = evenings.Opening(TRIO, 0, None, "", GAME, "sochi", "Friday"), uuid4()
    first = evenings.start(opening, token=token, by=owner)
    assert evenings.start(opening, token=token, by=owner) == first
    assert HouseProfile.objects.count() == 1


# --- Offered ---


def test_house_profiles_are_offered_in_their_circle_for_their_game(owner: User) -> None:
    friday = begun(owner, keep_as="Friday")
    club = begun(owner, ("Xénia", "Yvonne", "Zoé"), "Club", "rostov")
    assert names_of(offered(friday.circle_id, GAME)) == ["Friday"]
    assert names_of(offered(club.circle_id, GAME)) == ["Club"]
    assert offered(friday.circle_id, "asszorti") == ()


def test_profile_that_is_no_longer_readable_says_so(owner: User) -> None:
    evening = begun(owner, keep_as="Friday")
    HouseProfile.objects.create(circle=evening.circle, game_key=GAME, name="Old", rules="moscow x=1")
    HouseProfile.objects.create(circle=evening.circle, game_key="ulti", name="Gone", rules="")
    found = of_circle(evening.circle_id)
    assert [(each.name, each.rules is None) for each in found] == [("Friday", False), ("Old", True), ("Gone", True)]


@pytest.mark.parametrize("count", [1, house_profiles.MOST])
def test_house_profiles_take_one_query_however_many(
    owner: User, count: int, django_assert_num_queries: Callable[..., object]
) -> None:
    evening = begun(owner)
    for number in range(count):
        house_profiles.save(evening.circle_id, GAME, f"Own {number}", f"target={number + 1}", by=owner)
    with django_assert_num_queries(1):
        assert len(of_circle(evening.circle_id)) == count
    with django_assert_num_queries(1):
        assert len(offered(evening.circle_id, GAME)) == count
