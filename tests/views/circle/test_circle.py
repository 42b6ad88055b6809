"""The page of a circle: name, leaderboards, balances with one list of payments; and the ways out of a circle."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import cycle, product
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Member, Player, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.views import circle
from sessions_app.writers import circles, evenings, ledger, members
from tests.factories import MemberFactory, begun, evening_of, hand_fields, record
from tests.ledger.books import everything
from tests.views.every_url import address, name_of, paths, row_of
from tests.views.page import HTMX_BODY, Page, filled
from tests.views.scene import scenes


def url(evening: Evening, rest: str = "") -> str:
    return f"/circles/{evening.circle_id}/{rest}"


def figures(page: Page, **which: str) -> list[tuple[str, str, str]]:
    return [
        (node.attrs["data-player"], node.attrs["data-value"], node.attrs["data-of"]) for node in page.all("a", **which)
    ]


def test_the_name_is_offered_from_the_players_until_it_is_given(owners: Client, evening: Evening):
    page = shown(owners, evening)
    assert page.one("h1").text == "Anna, Béla, Cili"
    assert page.one("input", id="name").attrs["value"] == "Anna, Béla, Cili"
    for name, headers in product(("", "  ", "x" * 81, "\u202e", "\x00"), ({}, HTMX_BODY)):
        response = owners.post(url(evening, "rename/"), {"name": name}, headers=headers)
        assert response.status_code == 422
        assert Page.of(response).one("p", id="error-name").text
    assert Circle.objects.get(pk=evening.circle_id).name == ""
    response = owners.post(url(evening, "rename/"), {"name": " Friday  circle "})
    assert (response.status_code, response.headers["Location"]) == (302, url(evening))
    assert shown(owners, evening).one("h1").text == "Friday circle"
    assert Circle.objects.get(pk=evening.circle_id).name == "Friday circle"
    Member.objects.create(circle=evening.circle, user=User.new_guest(), role=Role.VIEWER)
    evenings.remove(evening.pk, by=User.objects.order_by("pk")[0])
    assert "No sessions yet." in shown(owners, evening).text


def test_sum_links_to_the_sessions_behind_it_and_the_game_played_most_is_open(
    owners: Client, owner: User, evening: Evening
):
    other = begun(owner, "preference", circle=evening.circle, stake=Decimal(10), currency="HUF")
    for made, deal in ((evening, "2H 7"), (evening_of(owner), "2H 7"), (other, "6S ww 8-1-1")):
        record(made, owner, deal, declarer=1)
    circle = shown(owners, evening)
    folds = [each for each in circle.all("details") if each.all("ol")]
    assert [(fold.one("h2").text, "open" in fold.attrs) for fold in folds] == [
        *(("Asszorti 2 sessions", True), ("Preference 1 session", False), ("In money, HUF 3 sessions", False)),
    ]
    player = f"/circles/{evening.circle_id}/players/{evening.seats.get(position=1).player_id}/"
    for page, sums in ((circle, 9), (Page.of(owners.get(player)), 3)):
        links = [node for node in page.all("a") if "data-measure" in node.attrs]
        assert len(links) == sums
        for link in links:
            behind = Page.of(owners.get(link.attrs["href"])).of_class("sum")[0].one("span")
            for name in ("measure", "game", "player", "value", "of"):
                assert behind.attrs[f"data-{name}"] == link.attrs[f"data-{name}"]
            assert behind.attrs.get("data-key") == link.attrs.get("data-key")


def test_leaderboard_has_the_first_players_and_the_phones_own(
    viewers: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    record(evening, owner, "2H 7", declarer=1)
    anna, bela, cili = (str(seat.player_id) for seat in evening.seats.all())
    page = shown(viewers, evening)
    ranked = [(bela, "12", "1"), (anna, "-6", "1"), (cili, "-6", "1")]
    assert figures(page, data_measure="points", data_game="asszorti") == ranked
    assert figures(page, data_measure="money", data_key="HUF", data_game="all")[0] == (bela, "120", "1")
    assert [node.text for node in page.of_class("rows")[0].of_class("amount")] == ["+12", "−6", "−6"]
    monkeypatch.setattr(circle, "MOST_RANKED", 1)
    page = shown(viewers, evening)
    assert figures(page, data_measure="points") == ranked[:1]
    everybody = Page.of(viewers.get(page.links["All 3 players"]))
    assert {player for player, _value, _of in figures(everybody, data_measure="points")} == {anna, bela, cili}
    Member.objects.filter(role=Role.VIEWER).update(player=int(cili))
    page = shown(viewers, evening)
    assert figures(page, data_measure="points") == [ranked[0], ranked[2]]
    assert "place 3" in page.of_class("rows")[0].all("li")[-1].text


def shown(client: Client, evening: Evening, **headers: str) -> Page:
    return Page.of(client.get(f"/circles/{evening.circle_id}/", headers=headers))


def player_page(client: Client, evening: Evening, name: str) -> Page:
    player = Player.objects.get(name=name).pk
    return Page.of(client.get(f"/circles/{evening.circle_id}/players/{player}/"))


def marked(page: Page) -> dict[str, Fraction]:
    names = {str(pk): name for pk, name in Player.objects.values_list("pk", "name")}
    rows = [node.attrs for node in page.nodes() if "data-open" in node.attrs]
    return {f"{names[row['data-player']]} {row['data-currency']}": Fraction(row["data-open"]) for row in rows}


def lines(page: Page) -> list[tuple[str, str, str]]:
    rows = [node.attrs for node in page.nodes() if "data-units" in node.attrs]
    return [(row["data-payer"], row["data-payee"], row["data-units"]) for row in rows]


def test_circle_home_and_player_say_the_same_amounts(
    owners: Client, client_of: Callable[..., Client], owner: User, played: Evening
):
    Member.objects.filter(user=owner).update(player=Player.objects.get(name="Anna"))
    bela = client_of(MemberFactory(circle=played.circle, role=Role.VIEWER, player=Player.objects.get(name="Béla")).user)
    page = shown(owners, played)
    (scope,) = [node for node in page.nodes() if "data-scope" in node.attrs]
    assert (scope.attrs["data-scope"], scope.attrs["data-currency"]) == ("everything", "HUF")
    assert [units for _payer, _payee, units in lines(page)] == ["60", "60"]
    assert marked(page) == {"Anna HUF": 120, "Béla HUF": -60, "Cili HUF": -60}
    phones = ((owners, "Anna", 120, "You are owed HUF 120"), (bela, "Béla", -60, "You owe HUF 60"))
    for client, name, amount, words in phones:
        home = Page.of(client.get("/"))
        assert marked(home) == marked(player_page(owners, played, name)) == {f"{name} HUF": amount}
        assert words in home.text
    assert "Owes HUF 60" in player_page(owners, played, "Cili").text
    assert "A reminder to share" in page.text
    for shows in (Page.of(owners.get("/")), page, player_page(owners, played, "Anna")):
        anna = Player.objects.get(name="Anna").pk
        statement = f"/circles/{played.circle_id}/players/{anna}/statement/?currency=HUF"
        assert statement in [link.attrs["href"] for link in shows.all("a")]


@pytest.mark.parametrize(("stake", "currency"), [(Decimal(1), "HUF"), (None, "")], ids=["forints", "points"])
def test_thirds_are_rounded_where_they_are_paid_and_folded_exactly(
    owners: Client, owner: User, stake: Decimal | None, currency: str
):
    evening = begun(owner, "preference", stake=stake, currency=currency)
    facts = Facts(0, None, "= D2+2", deal_stays=True)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner)
    evenings.end(evening.pk)
    page = shown(owners, evening)
    assert {abs(amount) for amount in marked(page).values()} == {Fraction(40, 3), Fraction(20, 3)}
    assert ("Exact balances" in page.text) == ("⅓" not in page.of_class("open-balances")[0].text) == bool(stake)
    while forms := [form for form in shown(owners, evening).all("form") if "data-repay" in form.attrs]:
        assert owners.post(url(evening, "repayments/"), filled(forms[0])).status_code == 302
    page = shown(owners, evening)
    assert {abs(amount) for amount in marked(page).values()} == {Fraction(1, 3), Fraction(2, 3)}
    assert "Exact balances" in page.text
    assert "Still open" not in page.text, "a list of zeros"
    assert len([node for node in page.nodes() if "data-even" in node.attrs]) == 1


def test_balances_below_the_smallest_coin_are_folded_exactly(owners: Client, owner: User, evening: Evening):
    Evening.objects.update(stake=1)
    Circle.objects.update(cash_coins={"HUF": 10})
    record(evening, owner, "2H 5", declarer=0)
    evenings.end(evening.pk)
    page = shown(owners, evening)
    assert lines(page) == []
    assert marked(page) == {"Anna HUF": -8, "Béla HUF": 4, "Cili HUF": 4}


def test_many_open_balances_are_listed_one_currency_at_a_time(
    owners: Client, owner: User, played: Evening, monkeypatch: pytest.MonkeyPatch
):
    later = begun(owner, circle=played.circle, stake=Decimal(1), currency="EUR")
    record(later, owner, "2H 7", declarer=0)
    evenings.end(later.pk)
    assert len(marked(shown(owners, played))) == 6, "few balances are all listed"
    monkeypatch.setattr(circle, "MOST_BALANCES", 5)
    page = shown(owners, played)
    assert {mark.split()[1] for mark in marked(page)} == {"EUR"}, "the currency last played for"
    switch = {link.text: link.attrs["href"] for link in page.of_class("switch")[0].all("a")}
    assert list(switch) == ["EUR", "HUF"]
    forints = Page.of(owners.get(switch["HUF"]))
    assert marked(forints) == {"Anna HUF": 120, "Béla HUF": -60, "Cili HUF": -60}
    live = forints.one("div", id="open").attrs["data-live"]
    assert marked(Page.of(owners.get(live))) == marked(forints)
    form = next(form for form in forints.all("form") if "data-repay" in form.attrs)
    assert len(lines(Page.of(owners.get(owners.post(form.attrs["action"], filled(form)).headers["Location"])))) == 1


@pytest.fixture(params=["archived", "deleted"])
def closed(request: pytest.FixtureRequest, played: Evening) -> Evening:
    """A closed circle's ended session."""
    (circles.archive if request.param == "archived" else circles.delete)(played.circle_id)
    return played


