"""Read a JSON document of a book: bounded, by its schema, and whole: each reference leads to something.

A document comes from anywhere. Its size is asked before anything is read, and the number of its values before they are
made. What its hands come to is counted by `document_session`.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, NoReturn

from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.games import GAMES
from scorekeeper.games.errors import GameError
from sessions_app.errors import DocumentRefused
from sessions_app.readers.book import json_schema
from sessions_app.readers.book.document import FORMAT, SCHEMA, VERSION, Value, in_utc
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.repayments import CLOCKS_DIFFER
from sessions_app.words.money import CURRENCIES

MOST_BYTES: Final = 50_000_000
#: Lists, objects and their members: 1,000 sessions of 40 hands have 3,000,000.
MOST_VALUES: Final = 8_000_000


def read(data: bytes) -> Value:
    """Return the document, checked by its schema and its references. Raise DocumentRefused."""
    value = _parsed(data)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise DocumentRefused(_("this is no book of Strigula"))
    version = value.get("version")
    if type(version) is int and version > VERSION:
        newer = {"version": version, "known": VERSION}
        raise DocumentRefused(
            _("it is of version %(version)s, newer than this Strigula, which reads version %(known)s") % newer
        )
    _schema()(value)
    _check_players(value["players"])
    _check_circle(value)
    _check_references(value)
    return value


def _parsed(data: bytes) -> Any:
    if len(data) > MOST_BYTES:
        raise DocumentRefused(_("it is larger than %(most)s MB") % {"most": MOST_BYTES // 10**6})
    if data.count(b",") + data.count(b"[") + data.count(b"{") > MOST_VALUES:
        raise DocumentRefused(_("it has too many values"))
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError:
        raise DocumentRefused(_("it is not written in UTF-8")) from None
    except RecursionError:
        raise DocumentRefused(_("it is nested too deeply")) from None
    except json.JSONDecodeError as error:
        raise DocumentRefused(_("line %(line)s is no JSON") % {"line": error.lineno}) from None
    except ValueError:
        raise DocumentRefused(_("it has a number that is too long")) from None


def _no_fraction(text: str) -> NoReturn:
    raise DocumentRefused(_("“%s” cannot stand here") % text[: json_schema.QUOTED])


def _object(pairs: list[tuple[str, Any]]) -> Value:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DocumentRefused(_("a name stands twice in one object"))
    return found


@cache
def _schema() -> json_schema.Check:
    return json_schema.compiled(json.loads(SCHEMA.read_bytes()))


# --- Whether its parts fit together ---


def _check_players(players: Sequence[Value]) -> None:
    _once(players, "id", "players")
    _once(players, "name", "players")
    by_id = {player["id"]: player for player in players}
    for number, player in enumerate(players, start=1):
        into = player["merged_into"]
        if into is not None and (into not in by_id or into == player["id"] or by_id[into]["merged_into"]):
            raise DocumentRefused(_("its other name is not that of a player here"), ["players", str(number)])
        for change in player["changes"]:
            time_of(change["at"], "players", str(number), "changes")


def _check_circle(value: Value) -> None:
    for currency in value["circle"]["cash_coins"]:
        if currency not in CURRENCIES:
            raise DocumentRefused(_("the currency is not known here"), ["circle", "cash_coins"])
    for number, profile in enumerate(value["house_profiles"], start=1):
        where = ["house_profiles", str(number)]
        check_rules(profile["game"], profile["rules"], where)
        time_of(profile["at"], *where)


def time_of(text: str, *where: str) -> datetime:
    """Return the time. Raise DocumentRefused if there is none such, or it is still to come."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at > timezone.now() + CLOCKS_DIFFER or in_utc(at) != text:
        raise DocumentRefused(_("“%s” is no time, or is still to come") % text, where)
    return at


def check_rules(game_key: str, text: str, where: list[str]) -> None:
    """Raise DocumentRefused unless the game reads these house rules, in their one spelling."""
    game = GAMES.get(game_key)
    if game is None:
        raise DocumentRefused(_("the game is not known here"), where)
    try:
        is_spelled = game.rules_to_text(game.rules_from_text(text)) == text
    except (GameError, ValueError, LookupError):
        is_spelled = False
    if not is_spelled:
        raise DocumentRefused(_("the house rules are not those of the game"), where)


def _check_references(value: Value) -> None:
    into = {player["id"]: player["merged_into"] for player in value["players"]}
    _once(value["sessions"], "id", "sessions")
    _once(value["payments"], "id", "payments")
    for number, session in enumerate(value["sessions"], start=1):
        where = ["sessions", str(number)]
        _once(session["hands"], "id", *where, "hands")
        _once(session["seats"], "player", *where, "seats")
        for seat in session["seats"]:
            _check_person(into, seat["player"], seat["sat_as"], [*where, "seats"])
    for number, payment in enumerate(value["payments"], start=1):
        where = ["payments", str(number)]
        for side in ("payer", "payee"):
            _check_person(into, payment[side], payment[f"{side}_as"], where)
        is_of_one = payment["payer"] == payment["payee"] and payment["undone"] is None
        is_for_some = payment["kind"] == "opening" and payment["sessions"]
        if is_of_one or is_for_some or len(set(payment["sessions"])) < len(payment["sessions"]):
            raise DocumentRefused(_("it is no payment between two players"), where)
        if not is_currency(payment["currency"]):
            raise DocumentRefused(_("the currency is not known here"), where)
        made_at = time_of(payment["at"], *where)
        if payment["undone"] and time_of(payment["undone"]["at"], *where) < made_at:
            raise DocumentRefused(_("it was taken back before it was booked"), where)


def _check_person(into: dict[str, str | None], player: str, name: str | None, where: list[str]) -> None:
    if player not in into or into[player] is not None or (name is not None and into.get(name) != player):
        raise DocumentRefused(_("it names a player who is not there"), where)


def _once(members: Iterable[Value], key: str, *where: str) -> None:
    seen = set()
    for number, member in enumerate(members, start=1):
        if member[key] in seen:
            raise DocumentRefused(_("it is there twice"), [*where, str(number)])
        seen.add(member[key])
