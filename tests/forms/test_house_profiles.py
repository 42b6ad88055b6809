"""Profiles in the form of a new evening: one is chosen as a whole, single switches are changed in it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.utils import timezone

from scorekeeper.games import GAMES
from sessions_app.forms.evening_new import NewEveningForm
from sessions_app.readers.people.circles import SavedProfile
from tests.forms.errors import sentences_of

pytestmark = pytest.mark.usefixtures("english")
PLAYERS = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1", "currency": "HUF"}
GAME = "preference"
FRIDAY = "leningrad ten=checked target=10"


rules_of = GAMES[GAME].rules_from_text


def circle_of(*lines: str) -> Callable[[str], Sequence[SavedProfile]]:
    """The saved rules of a circle, Own 1, Own 2 …, as the form asks for them."""
    own = [
        SavedProfile(number, GAME, f"Own {number}", line, rules_of(line), timezone.now())
        for number, line in enumerate(lines, 1)
    ]
    return lambda game_key: own


def no_own(game_key: str) -> Sequence[SavedProfile]:
    return ()


def asked(game_key: str) -> Sequence[SavedProfile]:
    raise AssertionError("nobody needs to know what the table has kept")


def posted(own: Any = no_own, **said: str) -> NewEveningForm:
    return NewEveningForm({**PLAYERS, "game": GAME, **said}, own=own)


def opened(own: Any = no_own, **begin: str) -> NewEveningForm:
    return NewEveningForm(initial={**PLAYERS, "game": GAME, **begin}, own=own)


def sent(form: NewEveningForm) -> dict[str, str]:
    """The fields that a browser would send of the form's house rules, as they are shown."""
    fields = {control.name: control.value for control in form.controls}
    for control in form.fixed:
        fields[control.name] = control.value if control.value in control.usual else ""
        fields[f"{control.name}_typed"] = control.typed
    return fields | {
        "shown_game": form.game_key,
        "profile": form.chosen.key,
        "shown_profile": form.chosen.key,
        "shown_rules": form.shown_line,
    }


def line_of(form: NewEveningForm) -> str:
    assert form.is_valid(), form.errors
    return form.opening.rules


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"rules": "sochi ten=checked"}, "sochi ten=checked"),
        ({"rules": "sochi"}, "sochi"),
        ({"rules": "sochi", "target": "10"}, "sochi target=10"),
        ({"rules": "sochi target=50", "target": "10"}, "sochi target=50"),
        ({"rules": "target=50 aid=no", "target": "10"}, "target=50 aid=no"),
        ({"rules": "book", "target": "010"}, "target=10"),
        ({"target": "", "target_typed": "35"}, "target=35"),
        ({"target": "50", "target_typed": "35"}, "target=50"),
        # it is no other game's
        ({"rules": "rostov", "target": "10", "shown_game": "asszorti"}, "rostov target=10"),
    ],
)
def test_the_target_counts_beside_the_line_where_that_does_not_say_it(said: dict[str, str], line: str) -> None:
    assert line_of(posted(asked, **said)) == line


@pytest.mark.parametrize(("bad", "rules"), [("0", ""), ("1000", "sochi"), ("x", ""), ("10 aid=no", "sochi")])
def test_a_target_that_cannot_be_is_said_beside_it_and_the_line_stays(bad: str, rules: str) -> None:
    form = posted(rules=rules, target=bad)
    assert sentences_of(form) == {"target": ["Pool target: a whole number from 1 to 999."]}
    assert form.typed == rules
    assert [(control.name, control.value) for control in form.fixed] == [("target", bad)]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"profile": "sochi"}, "sochi"),
        ({"profile": "book"}, ""),
        ({"profile": "sochi", "rules_ten": "checked"}, "sochi ten=checked"),
        ({"profile": "leningrad", "target": "10", "rules_ten": "checked"}, FRIDAY),
        # a cleared switch is as in the profile
        ({"profile": "leningrad", "rules_pool_point": "", "rules_dump_factor": ""}, "leningrad"),
        ({"profile": "leningrad", "rules_pool_point": "10"}, "leningrad pool_point=10"),
        ({"rules_pool_point": ""}, ""),
        # the line wins, and all of it
        ({"profile": "leningrad", "rules_ten": "checked", "rules": "sochi"}, "sochi"),
        ({"profile": "gone", "rules": "sochi"}, "sochi"),
    ],
)
def test_a_profile_is_what_the_controls_leave_out(said: dict[str, str], line: str) -> None:
    form = posted(no_own if said.get("profile") == "gone" else asked, **said)
    assert rules_of(line_of(form)) == rules_of(line)


@pytest.mark.parametrize("line", ["", "sochi", "leningrad", "rostov", "rostov ten=checked target=7", FRIDAY])
def test_as_it_is_opened_the_form_sends_back_the_rules_with_which_it_began(line: str) -> None:
    form = opened(rules=line)
    assert line_of(posted(**sent(form))) == GAMES[GAME].rules_to_text(rules_of(line))
    assert form.chosen.key == (line.split() or ["book"])[0]


