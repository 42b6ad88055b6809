"""The scripts in static/js: their heads name the globals that each uses and exports, and decide the loading order.

The names are found by a parser, with the scopes of JavaScript.
"""

import re
from collections.abc import Iterator
from graphlib import CycleError
from pathlib import Path

import pytest
import tree_sitter_javascript
from django.conf import settings
from tree_sitter import Language, Node, Parser

from scorekeeper.http.bundles import (
    HTMX,
    SCRIPTS,
    WORKER_SCRIPTS,
    dependencies,
    in_loading_order,
    minified,
    names_in_head,
)

PATHS = sorted(Path(settings.BASE_DIR).glob("static/js/*.js"))
#: Globals that no script of ours exports: the first is of htmx's own file, the others of views/service_worker.py.
PROVIDED = {"htmx", "VERSION", "SHELL", "OFFLINE"}
#: Globals of JavaScript and of browsers, which need no head.
PLATFORM = """
AbortSignal Array Boolean BroadcastChannel CSS CustomEvent DOMParser Date Error Event FormData Headers JSON Map Math
MutationObserver Number Object PageTransitionEvent Promise RadioNodeList RegExp Request ResizeObserver Response
Set String URL URLSearchParams Uint8Array WeakMap WeakSet XMLHttpRequest addEventListener caches clearTimeout clients
crypto
dispatchEvent document fetch history indexedDB innerHeight isSecureContext localStorage location matchMedia navigator
performance scrollBy scrollTo scrollY self sessionStorage setTimeout skipWaiting window
await
"""  # the last is no name: the parser takes `await (await …)` in a loop for a call
#: The most lines of a function, but for the one that wraps a whole file.
LONGEST = 40
PARSER = Parser(Language(tree_sitter_javascript.language()))
FUNCTIONS = ("arrow_function", "function_expression", "function_declaration", "method_definition")
SCOPES = ("program", "statement_block", "for_statement", "for_in_statement", "catch_clause", *FUNCTIONS)
#: The fields of a scope that bind names inside it.
BINDING = ("parameter", "parameters", "left")


def parsed(text: str) -> Node:
    root = PARSER.parse(text.encode()).root_node
    assert not root.has_error
    return root


def name_of(node: Node) -> str:
    return (node.text or b"").decode()


def bound(node: Node | None) -> Iterator[str]:
    """Yield the names that a pattern binds."""
    if node is None:
        return
    match node.type:
        case "identifier" | "shorthand_property_identifier_pattern":
            yield name_of(node)
        case "assignment_pattern" | "object_assignment_pattern":
            yield from bound(node.child_by_field_name("left"))
        case "pair_pattern":
            yield from bound(node.child_by_field_name("value"))
        case "object_pattern" | "array_pattern" | "rest_pattern" | "formal_parameters":
            for child in node.named_children:
                yield from bound(child)


def declared(node: Node) -> Iterator[str]:
    """Yield the names that are declared below this node, but not in a scope within it."""
    for child in node.named_children:
        if child.type in ("variable_declarator", "function_declaration", "class_declaration"):
            yield from bound(child.child_by_field_name("name"))
        if child.type not in SCOPES:
            yield from declared(child)


def in_scope(node: Node) -> set[str]:
    """Return the names that a scope declares, its parameters too."""
    given = [node.child_by_field_name(field) for field in BINDING] if node.type != "program" else []
    return {*declared(node), *(name for pattern in given for name in bound(pattern))}


