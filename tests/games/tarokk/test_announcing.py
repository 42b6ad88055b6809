"""Announcements and kontras: turns, ladders, and the sides that follow from them."""

from random import Random

import pytest

from scorekeeper.games.errors import InvalidDeal, MalformedState
from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk import BOOK, Announced, Bonus, Deal, Side, deal_to_text
from scorekeeper.games.tarokk.announcing import ALONE, GAME, AnnouncedFacts, Announcing, Item
from scorekeeper.games.tarokk.enums import Contract
from tests.games.refusals import code, refusal

OURS, THEIRS = Side.DECLARERS, Side.OPPONENTS
#: Anna is the declarer; Dani, Cili and Béla come after her.
SEATS = (0, 3, 2, 1)
START = Announcing(SEATS)
LADDER = BOOK.ladder


def heard(said: str, start: Announcing = START) -> Announcing:
    """`0:T 0:mehet 3:K`: the words, in order."""
    for each in said.split():
        seat, _, word = each.partition(":")
        start = start.say(int(seat), word, ladder=LADDER)
    return start


def refused(said: str, last: str, **more: int) -> str:
    seat, _, word = last.partition(":")
    before = heard(said)
    return refusal(lambda: before.say(int(seat), word, **{"ladder": LADDER, **more})).code


def facts(said: str) -> str:
    """The announcements as a line writes them."""
    return " ".join(heard(said).facts.words())


# --- turns --------------------------------------------------------------------------------------------------


def test_declarer_begins_and_each_ends_with_mehet() -> None:
    turns = ["", "0:mehet", "0:mehet 3:mehet", "0:mehet 3:mehet 2:T", "0:mehet 3:mehet 2:T 2:mehet 1:mehet 0:mehet"]
    assert [heard(said).turn for said in turns] == [0, 3, 2, 2, 3]


@pytest.mark.parametrize(
    ("said", "is_over"),
    [
        ("0:mehet 3:mehet 2:mehet", False),
        ("0:mehet 3:mehet 2:mehet 1:mehet", True),
        ("0:mehet 3:mehet 2:mehet 1:K 1:mehet 0:mehet 3:mehet", False),
        ("0:mehet 3:mehet 2:mehet 1:K 1:mehet 0:mehet 3:mehet 2:mehet", True),
        ("0:mehet 3:mehet 2:mehet 1:8 1:mehet 0:mehet", False),
    ],
)
def test_three_silent_turns_running_end_it_and_calling_a_card_is_not_silent(said: str, is_over: bool) -> None:
    assert heard(said).is_over is is_over


def test_announcement_after_the_end_is_refused_until_it_is_opened_again() -> None:
    over = heard("0:mehet 3:mehet 2:mehet 1:mehet")
    assert refusal(lambda: over.say(0, "T", ladder=LADDER)).code == "announcing_over"
    assert (over.turn, over.may_announce(0), over.may_double(3, LADDER), over.may_declare(0)) == (None, (), {}, ())
    closed = heard("0:T").close()
    assert (closed.is_over, closed.undo()) == (True, heard("0:T"))
    assert refusal(closed.close).code == "announcing_over"
    assert refusal(START.undo).code == "nothing_to_undo"


ROUND = "0:mehet 3:mehet 2:mehet 1:8 1:mehet"
THREE = "0:mehet 3:K 3:mehet 2:mehet 1:mehet 0:R 0:mehet 3:S 3:mehet 2:mehet 1:mehet"