@pytest.mark.parametrize(
    ("rules", "changed", "profile", "line"),
    [
        ("", {}, "leningrad", "leningrad"),
        ("", {"rules_pool_point": "30"}, "leningrad", "leningrad pool_point=30"),
        ("", {"rules_pool_point": ""}, "leningrad", "leningrad"),
        ("sochi ten=checked", {"rules_ten": "whisted"}, "leningrad", "leningrad"),
        ("sochi", {"target": "10"}, "rostov", "rostov target=10"),
        ("sochi target=10", {}, "own:1", FRIDAY),
        ("sochi target=10", {"target": "50"}, "own:1", "leningrad ten=checked target=50"),
    ],
)
def test_without_scripts_a_tapped_profile_is_taken_with_what_was_changed_since(
    rules: str, changed: dict[str, str], profile: str, line: str
) -> None:
    """Nobody has seen its values in the controls, which stand as those of the one before."""
    own = circle_of(FRIDAY, "rostov")
    form = posted(own, **sent(opened(own, rules=rules)) | changed | {"profile": profile})
    assert rules_of(line_of(form)) == rules_of(line)


@pytest.mark.parametrize(("profile", "target", "line"), [("book", "10", "target=10"), ("own:1", "50", FRIDAY)])
def test_taken_over_its_values_stand_in_the_controls(profile: str, target: str, line: str) -> None:
    own = circle_of(FRIDAY, "rostov")
    fields = sent(opened(own, rules="sochi ten=checked")) | {"profile": profile, "target": target, "stake": "7"}
    taken = opened(own, **fields).taken_over(fields)
    assert taken["stake"] == "7", "nothing else is lost"
    form = opened(own, **taken)
    assert form.chosen.key == profile
    assert rules_of(form.shown_line) == rules_of(line)
    assert rules_of(line_of(posted(own, **sent(form)))) == rules_of(line)


@pytest.mark.parametrize(
    ("rules", "profile", "changes"),
    [
        ("", "", ()),
        ("sochi ten=checked", "Sochi", ("a ten is checked instead of whisted",)),
        ("sochi target=10", "Sochi", ()),
        ("leningrad aid=yes", "Leningrad", ("Aid: given",)),
        ("leningrad pool_point=10", "Leningrad", ("Pool point: as in the book",)),
        ("aid=no", "", ("pools run past the target without aid",)),
    ],
)
def test_a_profile_is_said_with_what_is_changed_in_it(rules: str, profile: str, changes: tuple[str, ...]) -> None:
    said = opened(rules=rules).said
    assert (said.profile, said.changes) == (profile, changes)
    assert said.fixed == ("pool to 10" if "target" in rules else "pool to 20",)


def test_the_table_s_own_come_first_and_say_what_they_are() -> None:
    form = opened(circle_of(FRIDAY, ""))
    assert [each.key for each in form.profiles] == ["own:1", "own:2", "book", "sochi", "leningrad", "rostov"]
    assert [str(each.name) for each in form.profiles[:2]] == ["Own 1", "Own 2"]
    assert [str(each.explanation) for each in form.profiles[:2]] == [
        "Leningrad, pool to 10, except: a ten is checked instead of whisted",
        "As in the book.",
    ]


def test_rules_that_were_played_go_by_the_nearest_name_the_circle_s_own_first() -> None:
    own = circle_of(FRIDAY, "sochi")
    keys = {FRIDAY: "own:1", "leningrad ten=checked": "own:1", "leningrad": "leningrad", "sochi": "own:2", "": "book"}
    assert {rules: opened(own, rules=rules).chosen.key for rules in keys} == keys


def test_a_change_in_one_of_the_table_s_own_is_a_change_of_that() -> None:
    own = circle_of(FRIDAY)
    form = posted(own, profile="own:1", rules_ten="whisted", rules_give_up="3", target="10")
    assert (form.said.profile, form.said.fixed) == ("Own 1", ("pool to 10",))
    assert form.said.changes == ("Contract of ten: whisted", "a contract can be given up for ×3 its value")
    assert line_of(form) == "leningrad target=10 give_up=3"


def test_removed_or_unreadable_profile_is_no_choice_and_no_other_taken_in_its_place() -> None:
    for key in ("own:9", "gone", "own:"):
        form = posted(circle_of(FRIDAY), profile=key, rules_ten="checked")
        assert sentences_of(form) == {"profile": ["These saved rules no longer exist: choose others."]}
        assert form.has_house_errors
        assert {control.name: control.value for control in form.controls}["rules_ten"] == "checked"
    unread = SavedProfile(1, GAME, "Old", "moscow", None, timezone.now())
    form = opened(lambda game_key: (unread,))
    assert [each.key for each in form.profiles] == ["book", "sochi", "leningrad", "rostov"]
