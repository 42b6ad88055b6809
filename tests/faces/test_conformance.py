"""The interface of a face, checked for every registered game with random hands."""

from collections.abc import Iterator
from itertools import cycle, product
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils import translation

from scorekeeper.games.base import Place
from scorekeeper.games.errors import GameError, InvalidDeal, Message
from sessions_app.faces import FACES, drawn_of
from sessions_app.faces.hand_form import HandForm
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.readers.evening import recount, seating, sheets
from sessions_app.readers.evening.recount import facts_of, reads_as
from sessions_app.writers import ledger
from tests.games.registered import AnyGame, every_game, some_rules
from tests.ledger.test_conformance import NAMES, evening_at, some_facts
from tests.selection import first
from tests.views.page import Page, filled

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

LANGUAGES = ("en", "hu")
HANDS = 12
#: In place of one character of a notation.
MISREAD = "0123456789+-*ANHKRSM/ x"


@pytest.fixture
def chance() -> Random:
    return Random(8)  # noqa: S311  cards, not keys


def played(game: AnyGame, owner: User, chance: Random) -> Evening:
    evening = evening_at(game, owner, some_rules(game, chance))
    for number in range(1, HANDS + 1):
        facts = some_facts(evening, chance, chance.choice(evening.sitting))
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    thrown_in = Facts(0, deal_stays=game.redeals[0] == "stays")
    ledger.record(evening.pk, token=uuid4(), number=HANDS + 1, facts=thrown_in, by=owner)
    return Evening.objects.get(pk=evening.pk)


def form_of(evening: Evening, *args: Any, **kwargs: Any) -> HandForm:
    return FACES[evening.game_key].form.at(evening, names_of(evening), *args, **kwargs)


def names_of(evening: Evening) -> list[str]:
    return list(NAMES[: evening.seats.count()])


def hands_of(evening: Evening) -> list[Hand]:
    return list(evening.hands.order_by("number").prefetch_related("entries"))


def read(evening: Evening, hand: Hand) -> Any:
    return evening.game.deal_from_text(hand.deal, evening.house) if hand.deal else None


@every_game
def test_face_goes_by_its_game_s_key_and_has_a_name(game: AnyGame):
    face = FACES[game.key]
    assert (face.key, face.form.GAME.key) == (game.key, game.key)
    assert str(face.name)
    assert (face.referee is None) == (game.referee is None)


@every_game
def test_a_hand_fills_the_form_by_which_it_can_be_corrected(game: AnyGame, owner: User, chance: Random):
    evening = played(game, owner, chance)
    for hand in hands_of(evening):
        deal = read(evening, hand)
        values = FACES[game.key].form.values_of(hand, deal)
        thrown_in = {} if deal is not None else {"redeal": "stays" if hand.deal_stays else "passes"}
        form = form_of(evening, {**values, **thrown_in}, hand=hand)
        assert form.is_valid(), (hand.deal, form.errors)
        assert form.facts == facts_of(hand)
        if deal is not None:
            line = form_of(evening, {"line": hand.deal, **{name: values[name] for name in SAID_BY_ALL}}, hand=hand)
            assert line.is_valid(), (hand.deal, line.errors)
            assert (line.deal, line.facts) == (deal, facts_of(hand))
            words = {name: str(form[name].label) for name in form.FIELDS}
            assert all(words.values())


@every_game
def test_two_readings_of_a_hand_differ_in_rows_with_words_and_one_reading_in_none(
    game: AnyGame, owner: User, chance: Random
):
    form, evening = FACES[game.key].form, played(game, owner, chance)
    dealt = ((hand, read(evening, hand)) for hand in hands_of(evening))
    hands = [(hand, deal) for hand, deal in dealt if deal is not None and not game.is_agreed(deal)]
    for (hand, deal), language in zip(hands, cycle(LANGUAGES), strict=False):
        with translation.override(language):
            mine = form_of(evening, form.values_of(hand, deal), hand=hand)
            for other, others in hands:
                differ = mine.differences(form.values_of(other, others))
                assert all(each.row and each.theirs != each.mine for each in differ)
                if (hand.deal, hand.declarer) == (other.deal, other.declarer):
                    assert not differ
                elif not reads_as(evening, facts_of(hand), facts_of(other)):
                    assert differ, (hand.deal, other.deal)


@every_game
@pytest.mark.parametrize(("way", "language"), [("stays", "en"), ("passes", "hu")])
def test_a_deal_is_thrown_in_as_the_game_has_it(game: AnyGame, owner: User, language: str, way: str):
    evening = evening_at(game, owner, game.rules_from_text(""))
    with translation.override(language):
        form = form_of(evening, {"token": uuid4(), "number": 1, "dealer": 0, "redeal": way})
        offered = [offer for offer, words in form.redeals if str(words)]
        said = form.hidden_errors
    assert offered == list(game.redeals)
    assert form.is_valid() == (way in offered)
    assert [sentence[-1] for sentence in said] == ([] if way in offered else ["."])