def test_member_leaves_by_the_circles_address_and_the_last_owner_is_led_to_another_way(
    owners: Client, keepers: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    assert Page.of(owners.post(url(evening, "leave/")), 409).one("a", href=f"/sessions/{evening.pk}/members/")
    response = owners.post(url(evening, "archive/"))
    assert response.status_code == 409
    assert Page.of(response).one("a", href=f"/sessions/{evening.pk}/"), "it runs still"
    assert Circle.objects.get(pk=evening.circle_id).archived_at is None
    assert Page.of(keepers.get(url(evening, "leave/"))).one("form", action=url(evening, "leave/"))
    assert keepers.post(url(evening, "leave/")).headers["Location"] == "/"
    assert keepers.get(url(evening)).status_code == 404
    evening.circle.members.exclude(user=owner).delete()
    assert Page.of(owners.get(url(evening, "leave/"))).one("a", href=url(evening, "delete/"))


def test_closed_circle_refuses_every_write_but_the_ways_out(cast: dict[str, Client], owner: User, evening: Evening):
    """Post as the owner alone: a keeper may do less."""
    ways_out = ("circle-leave", "member-leave", "circle-archive", "circle-delete", "circle-undelete")
    of_circle = Circle.objects.filter(pk=evening.circle_id)
    writes = (path for path in paths("POST") if name_of(path) not in ways_out)
    closings = cycle(("archived_at", "deleted_from"))
    for scene in scenes(writes, evening, owner):
        body, before = scene.body(), everything()
        of_circle.update(**{next(closings): timezone.now() + timedelta(hours=1)})
        assert cast["owner"].post(scene.address, body).status_code == 403, scene.path
        of_circle.update(archived_at=None, deleted_from=None)
        assert everything() == before, scene.path


def test_closed_circle_is_read_and_offers_an_owner_only_the_ways_out(
    cast: dict[str, Client], owner: User, evening: Evening
):
    ways = {f"{evening.circle_id}/{way}/" for way in ("archive", "delete", "leave")}
    pages = [path for path in paths("GET") if "/export." not in path and not path.endswith(".png")]
    for scene in scenes(pages, evening, owner):
        Circle.objects.filter(pk=evening.circle_id).update(archived_at=timezone.now())
        response = scene.ask(cast["owner"], "GET")
        needs = row_of(scene.path)["GET"]
        is_way_out = scene.name in ("circle-archive", "circle-delete", "circle-leave")
        assert response.status_code == (needs.owner if is_way_out else needs.viewer), scene.path
        posts = Page.of(response).all("form", method="post")
        actions = {form.attrs["action"].rpartition("/circles/")[2] for form in posts}
        assert {each for each in actions if "language" not in each and "members/leave" not in each} <= ways


def test_closed_circle_says_so_takes_no_session_and_an_owner_opens_it_again(
    owners: Client, viewers: Client, closed: Evening
):
    way = "archive/" if Circle.objects.get(pk=closed.circle_id).archived_at else "delete/undo/"
    assert Page.of(owners.get(url(closed))).one("form", action=url(closed, way))
    assert not Page.of(viewers.get(url(closed))).all("form", action=url(closed, way))
    assert Page.of(viewers.get(url(closed))).one("div", role="status")
    response = owners.post(f"/sessions/{closed.pk}/reopen/")
    assert (response.status_code, response["X-Circle-Closed"]) == (403, "1")
    assert Page.of(response).one("h1").text == "This circle is closed"
    fields = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1"}
    assert owners.post("/sessions/new/", fields | {"circle": str(closed.circle_id)}).status_code == 403
    assert closed.circle.evenings.count() == 1
    owners.post(url(closed, way), {"open": ""})
    circle = Circle.objects.get(pk=closed.circle_id)
    assert (circle.archived_at, circle.deleted_from) == (None, None)
    assert Page.of(owners.get(url(closed))).all("a", href=f"/sessions/new/?circle={circle.pk}")


def test_closed_circle_stands_apart_on_home_and_in_lists(owners: Client, closed: Evening):
    home = Page.of(owners.get("/"))
    assert home.one("a", href=url(closed))
    assert not home.all("a", href=f"/sessions/{closed.pk}/")
    assert f"/sessions/{closed.pk}/" not in owners.get("/sessions/").content.decode()
    assert f"/sessions/{closed.pk}/" in owners.get(f"/sessions/?circle={closed.circle_id}").content.decode()
    assert Circle.objects.get(pk=closed.circle_id).name not in Page.of(owners.get("/sessions/new/")).text.split()


def test_deletion_says_what_is_still_to_be_paid_and_asks_for_the_circles_name(owners: Client, played: Evening):
    page = Page.of(owners.get(url(played, "delete/")))
    assert "60" in page.one("section", aria_labelledby="owed").text
    assert page.one("a", href=url(played, "export.json"))
    for typed in ("Anna, Béla", "", "x" * 3_000):
        response = owners.post(url(played, "delete/"), {"name": typed})
        assert response.status_code == 422
        assert Page.of(response).one("input", id="name").attrs["aria-invalid"] == "true"
        assert Circle.objects.get(pk=played.circle_id).deleted_from is None
    assert owners.post(url(played, "delete/"), {"name": "  ANNA, BÉLA, CILI "}).status_code == 302
    assert Circle.objects.get(pk=played.circle_id).deleted_from is not None


def test_deleted_circle_is_hidden_and_its_deletion_final_once_it_is_due(
    cast: dict[str, Client], owner: User, played: Evening
):
    link = members.make_link(played.circle_id, Role.KEEPER, by=owner)
    circles.delete(played.circle_id)
    Circle.objects.filter(pk=played.circle_id).update(deleted_from=timezone.now())
    for path in paths("GET"):
        key = played.circle_id if "circle_id" in path else played.pk
        assert cast["owner"].get(address(path, key)).status_code == 404, path
    assert cast["owner"].post(url(played, "delete/undo/")).status_code == 404
    sent = hand_fields(played, tricks="8", dealer="2", declarer="1")
    outbox = cast["owner"].post(f"/sessions/{played.pk}/hands/new/", sent, headers={"Accept": "application/json"})
    assert outbox.status_code == 404
    assert cast["outsider"].get(f"/join/{token_of(link)}/").status_code == 410
    assert not Page.of(cast["owner"].get("/")).all("a", href=url(played))
    with pytest.raises(Circle.DoesNotExist):
        circles.undelete(played.circle_id)
