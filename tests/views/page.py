"""A page as its reader meets it: a small tree of its HTML, and the questions that the tests ask of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any, Self

from django.test import Client

from scorekeeper.games.amounts import Amount
from sessions_app.models import Evening
from sessions_app.words.wording import signed

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

#: The headers of htmx 4 for a request of the element with this id.
HTMX_HAND_FORM = {"HX-Request": "true", "HX-Target": "form#hand-form"}
HTMX_COUNT = {"HX-Request": "true", "HX-Target": "div#count"}
HTMX_SESSION_FORM = {"HX-Request": "true", "HX-Target": "form#session-form"}
#: The headers of htmx for an element without a part of its own.
HTMX_BODY = {"HX-Request": "true", "HX-Target": "body"}
ENGLISH = {"Accept-Language": "en"}
HUNGARIAN = {"Accept-Language": "hu"}

#: The address of the open invite link for a role.
type Link = Callable[..., str]


@dataclass(repr=False, eq=False)
class Node:
    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    parent: "Node | None" = None
    children: "list[Node | str]" = field(default_factory=list)

    def nodes(self) -> Iterator["Node"]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.nodes()

    def texts(self) -> Iterator[tuple["Node", str]]:
        """Each piece of text with the element it stands in."""
        for child in self.children:
            if isinstance(child, Node):
                yield from child.texts()
            else:
                yield self, child

    def all(self, tag: str | None = None, **attrs: str) -> "list[Node]":
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            node
            for node in self.nodes()
            if tag in (None, node.tag) and all(node.attrs.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag: str | None = None, **attrs: str) -> "Node":
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"{len(found)} of {tag} {attrs}"
        return found[0]

    def of_class(self, name: str) -> "list[Node]":
        return [node for node in self.nodes() if name in node.attrs.get("class", "").split()]

    @property
    def text(self) -> str:
        """The visible text in one line."""
        unread = ("script", "style", "title")
        return " ".join("".join(text for node, text in self.texts() if node.tag not in unread).split())

    @property
    def above(self) -> "Iterator[Node]":
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.here = Node("")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.children.append(node)
        if tag not in VOID:
            self.here = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for node in self.here.above:
            if node.tag == tag and node.parent:
                self.here = node.parent
                return

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


class Page(Node):
    """A response's HTML."""

    def __init__(self, html: str) -> None:
        tree = _Tree()
        tree.feed(html)
        tree.close()
        super().__init__("", {}, None, tree.root.children)
        self.html = html

    @classmethod
    def of(cls, response: Any, status: int | None = None) -> Self:
        """Return the page of a response, which has this status if one is given."""
        assert status in (None, response.status_code)
        return cls(response.content.decode())

    @property
    def is_whole(self) -> bool:
        return "<html" in self.html and "</html>" in self.html

    @property
    def language(self) -> str:
        return self.one("html").attrs["lang"]

    @property
    def title(self) -> str:
        return "".join(text for _node, text in self.one("title").texts()).strip()

    @property
    def balances(self) -> dict[int, Amount]:
        """Each seat's balance, as the page's marks say; the figure that is read must say the same."""
        found = {}
        for seat in self.nodes():
            if "data-seat" in seat.attrs:
                points = Fraction(seat.attrs["data-balance"])
                assert seat.of_class("figure")[0].text == signed(points)
                found[int(seat.attrs["data-seat"])] = points
        return found

    @property
    def points(self) -> int | None:
        """The declarer's points of a count, None where nothing is counted."""
        found = [node.attrs["data-points"] for node in self.nodes() if "data-points" in node.attrs]
        assert len(found) <= 1
        return int(found[0]) if found else None

    @property
    def links(self) -> dict[str, str]:
        """Each link's words, or its accessible name, and where it goes."""
        return {a.attrs.get("aria-label") or a.text: a.attrs["href"] for a in self.all("a")}

    @property
    def buttons(self) -> list[str]:
        return [button.attrs.get("aria-label") or button.text for button in self.all("button")]

    @property
    def numbers(self) -> list[int]:
        """The hands of the sheet, from top to bottom."""
        rows = [row for row in self.all("tr") if row.attrs.get("id", "").startswith("hand-")]
        return [int(row.attrs["id"].removeprefix("hand-")) for row in rows]

    def line(self, number: int) -> Node:
        return self.one("tr", id=f"hand-{number}")

    def form(self, action: str) -> Node:
        return self.one("form", action=action)

    def error(self, name: str) -> str:
        """The sentence beside a field, and None of it elsewhere: its fieldset or its input points at it."""
        sentence = self.one(id=f"error-{name}")
        assert any(node.attrs.get("aria-describedby") == f"error-{name}" for node in self.nodes())
        return sentence.text

    @property
    def errors(self) -> list[str]:
        return [node.text for node in self.of_class("error")]


def filled(form: Node) -> dict[str, str]:
    """The fields that the form would post by its own button: its fields as they stand."""
    posted = {}
    for node in form.nodes():
        name = node.attrs.get("name")
        if name is None:
            continue
        kind = node.attrs.get("type", "text")
        if node.tag == "input" and (kind not in ("radio", "checkbox") or "checked" in node.attrs):
            posted[name] = node.attrs.get("value", "on" if kind in ("radio", "checkbox") else "")
        if node.tag == "select":
            chosen = [option for option in node.all("option") if "selected" in option.attrs] or node.all("option")[:1]
            posted[name] = chosen[0].attrs["value"]
    return posted


def hand_form(page: Page) -> dict[str, str]:
    return filled(page.one("form", id="hand-form"))


def session_form(page: Page) -> dict[str, str]:
    return filled(page.one("form", id="session-form"))


def saved(response: Any) -> str | None:
    """The address that a saved form leads to, by redirect or by htmx."""
    return response.headers.get("Location") or response.headers.get("HX-Redirect")


def hand_card(client: Client, evening: Evening, number: int = 1) -> dict[str, str]:
    """The attributes of the hand on its page: data-line, data-amounts and so on."""
    page = Page.of(client.get(f"/sessions/{evening.pk}/hands/{number}/"))
    return page.of_class("hand-card")[0].attrs