SAID_BY_ALL = ("token", "number", "dealer", "declarer")


@every_game
def test_fields_named_by_a_form_exist(game: AnyGame, owner: User):
    form = form_of(evening_at(game, owner, game.rules_from_text("")))
    named = {*form.FIELDS, *form.PRESETS, *form.NEEDED, *form.OF_PEOPLE, *form.SAYS, *form.HEADLINE, *form.OPEN}
    assert named <= set(form.fields)
    assert set(form.FIELDS).isdisjoint(HandForm.base_fields)
    assert game.deal_from_text(form.EXAMPLE)


def refusals(game: AnyGame, chance: Random) -> dict[str, Message]:
    """Return the errors of impossible deals by code, from lines with one letter changed."""
    found: dict[str, Message] = {}
    for _ in range(600):
        sitting = tuple(range(game.seat_counts[0]))
        rules = some_rules(game, chance)
        text = list(game.deal_to_text(game.likely(chance, sitting, 0, game.rules_from_text(""))[1]))
        text[chance.randrange(len(text))] = chance.choice(MISREAD)
        try:
            game.deal_from_text("".join(text), rules)
        except InvalidDeal as invalid:
            found |= {message.code: message for message in invalid.errors.values()}
        except GameError:
            pass
    return found


@every_game
def test_every_refusal_has_its_sentence_in_both_languages(game: AnyGame, owner: User, chance: Random):
    found = refusals(game, chance)
    assert found
    form = form_of(evening_at(game, owner, game.rules_from_text("")))
    for message in found.values():
        for language in LANGUAGES:
            with translation.override(language):
                assert form.refusal(message).endswith((".", "?")), message


def parts(evening: Evening) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each part that the common pages include, with its context."""
    names, form = names_of(evening), form_of(evening)
    yield "hand_fields", {"form": form, "editing": None}
    drawn = drawn_of(evening, seating.seat_views(evening, tuple(enumerate(names))))
    if drawn is not None:
        assert hash(drawn) is not None, "a page is known by it"
        yield "drawn", {"drawn": drawn}
    for hand in hands_of(evening):
        deal = read(evening, hand)
        if deal is None:
            continue
        row, counted = sheets.row_of(evening, hand, names), recount.count_of(evening, hand, len(names))
        place = Place(hand.sitting, hand.dealer, hand.declarer)
        live = recount.count(evening, deal, place, len(names), hand)
        assert counted == live
        told = {"deal": deal, "players": row.players}
        yield "count", {"count": {"counted": live, "rules": evening.house, **told}, "names": names}
        yield "deal", told
        yield "sheet_deal", told
        yield "explained", {"row": row, "counted": counted, "names": names}
        yield "revision", {"row": row, "names": names}


@every_game
def test_every_part_of_its_templates_says_something(game: AnyGame, owner: User, chance: Random):
    evening = played(game, owner, chance)
    engine = Engine.get_default()
    for (part, context), language in product(parts(evening), LANGUAGES):
        template = engine.get_template(f"games/{game.key}/face.html#{part}")
        with translation.override(language):
            html = template.render(Context(context))
        assert Page(html).text, part
        assert "None" not in Page(html).text, part


@every_game
@pytest.mark.parametrize("language", first(1, LANGUAGES))
def test_all_pages_of_an_evening_open(game: AnyGame, owners: Client, owner: User, chance: Random, language: str):
    evening = played(game, owner, chance)
    ledger.void(evening.pk, 1, by=owner)
    each_hand = (f"hands/{number}/{page}" for number in range(1, HANDS + 2) for page in ("", "edit/"))
    for path in ("", "hands/new/", "settle/", "table/", "print/", *each_hand):
        answer = owners.get(f"/sessions/{evening.pk}/{path}", headers={"accept-language": language}, follow=True)
        assert answer.status_code == 200, path
        assert Page.of(answer).language == language


@every_game
def test_a_form_sent_back_as_it_came_corrects_nothing(game: AnyGame, owners: Client, owner: User, chance: Random):
    evening = played(game, owner, chance)
    for hand in hands_of(evening)[:-1]:
        if hand.deal:
            page = Page.of(owners.get(f"/sessions/{evening.pk}/hands/{hand.number}/edit/", follow=True))
            (form,) = (form for form in page.all("form") if form.attrs.get("id") in ("hand-form", "entries-form"))
            assert owners.post(form.attrs["action"], filled(form)).status_code == 302
    assert set(evening.hands.values_list("revision_count", flat=True)) == {1}


@every_game
def test_the_phone_s_tables_count_as_the_game_does(game: AnyGame, owner: User):
    """For a face with tables: the first to speak by dealer, and a seat for each column."""
    evening = evening_at(game, owner, game.rules_from_text(""))
    tables = FACES[game.key].provisional_tables(evening, len(names_of(evening)))
    if tables is not None:
        assert tables["first"] == [game.playing_seats(evening.sitting, seat)[0] for seat in sorted(evening.sitting)]
