"""The messages that the scripts show: for each language a script of its own, which a phone keeps."""

import json
from collections import defaultdict
from functools import cache
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override, pgettext_lazy

#: By the name under which a script asks for it. It writes a hand's number, a count or a name in the place of '#'.
MESSAGES: Final = {
    "saved": pgettext_lazy("sign", "saved"),
    "waiting": pgettext_lazy("sign", "waiting (%(count)s)"),
    "offline": pgettext_lazy("sign", "offline"),
    "hand": _("Hand %(number)s"),
    "save": _("Save hand %(number)s"),
    "enter": _("Enter hand %(number)s"),
    "finish": _("Finish hand %(number)s"),
    "half": _("Hand %(number)s is half filled in: go on"),
    "seats": _("Somebody came or left meanwhile. Tap again who played."),
    "waits": _("Hand %(number)s is waiting on this phone. It is sent as soon as you are back online."),
    "waits-busy": _(
        "Hand %(number)s is waiting on this phone because the server cannot save right now. It is sent "
        "as soon as it can."
    ),
    "behind": _("Hand %(number)s is waiting on this phone, behind one that needs your decision."),
    "sent": _("Hand %(number)s is saved."),
    "refused": _("Hand %(number)s was not saved. It stays on this phone."),
    "decide": _("Decide on the sheet"),
    "clash": _("Does not fit the rest:"),
    "missing": _("Still to tap:"),
    "tap-again": _("The players have changed: tap again what %(name)s took."),
    "agreed-waits": _("Agreed entry %(number)s is waiting on this phone. It is sent as soon as you are back online."),
    "agreed-waits-busy": _(
        "Agreed entry %(number)s is waiting on this phone because the server cannot save right now. It "
        "is sent as soon as it can."
    ),
    "agreed-behind": _("Agreed entry %(number)s is waiting on this phone, behind one that needs your decision."),
    "agreed-sent": _("Agreed entry %(number)s is saved."),
    "agreed-refused": _("Agreed entry %(number)s was not saved. It stays on this phone."),
    "agreed-drop-sure": _("Discard agreed entry %(number)s? It is only on this phone."),
    "agreed": _("Agreed entry"),
    "payment": _("Payment: %(payment)s"),
    "opening": _("From a paper book: %(payment)s"),
    "payment-waits": _("The payment %(payment)s is waiting on this phone. It is sent as soon as you are back online."),
    "payment-waits-busy": _(
        "The payment %(payment)s is waiting on this phone because the server cannot save right now. It "
        "is sent as soon as it can."
    ),
    "payment-sent": _("Booked: %(payment)s"),
    "payment-refused": _("The payment %(payment)s was not booked. It stays on this phone."),
    "payment-another": _("Mine is another payment"),
    "payment-none": pgettext_lazy("to book", "Nothing"),
    "payment-drop-sure": _("Discard this payment? It is only on this phone."),
    "told": _("Payments sent by this phone"),
    "read": _("OK"),
    "uncounted": _("It will be counted when you are back online."),
    "only-here": _("Only on this phone, not counted yet"),
    "counted": _("Only on this phone, counted provisionally"),
    "plain-http": _(
        "Without HTTPS, this phone cannot open pages offline and its screen turns off by itself. Hands are still saved "
        "while this page stays open."
    ),
    "without-waiting": _(
        "The sheet below does not have the hands that wait on this phone. Who is given aid, and whether the game is "
        "over, shows when you are back online."
    ),
    "provisional": _("provisional"),
    "deals": _("deals"),
    "speaks-first": _("speaks first"),
    "not-here": _("Saved, but not on this page yet"),
    "is-sent": pgettext_lazy("sign", "saved"),
    "is-waiting": _("waiting"),
    "is-refused": _("not recorded"),
    "is-kept": _("put aside"),
    "waits-for": _("waits for hand %(number)s"),
    "held": _("its form is open in another tab"),
    "held-go-on": _("Save it there, or close that tab: then it is sent."),
    "deals-now": _("The deal has moved on: %(name)s deals it."),
    "signed-out": _("This phone is no longer signed in."),
    "not-found": _("This phone no longer belongs to the circle."),
    "not-allowed": _("This phone can only watch. To score as well, ask the owner."),
    "closed": _("This circle is closed: nobody can write to it. An owner can open it again."),
    "not-done": _("No network: “%(act)s” was not done. Nothing is lost: try again."),
    "busy": _("The server cannot save right now: “%(act)s” was not done. Nothing is lost: try again."),
    "unsure": _("No answer: “%(act)s” may or may not have been done. The page shows it when you are back online."),
    "odd": _("The server could not read it."),
    "correct": _("Correct"),
    "another": _("Mine is another hand"),
    "drop": pgettext_lazy("hand", "Discard"),
    "keep": pgettext_lazy("hand", "Put aside"),
    "again": _("Try again"),
    "drop-sure": _("Discard hand %(number)s? It is only on this phone."),
    "drop-yes": _("Discard it"),
    "drop-no": _("Keep it"),
}


@cache
def script(language: str) -> str:
    """Return the script that defines the messages of a language. It may run twice: a page may be shown in another."""
    with override(language):
        texts = {name: str(message) % defaultdict(lambda: "#") for name, message in MESSAGES.items()}
    return f"globalThis.MESSAGES={json.dumps(texts, ensure_ascii=False, separators=(',', ':'))};\n"


@cache
def version(language: str) -> str:
    return sha256(script(language).encode()).hexdigest()[:8]