@pytest.mark.parametrize(
    ("said", "last", "why"),
    [
        ("", "3:K", "not_your_turn"),
        ("0:mehet", "0:T", "not_your_turn"),
        ("", "4:K", "not_playing"),
        ("0:T", "0:T", "announced_already"),
        ("0:D", "0:V", "double_and_volat"),
        ("0:V", "0:D", "double_and_volat"),
        (f"0:V {ROUND}", "0:D", "double_after_volat"),
        ("0:mehet", "3:TK", "not_announced_yet"),
        ("0:mehet", "3:R", "step_out_of_order"),
        ("0:mehet 3:K", "3:K", "step_out_of_order"),
        ("0:mehet 3:K", "3:R", "not_his_side"),
        ("", "0:K", "not_his_side"),
        ("0:T", "0:TK", "not_his_side"),
        ("0:8", "0:9", "tarokks_declared"),
        ("0:8 0:mehet 3:9 3:mehet", "2:8", "tarokks_three"),
        ("", "0:office", "office_at_once"),
        ("0:mehet", "3:office", "office_at_once"),
    ],
)
def test_word_that_cannot_be_said_now_is_refused(said: str, last: str, why: str) -> None:
    assert refused(said, last) == why


# --- bonuses and ladders ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "words"),
    [
        # Both sides may announce the same, each once.
        ("0:T 0:mehet 3:K 3:-T", "K T -T"),
        ("0:V 0:mehet 3:K 3:-D", "K V -D"),
        # Dupla and volát are not said in one turn, nor dupla after volát.
        (f"0:D {ROUND} 0:V", "D V 8@3"),
        # Each item has its own ladder.
        ("0:T 0:mehet 3:K 3:TK 3:mehet 2:mehet 1:mehet 0:R", "R TK"),
        (f"{THREE} 0:H 0:mehet 3:M", "M"),
        ("0:mehet 3:mehet 2:mehet 1:8", "8@3"),
    ],
)
def test_facts_are_what_was_said(said: str, words: str) -> None:
    assert facts(said) == words


def test_words_offered_follow_from_what_was_said() -> None:
    assert Item(OURS, Bonus.TRULL) not in heard("0:T").may_announce(0)
    assert Item(THEIRS, Bonus.TRULL) in heard("0:T 0:mehet 3:K").may_announce(3)
    assert heard("0:8 0:mehet 3:9 3:mehet").may_declare(2) == ()
    doubled = heard("0:T 0:mehet 3:K 3:TK 3:mehet 2:mehet 1:mehet 0:R")
    assert doubled.items == {GAME: Kontra.REKONTRA, Item(OURS, Bonus.TRULL): Kontra.KONTRA}


def test_ladder_ends_where_the_house_ends_it() -> None:
    assert refused(THREE, "0:H", ladder=3) == "kontra_too_high"
    assert (heard(THREE).may_double(0, 3), heard(THREE).may_double(0, 4)) == ({}, {GAME: Kontra.HIRSKONTRA})


# --- sides --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "partner"),
    [
        ("", None),
        ("0:T", None),
        ("0:mehet 3:8 3:mehet", None),
        # Nobody has shown a side yet, so he counts as the declarer's.
        ("0:mehet 3:T", 1),
        ("0:mehet 3:K", None),
        # The side that spoke last was the opponents', and he goes with it.
        ("0:mehet 3:K 3:mehet 2:-T", None),
        ("0:mehet 3:K 3:mehet 2:R", 2),
        ("0:mehet 3:K 3:mehet 2:mehet 1:R", 3),
        ("0:mehet 3:K 3:-T 3:mehet 2:-TK", 2),
        ("0:T 0:mehet 3:TK 3:mehet 2:K 2:mehet 1:-N", ALONE),
        ("1:office", ALONE),
    ],
)
def test_partner_is_shown_by_what_is_said(said: str, partner: int | None) -> None:
    assert heard(said).partner == partner


def test_player_of_unknown_side_announces_for_the_side_that_spoke_last() -> None:
    assert heard("0:mehet").counts_as(3) is OURS
    assert heard("0:mehet 3:K 3:mehet").counts_as(2) is THEIRS
    assert heard("0:mehet 3:K 3:mehet 2:R 2:mehet").counts_as(1) is THEIRS
    assert heard("0:mehet").side_of(3) is None
    assert heard("0:mehet 3:T").side_of(2) is THEIRS


