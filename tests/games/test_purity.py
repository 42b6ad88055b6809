"""The games and the settlement know no Django, no database and no web: nothing but the standard library."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PURE = [path for room in ("games", "money") for path in sorted((ROOT / "scorekeeper" / room).rglob("*.py"))]
ALLOWED = ("scorekeeper.games", "scorekeeper.money")

IMPORT_ALL = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
tops = {name.partition(".")[0] for name in sys.modules}
print(*sorted(tops - sys.stdlib_module_names - {"__main__", "scorekeeper"}))
"""


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            yield node.module or ""


@pytest.mark.parametrize("path", PURE, ids=module_name)
def test_games_import_only_the_standard_library(path: Path) -> None:
    for name in imported(path):
        assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith(ALLOWED), name


@pytest.mark.parametrize("path", PURE, ids=module_name)
def test_games_hold_no_floating_point(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), ast.unparse(node)
        assert not (isinstance(node, ast.Name) and node.id == "float"), ast.unparse(node)
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), ast.unparse(node)


def test_games_load_in_an_interpreter_without_any_packages() -> None:
    names = map(module_name, PURE)
    done = subprocess.run(  # noqa: S603 -- our own interpreter on our own text
        [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(ROOT), *names], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
