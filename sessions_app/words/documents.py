"""The refusal of a document in words: the part of it that is wrong, and how."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from sessions_app.errors import DocumentRefused

#: Words for the lists and members of a book; others stay as the file has them.
PARTS: Final = {
    "circle": _("circle"),
    "house_profiles": _("saved house rules"),
    "players": _("player"),
    "sessions": _("session"),
    "payments": _("payment"),
    "hands": _("hand"),
    "revisions": _("version"),
    "changes": _("change"),
    "seats": _("seat"),
    "lineup": _("seats"),
    "house_rules": _("house rules"),
    "stake": _("stake"),
    "result": _("result"),
    "name": _("name"),
    "title": _("title"),
    "note": _("note"),
}


def told(refused: DocumentRefused) -> str:
    """Return the place and the reason: 'session 3, hand 5: its number is not written as it should be'."""
    place = ""
    for part in refused.path:
        place += f" {part}" if part.isdigit() and place else f", {PARTS.get(part, part)}"
    return f"{place.removeprefix(', ')}: {refused.what}" if place else refused.what
