"""Templates are loaded without indents and silent lines, and with a line break wherever white space shows."""

from pathlib import Path

import pytest
from django.template import Context, Engine

CASES = {
    "an indent": ("<ul>\n  <li>a\n    b</li>\n</ul>\n", "<ul>\n<li>a\nb</li>\n</ul>\n"),
    "a condition that holds": ("a\n{% if yes %}\n  b\n{% endif %}\nc", "a\nb\nc"),
    "a condition that does not": ("a\n{% if no %}\n  b\n{% endif %}\nc", "a\nc"),
    "another case": ("a\n{% if no %}b\n{% elif yes %}\n  c\n{% else %}d\n{% endif %}\ne", "a\nc\ne"),
    "several tags on a line": ("a\n{% with x='b' %}{% if yes %}\n{{ x }}\n{% endif %}{% endwith %}\nc", "a\nb\nc"),
    "a loop": ("a\n{% for x in some %}\n  {{ x }}\n{% empty %}\n  none\n{% endfor %}\nb", "a\n1\n2\nb"),
    "a comment": ("a\n{% comment %}\nb 100 %}\n{% endcomment %}\nc", "a\nc"),
    "two comments": ("{% comment %}b{% endcomment %}\na\n{% comment %}c{% endcomment %}\nd", "a\nd"),
    "a tag beside text": ("a\n{% if yes %} b\n{% endif %} c", "a\n b\n c"),
    "a tag that prints": ("a\n{% firstof 'b' %}\nc", "a\nb\nc"),
    "a value": ("a\n{{ yes }}\nc", "a\nTrue\nc"),
    "attributes": ("<a\n   {% if yes %}\n     b\n   {% endif %}\n   c>", "<a\nb\nc>"),
    "a percent sign in a tag": ("a\n{% with x='5 %' %}\n{{ x }}\n{% endwith %}\nb", "a\n\n5 %\nb"),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_template_is_rendered_without_indents_and_silent_lines(tmp_path: Path, source: str, expected: str) -> None:
    (tmp_path / "page.html").write_text(source)
    engine = Engine(dirs=[str(tmp_path)], loaders=["scorekeeper.http.strip_indent.Loader"])
    context = Context({"yes": True, "no": False, "some": [1, 2]})
    assert engine.get_template("page.html").render(context) == expected
