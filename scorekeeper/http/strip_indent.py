"""Template loader that strips indentation, so that pages are smaller and render faster.

Line breaks stay, and with them the white space between words. Text inside `pre` or `textarea` would lose its leading
spaces: no template has a line of text there.
"""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

INDENT: Final = re.compile(r"[ \t]*\n[ \t]*")


class Loader(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        return INDENT.sub("\n", super().get_contents(origin))
