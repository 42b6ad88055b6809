"""Runs the plain-text vectors in `vectors/`; each file names its content and its source."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pytest

from scorekeeper.games.base import Account, Count, Place, ScoreLine
from scorekeeper.games.errors import InvalidDeal, NotationError, NotPlaying
from scorekeeper.games.preference import (
    GAME,
    Rules,
    Standing,
    balances,
    check_seats,
    count,
    deal_from_text,
    deal_to_text,
    entries_to_text,
    is_agreed,
    is_finished,
    may_follow,
    next_dealer,
    pairwise,
    participants,
    places,
    playing_seats,
    reminder,
    sheet_from_text,
    sheet_to_text,
    standing_to_text,
    start,
)
from scorekeeper.money.settlement import in_whole_units
from scorekeeper.money.suggested_payments import fewest_payments
from tests.games.preference.evening import Evening
from tests.games.preference.hands import VECTORS, Given, lines, rules_and_seats, seats_of, vectors
from tests.pulka import FOUR, THREE, Amend, Hand, Pulka, Sheet, read

SIGNS = (" = ", " ! ", " > ", " : ", " ~ ", " ; ")
EVENINGS = "evenings.txt"


def test_every_line_is_a_vector_a_comment_or_blank() -> None:
    for path in sorted(VECTORS.glob("*.txt")):
        for at, line in lines(path.name):
            assert any(sign in f"{line} " for sign in SIGNS) or (path.name == EVENINGS and "|" in line), at


@vectors("worked.txt", "switches.txt", "aid.txt", "errata.txt", sign=" = ")
def test_deal_counts_as_in_the_vectors(given: str, expected: str) -> None:
    hand = Given.of(given)
    counted = hand.count()
    entries, semicolon, standing = expected.partition(";")
    assert (entries_to_text(counted.entries) or "-") == entries.strip()
    if semicolon:
        assert standing_to_text(counted.standing) == standing.strip()
    assert deal_to_text(deal_from_text(hand.text, hand.rules)) == hand.text


@vectors("explained.txt", sign=" = ")
def test_score_lines_are_those_of_the_vectors(given: str, expected: str) -> None:
    assert ", ".join(map(written, Given.of(given).count().lines)) == expected


def written(line: ScoreLine) -> str:
    against = f">{line.params['against']}" if "against" in line.params else ""
    letter = str(line.params["account"])[0].upper()
    return f"{line.item} {line.code} {letter}{line.params['seat']}{against}{line.amount:+}"


@vectors("refused.txt", sign=" ! ")
def test_impossible_deal_is_refused_as_in_the_vectors(given: str, expected: str) -> None:
    hand, found = Given.of(given), ["-"]
    try:
        deal = deal_from_text(hand.text, hand.rules)
        check_seats(deal, hand.seats, hand.dealer, hand.declarer, hand.rules)
        may_follow(deal, hand.standing, hand.rules)
    except InvalidDeal as refused:
        found = [f"{name} {message.code}" for name, message in refused.errors.items()]
    assert found == expected.split(", ")


@vectors("spelling.txt", sign=" ! ")
def test_no_other_spelling_is_read(given: str, expected: str) -> None:
    rules, _seats = rules_and_seats(given.partition("|")[0])
    with pytest.raises(NotationError):
        deal_from_text(given.partition("| ")[2], rules)
    assert expected == "malformed"


@vectors("spelling.txt", sign=" : ")
def test_a_deal_is_written_as_it_is_read(given: str, expected: str) -> None:
    house, _bar, text = given.partition("| ")
    rules, _seats = rules_and_seats(house)
    assert deal_to_text(deal_from_text(text, rules)) == text
    assert expected == "read"


@vectors("seating.txt", sign=" = ")
def test_playing_seats_and_next_dealer_are_those_of_the_vectors(given: str, expected: str) -> None:
    sitting, dealer = given.split(";")
    table = seats_of(sitting), int(dealer)
    playing, following, part = expected.split(";")
    assert playing_seats(*table) == seats_of(playing)
    assert next_dealer(*table) == int(following)
    assert participants(*table) == seats_of(part)
    assert participants(*table, talon=False) == seats_of(playing)
    assert GAME.leaders(*table) == dict.fromkeys(seats_of(playing), seats_of(playing)[0])


@vectors("seating.txt", sign=" > ")
def test_places_are_those_of_the_vectors(given: str, expected: str) -> None:
    sitting, dealer, declarer = given.split(";")
    assert places(seats_of(sitting), int(dealer), int(declarer)) == seats_of(expected)


@vectors("seating.txt", sign=" ! ")
def test_seat_that_does_not_play_has_no_place(given: str, expected: str) -> None:
    sitting, dealer, declarer = given.split(";")
    with pytest.raises({"NotPlaying": NotPlaying, "ValueError": ValueError}[expected]):
        places(seats_of(sitting), int(dealer), int(declarer))


# --- Results of a sheet ---


@vectors("settlements.txt", "errata.txt", sign=" > ")
def test_balances_are_those_of_the_vectors(given: str, expected: str) -> None:
    house, sheet = given.split("|")
    rules, seats = rules_and_seats(house)
    got = balances(sheet_from_text(sheet.strip()), seats, rules)
    assert tuple(got.values()) == tuple(map(Fraction, expected.split()))
    assert tuple(got) == seats


@vectors("settlements.txt", sign=" : ")
def test_debts_of_pairs_are_those_of_the_vectors(given: str, expected: str) -> None:
    house, sheet = given.split("|")
    rules, seats = rules_and_seats(house)
    owed = pairwise(sheet_from_text(sheet.strip()), seats, rules)
    assert ", ".join(f"{payer}>{payee} {points}" for (payer, payee), points in owed.items()) == expected


@vectors("settlements.txt", sign=" ~ ")
def test_balances_are_rounded_to_whole_units_as_in_the_vectors(given: str, expected: str) -> None:
    amounts, _bar, cut = given.partition("|")
    results = tuple(map(Fraction, amounts.split()))
    assert in_whole_units(results, seats_of(cut)) == tuple(map(int, expected.split()))


@pytest.mark.parametrize("evening", Evening.of(EVENINGS), ids=lambda evening: str(evening.at))
def test_a_whole_evening(evening: Evening) -> None:
    evening.play()


def test_a_hand_is_counted_only_where_it_can_be() -> None:
    for given, error in (
        (" | @2:- | 6S pp", NotPlaying),
        ("/4 | @3:3 | 6S pp", NotPlaying),
        (" | @2:0 | R 4-3-3", NotPlaying),
        (" | @2:0 | = D0+1", NotPlaying),
        ("/4 | | R 4-3-3", InvalidDeal),
        (" | | = D3+1", InvalidDeal),
    ):
        with pytest.raises(error):
            Given.of(given).count()
    hand = Given.of("give_up=3 | | 6S g")
    with pytest.raises(InvalidDeal):
        count(deal_from_text(hand.text, hand.rules), hand.place, hand.standing, Given.of(" | | 6S pp").rules)


# --- The two hand-checked evenings of the browser tests, against the rules: hand by hand, amended, and settled ---


@dataclass
class Table:
    """An evening as far as it has come: its hands by number, as they stand."""

    pulka: Pulka
    hands: dict[int, Hand] = field(default_factory=dict)

    @property
    def rules(self) -> Rules:
        return GAME.rules_from_text(self.pulka.rules)

    def counted(self) -> Iterator[tuple[Hand, Count[Standing]]]:
        """Every hand counted from the first, without the figures written beside it."""
        standing = start(self.rules)
        for hand in self.hands.values():
            place = Place(self.pulka.seats, hand.dealer, hand.declarer)
            deal = None if hand.is_thrown_in else deal_from_text(hand.deal, self.rules)
            counted = count(deal, place, standing, self.rules)
            yield hand, counted
            standing = counted.standing

    @property
    def standing(self) -> Standing:
        return next((counted.standing for _hand, counted in reversed(list(self.counted()))), start(self.rules))

    @property
    def sums(self) -> dict[Account, int]:
        sums = dict[Account, int]()
        for _hand, counted in self.counted():
            for entry in counted.entries:
                sums[entry.of] = sums.get(entry.of, 0) + entry.amount
        return {account: amount for account, amount in sums.items() if amount}

    def entries(self) -> dict[int, str]:
        return {hand.number: entries_to_text(counted.entries) for hand, counted in self.counted()}

    # --- The fields of a line ---

    def record(self, hand: Hand) -> None:
        assert hand.number == len(self.hands) + 1
        assert hand.dealer == self._who_deals(), f"hand {hand.number} is dealt by another"
        if not hand.is_thrown_in:
            self._may_be(hand)
            may_follow(deal_from_text(hand.deal, self.rules), self.standing, self.rules)
        self.hands[hand.number] = hand
        assert self.entries()[hand.number] == hand.entries, f"hand {hand.number}"

    def amend(self, amended: Amend) -> None:
        before, hand = self.entries(), amended.hand
        assert (hand.dealer, hand.number) == (self.hands[hand.number].dealer, hand.number)
        self._may_be(hand)
        self.hands[hand.number] = hand
        after = self.entries()
        assert after[hand.number] == hand.entries, f"hand {hand.number}, amended"
        assert {number: text for number, text in after.items() if text != before[number]} == {
            hand.number: hand.entries,
            **amended.changes,
        }
        for number, entries in amended.changes.items():
            self.hands[number] = replace(self.hands[number], entries=entries)

    def compare(self, said: Sheet) -> None:
        seats, sums = self.pulka.seats, self.sums
        results = balances(sums, seats, self.rules)
        assert sheet_to_text(sums) == said.sheet
        assert tuple(results.values()) == said.results
        assert sum(said.results) == 0
        assert self._over_with() == said.over
        assert is_finished(self.standing, self.rules) == (said.over is not None)
        assert (reminder(sums, len(self.hands), seats, self.rules) is not None) == (said.over is not None)
        if said.settled:
            pairs = pairwise(sums, seats, self.rules)
            assert tuple((*who, points) for who, points in pairs.items()) == said.pairs
            assert in_whole_units(list(results.values())) == said.whole
            paid = tuple((each.payer, each.payee, each.points) for each in fewest_payments(said.whole))
            assert paid == said.fewest

    def _may_be(self, hand: Hand) -> None:
        deal = deal_from_text(hand.deal, self.rules)
        assert deal_to_text(deal) == hand.deal
        assert is_agreed(deal) == hand.is_agreed
        check_seats(deal, self.pulka.seats, hand.dealer, hand.declarer, self.rules)

    def _who_deals(self) -> int:
        """The deal passes on after every hand, a raspasovka too, and stays after an entry that was no hand."""
        if not self.hands:
            return self.pulka.seats[0]
        last = self.hands[len(self.hands)]
        return last.dealer if last.is_thrown_in or last.is_agreed else next_dealer(self.pulka.seats, last.dealer)

    def _over_with(self) -> int | None:
        return next(
            (hand.number for hand, counted in self.counted() if is_finished(counted.standing, self.rules)), None
        )


@pytest.fixture(params=[THREE, FOUR], ids=lambda path: path.stem)
def pulka(request: pytest.FixtureRequest) -> Pulka:
    return read(request.param)


def test_every_line_is_what_the_rules_make_of_it(pulka: Pulka) -> None:
    table = Table(pulka)
    for line in pulka.lines:
        match line:
            case Hand():
                table.record(line)
            case Amend():
                table.amend(line)
            case Sheet():
                table.compare(line)
    assert isinstance(pulka.lines[-1], Sheet)
    assert pulka.lines[-1].settled
