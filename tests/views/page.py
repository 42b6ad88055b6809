"""A page as its reader meets it: the questions that the tests ask of its HTML."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from django.test import Client
from lxml import etree

from scorekeeper.games.amounts import Amount
from sessions_app.words.wording import signed

if TYPE_CHECKING:  # the phones of a bench ask it before Django has its models
    from sessions_app.models import Evening

TEXTS = etree.XPath(".//text()")
VISIBLE = etree.XPath(".//text()[not(parent::script or parent::style or parent::title)]", smart_strings=False)
#: The parser writes `checked` as `checked="checked"`.
FLAGS = etree.XPath("//@*[. = name() and name() != 'name']")

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


def at(evening: "Evening", path: str = "") -> str:
    """The address of a page of the evening."""
    return f"/sessions/{evening.pk}/{path}"


class Node:
    """An element; those that are the same one are equal."""

    def __init__(self, element: etree._Element) -> None:
        self.element = element

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.element is other.element

    def __hash__(self) -> int:
        return hash(self.element)

    @property
    def tag(self) -> str:
        return str(self.element.tag)

    @property
    def attrs(self) -> Mapping[str, str]:
        return self.element.attrib

    def nodes(self, tag: str | None = None) -> Iterator["Node"]:
        return map(Node, self.element.iterdescendants(tag or "*"))

    def texts(self) -> Iterator[tuple["Node", str]]:
        """Each piece of text with the element it stands in."""
        for text in TEXTS(self.element):
            holder = text.getparent()
            yield Node(holder.getparent() if text.is_tail else holder), text

    def all(self, tag: str | None = None, **attrs: str) -> "list[Node]":
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attrs.items()}
        found = self.nodes(tag)
        return [node for node in found if all(node.element.get(name) == value for name, value in wanted.items())]

    def one(self, tag: str | None = None, **attrs: str) -> "Node":
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"{len(found)} of {tag} {attrs}"
        return found[0]

    def of_class(self, name: str) -> "list[Node]":
        return [node for node in self.nodes() if name in node.element.get("class", "").split()]

    @property
    def text(self) -> str:
        """The visible text in one line."""
        return " ".join("".join(VISIBLE(self.element)).split())

    @property
    def parent(self) -> "Node":
        return Node(self.element.getparent())

    @property
    def above(self) -> "Iterator[Node]":
        yield self
        yield from map(Node, self.element.iterancestors())


class Page(Node):
    """A response's HTML."""

    def __init__(self, html: str) -> None:
        parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
        document = etree.Element("document")
        document.append(etree.fromstring(html.strip().encode() or b"<html>", parser))
        super().__init__(document)
        self.html = html
        for flag in FLAGS(self.element):
            flag.getparent().set(flag.attrname, "")

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


def hand_card(client: Client, evening: "Evening", number: int = 1) -> dict[str, str]:
    """The attributes of the hand on its page: data-line, data-amounts and so on."""
    page = Page.of(client.get(f"/sessions/{evening.pk}/hands/{number}/"))
    return page.of_class("hand-card")[0].attrs