def used(node: Node, known: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names that are used below this node and declared nowhere around them."""
    if node.type in SCOPES:
        known |= in_scope(node)
    if node.type in ("identifier", "shorthand_property_identifier") and name_of(node) not in known:
        yield name_of(node)
    for child in node.named_children:
        yield from used(child, known)


def faults(texts: dict[str, str]) -> Iterator[str]:
    """Yield a sentence for each wrong name in the heads of these scripts (path to text)."""
    exported = {path: names_in_head("exported", text) for path, text in texts.items()}
    taken = {path: names_in_head("global", text) for path, text in texts.items()}
    for path, text in texts.items():
        root = parsed(text)
        free = set(used(root)) - {*PLATFORM.split()}
        given = PROVIDED.union(*(names for other, names in exported.items() if other != path))
        wanted = {name for other, names in taken.items() if other != path for name in names}
        yield from (f"{path} uses {name} without /* global {name} */" for name in free - {*taken[path]})
        yield from (f"{path} does not use its /* global {name} */" for name in {*taken[path]} - free)
        yield from (f"{path} uses {name}, which no script exports" for name in {*taken[path]} - given)
        yield from (
            f"{path} declares {name} for all scripts and does not export it"
            for name in in_scope(root) - {*exported[path]}
        )
        yield from (f"{path} exports {name} and does not declare it" for name in {*exported[path]} - in_scope(root))
        yield from (f"{path} exports {name}, which no script uses" for name in {*exported[path]} - wanted)


def test_each_head_names_what_its_script_uses_and_exports() -> None:
    assert sorted(faults({path.name: path.read_text() for path in PATHS})) == []


@pytest.mark.parametrize(
    ("one", "other", "fault"),
    [
        ("b();", "/* exported b */\nconst b = () => {};", "one uses b without /* global b */"),
        (
            "/* global b */\n{ const b = 1; self.c = b; }",
            "/* exported b */\nconst b = 2;",
            "one does not use its /* global b */",
        ),
        ("let a = 1;", "", "one declares a for all scripts and does not export it"),
        ("/* exported a */\n{ let a = 1; }", "/* global a */\na();", "one exports a and does not declare it"),
        ("/* exported a */\nconst [{ b: a = 1 }] = self;", "", "one exports a, which no script uses"),
    ],
)
def test_a_wrong_head_is_found(one: str, other: str, fault: str) -> None:
    assert [found for found in faults({"one": one, "other": other}) if found.startswith("one")] == [fault]


def test_scripts_load_after_those_whose_exports_they_use_and_never_in_a_circle() -> None:
    texts = {"a": "/* global b, c */", "b": "/* global c */\n/* exported b */", "c": "/* exported c */"}
    assert dependencies(texts) == {"a": ["b", "c"], "b": ["c"], "c": []}
    assert in_loading_order(dependencies(texts)) == ["c", "b", "a"]
    with pytest.raises(CycleError):
        in_loading_order({"a": ["b"], "b": ["a"]})


def test_every_script_is_loaded_by_the_pages_or_by_the_service_worker() -> None:
    assert SCRIPTS[0] == HTMX
    pages = "\n".join(path.read_text() for path in Path(settings.BASE_DIR).glob("templates/**/*.html"))
    by_themselves = {*re.findall(r"[{]% static '(js/.*?)' %}", pages)}
    assert {*SCRIPTS, *WORKER_SCRIPTS, *by_themselves} == {HTMX, *(f"js/{path.name}" for path in PATHS)}
    assert not by_themselves & {*SCRIPTS}
    assert WORKER_SCRIPTS[-1] == "js/service_worker.js"
    assert "js/outbox_store.js" in WORKER_SCRIPTS, "a script that the worker needs only by way of another"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_script_begins_with_a_comment_and_its_functions_are_short(path: Path) -> None:
    text = path.read_text()
    assert re.match(r"// [A-Z]", text)
    assert [lines for lines in function_lines(parsed(text)) if lines > LONGEST] == []


def function_lines(node: Node) -> Iterator[int]:
    """Yield the number of lines of each function that is not called where it stands."""
    is_wrapper = node.parent is not None and node.parent.type == "parenthesized_expression"
    if node.type in FUNCTIONS and not is_wrapper:
        yield node.end_point.row - node.start_point.row + 1
    for child in node.named_children:
        yield from function_lines(child)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_script_means_the_same_without_comments_and_space(path: Path) -> None:
    text = path.read_text()
    assert tree(parsed(minified(f"js/{path.name}", text))) == tree(parsed(text))


def tree(node: Node) -> list[object]:
    """Return a node's type with its children, but for comments; of a node without children its text."""
    children = [child for child in node.children if child.type != "comment"]
    if not children or node.type in ("string", "template_string", "regex"):
        return [node.type, name_of(node)]
    return [node.type, *map(tree, children)]
