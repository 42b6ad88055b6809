"""After every htmx swap of a hand form or the referee, each tap target is big enough for a thumb and lies free."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from scorekeeper.games import GAMES
from sessions_app.faces import FACES
from sessions_app.models import User
from tests.browser.phones import Phones, url
from tests.factories import begun

pytestmark = pytest.mark.django_db(transaction=True)

#: Ten letters each, on the narrowest phone, in the language with the longer words.
NAMES = ("Konstantin", "Wilhelmina", "Bertalanka", "Gyöngyvéra", "Friderikus")
PHONE = {"viewport": {"width": 320, "height": 568}, "locale": "hu-HU"}

#: `targets.press(…)` clicks, one after the other, all that the selector finds, each once, also what only the clicks
#: bring; `targets.enter(…)` sends a form. Both list the targets that are too small or covered after each answer.
SCRIPT = """{
    const SMALLEST = 40;
    let asking = 0;
    const plainly = window.fetch;
    window.fetch = async (...args) => {
        asking += 1;
        try { return await plainly(...args); }
        finally { asking -= 1; }
    };
    const frame = () => new Promise(requestAnimationFrame);
    // For half a second, taps go through what has just come or risen, on purpose.
    const unsettled = ".htmx-request, .settling, .telling[data-risen], .bar[data-still]";
    const answered = async () => {
        do { await frame(); await frame(); } while (asking || document.querySelector(unsettled));
    };
    const words = (it) => `${it.tagName}.${it.className} ${(it.textContent.trim() || it.name || "").slice(0, 30)}`;
    const isOff = (it) => (it.control ?? it).disabled || it.closest(".visually-hidden, .skip, [inert]");
    const all = () => [...new Set([...document.querySelectorAll("a[href], button, summary, select, input, label")]
        .map((it) => it.closest("label") ?? it))]
        .filter((it) => it.type !== "hidden" && it.checkVisibility({ visibilityProperty: true }) && !isOff(it));

    const small = (it) => {
        const { width, height } = it.getBoundingClientRect();
        // A link in a sentence is as high as its line; a figure on the drawn sheet as its row.
        if (getComputedStyle(it).display === "inline" || it.closest(".drawing, .figures-table")) return [];
        return Math.min(width, height) < SMALLEST ? [`${words(it)} is ${width} × ${height} px`] : [];
    };
    const above = (it) => {
        const [{ left, top, width, height }] = it.getClientRects();
        return document.elementFromPoint(left + width / 2, top + height / 2);
    };
    const covered = (it) => {
        if (it.contains(above(it))) return [];
        let at = null;
        for (const block of ["center", "start"]) {
            it.scrollIntoView({ block, behavior: "instant" });
            at = above(it);
            if (it.contains(at)) return [];
        }
        return [`${words(it)} is covered by ${at ? words(at) : "the edge"}`];
    };
    // Else a morph may leave the size containers in it empty: see templates/components/choices.html.
    const loose = (it) => [...it.children].filter((child) => child.tagName !== "LEGEND").length > 1
        ? [`${words(it)} has children beside its controls`] : [];

    const wrong = () => {
        const place = scrollY;
        const found = [...all().flatMap((it) => [...small(it), ...covered(it)]),
            ...[...document.querySelectorAll("fieldset:has(.choice)")].flatMap(loose)];
        scrollTo({ top: place, behavior: "instant" });
        return found;
    };

    const seat = (it) => it.form?.elements.seat?.value ?? "";
    const called = (it) => `${it.name}=${it.value} ${it.name ? "" : it.textContent.trim()} ${seat(it)}`;
    const press = async (selector, most = Infinity) => {
        const pressed = new Set();
        const found = wrong();
        while (pressed.size < most) {
            const next = [...document.querySelectorAll(selector)]
                .find((it) => !it.disabled && it.checkVisibility() && !pressed.has(called(it)));
            if (!next) break;
            pressed.add(called(next));
            next.click();
            await answered();
            found.push(...wrong().map((what) => `after ${called(next)}: ${what}`));
        }
        return { found, pressed: [...pressed] };
    };
    const enter = async (form) => {
        document.querySelector(form).requestSubmit();
        await answered();
        return wrong();
    };
    window.targets = { press, enter };
}"""
UNFOLD = "() => { for (const fold of document.querySelectorAll('main details')) fold.open = true; }"
#: The moves of the referee that advance a hand.
MOVES = "#referee .bar :is(button, [type=radio])"
CHOICES = "main :is([type=radio], [type=checkbox])"


@pytest.fixture
def phone(phone_of: Phones, owner: User, expected: set[str]) -> Page:
    expected.add("422")
    return phone_of(owner, "/offline/", SCRIPT, **PHONE)


def opened(page: Page, path: str) -> None:
    page.goto(path)
    page.evaluate(UNFOLD)


def press(page: Page, name: str, selector: str, least: int, most: int = 999) -> Iterator[str]:
    """The faults at first, and after pressing each element of the selector once: so many at least."""
    said = page.evaluate("([selector, most]) => targets.press(selector, most)", [selector, most])
    assert len(said["pressed"]) >= least, (name, said["pressed"])
    yield from (f"{name}: {found}" for found in said["found"])


def enter(page: Page, name: str, form: str) -> Iterator[str]:
    """The faults once an invalid form has been sent."""
    found = page.evaluate("(form) => targets.enter(form)", form)
    assert page.locator(f"{form} .error").count(), name
    yield from (f"{name}, refused: {each}" for each in found)


def hand_forms(page: Page, owner: User) -> Iterator[str]:
    """Those at which most sit: the first keys."""
    for key, game in GAMES.items():
        opened(page, url(begun(owner, key, names=NAMES[: max(game.seat_counts)]), "hands/new/"))
        yield from enter(page, key, "#hand-form")
        page.evaluate(UNFOLD)
        yield from press(page, key, CHOICES, 5, 16)


def referees(page: Page, owner: User) -> Iterator[str]:
    for key, face in FACES.items():
        if face.referee:
            opened(page, url(begun(owner, key, names=NAMES[: max(GAMES[key].seat_counts)]), "referee/"))
            yield from press(page, key, MOVES, 8, 10)


@pytest.mark.thorough
def test_whatever_can_be_tapped_is_big_and_free_after_every_swap(phone: Page, owner: User) -> None:
    findings = [*hand_forms(phone, owner), *referees(phone, owner)]
    assert not findings, "\n".join(findings)
