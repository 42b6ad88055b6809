"""A visit to an installed program: home in both languages, a static file, a picture, a session and a hand."""

from contextlib import closing

from scorekeeper.ops import network
from tests.soak.phones import Phone, tables_at


def visit(port: int) -> None:
    with closing(Phone(port)) as phone:
        english, hungarian = phone.get("/").page, phone.get("/", {"Accept-Language": "hu"}).page
        assert (english.language, hungarian.language) == ("en", "hu")
        assert "New session" in english.links
        assert "Új játszma" in hungarian.links
        sheet = phone.get(english.all("link", rel="stylesheet")[0].attrs["href"])
        assert (sheet.status, "immutable" in sheet.headers["Cache-Control"]) == (200, True)
    # It is drawn in a process of its own, by fonts of the package.
    assert network.status(port, "/games/asszorti/mark.png", "127.0.0.1", 30) == 200
    with tables_at(port, tables=1, phones=1) as (table,):
        assert table.record(table.phones[0]).status == 200
        assert table.phones[0].get(table.evening).page.balances == table.balances(table.acknowledged)
