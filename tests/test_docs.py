"""The documents are true to the tree: each path, link, section and module that they or the code cite exists.

The rules under docs/rules are the ones that are counted: their worked hands are those of the games' vectors.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

from scorekeeper.games import GAMES

ROOT: Path = settings.BASE_DIR
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
RULES = sorted(ROOT.glob("docs/rules/*.md"))
#: The pages that name modules of today; a changelog names those of its day.
BUILT = [page for page in PAGES if page not in RULES and page.stem != "CHANGELOG"]
CITING = ("scorekeeper/**/*.py", "sessions_app/**/*.py", "tests/**/*.py", "tests/**/*.txt", "templates/**/*.html")
PATH = re.compile(r"docs/[\w./-]*\w")
LINK = re.compile(r"\]\((?!https?:|#)([^)\s#]+)(?:#[^)]*)?\)")
SECTION = re.compile(r"§(\d+)(?:\.(\d+)([a-z]?))?")
#: A module, template or folder that a page names in backticks, from the root or from somewhere below it.
NAMED = re.compile(r"`((?:[\w.<>-]+/)+[\w.<>-]*|[\w-]+\.(?:py|html|css|js|toml))`")
#: Folders of a machine that runs the program, and words that only look like a path.
NOT_OURS = ("data/", ".venv/", "Europe/")


def citing_files() -> Iterator[Path]:
    yield from PAGES
    for pattern in CITING:
        yield from ROOT.glob(pattern)


@cache
def sections_of(page: Path) -> dict[str, str]:
    """Return the text of each numbered section by its number."""
    headed = re.split(r"^## (\d+)\. .*$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(headed[1::2], headed[2::2], strict=True))


def is_there(page: Path, section: str, rule: str | None, case: str) -> bool:
    text = sections_of(page).get(section)
    if text is None or rule is None:
        return text is not None
    found = re.search(rf"^{rule}\. .*?(?=^\d+\. |\Z)", text, re.MULTILINE | re.DOTALL)
    return found is not None and (not case or f"**{case}.**" in found[0])


def missing_sections(file: Path) -> Iterator[str]:
    """Name each '§n' without a section.

    It is of the page named last before it, else of the page that it stands on or of the game whose room it stands in.
    """
    room = next((page for page in RULES if page.stem in file.parts), None)
    page = file if file in PAGES else room
    for cited in re.finditer(rf"docs/rules/\w+\.md|{SECTION.pattern}", file.read_text(encoding="utf-8")):
        if cited[0].startswith("docs/"):
            page = ROOT / cited[0]
        elif page is None or not is_there(page, cited[1], cited[2], cited[3] or ""):
            yield f"{file.relative_to(ROOT)} cites {cited[0]} of {page and page.name}"


def test_each_document_that_is_cited_exists() -> None:
    cited = {(file, path) for file in citing_files() for path in PATH.findall(file.read_text(encoding="utf-8"))}
    assert [f"{file.relative_to(ROOT)}: {path}" for file, path in cited if not (ROOT / path).exists()] == []


def test_each_link_of_a_document_leads_somewhere() -> None:
    linked = [(page, link) for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [f"{page.name}: {link}" for page, link in linked if not (page.parent / link).exists()] == []
    assert linked


def test_each_section_that_is_cited_exists() -> None:
    assert [missing for file in citing_files() for missing in missing_sections(file)] == []


def test_a_section_that_does_not_exist_is_found_out() -> None:
    cited, page = {"6": True, "6.2b": True, "6.2d": False, "6.9": False, "60": False}, ROOT / "docs/rules/tarokk.md"
    sections = {text: SECTION.fullmatch(f"§{text}") for text in cited}
    assert {text: is_there(page, each[1], each[2], each[3] or "") for text, each in sections.items() if each} == cited


def test_each_module_that_a_document_names_exists() -> None:
    """The vendored, the generated and the reader's own files are left out of it."""
    tracked = {f"/{path.relative_to(ROOT).as_posix()}" for path in tree()}
    unknown = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in BUILT
        for name in map(filled_in, NAMED.findall(page.read_text(encoding="utf-8")))
        if not name.startswith(NOT_OURS)
        and not any(path.endswith(f"/{name}") or f"/{name.rstrip('/')}/" in path for path in tracked)
    ]
    assert unknown == []


def filled_in(name: str) -> str:
    """Return an example of a name with a gap: 'docs/rules/<key>.md' is there for every game."""
    return name.removeprefix("./").replace("<key>", "tarokk").replace("<page>", "home")


def tree() -> Iterator[Path]:
    code = ("scorekeeper", "sessions_app", "static", "templates", "tests")
    for folder in (".ci", "deploy", "docs", "requirements", *code):
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file())
    yield from (path for path in ROOT.iterdir() if path.is_file())


@pytest.mark.parametrize("page", RULES, ids=lambda page: page.stem)
def test_the_rules_describe_every_switch_of_the_house_rules(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [switch.name for switch in GAMES[page.stem].SWITCHES if f"`{switch.name}`" not in text] == []


@pytest.mark.parametrize("game", ["tarokk", "preference"])
def test_the_worked_hands_of_the_rules_are_those_that_are_counted(game: str) -> None:
    section = {"tarokk": "11", "preference": "12"}[game]
    printed = [
        [cell.strip(" `") for cell in row.split("|")[1:-1]]
        for row in sections_of(ROOT / f"docs/rules/{game}.md")[section].splitlines()
        if row.startswith("| `") and "→" not in row
    ]
    if game == "tarokk":
        hands = [f"{hand} = {amounts.replace('−', '-')}" for hand, _, amounts in printed]
    else:
        hands = [re.sub(" +", " ", "{} | {} | {} = {}".format(*row)) for row in printed]
    vectors = (ROOT / f"tests/games/{game}/vectors/worked.txt").read_text(encoding="utf-8").splitlines()
    counted = [re.sub(" +", " ", line.partition(" ;")[0]) for line in vectors]
    assert [hand for hand in hands if hand not in counted] == []
    assert len(hands) > 20
