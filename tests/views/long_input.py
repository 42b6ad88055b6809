"""Every field of every form that can be posted, and every address, with far more in it than anything takes."""

from collections.abc import Iterable, Iterator
from urllib.parse import quote_plus

from tests.views.scene import Scene

FORM = "application/x-www-form-urlencoded"
#: Just under the server's limit.
BYTES = 299_000
#: Normalising the first is quadratic: marks above and below come in an order of their own.
KINDS = {
    "marks": "a" + "\u0301" * (BYTES // 12) + "\u0316" * (BYTES // 12),
    "spaces": " " * BYTES,
    "letters": "x" * BYTES,
}
#: The same as a browser sends it, but for spaces, which take three bytes where somebody wants them to.
ENCODED = {kind: quote_plus(value).encode()[:BYTES] for kind, value in KINDS.items()} | {
    "encoded spaces": b"%20" * (BYTES // 3)
}
#: Values read besides the fields of forms, and fields that a scene's body leaves out.
READ_BY_HAND = {
    "evening-new": (
        *("player_5", "stake", "currency", "keep_as", "game", "rules", "profile", "shown_rules"),
        *("rules_kontra", "target", "target_typed", "token", "after", "arrange", "language"),
    ),
    "evening-edit": ("stake", "currency", "seen", "arrange", "language"),
    "hand-new": ("line", "redeal", "seen", "meant", "another", "mine", "take", "count", "language"),
    "hand-edit": ("line", "revision", "count"),
    "entries-new": ("rows", "account_0", "seat_0", "sign_0", "amount_0", "more"),
    "announce": ("replace",),
    "lineup": ("pick", "language"),
    "member-me": ("ask_no_more",),
    "set_language": ("next",),
    "referee-finish": ("asked", "shown"),
    "repayments": ("for", "meant", "note", "kind", "known", "another", "page", "settle", "language"),
    "repayment-undo": ("page", "settle"),
}
GET_FIELDS = {
    "evening-new": ("arrange", "after", "game", "rules", "profile"),
    "evening": ("saved", "before"),
    "evening-live": ("v",),
    "settle": ("cut", "booked"),
    "circle": ("booked",),
    "repayments": ("payer", "amount", "currency", "for", "page", "settle", "booked", "before"),
    "past": ("page",),
    "members": ("page",),
    "hand-new": ("seen",),
    "game-rules": ("rules", "evening"),
    "game-worth": ("rules", "line", "contract", "evening"),
    "demo": ("key",),
    "home": ("x",),
    "table-view-live": ("v",),
}


def bodies(scene: Scene, kinds: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The body that the page would post, once for each of its fields with that one too long, in one of the `kinds`."""
    sound = scene.body()
    names = dict.fromkeys((*sound, *READ_BY_HAND.get(scene.name, ()), "csrfmiddlewaretoken"))
    for long, kind in zip(names, kinds, strict=False):
        pairs = [f"{name}={quote_plus(value)}".encode() for name, value in sound.items() if name != long]
        yield long, b"&".join([*pairs, f"{long}=".encode() + ENCODED[kind]])[:BYTES]
