"""House rules that a circle saves under names of its own: saved, offered, deleted."""

from dataclasses import replace
from uuid import uuid4

import pytest

from scorekeeper.games.errors import InvalidRules
from sessions_app.errors import ProfileNameTaken, TooManyProfiles
from sessions_app.models import Circle, Evening, HouseProfile, User
from sessions_app.readers.people.circles import profiles_of
from sessions_app.writers import circles, evenings
from tests.factories import UserFactory, begun, evening_of
from tests.ledger.books import nothing_written

GAME = "preference"


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


def test_circle_keeps_so_many_house_profiles_of_a_game_and_no_more(owner: User, evening: Evening) -> None:
    for number in range(circles.MOST_PROFILES):
        circles.save_profile(evening.circle_id, GAME, f"Own {number}", f"target={number + 1}", by=owner)
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


def test_house_profiles_are_offered_in_their_circle_for_their_game(owner: User) -> None:
    circle, other = (begun(owner, GAME, keep_as=name).circle_id for name in ("Friday", "Club"))
    offered = [[each.name for each in profiles_of(key, GAME)] for key in (circle, other)]
    assert offered == [["Friday"], ["Club"]]
    assert profiles_of(circle, "asszorti") == ()


def test_form_that_is_sent_again_keeps_its_rules_once_and_none_begins_where_the_name_is_taken(owner: User) -> None:
    opening, token = evenings.Opening(("Anna", "Béla", "Cili"), 0, None, "", GAME, "sochi", "Friday"), uuid4()
    first = evenings.start(opening, token=token, by=owner)
    assert evenings.start(opening, token=token, by=owner) == first
    assert HouseProfile.objects.count() == 1
    with nothing_written(), pytest.raises(ProfileNameTaken):
        evenings.start(replace(opening, rules="rostov"), token=uuid4(), by=owner, circle=first.circle)
