"""Template loader that strips indentation and silent lines, so that pages are smaller and render faster.

A line break stays wherever there was one, and with it the white space between words. Text inside `pre` or `textarea`
would lose its leading spaces: no template has a line of text there.

Pages need it: where the white space of two answers differs, a morph replaces more of the page than what has changed,
and Chromium then draws size containers (the keys of a row) without height: tests/browser/test_targets.py.
"""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

INDENT: Final = re.compile(r"[ \t]*\n[ \t]*")
_SILENT_TAGS: Final = "if elif else endif for empty endfor with endwith block endblock partialdef endpartialdef load"
#: A comment, or tags that print nothing themselves, alone on a line, with the line break after it.
SILENT: Final = re.compile(
    r"^(?:\{% comment %\}.*?\{% endcomment %\}"
    rf"|((?:\{{% (?:{'|'.join(_SILENT_TAGS.split())})\b[^\n%]*%\}})+))\n",
    re.MULTILINE | re.DOTALL,
)


class Loader(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        without_indents = INDENT.sub("\n", super().get_contents(origin))
        return SILENT.sub(lambda line: line[1] or "", without_indents)
