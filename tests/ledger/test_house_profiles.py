"""House rules that a circle saves under names of its own: saved, offered, deleted."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from uuid import uuid4

import pytest

from scorekeeper.games.errors import InvalidRules
from sessions_app.errors import ProfileNameTaken, TooManyProfiles
from sessions_app.models import Circle, Evening, HouseProfile, User
from sessions_app.readers.people.circles import SavedProfile, profiles_of
from sessions_app.writers import circles, evenings
from tests.factories import UserFactory, evening_of, started
from tests.ledger.books import nothing_written

GAME = "preference"
TRIO = ("Anna", "Béla", "Cili")


def begun(by: User, names: tuple[str, ...] = TRIO, keep_as: str = "", rules: str = "sochi") -> Evening:
    return started(evenings.Opening(names, 0, None, "", GAME, rules, keep_as), by=by)


def names_of(found: tuple[SavedProfile, ...]) -> list[str]:
    return [each.name for each in found]


def test_rules_are_kept_in_their_one_spelling_under_a_name_of_no_other_rules(owner: User, evening: Evening) -> None:
    kept = circles.save_profile(evening.circle_id, GAME, "Weiß", " sochi   ten=checked aid=yes ", by=owner)
    kept.refresh_from_db()
    assert (kept.circle, kept.game_key, kept.name) == (evening.circle, GAME, "Weiß")
    assert (kept.rules, kept.made_by) == ("sochi ten=checked", owner)
    for name in ("Weiß", "WEISS"):
        with nothing_written():
            assert circles.save_profile(evening.circle_id, GAME, name, "sochi ten=checked", by=owner) == kept
            with pytest.raises(ProfileNameTaken):
                circles.save_profile(evening.circle_id, GAME, name, "rostov", by=owner)
    circles.save_profile(evening.circle_id, "asszorti", "Weiß", "", by=owner)
    circles.save_profile(evening_of(UserFactory()).circle_id, GAME, "Weiß", "rostov", by=owner)
    assert HouseProfile.objects.count() == 3
    with nothing_written(), pytest.raises(InvalidRules):
        circles.save_profile(evening.circle_id, GAME, "Friday", "moscow", by=owner)
    with nothing_written(), pytest.raises(Circle.DoesNotExist):
        circles.save_profile(0, GAME, "Friday", "", by=owner)


def test_a_table_keeps_so_many_and_no_more_read_by_one_query(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    for number in range(circles.MOST_PROFILES):
        circles.save_profile(evening.circle_id, GAME, f"Own {number}", f"target={number + 1}", by=owner)
    for read in (lambda: profiles_of(evening.circle_id), lambda: profiles_of(evening.circle_id, GAME)):
        with django_assert_num_queries(1):
            assert len(read()) == circles.MOST_PROFILES
    with nothing_written(), pytest.raises(TooManyProfiles):
        circles.save_profile(evening.circle_id, GAME, "Friday", "sochi", by=owner)
    circles.save_profile(evening.circle_id, GAME, "Own 0", "target=1", by=owner)
    circles.save_profile(evening.circle_id, "tarokk", "Friday", "", by=owner)
    circles.remove_profile(evening.circle_id, HouseProfile.objects.get(name="Own 3").pk)
    circles.save_profile(evening.circle_id, GAME, "Friday", "sochi", by=owner)


def test_a_name_is_changed_and_no_other_of_the_game_has_it(owner: User, evening: Evening) -> None:
    one = circles.save_profile(evening.circle_id, GAME, "Friday", "sochi", by=owner)
    circles.save_profile(evening.circle_id, GAME, "Home", "rostov", by=owner)
    circles.save_profile(evening.circle_id, "tarokk", "Club", "", by=owner)
    with nothing_written(), pytest.raises(ProfileNameTaken):
        circles.rename_profile(evening.circle_id, one.pk, "HOME")
    for name in ("FRIDAY", "Club"):
        circles.rename_profile(evening.circle_id, one.pk, name)
        one.refresh_from_db()
        assert (one.name, one.rules) == (name, "sochi")


def test_profiles_of_another_circle_are_out_of_reach(owner: User, evening: Evening) -> None:
    theirs = circles.save_profile(evening_of(UserFactory()).circle_id, GAME, "Friday", "sochi", by=owner)
    with nothing_written(), pytest.raises(HouseProfile.DoesNotExist):
        circles.rename_profile(evening.circle_id, theirs.pk, "Home")
    with nothing_written():
        circles.remove_profile(evening.circle_id, theirs.pk)


def test_an_evening_keeps_its_rules_whatever_becomes_of_the_name(owner: User) -> None:
    evening = begun(owner, keep_as="Friday", rules="sochi ten=checked")
    kept = HouseProfile.objects.get()
    circles.rename_profile(evening.circle_id, kept.pk, "Home")
    for _twice in range(2):
        circles.remove_profile(evening.circle_id, kept.pk)
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


def test_form_that_is_sent_again_keeps_its_rules_once_and_none_begins_where_the_name_is_taken(owner: User) -> None:
    opening, token = evenings.Opening(TRIO, 0, None, "", GAME, "sochi", "Friday"), uuid4()
    first = evenings.start(opening, token=token, by=owner)
    assert evenings.start(opening, token=token, by=owner) == first
    assert HouseProfile.objects.count() == 1
    with nothing_written(), pytest.raises(ProfileNameTaken):
        begun(owner, keep_as="Friday", rules="rostov")


# --- Offered ---


def test_house_profiles_are_offered_in_their_circle_for_their_game(owner: User) -> None:
    friday = begun(owner, keep_as="Friday")
    club = begun(owner, ("Xénia", "Yvonne", "Zoé"), "Club", "rostov")
    assert names_of(profiles_of(friday.circle_id, GAME)) == ["Friday"]
    assert names_of(profiles_of(club.circle_id, GAME)) == ["Club"]
    assert profiles_of(friday.circle_id, "asszorti") == ()


def test_profile_that_is_no_longer_readable_says_so(owner: User) -> None:
    evening = begun(owner, keep_as="Friday")
    HouseProfile.objects.create(circle=evening.circle, game_key=GAME, name="Old", rules="moscow x=1")
    HouseProfile.objects.create(circle=evening.circle, game_key="ulti", name="Gone", rules="")
    found = profiles_of(evening.circle_id)
    assert [(each.name, each.rules is None) for each in found] == [("Friday", False), ("Old", True), ("Gone", True)]
