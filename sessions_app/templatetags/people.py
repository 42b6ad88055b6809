"""Words for circles and their members: roles, what phone each is, and when it was last seen. {% load people %}."""

from datetime import date, datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from sessions_app.models import Role
from sessions_app.readers.people.circles import EveningCircle
from sessions_app.words.wording import day

register = template.Library()


@register.filter
def role_word(role: str) -> str:
    """Return a role in words."""
    return {
        Role.OWNER: pgettext("role", "owner"),
        Role.KEEPER: pgettext("role", "can score"),
        Role.VIEWER: pgettext("role", "watches"),
    }[Role(role)]


@register.filter
def colour_word(colour: str) -> str:
    """Return the colour of a player's mark in words."""
    return {
        "red": _("red"),
        "orange": _("orange"),
        "green": _("green"),
        "blue": _("blue"),
        "ink": pgettext("colour of the text", "ink"),
    }[colour]


@register.filter
def circle_words(circle: EveningCircle) -> str:
    """Return the name of a circle, that it is a demo's if it is, and its last session if others have this name too."""
    name = f"{circle.name or _('Circle')} ({_('Demo')})" if circle.is_demo else circle.name or _("Circle")
    if not circle.has_namesake or circle.last_started_at is None:
        return name
    return f"{name} · {day(circle.last_started_at)}, {timezone.localtime(circle.last_started_at):%H:%M}"


@register.filter
def device_words(device: str) -> str:
    """Return a phone's browser and system in words, or the one of the two that is known; '' for neither.

    Several phones, one a line, follow one another.
    """
    if "\n" in device:
        return ", ".join(device_words(each) for each in device.splitlines())
    browser, _bar, system = device.partition("|")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system


@register.filter
def ago(at: datetime | None) -> str:
    """Return the time since then in words: 'now', '5 minutes ago', after a day the date; 'never' for None."""
    if at is None:
        return pgettext("last seen", "never")
    minutes = int((timezone.now() - at).total_seconds()) // 60
    if minutes < 1:
        return pgettext("last seen", "now")
    if minutes < 60:
        return ngettext("%(minutes)s minute ago", "%(minutes)s minutes ago", minutes) % {"minutes": minutes}
    hours = minutes // 60
    if hours < 24:
        return ngettext("%(hours)s hour ago", "%(hours)s hours ago", hours) % {"hours": hours}
    return date_format(timezone.localtime(at), "SHORT_DATE_FORMAT")


@register.filter
def seen_on(on: date) -> str:
    """Return the day on which a phone was seen last, in words: 'today', 'yesterday', or the date."""
    days = (timezone.localdate() - on).days
    if days < 1:
        return pgettext("last seen", "today")
    return pgettext("last seen", "yesterday") if days == 1 else date_format(on, "SHORT_DATE_FORMAT")
