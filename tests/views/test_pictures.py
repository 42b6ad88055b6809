"""The pictures of a session and of a year: what is on them, for whom they are kept, and when none can be drawn."""

import fcntl
import subprocess
from html import unescape
from unittest.mock import DEFAULT, Mock

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from sessions_app.drawing.card import PAPER
from sessions_app.models import Circle, Evening, Player, Role, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.views import pictures
from sessions_app.writers import evenings
from tests.factories import MemberFactory, begun, evening_of, record
from tests.statistics.generate import generate
from tests.views.page import Page

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'


@pytest.fixture
def png(played: Evening) -> str:
    return f"/sessions/{played.pk}/export.png"


def words(client: Client, evening: Evening, query: str = "") -> list[str]:
    """The texts of a session's picture."""
    answer = client.get(f"/sessions/{evening.pk}/export.svg{query}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    return [unescape(part.split("<")[0]) for part in answer.text.split(">") if part.split("<")[0].strip()]


def test_picture_says_who_won_and_what_is_asked_for(owners: Client, played: Evening) -> None:
    Circle.objects.filter(pk=played.circle_id).update(name="Fridays & co <3")
    said = words(owners, played)
    for each in ("Winner", "Anna", "+12", "HUF\N{NO-BREAK SPACE}120", "1 hand", "Biggest hand", figure_of(played)):
        assert each in said
    assert "Payments" not in said
    assert "Fridays & co <3" not in said
    asked = words(owners, played, "?pays=1&name=1")
    assert "Fridays & co <3" in asked
    assert asked.count("→") == 2
    assert "Győztes" in words(owners, played, "?lang=hu")


def test_picture_of_every_kind_of_session_is_drawn(owners: Client, owner: User, evening: Evening) -> None:
    assert {"Nobody", "won or lost."} <= {*words(owners, evening, "?pays=1")}
    record(evening, owner, "2H 7", declarer=0)
    assert "In the lead" in words(owners, evening)
    Evening.objects.filter(pk=evening.pk).update(in_chips=True, stake=None)
    assert "Paid hand by hand, in chips: nothing is left to pay." in words(owners, evening, "?pays=1")
    for game in ("tarokk", "preference"):
        circle = generate(owner, sessions=1, hands=6, players=5, games=[game])
        assert len(words(owners, circle.evenings.get(), "?pays=1&name=1&theme=dark&lang=hu")) > 12


def test_png_is_the_same_each_time_and_a_phone_that_has_it_gets_no_second_one(owners: Client, png: str) -> None:
    first = owners.get(png)
    assert first["Content-Type"] == "image/png"
    assert first.content[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)
    pictures._drawn.clear()
    assert owners.get(png).content == first.content
    again = owners.get(png, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len({owners.get(f"{png}?{query}").content for query in ("", "theme=dark", "lang=hu", "pays=1")}) == 4


def test_picture_is_drawn_anew_after_whatever_it_shows_has_changed(
    owners: Client, owner: User, played: Evening, png: str
) -> None:
    seen = [owners.get(png)["ETag"]]
    Player.objects.filter(circle=played.circle_id, name="Anna").update(name="Anita")
    seen.append(owners.get(png)["ETag"])
    evenings.reopen(played.pk)
    seen.append(owners.get(png)["ETag"])
    record(played, owner, "2H 7", declarer=1)
    seen.append(owners.get(png)["ETag"])
    assert len(set(seen)) == 4
    member = MemberFactory(circle=played.circle, role=Role.VIEWER)
    viewer = Client()
    viewer.force_login(member.user)
    assert viewer.get(png).status_code == 200
    member.delete()
    assert viewer.get(png, headers={"If-None-Match": seen[-1]}).status_code == 404


def test_process_that_ends_is_replaced_and_a_picture_that_is_not_drawn_is_told_in_a_sentence(
    owners: Client, png: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures._drawn.clear()
    killed = subprocess.CompletedProcess((), -9, b"", b"")
    monkeypatch.setattr(subprocess, "run", Mock(wraps=subprocess.run, side_effect=[killed, DEFAULT]))
    assert owners.get(png).status_code == 200
    pictures._drawn.clear()
    monkeypatch.setattr(subprocess, "run", Mock(side_effect=subprocess.TimeoutExpired((), 1)))
    refused = owners.get(png)
    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    assert "The picture could not be drawn." in Page.of(refused).text
    with pictures._turn:
        monkeypatch.setattr(pictures, "SECONDS_TO_WAIT", 0)
        assert owners.get(png).status_code == 429


def test_processes_of_all_workers_draw_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the lock is held, none draws; so it ends with the time for it, however short that is."""
    pictures._drawn.clear()
    monkeypatch.setattr(pictures, "MOST_SECONDS", 1)
    with (settings.DATA / pictures.LOCK).open("wb") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with pytest.raises(pictures.NotDrawn):
            pictures.png_of(SVG)
    monkeypatch.undo()
    assert pictures.png_of(SVG).startswith(pictures.SIGNATURE)


def test_year_is_a_picture_of_the_sessions_that_its_page_counts(
    owners: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session in which nobody has played is none."""
    played, empty = evening_of(owner), evening_of(owner)
    record(played, owner, "2H 7")
    for evening in (played, empty):
        evenings.end(evening.pk)
    years = f"/circles/{played.circle_id}/years/"
    year = f"{years}{timezone.localdate(played.started_at).year}/"
    page = Page.of(owners.get(year))
    assert "1 session · 1 hand played" in page.text
    assert page.links["As a picture"] == f"{year}card.png?name=1"
    assert owners.get(f"{year}card.png").content.startswith(pictures.SIGNATURE)
    assert owners.get(f"{years}1999/card.png").status_code == 404
    monkeypatch.setattr(pictures, "png_of", str.encode)
    drawn = owners.get(f"{year}card.png").text
    assert ">1 session<" in drawn
    assert ">1 hand<" in drawn


def test_row_of_a_year_whose_line_is_not_drawn_has_no_mark(
    owners: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight lines are drawn, those of players who sat there without playing too."""
    circle = evening_of(owner, "ABC").circle
    for names, deals in (("ABC", 2), ("DEF", 2), ("GHI", 0)):
        evening = begun(owner, names=names, circle=circle)
        for _hand in range(deals):
            record(evening, owner, "2H 7")
        evenings.end(evening.pk)
    monkeypatch.setattr(pictures, "png_of", str.encode)
    drawn = owners.get(f"/circles/{circle.pk}/years/{timezone.localdate().year}/card.png").text
    rows, marks = drawn.count('text-anchor="end"\n>'), drawn.count(f"translate({PAPER + 12} ")
    assert (rows, marks) == (6 + 1, 5)
