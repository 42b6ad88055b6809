"""The games and the settlement know no Django, no database and no web: nothing but the standard library."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PURE = [path for room in ("games", "money") for path in sorted((ROOT / "scorekeeper" / room).rglob("*.py"))]
ALLOWED = ("scorekeeper.games", "scorekeeper.money")


def imported(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield node.module or ""


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_games_import_only_the_standard_library_and_hold_no_floating_point(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    for name in imported(nodes):
        assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith(ALLOWED), name
    for node in nodes:
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), ast.unparse(node)
        assert not (isinstance(node, ast.Name) and node.id == "float"), ast.unparse(node)
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), ast.unparse(node)