def test_partner_known_besides_overrides_the_words() -> None:
    asked = heard("0:mehet")
    assert (asked.side_of(3, partner=2), asked.side_of(3, partner=1), asked.side_of(3, partner=ALONE)) == (
        THEIRS,
        OURS,
        THEIRS,
    )
    assert code(asked.say, 3, "K", ladder=LADDER, partner=1) == "not_his_side"
    assert code(asked.say, 3, "K", ladder=LADDER, partner=2) is None
    assert asked.may_double(3, LADDER, partner=1) == {}


def test_opponent_with_the_called_card_in_his_skart_says_kontra_at_once() -> None:
    alone = heard("1:office")
    assert (alone.facts.game_kontra, alone.turn) == (Kontra.KONTRA, 0)


# --- Announcements of a form ---

NOTED = AnnouncedFacts(
    Kontra.KONTRA, (Announced(THEIRS, Bonus.TRULL), Announced(OURS, Bonus.DOUBLE, Kontra.KONTRA)), (0, 8, 0, 0)
)


def test_after_a_form_anybody_speaks() -> None:
    noted = START.with_facts(NOTED)
    assert (noted.in_turn, noted.turn, noted.facts) == (False, None, NOTED)
    assert " ".join(heard("2:R 2:-TK", noted).facts.words()) == "R DK -TK 8@1"
    assert noted.close().is_over


def test_a_form_that_says_the_same_leaves_what_was_said_in_turn() -> None:
    spoken = heard("0:T 0:mehet 3:K")
    assert spoken.with_facts(spoken.facts) is spoken
    assert spoken.with_facts(NOTED) == START.with_facts(NOTED)
    assert heard("0:T").with_facts(AnnouncedFacts()) == START


# --- any announcements --------------------------------------------------------------------------------------


def some(chance: Random, ladder: int) -> Announcing:
    """Anything that may be said, some of the way."""
    after = START
    for _ in range(chance.randrange(40)):
        words = [(seat, word) for seat in SEATS for word in every_word(after, seat, ladder)]
        if not words:
            return after
        seat, word = chance.choice(words)
        after = after.say(seat, word, ladder=ladder)
    return after.close() if chance.randrange(9) == 0 and not after.is_over else after


def every_word(at: Announcing, seat: int, ladder: int) -> list[str]:
    if at.is_over or (at.in_turn and at.turn != seat):
        return []
    letters = ["", "K", "R", "S", "H", "M"]
    steps = [item.letters + letters[step] for item, step in at.may_double(seat, ladder).items()]
    bonuses = [item.letters for item in at.may_announce(seat)]
    return ["mehet", *steps, *bonuses, *map(str, at.may_declare(seat))]


def test_whatever_may_be_said_is_taken_makes_a_deal_and_is_read_back() -> None:
    chance = Random(9)  # noqa: S311 (chance, and no secret)
    for _ in range(80):
        said = some(chance, LADDER)
        assert Announcing.from_text(said.to_text()) == said
        told = said.facts
        assert AnnouncedFacts.from_words(tuple(told.words())) == told
        partner = said.partner
        try:
            deal = Deal(Contract.TWO, partner or None, 55, told.game_kontra, told.announced, tarokks=told.tarokks)
        except InvalidDeal as invalid:
            pytest.fail(str(invalid))
        assert " ".join(told.words()) in deal_to_text(deal)
        for seat in SEATS:
            offered = set(every_word(said, seat, LADDER))
            tried = ["mehet", "K", "R", "T", "-T", "TK", "-TK", "D", "-D", "V", "-V", "8", "9"]
            taken = {word for word in tried if not code(said.say, seat, word, ladder=LADDER)}
            # A player of no known side is offered the bonuses of one; the other's are not refused.
            assert taken >= offered & set(tried)
            assert said.side_of(seat) is None or {w for w in taken if "K" in w or "R" in w} <= offered


def test_malformed_word_is_refused() -> None:
    for word in ("", "k", "Z", "-", "-K", "10", "TT"):
        with pytest.raises(MalformedState):
            START.say(0, word, ladder=LADDER)
