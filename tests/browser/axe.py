"""The axe checker, as PyPI's axe-playwright-python brings it along: half a megabyte, sent to a phone once."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Lies on each page from its beginning, and is read when it is asked for the first time.
LAID_BY = f"window.readAxe = () => {{ if (!window.axe) {{ {Axe().axe_script}\n }} }};"
#: Pages repeat a few looks many times: axe measures the contrast of one element of each that this phone has not shown
#: yet. A look is the text's colour, size, weight and shadow, the backgrounds behind it, and whether its control is off.
NEW_LOOKS = """() => {
    const known = new Set(JSON.parse(sessionStorage.looks ?? "[]"));
    const looks = new Map();
    for (const it of document.querySelectorAll("body *")) {
        const text = [...it.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
            .map(({ data }) => data.trim()).join("");
        if (!text && !it.matches("input, select, textarea")) continue;
        if (!it.checkVisibility({ visibilityProperty: true }) || it.closest(".visually-hidden")) continue;
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(it);
        const isOff = it.closest(":disabled, [aria-disabled=true]") || it.closest("label")?.control?.disabled;
        const look = [color, fontSize, fontWeight, textShadow, Boolean(isOff), text.length > 1, it.type];
        for (let around = it; around; around = around.parentElement) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(around);
            const behind = `${backgroundColor} ${backgroundImage} ${opacity}`;
            if (behind !== "rgba(0, 0, 0, 0) none 1") look.push(behind);
        }
        if (!known.has(look.join())) looks.set(look.join(), it);
    }
    sessionStorage.looks = JSON.stringify([...known, ...looks.keys()]);
    return [...looks.values()];
}"""
#: Passed checks are not handed over: to take that all out of the browser costs half as much as to look.
LOOK = f"""async (onlyColours) => {{
    readAxe();
    const judged = async (context, rules) => {{
        const {{ violations }} = await axe.run(context, {{ resultTypes: ["violations"], ...rules }});
        return violations.flatMap(({{ id, nodes }}) => nodes.map(({{ html }}) => `${{id}}: ${{html}}`));
    }};
    const others = onlyColours
        ? {{ runOnly: ["link-in-text-block"] }} : {{ rules: {{ "color-contrast": {{ enabled: false }} }} }};
    const looks = ({NEW_LOOKS})();
    const contrast = looks.length ? await judged({{ include: looks }}, {{ runOnly: ["color-contrast"] }}) : [];
    return [...contrast, ...await judged(document, others)];
}}"""


def lay_by(page: Page) -> None:
    """For the pages that this phone comes to from now on."""
    page.add_init_script(LAID_BY)


def violations(page: Page, only_colours: bool = False) -> list[str]:
    """The violations on the page as it is now; `only_colours`: of the rules that a second theme can break."""
    found: list[str] = page.evaluate(LOOK, only_colours)
    return found
