"""Cut a JSON document of a book into its members, without making a value of it: in flat memory, by its brackets.

A document has an object with a few lists of objects in it. Each of those objects, a player, a session, a payment, is a
slice of the file, which is parsed by itself: memory holds one member, however long the document is. What lies between
them is read as the `frame`. Depth, lengths and the number of values are bounded before anything is parsed.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Any, Final, NoReturn

from django.utils.translation import gettext_noop as _

from sessions_app.errors import DocumentRefused

#: Characters of a wrong value that a sentence quotes.
QUOTED: Final = 40
MOST_BYTES: Final = 50_000_000
#: Lists, objects and their members: 1,000 sessions of 40 hands have 3,000,000.
MOST_VALUES: Final = 8_000_000
#: Bytes and values of one member, and of the frame. A session of 5,000 hands has 400,000 values.
MOST_MEMBER_BYTES: Final = 12_000_000
MOST_MEMBER_VALUES: Final = 500_000
MOST_FRAME_BYTES: Final = 20_000
#: Members of one list: no list of a book has more.
MOST_MEMBERS: Final = 100_000
#: A book's own depth is 11.
MOST_DEPTH: Final = 20
#: Bytes whose values are counted at once.
BLOCK: Final = 1_000_000
#: Bytes between two brackets: no text of a book is as long. One search in them keeps others out for 5 ms.
MOST_TEXT_BYTES: Final = 200_000
#: Brackets after which others are let in.
BRACKETS_ON_END: Final = 20_000

#: All up to the next bracket that stands in no text. Nothing is tried twice: no text makes it slow.
_NEXT: Final = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
_SPACE: Final = b" \t\r\n"

type Data = bytes | mmap
type Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parts:
    """A document: its frame, parsed, in which each list has its place in `lists`, which has its members' slices."""

    data: Data
    frame: Any
    lists: Sequence[Sequence[Span]]

    def members(self, name: str) -> Sequence[Span]:
        """Return the slices of a list of this name. Raise DocumentRefused if it is none."""
        match self.frame.get(name):
            case [int(place)]:
                return self.lists[place]
            case None:
                raise DocumentRefused(_("it has no “%s”"), said=name)
        raise DocumentRefused(_("“%s” cannot stand here"), [name], ascii(self.frame[name])[:QUOTED])

    def slice(self, span: Span) -> bytes:
        return self.data[span[0] : span[1]]


def cut(data: Data, make_way: Callable[[], object] = lambda: None) -> Parts:
    """Return the parts of a document. Raise DocumentRefused for a file that is none, or too large."""
    if len(data) > MOST_BYTES:
        raise DocumentRefused(_("it is larger than %(most)s MB"), said={"most": MOST_BYTES // 10**6})
    blocks = (data[start : start + BLOCK] for start in range(0, len(data), BLOCK))
    if sum(map(_values, blocks)) > MOST_VALUES:
        raise DocumentRefused(_("it has too many values"))
    lists, frame, after = list[list[Span]](), list[bytes](), 3 if data[:3] == b"\xef\xbb\xbf" else 0
    for start, end, members in _lists(data, make_way):
        frame.append(data[after : start + 1] + b"%d" % len(lists))
        lists.append(members)
        after = end
        if sum(map(len, frame)) > MOST_FRAME_BYTES:
            raise DocumentRefused(_("it has too many values"))
    if len(data) - after > MOST_FRAME_BYTES:
        raise _no_json(data, after)
    return Parts(data, parsed(b"".join([*frame, data[after:]])), lists)


def _values(block: bytes) -> int:
    return block.count(b",") + block.count(b"[") + block.count(b"{")


def _lists(data: Data, make_way: Callable[[], object]) -> Iterator[tuple[int, int, list[Span]]]:
    """Yield the lists of the outermost object: the places of their brackets, and their members' slices."""
    start, begin = -1, 0
    members = list[Span]()
    for at, opens, depth in _brackets(data, make_way):
        if opens and depth == 2:
            start, members = at if data[at : at + 1] == b"[" else -1, []
        elif start < 0 or depth > 2 + opens:
            continue
        elif opens and depth == 3:
            begin = at
            _check_between(data, members[-1][1] if members else start + 1, begin, b"," if members else b"")
        elif depth == 2:
            members.append((begin, at + 1))
            require_parsable(data, members[-1:])
            if len(members) > MOST_MEMBERS:
                raise DocumentRefused(_("it has too many values"))
        elif depth == 1:
            _check_between(data, members[-1][1] if members else start + 1, at, b"")
            yield start, at, members
            start = -1


def _brackets(data: Data, make_way: Callable[[], object]) -> Iterator[tuple[int, bool, int]]:
    """Yield each bracket that stands in no text: its place, whether it opens, and the depth behind it."""
    depth = at = count = 0
    while found := _NEXT.match(data, at, at + MOST_TEXT_BYTES):
        at = found.end()
        opens = found[1] in b"[{"
        depth += 1 if opens else -1
        if depth > MOST_DEPTH:
            raise DocumentRefused(_("it is nested too deeply"))
        if depth < 0:
            raise _no_json(data, at)
        yield at - 1, opens, depth
        if not depth:
            return  # what follows is no part of the document, and read with the frame
        count += 1
        if not count % BRACKETS_ON_END:
            make_way()
    if depth:
        raise _no_json(data, at)


def _check_between(data: Data, start: int, end: int, wanted: bytes) -> None:
    """Raise DocumentRefused unless nothing but this stands between two members."""
    if end - start > MOST_FRAME_BYTES or data[start:end].strip(_SPACE) != wanted:
        raise _no_json(data, start)


def require_parsable(data: Data, spans: Sequence[Span]) -> None:
    """Raise DocumentRefused for slices that, parsed at once, would take much memory."""
    size = sum(end - start for start, end in spans)
    # A member of a few bytes has few values: most are not counted.
    if size > MOST_MEMBER_BYTES or (
        size > MOST_MEMBER_VALUES and sum(_values(data[start:end]) for start, end in spans) > MOST_MEMBER_VALUES
    ):
        raise DocumentRefused(_("it has too many values"))


def _no_json(data: Data, at: int) -> DocumentRefused:
    line = sum(data[start : min(start + BLOCK, at)].count(b"\n") for start in range(0, at, BLOCK)) + 1
    return DocumentRefused(_("line %(line)s is no JSON"), said={"line": line})


# --- One member ---


def parsed(data: bytes) -> Any:
    """Return the value that the JSON of a member, or of the frame, writes. Raise DocumentRefused."""
    try:
        return json.loads(
            data.decode(),
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError:
        raise DocumentRefused(_("it is not written in UTF-8")) from None
    except RecursionError:
        raise DocumentRefused(_("it is nested too deeply")) from None
    except json.JSONDecodeError as error:
        raise DocumentRefused(_("line %(line)s is no JSON"), said={"line": error.lineno}) from None
    except ValueError:
        raise DocumentRefused(_("it has a number that is too long")) from None


def _no_fraction(text: str) -> NoReturn:
    raise DocumentRefused(_("“%s” cannot stand here"), said=text[:QUOTED])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DocumentRefused(_("a name stands twice in one object"))
    return found
