"""The shells of pages, rendered once for all phones: each phone has its own key, tokens, links and way back."""

from typing import Any

import pytest
from django.test import Client
from django.utils.safestring import mark_safe

from sessions_app import cached_templates
from sessions_app.models import Evening
from tests.views.page import HUNGARIAN, Page, filled

pytestmark = pytest.mark.django_db
#: The pages of an evening that are answered in a shell, after its address, with the part that differs.
PAGES = {"": "state", "settle/": "", "hands/new/": "hand-form"}
BY_PAGE = pytest.mark.parametrize("rest", PAGES)


@pytest.fixture(autouse=True)
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that were rendered, none of which is cached before."""
    names: list[str] = []
    cached_templates._rendered.clear()
    render = cached_templates.render

    def noted(name: str, shown: Any) -> Any:
        names.append(name)
        return render(name, shown)

    monkeypatch.setattr(cached_templates, "render", noted)
    return names


def asked(client: Client, evening: Evening, rest: str, **how: Any) -> Page:
    page = Page.of(client.get(f"/sessions/{evening.pk}/{rest}", **how))
    assert page.is_whole
    assert cached_templates._BLANK not in page.html
    return page


@BY_PAGE
def test_it_is_rendered_once_for_all_phones_of_a_language(
    owners: Client, keepers: Client, evening: Evening, rest: str, rendered: list[str]
) -> None:
    pages = ["evening/page.html", "settle/page.html", "hand_form/page.html"]
    for client in (owners, keepers, owners):
        asked(client, evening, rest)
    assert len([name for name in rendered if name in pages]) == 1
    assert asked(owners, evening, rest, headers=HUNGARIAN).language == "hu"
    assert len([name for name in rendered if name in pages]) == 2


@BY_PAGE
def test_each_phone_has_its_own_key(owners: Client, keepers: Client, evening: Evening, rest: str) -> None:
    keys = [asked(client, evening, rest).one("body").attrs["data-phone"] for client in (owners, keepers, owners)]
    assert keys[0] == keys[2] != keys[1]
    elsewhere = Page.of(keepers.get("/")).one("body").attrs["data-phone"]
    assert keys[1] == elsewhere


@BY_PAGE
def test_each_phone_can_post_every_form_of_its_page(
    owners: Client, keepers: Client, evening: Evening, rest: str
) -> None:
    asked(owners, evening, rest)
    keepers.handler.enforce_csrf_checks = True
    page = asked(keepers, evening, rest)
    forms = [form for form in page.all("form", method="post") if form.all("input", name="csrfmiddlewaretoken")]
    assert forms
    for form in forms:
        assert keepers.post(form.attrs["action"], filled(form)).status_code in (302, 422), form.attrs["action"]
    assert keepers.post("/language/", {"next": "/", "language": "hu"}).status_code == 403


@pytest.mark.parametrize("rest", ["", "settle/"])
def test_the_language_switch_leads_back_to_the_address_that_was_asked_for(
    owners: Client, evening: Evening, rest: str
) -> None:
    for query in ("", "?saved=1&x=%22%3E", ""):
        address = f"/sessions/{evening.pk}/{rest}{query}"
        assert asked(owners, evening, rest + query).one("input", name="next").attrs["value"] == address


@BY_PAGE
def test_a_shell_and_its_part_are_one_page(owners: Client, evening: Evening, rest: str) -> None:
    page = asked(owners, evening, rest)
    main = page.one("main")
    assert main.all(id=PAGES[rest]) if PAGES[rest] else main.of_class("settle")
    assert page.html.count("<main") == page.html.count("</main>") == 1
    assert len({field.attrs["value"] for field in page.all("input", name="csrfmiddlewaretoken")}) == 1


def test_blanks_are_filled_escaped_and_only_those_of_the_template() -> None:
    blanks = cached_templates.blanks("name", "part")
    text = mark_safe("<b>{name}</b> {part} {name}".format(**blanks))  # noqa: S308  our own text
    typed = "<i> " + "name" * 3
    assert cached_templates.fill(text, {"name": typed, "part": mark_safe("<hr>")}) == (
        "<b>&lt;i&gt; namenamename</b> <hr> &lt;i&gt; namenamename"
    )
    with pytest.raises(KeyError, match="part"):
        cached_templates.fill(text, {"name": "Anna"})
    assert cached_templates.fill(text, {"name": blanks["part"], "part": ""}).count(blanks["part"]) == 2
