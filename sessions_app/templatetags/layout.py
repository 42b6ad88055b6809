"""How a template is laid out without a trace of it on the page. It is built in: no template loads it."""

import re
from typing import cast

from django import template
from django.template.base import Node, NodeList, Parser, TextNode, Token
from django.template.context import Context
from django.utils.safestring import SafeString

register = template.Library()


class Joined(Node):
    """What stands on lines of its own, and is read as one."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)


@register.tag
def joined(parser: Parser, token: Token) -> Joined:
    """Join the lines up to {% endjoined %}: no space comes of a line's end, nor of how the next one is indented.

    A space that is meant between two lines is written {{ " " }}.
    """
    nodelist = parser.parse(("endjoined",))
    parser.delete_first_token()
    for text in cast(list[TextNode], nodelist.get_nodes_by_type(TextNode)):
        text.s = re.sub(r"\s*\n\s*", "", text.s)
    return Joined(nodelist)
