"""The writer of the house rules that a circle saves under names."""

from django.db.models import QuerySet

from scorekeeper.games import GAMES
from scorekeeper.text.names import name_key
from sessions_app.errors import ProfileNameTaken, TooManyProfiles
from sessions_app.models import Circle, HouseProfile, User
from sessions_app.writers.transactions import hold_circle, writing

#: Most saved house rules of one game in one circle: a longer list is hard to choose from.
MOST = 12


@writing
def save(circle_id: int, game_key: str, name: str, rules: str, *, by: User) -> HouseProfile:
    """Save house rules of a game under a name and return them; saving them twice changes nothing.

    Raise ProfileNameTaken, TooManyProfiles, InvalidRules, Circle.DoesNotExist.
    """
    return save_in(hold_circle(circle_id), game_key, name, rules, by=by)


def save_in(circle: Circle, game_key: str, name: str, rules: str, *, by: User) -> HouseProfile:
    """Do as `save` within the caller's transaction, which has locked the circle."""
    line = GAMES[game_key].rules_to_text(GAMES[game_key].rules_from_text(rules))
    known = _of_game(circle, game_key)
    namesake = _by_name(known, name)
    if namesake and namesake.rules == line:
        return namesake
    if namesake:
        raise ProfileNameTaken
    if known.count() >= MOST:
        raise TooManyProfiles
    return HouseProfile.objects.create(circle=circle, game_key=game_key, name=name, rules=line, made_by=by)


@writing
def rename(circle_id: int, profile_id: int, name: str) -> None:
    """Rename saved house rules. Raise ProfileNameTaken, HouseProfile.DoesNotExist, Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    profile = circle.house_profiles.get(pk=profile_id)
    if _by_name(_of_game(circle, profile.game_key).exclude(pk=profile_id), name):
        raise ProfileNameTaken
    profile.name = name
    profile.save(update_fields=["name"])


@writing
def remove(circle_id: int, profile_id: int) -> None:
    """Delete saved house rules; evenings started with them keep theirs. Deleting twice changes nothing."""
    hold_circle(circle_id).house_profiles.filter(pk=profile_id).delete()


def _of_game(circle: Circle, game_key: str) -> QuerySet[HouseProfile]:
    return circle.house_profiles.filter(game_key=game_key)


def _by_name(known: QuerySet[HouseProfile], name: str) -> HouseProfile | None:
    """Return the house rules of this name, or None. No two names differ in capitals alone."""
    return next((each for each in known if name_key(each.name) == name_key(name)), None)
