"""The axe checker, as PyPI's axe-playwright-python brings it along: half a megabyte, sent to a phone once."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Lies on each page from its beginning, and is read when it is asked for the first time.
LAID_BY = f"window.readAxe = () => {{ if (!window.axe) {{ {Axe().axe_script}\n }} }};"
#: Passed checks are not handed over: to take that all out of the browser costs half as much as to look.
LOOK = """async (rules) => {
    readAxe();
    const { violations } = await axe.run({ resultTypes: ["violations"], ...rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}"""


def lay_by(page: Page) -> None:
    """For the pages that this phone comes to from now on."""
    page.add_init_script(LAID_BY)


def violations(page: Page, rules: dict[str, Any] | None = None) -> list[str]:
    """The violations on the page as it is now."""
    found: list[str] = page.evaluate(LOOK, rules or {})
    return found
