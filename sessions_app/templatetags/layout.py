"""A tag that joins lines of a template. A builtin library: no template loads it."""

import re
from typing import cast

from django import template
from django.template.base import Node, NodeList, Parser, TextNode, Token
from django.template.context import Context
from django.utils.safestring import SafeString

register = template.Library()


class Joined(Node):
    """Nodes without the line breaks between them."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)


@register.tag
def joined(parser: Parser, token: Token) -> Joined:
    """Join the lines up to {% endjoined %}: drop line breaks and the indentation after them.

    Write {{ " " }} for a space between two lines.
    """
    nodelist = parser.parse(("endjoined",))
    parser.delete_first_token()
    for text in cast(list[TextNode], nodelist.get_nodes_by_type(TextNode)):
        text.s = re.sub(r"\s*\n\s*", "", text.s)
    return Joined(nodelist)
