"""No field of any form reads a value before its length is checked."""

import unicodedata
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from unittest.mock import Mock

import pytest
from django import forms
from django.utils import translation

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from scorekeeper.http.middleware import MAX_CHARACTERS
from sessions_app.base_forms import BoundedForm, SeatedForm, SeatingForm
from sessions_app.faces import FACES
from sessions_app.faces.agreed_form import AgreedForm
from sessions_app.faces.announce import AnnouncementForm, NamingForm
from sessions_app.faces.balances_form import BalancesForm
from sessions_app.faces.hand_form import HandForm
from sessions_app.forms.evening_new import NewEveningForm, SeatsForm
from sessions_app.forms.fields import NameForm
from sessions_app.models import NAME_LENGTH, Evening
from sessions_app.readers.evening.edit import Lineup
from sessions_app.views.evening_edit import EveningEditForm
from sessions_app.views.lineup import SitDownForm
from sessions_app.views.past import PastFilterForm
from tests.views.long_input import KINDS

PEOPLE = ["Anna", "Béla", "Cili", "Dóra", "Elek"]


def classes(base: type[forms.BaseForm] = forms.Form) -> Iterator[type[forms.BaseForm]]:
    """The program's forms."""
    for each in base.__subclasses__():
        if each.__module__.startswith("sessions_app."):
            yield each
        yield from classes(each)


def made() -> dict[type[forms.BaseForm], Callable[[dict[str, str]], BoundedForm]]:
    """By class, a function that makes its form of posted data; of the bases there are forms of each game."""
    by_class: dict[Any, Any] = dict.fromkeys(classes(), lambda of: lambda data: of(data))
    known = {each: (lambda data, each=each: each(data)) for each in by_class}
    known[EveningEditForm] = lambda data: EveningEditForm(data, seats=3, pays_per_hand=True)
    known[SitDownForm] = lambda data: SitDownForm(data, lineup=Lineup((), (), (), 0, 0))
    known[PastFilterForm] = lambda data: PastFilterForm(data, circles=())
    known[NamingForm] = lambda data: NamingForm(data, offered=())
    for each in by_class:
        if issubclass(each, HandForm | AgreedForm) and "GAME" in dir(each):
            known[each] = lambda data, each=each: each(data, **table_of(each.GAME))
        elif "rules" in getattr(each.__init__, "__annotations__", {}) and not issubclass(each, SeatsForm):
            known[each] = lambda data, each=each: each(data, rules=rules_of(game_of(each)))
        if "asked" in getattr(each.__init__, "__annotations__", {}):
            referee = game_of(each).referee
            hand = referee and referee.state.from_state(0, {})  # a hand in play of which nothing is noted
            known[each] = lambda data, each=each, hand=hand: each(data, hand=hand, evening=Evening(), asked=(0, 1, 2))
    bases = (BoundedForm, SeatedForm, SeatingForm, HandForm, AgreedForm, BalancesForm, AnnouncementForm, NamingForm)
    return {each: how for each, how in known.items() if each not in bases}


def game_of(form: type[forms.BaseForm]) -> Game[Any, Any, Any]:
    return GAMES[form.__module__.split(".")[2]]


def rules_of(game: Game[Any, Any, Any]) -> Any:
    return next(iter(game.PROFILES.values()))


def table_of(game: Game[Any, Any, Any]) -> dict[str, Any]:
    seats = max(game.seat_counts)
    return {"names": PEOPLE[:seats], "sitting": tuple(range(seats)), "rules": rules_of(game)}


def test_every_form_is_a_bounded_one() -> None:
    assert [form for form in classes() if not issubclass(form, BoundedForm)] == []


@pytest.mark.parametrize("form", list(made()), ids=lambda each: f"{each.__module__}.{each.__name__}")
@pytest.mark.usefixtures("normalizes_nothing_long")
def test_no_field_reads_what_is_too_long_for_it(form: type[forms.BaseForm]) -> None:
    make = made()[form]
    fields = make({}).fields.items()
    for (name, field), long in product(fields, KINDS.values()):
        asked = make({name: long[:MAX_CHARACTERS]})
        if field.widget.is_hidden:
            continue
        asked.fields[name].clean = Mock(side_effect=AssertionError("a field has read it"))  # type: ignore[method-assign]
        # A hand that is only announced has no result.
        assert asked.errors.get(name) or (issubclass(form, HandForm) and name not in asked.cleaned_data), name


def test_a_letter_typed_as_several_characters_counts_once() -> None:
    """Vietnamese ế is e with two marks."""
    name = "ế" * NAME_LENGTH
    form = NameForm({"name": unicodedata.normalize("NFD", name)})
    assert form.is_valid()
    assert form.cleaned_data["name"] == name


def test_a_name_that_was_cut_says_so_in_both_languages() -> None:
    with translation.override("en"):
        form = NewEveningForm({"player_1": "x" * MAX_CHARACTERS, "player_2": "x" * 200})
        assert form.errors["player_1"] == ["A name has at most 40 characters. Only the beginning is kept here."]
        assert form.errors["player_2"] == ["A name has at most 40 characters."]
    with translation.override("hu"):
        cut = NewEveningForm({"player_1": "x" * MAX_CHARACTERS})
        assert cut.errors["player_1"] == ["A név legfeljebb 40 karakter lehet. Itt csak az eleje maradt meg."]


def test_a_number_typed_far_too_long_is_said_once_beside_its_control() -> None:
    game = next(key for key, face in FACES.items() if any(each.usual for each in face.house_words.switches.values()))
    with translation.override("en"):
        form = NewEveningForm({"game": game, "target_typed": " " * MAX_CHARACTERS})
        assert not form.is_valid()
    [fixed] = [control for control in form.fixed if control.name == "target"]
    assert fixed.errors == ("This is too long: 100 characters at most. Only the beginning is kept here.",)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
def test_hand_forms_share_the_parts_of_fields_that_no_form_changes(game: Game[Any, Any, Any]) -> None:
    one, other = (FACES[game.key].form(**table_of(game)).fields["declarer"] for _ in range(2))
    assert one is not other
    assert one.error_messages is not other.error_messages
    assert one.validators is other.validators, "Django has copied it deeply"
