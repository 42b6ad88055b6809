"""The list of past evenings, the newest first, searched and filtered."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, Player, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.words.wording import day
from sessions_app.writers import circles, evening_edit, evenings, ledger, players
from tests.factories import end, evening_of, record
from tests.views.page import HUNGARIAN, Page


def test_past_session_shows_date_hands_and_results(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 7", declarer=1)
    ledger.void(evening.pk, 2, by=owner)
    end(evening)
    card = Page.of(owners.get("/sessions/")).of_class("card")[0]
    assert card.of_class("when")[0].text == f"Asszorti · {day(timezone.now())}"
    assert "1 hand" in card.text
    assert "1 hands" not in card.text
    assert [result.text for result in card.of_class("result-of")] == ["Anna +12", "Béla −6", "Cili −6"]
    first, second = evening, end(evening_of(owner))
    before = end(evening_of(owner), 3)
    at = {each.pk: timezone.localtime(each.started_at) for each in Evening.objects.all()}
    shown = [card.of_class("when")[0].text for card in Page.of(owners.get("/sessions/")).of_class("card")]
    twice = [f"Asszorti · {day(at[each.pk])}, {at[each.pk]:%H:%M}" for each in (first, second)]
    assert sorted(shown) == sorted([*twice, f"Asszorti · {day(at[before.pk])}"]), "of one day they carry their hour"


def test_the_best_result_comes_first_and_the_winners_are_marked(owners: Client, owner: User):
    for days, deals, results, winners in (
        (2, (("2H 7", 2), ("3H 7", 0)), ["Cili +9", "Anna 0", "Béla −9"], ["Cili +9"]),
        (1, (("2H 5", 2),), ["Anna +4", "Béla +4", "Cili −8"], ["Anna +4", "Béla +4"]),
        (0, (), ["Anna 0", "Béla 0", "Cili 0"], []),
    ):
        evening = evening_of(owner)
        for deal, declarer in deals:
            record(evening, owner, deal, declarer=declarer)
        end(evening, days)
        card = Page.of(owners.get("/sessions/")).of_class("card")[0]
        assert [result.text for result in card.of_class("result-of")] == results
        assert [result.text for result in card.of_class("won")] == winners


def test_address_with_a_page_s_number_leads_to_the_first(owners: Client, evening: Evening):
    end(evening)
    for page in ("0", "1", "2", "999999", "-1", "x", "", "9" * 40, "\x00"):
        assert owners.get("/sessions/", {"page": page, "q": "anna"})["Location"] == "/sessions/?q=anna"
        assert owners.get("/sessions/", {"page": page})["Location"] == "/sessions/"


def test_past_the_end_is_said_in_words_with_the_way_back(owners: Client, evening: Evening):
    running = Page.of(owners.get("/sessions/"))
    assert (numbers(running), "Nothing here yet." in running.text) == ([], True)
    end(evening)
    page = Page.of(owners.get("/sessions/?after=1-1"))
    assert numbers(page) == []
    assert "Nothing earlier." in page.text
    assert numbers(Page.of(owners.get(page.links["Later"]))) == [evening.pk]
    beyond = Page.of(owners.get("/sessions/?before=99999999999999999-1"))
    assert "Nothing later." in beyond.text
    assert numbers(Page.of(owners.get(beyond.links["Earlier"]))) == [evening.pk]


# --- Past evenings that are searched and filtered, plain and by htmx ---


HTMX = {"HX-Request": "true", "HX-Target": "div#found"}


def played(by: User, names: tuple[str, ...], day: str, **words: str) -> Evening:
    """An ended evening that began on this day."""
    evening = evening_of(by, names)
    record(evening, by)
    evening.refresh_from_db()
    evening_edit.edit(evening.pk, replace(shape_of(evening), **words), seen=latest_change(evening), by=by)
    evenings.end(evening.pk)
    began = datetime.fromisoformat(f"{day}T19:00").replace(tzinfo=UTC)
    Evening.objects.filter(pk=evening.pk).update(started_at=began, ended_at=began)
    evening.refresh_from_db()
    return evening


@pytest.fixture
def old(owner: User) -> Evening:
    return played(owner, ("Anna", "Béla", "Cili"), "2024-12-31", title="Szilveszter", note="Hó esett")


@pytest.fixture
def new(old: Evening, owner: User) -> Evening:
    return played(owner, ("Anna", "Béla", "Őrsi"), "2025-01-02")


@pytest.fixture
def other(new: Evening, owner: User) -> Evening:
    """An evening of another circle of the owner's."""
    return played(owner, ("Zsófi", "Xénia", "Yvett"), "2025-02-03")


