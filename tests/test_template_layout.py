"""The place of a template: a page owns its parts, components/ holds the parts of several pages, games/ those of one
game.

`<page>/page.html` is rendered by a view, `<page>/_part.html` is included by it. A template rendered from Python has no
underscore. The hooks of a game (`{% include evening|face:"deal" %}`) are partials of its `face.html`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.conf import settings

ROOT: Path = settings.BASE_DIR
#: A part that one template alone includes is worth a file of its own from so many lines on.
SMALL = 20
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
TAG = re.compile(r"\{% (include|extends|once\w*|with) ([^%]*)%\}")
NAMED = re.compile(r"""["'](\w[\w/]+\.html)(?:#[\w-]+)?["']""")
HOOK = re.compile(r'\|face:"(\w+)"')
PARTIAL = re.compile(r"\{% partialdef ([\w-]+)")
#: Python that names templates, `f"{FOLDER}/name.html"` too.
IN_PYTHON = re.compile(r'[\w/]*/\w+\.html(?=[#"])')


def misplaced(root: Path) -> Iterator[str]:
    texts = {
        path.relative_to(root / "templates").as_posix(): COMMENT.sub("", path.read_text())
        for path in sorted((root / "templates").rglob("*.html"))
    }
    users, cached = users_of(texts)
    rendered = rendered_from(root, texts)
    for name in texts:
        yield from unused(name, users[name], rendered)
        if is_face(name):
            yield from unused_partials(name, texts, rendered)
        yield from of_another(name, users[name])
        if name.startswith("components/") and len(pages_of(name, users)) < 2:
            yield f"{name} serves one page: {', '.join(pages_of(name, users))}"
        lines = (root / "templates" / name).read_text().count("\n")
        if is_part(name) and name not in cached and len(users[name]) == 1 and lines < SMALL:
            yield f"{name} has {lines} lines and one user: {', '.join(users[name])}"
    for name in sorted(users.keys() - texts.keys()):
        yield f"{name} is missing: {', '.join(users[name])}"


def users_of(texts: Mapping[str, str]) -> tuple[defaultdict[str, set[str]], set[str]]:
    """Return the templates that name each template, and those that are drawn alone and cached (`{% once %}`)."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    cached = set()
    for name, text in texts.items():
        for tag, rest in TAG.findall(text):
            for used in NAMED.findall(rest):
                if used != name:
                    users[used].add(name)
                if tag.startswith("once"):
                    cached.add(used)
    return users, cached


def rendered_from(root: Path, texts: Mapping[str, str]) -> tuple[set[str], set[str]]:
    """Return the ends of names that Python renders, and the hooks of a game."""
    python = "\n".join(path.read_text() for path in sorted(root.glob("s*/**/*.py")))
    named = {*IN_PYTHON.findall(python), *re.findall(r"#[a-z_]+(?=[\"'])", python)}
    return named, {hook for text in (*texts.values(), python) for hook in HOOK.findall(text)}


def is_part(name: str) -> bool:
    return Path(name).name.startswith("_")


def folder(name: str) -> str:
    """Return the page, or the game, that a template belongs to."""
    found = re.match(r"games/\w+(?=/)|[^/]+(?=/)", name)
    return found[0] if found else name.removesuffix(".html")


def pages_of(name: str, users: Mapping[str, set[str]]) -> list[str]:
    """Return the folders that a component serves, by way of other components too."""
    found, waiting = set(), [name]
    while waiting:
        for user in users[waiting.pop()] - found:
            found.add(user)
            waiting += [user] if user.startswith("components/") else []
    return sorted({folder(user) for user in found} - {"components"})


def unused(name: str, users: set[str], rendered: tuple[set[str], set[str]]) -> Iterator[str]:
    python, hooks = rendered
    if not (users or (is_face(name) and hooks) or any(name.endswith(end) for end in python)):
        yield f"{name} is not used"


def is_face(name: str) -> bool:
    """Return whether a template holds the hooks of a game."""
    return bool(re.fullmatch(r"games/\w+/face\.html", name))


def unused_partials(name: str, texts: Mapping[str, str], rendered: tuple[set[str], set[str]]) -> Iterator[str]:
    """Report the partials of a face that are neither hooks nor named by a template or by Python."""
    python, hooks = rendered
    for partial in sorted(set(PARTIAL.findall(texts[name])) - hooks):
        named = any(f"{name}#{partial}" in text or f"{{% partial {partial} %}}" in text for text in texts.values())
        if not (named or f"#{partial}" in python):
            yield f"{name}#{partial} is not used"


def of_another(name: str, users: set[str]) -> Iterator[str]:
    """Report users outside the page or the game that owns the template."""
    home = folder(name)
    for user in sorted(users):
        if home.startswith("games/") and folder(user) != home:
            yield f"{name} is the game's own: {user}"
        elif is_part(name) and folder(user) != home and not user.startswith("games/"):
            yield f"{name} is a part of another page: {user}"


def test_every_template_is_where_it_belongs() -> None:
    assert list(misplaced(ROOT)) == []


LONG = "\n" * SMALL
HOUSE = {
    "sessions_app/views/home.py": 'render(request, "home/page.html")\nrender(request, "settle/page.html")',
    "templates/home/page.html": '{% include "components/seat.html" %}{% include "home/_list.html" %}',
    "templates/home/_list.html": LONG,
    "templates/settle/page.html": '{% include "components/seat.html" %}{% include evening|face:"deal" %}',
    "templates/components/seat.html": "",
    "templates/games/toy/face.html": '{% partialdef deal %}{% include "games/toy/_marks.html" %}{% endpartialdef %}',
    "templates/games/toy/_marks.html": LONG,
}


def house(root: Path, files: Mapping[str, str]) -> list[str]:
    for path, text in (HOUSE | files).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return list(misplaced(root))


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("home/_list.html", "short", "home/_list.html has 0 lines and one user: home/page.html"),
        ("home/_old.html", LONG, "home/_old.html is not used"),
        ("settle/page.html", "", "components/seat.html serves one page: home"),
        ("settle/_a.html", '{% include "home/_list.html" %}' + LONG, "home/_list.html is a part of another page"),
        ("home/_list.html", '{% include "games/toy/face.html#deal" %}' + LONG, "games/toy/face.html is the game's own"),
        ("games/toy/face.html", "{% partialdef old %}{% endpartialdef %}", "games/toy/face.html#old is not used"),
        ("home/_list.html", '{% include "home/_gone.html" %}' + LONG, "home/_gone.html is missing: home/_list.html"),
    ],
)
def test_a_template_out_of_place_is_named(tmp_path: Path, path: str, text: str, found: str) -> None:
    assert house(tmp_path, {}) == []
    assert any(each.startswith(found) for each in house(tmp_path, {f"templates/{path}": text}))
