"""The table view and its live part."""

from collections.abc import Callable
from uuid import uuid4

from django.test import Client

from scorekeeper.games.asszorti import Contract, Kontra, Trump
from scorekeeper.games.asszorti.announcing import Announcement
from scorekeeper.games.asszorti.hand_in_play import Announced
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, Role, User
from sessions_app.writers import ledger
from tests import moves
from tests.factories import MemberFactory, begun, record
from tests.views.page import Node, Page


def seen(client: Client, evening: Evening) -> Page:
    return Page.of(client.get(f"/sessions/{evening.pk}/table/"))


def live(evening: Evening, version: int | str) -> str:
    return f"/sessions/{evening.pk}/table/live/?v={version}"


def sides(page: Page) -> list[tuple[str, str]]:
    """Each seat's side and name, in seat order."""

    def side(seat: Node) -> str:
        return next(name for name in seat.attrs["class"].split() if name.startswith("at-")).removeprefix("at-")

    return [(side(seat), seat.of_class("name")[0].text) for seat in page.of_class("side")]


def test_table_view_shows_balances_and_dealer_and_its_live_part_what_is_new(
    viewers: Client, owner: User, evening: Evening
):
    assert viewers.get(live(evening, evening.version)).status_code == 204
    record(evening, owner, "2H 7", declarer=1)
    page, part = seen(viewers, evening), Page.of(viewers.get(live(evening, evening.version)))
    evening.refresh_from_db()
    assert (page.is_whole, part.is_whole) == (True, False)
    assert page.balances == part.balances == {0: -6, 1: 12, 2: -6}
    assert page.of_class("deals")[0].of_class("name")[0].text == "Béla"
    assert page.links["Tap to leave"] == f"/sessions/{evening.pk}/"
    assert part.one("ul", id="table").attrs["data-version"] == str(evening.version)
    assert viewers.get(live(evening, evening.version)).status_code == 204
    for version in ("", "0", "x", "-1", "9" * 5000):
        assert Page.of(viewers.get(live(evening, version))).balances == page.balances


def test_seats_go_round_clockwise_from_the_phone_s_player(
    owners: Client, client_of: Callable[..., Client], evening: Evening, evening_of_four: Evening
):
    assert sides(seen(owners, evening)) == [("bottom", "Anna"), ("left", "Béla"), ("right", "Cili")]
    four = [("bottom", "Anna"), ("left", "Béla"), ("top", "Cili"), ("right", "Dóra")]
    assert sides(seen(owners, evening_of_four)) == four
    dora = evening_of_four.circle.players.get(name="Dóra")
    phone = client_of(MemberFactory(circle=evening_of_four.circle, role=Role.VIEWER, player=dora).user)
    four = [("left", "Anna"), ("top", "Béla"), ("right", "Cili"), ("bottom", "Dóra")]
    assert sides(seen(phone, evening_of_four)) == four


def middle(page: Page) -> list[str]:
    """The text in the middle, once for each side that it faces."""
    (place,) = page.of_class("middle")
    return [text.text for side in ("facing-holder", "facing-across") for text in place.of_class(side)]


def test_announcement_stands_in_the_middle_with_its_worth(viewers: Client, owner: User, evening: Evening):
    """Béla plays 2 hearts with an arrivázs, the game doubled; Anna deals."""
    assert middle(seen(viewers, evening)) == ["Hand 1"]
    said = Announced(0, 1, Announcement(Contract.TWO, Trump.HEARTS, arrivazs=True), Kontra.KONTRA)
    moves.announce(evening.pk, said, seen=Seen(1, 0), by=owner, token=uuid4())
    page = Page.of(viewers.get(live(evening, 0)))
    assert middle(page) == ["Béla 2 hearts ×2 arrivázs 6 tricks +8 arrivázs +8"]
    assert [duty.text for duty in page.of_class("duty")] == ["deals", "plays", ""]


def test_preference_shows_pools_dumps_and_the_next_raspasovka(
    owners: Client, owner: User, django_assert_num_queries: Callable[..., object]
):
    evening = begun(owner, "preference", "target=10", ("Anna", "Béla", "Cili", "Dóra"), 3)
    hands = (("6 pp", 0), ("8 wp 5", 1), ("R 4-3-2-1", None), ("R 3-3-3-1", None))
    for number, (deal, declarer) in enumerate(hands, 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(3, declarer, deal), by=owner)
    seen(owners, evening)
    with django_assert_num_queries(5):
        page = seen(owners, evening)
    for shown in (page, Page.of(owners.get(live(evening, 0)))):
        accounts = [side.of_class("accounts")[0].text for side in shown.of_class("side")]
        assert accounts == ["pool 2 dump 10", "pool 0 dump 27", "pool 0 dump 8", "pool 0 dump 3"]
    assert middle(page) == ["Hand 5 Next raspasovka: 3 a trick"] * 2
