"""The phones on which a user is signed in, and the links and codes that sign another one in."""

import re
from base64 import b32encode, urlsafe_b64encode
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from sessions_app.models import Phone, PhoneLink, User
from sessions_app.words.wording import KEY_DIGITS, whole_number

#: A user has a few; more are not listed.
MOST_PHONES: Final = 50


def phones_of(user: User, this: Phone | None) -> list[Phone]:
    """Return the user's phones that are not ended, this one first, then those seen last: one query.

    `this` is None while the row of an old session could not be written.
    """
    phones = user.phones.filter(ended_at=None).order_by("-last_seen_on", "-pk")[:MOST_PHONES]
    return sorted(phones, key=lambda phone: phone != this)


# --- Links and codes that sign another phone in ---


#: Time in which the other phone opens a link and both agree; and then as long again for it to come in.
LASTS: Final = timedelta(minutes=2)
#: 40 bits, within two minutes, at so many tries an hour and address as the rate limits allow.
CODE_LENGTH: Final = 8
SIGNATURE_BYTES: Final = 18  # 144 bits
_TOKEN: Final = re.compile(rf"(?:\A|/link/)([0-9]{{1,{KEY_DIGITS}}}-[A-Za-z0-9_-]{{24}})(?![\w-])")


def hashed(secret: str) -> str:
    """Return a keyed hash of a code or of a browser's secret."""
    return salted_hmac("sessions_app.phone_links", secret, algorithm="sha256").hexdigest()


def code_of(salt: str) -> str:
    """Return the code to be typed: letters, and digits from 2 to 7, none of which looks like another."""
    return b32encode(salted_hmac("sessions_app.phone_links.code", salt, algorithm="sha256").digest()[:5]).decode()


def token_of(link: PhoneLink) -> str:
    """Return the secret part of the link's address."""
    signature = salted_hmac("sessions_app.phone_links.token", f"{link.pk} {link.salt}", algorithm="sha256").digest()
    return f"{link.pk}-{urlsafe_b64encode(signature[:SIGNATURE_BYTES]).decode()}"


def link_of_token(token: str) -> PhoneLink | None:
    """Return the link of this token, whatever became of it; None for an invented token: one query at most."""
    number = whole_number(token.partition("-")[0], KEY_DIGITS)
    link = None if number is None else PhoneLink.objects.select_related("user").filter(pk=number).first()
    return link if link and constant_time_compare(token, token_of(link)) else None


def link_token_in(text: str) -> str | None:
    """Return the token of the phone's link that stands in `text`, whatever its host; None if there is none."""
    found = _TOKEN.search(text) if "/link/" in text else None
    return found and found[1]


def code_in(text: str) -> str | None:
    """Return `text` as a code, however it is grouped and in whatever case; None if it cannot be one."""
    said = re.sub(r"[\s-]", "", text[:30]).upper().replace("0", "O").replace("1", "I")
    return said if re.fullmatch(rf"[A-Z2-7]{{{CODE_LENGTH}}}", said) else None


def link_of_code(code: str) -> PhoneLink | None:
    """Return the link of a code that can still be opened: one query."""
    return PhoneLink.objects.filter(code_hash=hashed(code), made_at__gt=timezone.now() - LASTS).first()


def open_link_of(user: User) -> PhoneLink | None:
    """Return the user's latest link while it is not late, used or not: one query."""
    return user.phone_links.filter(made_at__gt=timezone.now() - LASTS).order_by("-pk").first()


def step_of(link: PhoneLink) -> str:
    """Return the link's number, and which of its steps are done, for the pages that follow it."""
    return f"{link.pk}-{sum(map(bool, (link.asked_by, link.agreed_at, link.used_at)))}"


def is_late(link: PhoneLink) -> bool:
    """Return whether the link's time is over. Once both have agreed it lasts as long again."""
    return timezone.now() >= link.made_at + (2 * LASTS if link.agreed_at else LASTS)
