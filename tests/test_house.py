"""Imports run one way, and only a game's own rooms know which game it is: read from the imports and the keys.

A game has a room under scorekeeper/games and one under sessions_app/faces, with its templates; two registries name it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT: Path = settings.BASE_DIR
REGISTRIES = ("scorekeeper/games/__init__.py", "sessions_app/faces/__init__.py")
GAMES = sorted(path.name for path in (ROOT / "scorekeeper/games").iterdir() if (path / "__init__.py").is_file())


def generic_texts(root: Path) -> Iterator[Path]:
    """The files that are the same for every game. A migration that has run names the past state."""
    for pattern in ("sessions_app/**/*.py", "scorekeeper/**/*.py", "templates/**/*.html", "static/js/*.js"):
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            is_of_a_game = re.match(r"(?:scorekeeper/games|sessions_app/faces)/\w+/|templates/games/", name)
            if not (is_of_a_game or name in REGISTRIES or "/migrations/" in name):
                yield path


def keys_of_games(root: Path) -> Iterator[str]:
    """Name each line of generic code that has a game's key, as a comparison with it would."""
    key = re.compile(rf"""["'](?:{"|".join(GAMES)})["']""")
    for path in generic_texts(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if key.search(line):
                yield f"{path.relative_to(root).as_posix()}:{number}: {line.strip()}"


def test_generic_code_has_no_key_of_a_game() -> None:
    assert list(keys_of_games(ROOT)) == []


def test_a_game_s_key_is_found_where_it_should_not_stand(tmp_path: Path) -> None:
    for path, line in (
        ("sessions_app/views/hand.py", 'if evening.game_key == "tarokk":'),
        ("templates/evening/page.html", "{% if game.key == 'preference' %}"),
        ("sessions_app/faces/asszorti/words.py", 'KEY = "asszorti"'),  # its own room
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"\n{line}\n")
    assert len(list(keys_of_games(tmp_path))) == 2


#: By the wing: which others its modules may not come to, not even by way of a third.
FORBIDDEN = {
    "models": ("readers", "writers", "forms", "faces", "views", "templatetags", "access"),
    "readers": ("writers", "forms", "faces", "views", "templatetags", "access"),
    "writers": ("forms", "faces", "views", "templatetags", "access"),
    "forms": ("views", "templatetags", "access"),
    "faces": ("writers", "forms", "views", "templatetags", "access"),
    "templatetags": ("writers", "views", "access"),
    "views": ("templatetags", "urls"),
    "management": ("views", "templatetags"),
    "words": ("writers", "views", "templatetags", "access"),
    "drawing": ("models", "readers", "writers", "forms", "faces", "views", "templatetags", "access"),
}
#: A form may end in the arguments of its writer; no hand form does.
READ_INTO = {"sessions_app.forms.evening_new"}


def sources(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Each module of ours, and its text; migrations are history."""
    for path in sorted([*root.glob("sessions_app/**/*.py"), *root.glob("scorekeeper/**/*.py")]):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        if ".migrations" not in name:
            yield name, path.read_text(encoding="utf-8")


@cache
def named_in(text: str) -> frozenset[str]:
    """Return the names that the imports of a module's text may mean."""
    named: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(named)


def imports(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """The modules of ours that each module imports."""
    found: dict[str, set[str]] = {}
    for name, text in texts.items():
        named = named_in(text)
        found[name] = {
            each
            for each in named
            # A package that is named for the sake of a module in it is not counted.
            if each in texts
            and not any(other != each and other.startswith(f"{each}.") for other in named & texts.keys())
        }
    return found


def against_the_direction(texts: Mapping[str, str]) -> Iterator[str]:
    direct = imports(texts)
    for name in texts:
        wing = wing_of(name)
        for other in sorted(reached(name, direct)):
            if wing_of(other) in FORBIDDEN.get(wing, ()) or (wing == "project" and other.startswith("sessions_app")):
                yield f"{name} comes to {other}"
        if wing == "forms" and name not in READ_INTO and any(wing_of(other) == "writers" for other in direct[name]):
            yield f"{name} comes to the writers"
        for other in sorted(direct[name]):
            if room_of(other) and room_of(name) != room_of(other) and not name.endswith((".games", ".faces")):
                yield f"{name} knows {other}"
            if wing_of(other) == "views" and wing not in ("views", "urls"):
                yield f"{name} comes to {other}"


def reached(name: str, direct: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for other in direct[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def wing_of(name: str) -> str:
    package, *rest = name.split(".")
    if package == "scorekeeper":
        return "games" if rest[:1] == ["games"] else "project"
    return rest[0] if rest else ""


def room_of(name: str) -> str:
    """The game whose own module it is, '' of a generic one."""
    found = re.match(r"(?:scorekeeper\.games|sessions_app\.faces)\.(\w+)", name)
    return found[1] if found and found[1] in GAMES else ""


def test_imports_run_in_one_direction() -> None:
    assert list(against_the_direction(dict(sources()))) == []


@pytest.mark.parametrize(
    ("module", "line", "found"),
    [
        (
            "sessions_app.readers.evening.sheets",
            "from sessions_app.writers import ledger",
            "comes to sessions_app.writers",
        ),
        (
            "sessions_app.words.wording",
            "import sessions_app.writers.ledger",
            "sessions_app.readers.evening.sheets comes to sessions_app.writers",
        ),
        ("sessions_app.forms.house_rules", "from sessions_app.writers import ledger", "comes to the writers"),
        ("sessions_app.views.hand", "from sessions_app.faces.asszorti.words import step", "knows"),
        ("sessions_app.readers.evening.sheets", "from scorekeeper.games.asszorti import score", "knows"),
        ("sessions_app.access", "from sessions_app.views.htmx import go", "comes to sessions_app.views.htmx"),
        ("scorekeeper.ops.server", "from sessions_app.models import Hand", "comes to sessions_app.models"),
    ],
)
def test_an_import_against_the_direction_is_found(module: str, line: str, found: str) -> None:
    texts = dict(sources())
    texts[module] += f"\n{line}\n"
    assert any(each.startswith((f"{module} {found}", found)) for each in against_the_direction(texts))


#: Calls that change the database, as readers must not; and the ways in which an evening's version is raised.
WRITES = re.compile(
    r"\.(?:save|bulk_create|bulk_update|update_or_create|get_or_create)\(|objects\b[^\n]*\.(?:create|update|delete)\("
)
#: An import of what is for writers from the module of all transactions.
LOCKS_OR_RAISES = re.compile(
    r"sessions_app\.transactions import (?:\([^)]*|[^\n(]*)\b(?:writing|claim|held|hold_\w+|raise_\w+)\b"
    r"|import sessions_app\.transactions|from sessions_app import (?:\([^)]*|[^\n(]*)\btransactions\b"
)
RAISES_COUNTER = re.compile(r"(?:repayment|ended)_version(?: \+= 1|=F\()")
RAISES_VERSION = re.compile(r"\.version \+= 1|F\(\"version\"\)")


def modules_with(pattern: re.Pattern[str], texts: Mapping[str, str]) -> list[str]:
    return sorted(name for name, text in texts.items() if pattern.search(text))


def app_modules(folder: str) -> dict[str, str]:
    paths = (ROOT / "sessions_app" / folder).rglob("*.py")
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in paths if "migrations" not in path.parts}


def test_readers_only_read() -> None:
    assert modules_with(WRITES, app_modules("readers")) == []
    assert modules_with(re.compile("import.* writers|from sessions_app.writers"), app_modules("readers")) == []


@pytest.mark.parametrize("folder", ["models", "readers", "faces", "forms", "words", "drawing", "templatetags"])
def test_room_that_does_not_write_imports_no_lock_and_nothing_that_raises_a_version(folder: str) -> None:
    assert modules_with(LOCKS_OR_RAISES, app_modules(folder)) == []


def test_one_module_raises_the_version_of_an_evening() -> None:
    assert modules_with(RAISES_VERSION, app_modules("")) == ["sessions_app/transactions.py"]
    assert modules_with(RAISES_COUNTER, app_modules("")) == ["sessions_app/transactions.py"]
