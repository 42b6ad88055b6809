"""The writer of unowned circles, of a circle's name, coins, end and house rules, and of its evenings' search texts.

A search text is made of rows of the circle (its name, its players' names) and of the evening (seats, title, note). So
its writers hold the circle: otherwise two at once would each overwrite the other's change with the old text.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from scorekeeper.games import GAMES
from scorekeeper.text.names import name_key
from sessions_app.errors import CircleInUse, ProfileNameTaken, TooManyProfiles
from sessions_app.models import Circle, Evening, HouseProfile, Seat, User, search_text
from sessions_app.readers.people.new_circles import code_key
from sessions_app.transactions import hold_circle, raise_versions, writing
from sessions_app.writers.members import close_due_claims


@writing
def create_unowned(name: str) -> Circle:
    """Create a circle for the operator, without members: the first who joins it owns it."""
    return Circle.objects.create(name=name)


@writing
def remember_code(user: User) -> None:
    """Note that the user has entered the server's code."""
    User.objects.filter(pk=user.pk).update(code_key=code_key())


@writing
def rename(circle_id: int, name: str) -> None:
    """Set the circle's name, '' for none, and renew its evenings' search texts. Raise Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    if circle.name == name:
        return
    circle.name = name
    circle.save(update_fields=["name"])
    renew_search_texts(circle.evenings.all())


@writing
def set_cash_coins(circle_id: int, coins: Mapping[str, int]) -> None:
    """Set the smallest coin in which the circle pays, by currency, in its smallest unit. Raise Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    circle.cash_coins = dict(coins)
    circle.save(update_fields=["cash_coins"])


# --- The end of a circle ---

#: How long the deletion of a circle can be taken back.
TIME_TO_UNDO: Final = timedelta(days=1)


@writing
def archive(circle_id: int) -> None:
    """Close a circle to all writing, until it is opened again. Raise CircleInUse, Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    if circle.evenings.filter(ended_at=None).exists():
        raise CircleInUse
    if circle.archived_at is None:
        circle.archived_at = timezone.now()
        circle.save(update_fields=["archived_at"])


@writing
def open_again(circle_id: int) -> None:
    """Open an archived circle. Raise Circle.DoesNotExist."""
    close_due_claims(hold_circle(circle_id))
    Circle.objects.filter(pk=circle_id).update(archived_at=None)


@writing
def delete(circle_id: int) -> None:
    """Close a circle, to be deleted after `TIME_TO_UNDO`. A second call changes nothing.

    Its running evenings show it. Raise Circle.DoesNotExist.
    """
    circle = hold_circle(circle_id)
    if circle.deleted_from is None:
        circle.deleted_from = timezone.now() + TIME_TO_UNDO
        circle.save(update_fields=["deleted_from"])
        raise_versions(circle.evenings.filter(ended_at=None))


@writing
def undelete(circle_id: int) -> None:
    """Take the deletion of a circle back. Raise Circle.DoesNotExist, also once it is due."""
    circle = hold_circle(circle_id)
    if circle.is_gone:
        raise Circle.DoesNotExist
    close_due_claims(circle)
    circle.deleted_from = None
    circle.save(update_fields=["deleted_from"])
    raise_versions(circle.evenings.filter(ended_at=None))


# --- Search texts of evenings ---


def renew_search_texts(evenings: QuerySet[Evening]) -> None:
    """Write the search texts of these evenings that are no longer right: three statements.

    The caller holds the circle.
    """
    names = defaultdict(list)
    seats = Seat.objects.filter(evening__in=evenings.values("pk")).values_list("evening_id", "player__name")
    for evening, name in seats:
        names[evening].append(name)
    changed = []
    rows = evenings.order_by("pk").values_list("pk", "search_text", "circle__name", "title", "note")
    for pk, stored, circle, title, note in rows:
        text = search_text(circle, title, note, names[pk])
        if text != stored:
            changed.append(Evening(pk=pk, search_text=text))
    Evening.objects.bulk_update(changed, ["search_text"])


# --- House rules saved under names ---


#: Most saved house rules of one game in one circle: a longer list is hard to choose from.
MOST_PROFILES = 12


@writing
def save_profile(circle_id: int, game_key: str, name: str, rules: str, *, by: User) -> HouseProfile:
    """Save house rules of a game under a name and return them; saving them twice changes nothing.

    Raise ProfileNameTaken, TooManyProfiles, InvalidRules, Circle.DoesNotExist.
    """
    circle = hold_circle(circle_id)
    line = GAMES[game_key].rules_to_text(GAMES[game_key].rules_from_text(rules))
    known = _of_game(circle, game_key)
    namesake = _by_name(known, name)
    if namesake and namesake.rules == line:
        return namesake
    if namesake:
        raise ProfileNameTaken
    if known.count() >= MOST_PROFILES:
        raise TooManyProfiles
    return HouseProfile.objects.create(circle=circle, game_key=game_key, name=name, rules=line, made_by=by)


@writing
def rename_profile(circle_id: int, profile_id: int, name: str) -> None:
    """Rename saved house rules. Raise ProfileNameTaken, HouseProfile.DoesNotExist, Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    profile = circle.house_profiles.get(pk=profile_id)
    if _by_name(_of_game(circle, profile.game_key).exclude(pk=profile_id), name):
        raise ProfileNameTaken
    profile.name = name
    profile.save(update_fields=["name"])


@writing
def remove_profile(circle_id: int, profile_id: int) -> None:
    """Delete saved house rules; evenings started with them keep theirs. Deleting twice changes nothing."""
    hold_circle(circle_id).house_profiles.filter(pk=profile_id).delete()


def _of_game(circle: Circle, game_key: str) -> QuerySet[HouseProfile]:
    return circle.house_profiles.filter(game_key=game_key)


def _by_name(known: QuerySet[HouseProfile], name: str) -> HouseProfile | None:
    """Return the house rules of this name, or None. No two names differ in capitals alone."""
    return next((each for each in known if name_key(each.name) == name_key(name)), None)