def found(client: Client, asked: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> Page:
    page = Page.of(client.get("/sessions/", asked, headers=headers or {}), 200)
    assert page.one(id="found").attrs["data-found"] == str(len(numbers(page)))
    return page


def numbers(page: Page) -> list[int]:
    return [int(node.attrs["data-session"]) for node in page.of_class("card")]


def test_search_or_filter_finds_its_sessions_and_a_filter_is_a_chip_that_removes_it(
    owners: Client, old: Evening, new: Evening, other: Evening
):
    orsi, circle = Player.objects.get(name="Őrsi"), old.circle_id
    circles.rename(other.circle_id, "Pénteki Klub")
    running = evening_of(old.circle.members.get().user, ("Anna", "Béla", "Cili"))
    for asked, expected, words in (
        ({"circle": circle}, [new, old], "Anna, Béla, Cili, Őrsi"),
        ({"circle": circle, "player": orsi.pk}, [new], "Őrsi"),
        ({"player": orsi.pk}, [new], "Őrsi"),
        ({"game": "asszorti"}, [other, new, old], "Asszorti"),
        ({"game": "tarokk"}, [], "Tarokk"),
        ({"from": "2025-01-02"}, [other, new], "2 Jan 2025–"),
        ({"to": "2025-01-02"}, [new, old], "–2 Jan 2025"),
        ({"from": "2025-01-01", "to": "2025-01-31"}, [new], "1 Jan 2025–31 Jan 2025"),
        ({"state": "running"}, [running], "running"),
        ({"state": "ended"}, [other, new, old], ""),
        ({"q": "BÉLA  anna"}, [new, old], ""),
        ({"q": "klub"}, [other], ""),
        ({"q": "%"}, [], ""),
    ):
        page, part = found(owners, asked), found(owners, asked, HTMX)
        assert numbers(page) == numbers(part) == [evening.pk for evening in expected], asked
        assert (page.is_whole, part.is_whole) == (True, False)
        assert page.one("input", name="q").attrs["value"] == asked.get("q", "")
        chips = page.of_class("filters")
        assert bool(chips) == bool(words)
        if chips:
            chip = chips[0].all("a")[-1]
            assert chip.text.startswith(words)
            taken_off = Page.of(owners.get(chip.attrs["href"]))
            assert set(numbers(taken_off)) >= {evening.pk for evening in expected if evening.has_ended}
    page = found(owners, {"q": "anna b", "game": "asszorti", "from": "2024-01-01"})
    game, days = (chip.attrs["href"] for chip in page.of_class("filters")[0].all("a"))
    assert (game, days) == ("/sessions/?q=anna+b&from=2024-01-01", "/sessions/?q=anna+b&game=asszorti")
    assert numbers(Page.of(owners.get(game))) == numbers(page)


def test_the_number_of_a_merged_name_means_the_person(
    owners: Client, old: Evening, new: Evening, other: Evening, owner: User
):
    orsi, later = Player.objects.get(name="Őrsi"), played(owner, ("Anna", "Béla", "Orsolya"), "2025-03-04")
    orsolya = Player.objects.get(name="Orsolya")
    players.merge(old.circle_id, orsolya.pk, orsi.pk, by=owner)
    for asked in ({"player": orsi.pk}, {"player": orsi.pk, "circle": old.circle_id}):
        page = found(owners, asked)
        assert numbers(page) == [later.pk, new.pk]
        assert page.of_class("filters")[0].all("a")[-1].text.startswith("Orsolya")
        assert f"player={orsi.pk}" not in str([node.attrs.get("href") for node in page.nodes()])
    assert owners.get("/sessions/", {"player": orsi.pk, "circle": other.circle_id}).status_code == 422
    options = found(owners, {"player": orsi.pk}).one("select", name="player").all("option")
    assert [option.text for option in options if "selected" in option.attrs] == ["Orsolya"]
    assert "Őrsi" not in [option.text for option in options]


def test_a_date_is_jumped_to_and_later_evenings_are_a_tap_away(owners: Client, old: Evening, new: Evening):
    page = Page.of(owners.get("/sessions/", {"after": "2024-12-31"}))
    assert numbers(page) == [old.pk]
    assert page.one(id="found").attrs["data-found"] == "2"
    assert page.links["Latest"] == "/sessions/"
    assert numbers(Page.of(owners.get(page.links["Later"]))) == [new.pk]
    for typed, headers in (("2024. 12. 31.", HUNGARIAN), ("2024.12.31.", HUNGARIAN), ("12/31/2024", {})):
        jumped = Page.of(owners.get("/sessions/", {"after": typed, "to": typed}, headers=headers))
        assert numbers(jumped) == [old.pk]
        assert {jumped.one("input", name=name).attrs["value"] for name in ("after", "to")} == {"2024-12-31"}
    later = Page.of(owners.get(page.links["Later"]))
    assert later.one("input", name="after").attrs["value"] == ""


def test_a_circle_is_offered_only_to_a_user_of_several(owners: Client, new: Evening, owner: User):
    assert not found(owners).all("select", name="circle")
    players = [option.text for option in found(owners).one("select", name="player").all("option")]
    assert players == ["all players", "Anna", "Béla", "Cili", "Őrsi"]
    played(owner, ("Zsófi", "Xénia", "Yvett"), "2025-02-03")
    page = found(owners)
    offered = [option.text for option in page.one("select", name="circle").all("option")]
    assert offered == ["all circles", "Zsófi, Xénia, Yvett", "Anna, Béla, Cili, Őrsi"]
    assert not page.all("select", name="player")
    assert "After a circle is chosen" in page.text


def test_search_without_a_result_says_so_with_a_way_on_and_is_not_the_list_to_go_back_to(owners: Client, new: Evening):
    owners.get("/sessions/?q=bela")
    for headers in ({}, HTMX):
        page = found(owners, {"q": "nobody"}, headers)
        assert "No session matches." in page.text
        assert page.links["Show all sessions"] == "/sessions/"
    back = Page.of(owners.get(f"/sessions/{new.pk}/")).of_class("back")[0]
    assert back.attrs["href"] == f"/sessions/?q=bela#session-{new.pk}"


@pytest.mark.parametrize("who", ["outsider", "stranger"])
def test_outsider_finds_no_session(cast: dict[str, Client], evening: Evening, who: str):
    evenings.end(evening.pk)
    player = evening.seats.get(position=1).player_id
    for headers in ({}, HTMX):
        asked = {"q": "bela", "state": "all" if who == "stranger" else "ended"}
        assert numbers(found(cast[who], asked, headers)) == []
        for by in ({"circle": evening.circle_id}, {"player": player}):
            assert numbers(Page.of(cast[who].get("/sessions/", by, headers=headers), 422)) == []


LONG = "a" + "\u0301" * 300_000
REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"q": LONG}, "q", "This is too long: 100 characters at most.", "Ez túl hosszú"),
    ({"q": "bel\u202ea"}, "q", "This contains characters that cannot be shown.", "megjeleníthetetlen"),
    ({"q": "\u200d"}, "q", "This has no visible characters.", "nincs látható"),
    ({"q": "a b c d e f g h i"}, "q", "Search for at most 8 words.", "Legfeljebb 8 szóra"),
    ({"game": "bridge"}, "game", "Choose one of the games offered.", "Válassz a felkínált játékok"),
    ({"circle": "999999"}, "circle", "Choose one of your circles.", "Válassz a társaságaid"),
    ({"player": "999999"}, "player", "Choose one of the players offered.", "Válassz a felkínált játékosok"),
    ({"state": "gone"}, "state", "Choose one of the states offered.", "Válassz a felkínált lehetőségek"),
    ({"from": "yesterday"}, "from", "Enter a date, like", "Adj meg egy dátumot"),
    ({"from": "2025-01-02", "to": "2025-01-01"}, "to", "This is before the first day.", "Ez korábbi"),
    ({"after": "broken"}, "after", "Enter a date, like", "Adj meg egy dátumot"),
]


def test_wrong_filter_is_refused_beside_its_field_and_kept(owners: Client, new: Evening):
    for wrong, field, sentence, magyar in REFUSED:
        asked = {"q": "bela"} | wrong
        page = Page.of(owners.get("/sessions/", asked), 422)
        assert numbers(page) == []
        assert sentence in page.error(field)
        kept = page.one("input", name="q").attrs["value"]
        assert asked["q"].startswith(kept[:-1])  # it may be cut within a character
        assert len(kept) >= min(len(asked["q"]), 1_000)
        if field in ("from", "to", "after"):
            assert page.one("input", name=field).attrs["value"] == asked[field]
        assert page.links["Show all sessions"] == "/sessions/"
        assert magyar in Page.of(owners.get("/sessions/", asked, headers=HUNGARIAN)).error(field)
        if field == "q":
            part = Page.of(owners.get("/sessions/", asked, headers=HTMX), 422)
            assert not part.is_whole
            assert part.one(id="error-q").text.startswith(sentence)
    assert "Enter a date" in Page.of(owners.get("/sessions/", {"before": "x" * 2_000}), 422).text
