"""Templates are indented for who reads them; a page is sent without that, and there is less of it to draw and pack.

How many lines there are stays, and with them where a space is. In what keeps its spaces (a `pre`, a text area) a line's
beginning would be lost: no template of ours has any line of text there.
"""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

INDENT: Final = re.compile(r"[ \t]*\n[ \t]*")


class Loader(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        return INDENT.sub("\n", super().get_contents(origin))
