"""The circles in which a user may start an evening, and the names that each of them knows."""

import pytest

from sessions_app.models import CIRCLE_NAME_LENGTH, NAME_LENGTH, Circle, Player, Role, User
from sessions_app.readers.people.circles import MOST_SUGGESTED, EveningCircle, evening_circles, offered_name
from sessions_app.writers import demo, players
from tests.factories import MemberFactory, UserFactory, evening_of


def only(user: User) -> EveningCircle:
    (circle,) = evening_circles(user)
    return circle


@pytest.mark.parametrize(("role", "may"), [(Role.OWNER, True), (Role.KEEPER, True), (Role.VIEWER, False)])
def test_circles_are_those_that_the_user_may_write_to(owner: User, role: Role, may: bool) -> None:
    evening = evening_of(owner)
    member = MemberFactory(circle=evening.circle, role=role)
    assert [circle.id for circle in evening_circles(member.user)] == ([evening.circle_id] if may else [])
    assert evening_circles(UserFactory()) == ()


def test_circle_seated_last_is_first_and_demos_say_what_they_are(owner: User) -> None:
    older, newer = evening_of(owner).circle_id, evening_of(owner, ("Dóra", "Emil", "Flóra")).circle_id
    shown = demo.lay(owner)
    evening_of(owner)
    found = [(circle.id, circle.is_demo) for circle in evening_circles(owner)]
    assert found == [(older, False), (shown.pk, True), (newer, False)]


def test_suggested_names_are_those_who_sat_last_first_in_the_order_of_their_seats(owner: User) -> None:
    evening = evening_of(owner)
    evening_of(owner, ("Cili", "Dóra", "Anna"))
    Player.objects.create(circle=evening.circle, name="Zita")
    assert only(owner).suggested == ("Cili", "Dóra", "Anna", "Béla", "Zita")
    assert only(owner).suggested_besides(["cili ".strip(), "ANNA"]) == ("Dóra", "Béla", "Zita")
    Player.objects.bulk_create(Player(circle=evening.circle, name=f"P{n}") for n in range(30))
    assert len(only(owner).suggested) == MOST_SUGGESTED


def test_known_names_are_all_of_the_circle_however_they_are_spelled(owner: User) -> None:
    evening = evening_of(owner)
    bela = Player.objects.get(name="Béla")
    other = Player.objects.create(circle=evening.circle, name="Bözsi")
    players.merge(evening.circle_id, bela.pk, other.pk, by=owner)
    players.set_plays_no_more(evening.circle_id, Player.objects.get(name="Cili").pk, True)
    assert only(owner).unknown(["ANNA", "bözsi", "Ci\u200bli", "Dóra", "Beata"]) == ("Dóra", "Beata")
    assert only(owner).suggested == ("Anna", "Béla")


def test_circle_is_named_by_its_players_until_it_has_a_name(owner: User) -> None:
    evening_of(owner)
    assert only(owner).name == "Anna, Béla, Cili"
    Circle.objects.update(name="Friday")
    assert only(owner).name == "Friday"


def test_circle_without_players_is_there_too(owner: User) -> None:
    circle = MemberFactory(user=owner, role=Role.OWNER).circle
    assert only(owner) == EveningCircle(circle.pk, "", False, (), frozenset())


# --- Names of circles ---


@pytest.mark.parametrize(
    ("names", "offered"),
    [
        ([], ""),
        (["Anna"], "Anna"),
        (["Anna", "Béla", "Cili"], "Anna, Béla, Cili"),
        (["Anna", "Béla", "Cili", "Dóra"], "Anna, Béla, Cili, Dóra"),
        (["Anna", "Béla", "Cili", "Dóra", "Emil"], "Anna, Béla, Cili, Dóra …"),
    ],
)
def test_a_name_is_offered_of_the_players_names(names: list[str], offered: str) -> None:
    assert offered_name(names) == offered


def test_an_offered_name_of_the_longest_names_can_be_stored() -> None:
    assert len(offered_name(["x" * NAME_LENGTH] * 9)) <= CIRCLE_NAME_LENGTH
