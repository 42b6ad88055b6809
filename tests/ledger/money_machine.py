"""A machine that plays, corrects, pays, merges and waits in any order, and notes it in a paper book."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from itertools import permutations
from uuid import uuid4

from django.db.models import F
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from sessions_app.errors import EveningUsed, MergeRefused, RepaymentRefused
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, Player, Repayment
from sessions_app.readers.money import lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import Line, Night, PaymentList, night_of
from sessions_app.readers.people.circles import players_of
from sessions_app.writers import circles, evenings, ledger, players, repayments
from tests.factories import UserFactory
from tests.ledger.books import edit, faults
from tests.ledger.paper_book import GAMES, NAMES, STAKES, Paid, Paper, Session

stakes = st.sampled_from(STAKES)


class Books(RuleBasedStateMachine):
    """Sessions of all games and stakes, corrections before and after payments, payments, parts, undos and merges."""

    @initialize()
    def open(self) -> None:
        self.owner, self.paper = UserFactory(), Paper()
        for game, stake in zip(sorted(GAMES), STAKES[1:], strict=False):
            self.begin(game, NAMES[:4], stake)

    def begin(self, game: str, names: tuple[str, ...], stake: tuple[str | None, str], in_chips: bool = False) -> None:
        seats, (worth, currency) = names[:4] if game == "tarokk" else names[:3], stake
        opening = evenings.Opening(seats, 0, worth and Decimal(worth), currency, game, in_chips=in_chips)  # type: ignore[arg-type]
        circle = getattr(self, "circle", None)
        evening = evenings.start(opening, token=uuid4(), by=self.owner, circle=circle)
        self.circle = evening.circle
        self.paper.sessions[evening.pk] = Session(game, seats, stake, self.paper.day, self.paper.tick(), in_chips)

    @rule(game=st.sampled_from(sorted(GAMES)), names=st.permutations(NAMES), stake=stakes, in_chips=st.booleans())
    def start(self, game: str, names: list[str], stake: tuple[str | None, str], in_chips: bool) -> None:
        if len({self.paper.person(name) for name in names[:4]}) == 4:
            self.begin(game, tuple(names), stake, in_chips and game != "preference")

    @rule()
    def wait_for_another_day(self) -> None:
        """Move all that was written two days back."""
        two_days = timedelta(days=2)
        began, ended = F("started_at") - two_days, F("ended_at") - two_days
        Evening.objects.update(started_at=began, ended_at=ended)
        Hand.objects.update(recorded_at=F("recorded_at") - two_days)
        Repayment.objects.update(made_at=F("made_at") - two_days)
        self.paper.day += 1

    def drawn(self, data: st.DataObject) -> tuple[Evening, Session]:
        pk = data.draw(st.sampled_from(sorted(self.paper.sessions)))
        return Evening.objects.get(pk=pk), self.paper.sessions[pk]

    @rule(data=st.data(), ends=st.booleans())
    def play(self, data: st.DataObject, ends: bool) -> None:
        evening, session = self.drawn(data)
        seat, deal = self.hand_of(session, data)
        self.reopen(evening, session)
        self.write(evening, evening.last_number + 1, seat, deal)
        session.hands.append((session.names[seat], deal))
        if ends:
            self.end(evening, session)

    def hand_of(self, session: Session, data: st.DataObject) -> tuple[int, str]:
        seats, deals = range(len(session.names)), sorted(GAMES[session.game])
        return data.draw(st.sampled_from(seats)), data.draw(st.sampled_from(deals))

    def write(self, evening: Evening, number: int, seat: int, deal: str, amends: bool = False) -> None:
        facts = Facts(0, seat, deal)
        if evening.game_key == "preference":
            facts = Facts(0, None, f"= D{seat}{deal}", deal_stays=True)
        if amends:
            ledger.amend(evening.pk, number, facts=facts, by=self.owner)
        else:
            ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=self.owner)

    @rule(data=st.data(), voids=st.booleans())
    def correct(self, data: st.DataObject, voids: bool) -> None:
        """Correct, strike out or restore an old hand of a session that may be paid, and end it again."""
        evening, session = self.drawn(data)
        if not session.hands:
            return
        at = data.draw(st.integers(0, len(session.hands) - 1))
        self.reopen(evening, session)
        if session.hands[at] and voids:
            ledger.void(evening.pk, at + 1, by=self.owner)
            session.hands[at] = None
        else:
            seat, deal = self.hand_of(session, data)
            ledger.restore(evening.pk, at + 1, by=self.owner)
            self.write(evening, at + 1, seat, deal, amends=True)
            session.hands[at] = session.names[seat], deal
        self.end(evening, session)

    def end(self, evening: Evening, session: Session) -> None:
        evenings.end(evening.pk)
        session.end()

    def reopen(self, evening: Evening, session: Session) -> None:
        evenings.reopen(evening.pk)
        session.has_ended = False

    @rule(data=st.data())
    def end_or_reopen(self, data: st.DataObject) -> None:
        evening, session = self.drawn(data)
        if session.has_ended:
            self.reopen(evening, session)
        else:
            self.end(evening, session)

    @rule(data=st.data(), stake=stakes, in_chips=st.booleans())
    def edit_it(self, data: st.DataObject, stake: tuple[str | None, str], in_chips: bool) -> None:
        evening, session = self.drawn(data)
        session.stake, session.in_chips = stake, in_chips and session.game != "preference"
        worth, currency = stake
        money = {"stake": worth and Decimal(worth), "currency": currency}
        edit(evening, self.owner, **money, in_chips=session.in_chips)
        if session.has_ended:
            session.end()

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        evening, session = self.drawn(data)
        if len(self.paper.sessions) > 1:
            with suppress(EveningUsed):
                evenings.remove(evening.pk, by=self.owner)
                assert not any(session.hands)
                del self.paper.sessions[evening.pk]

    @rule(coin=st.sampled_from((1, 5)))
    def round_to(self, coin: int) -> None:
        circles.set_cash_coins(self.circle.pk, {"HUF": coin, "EUR": coin})

    @rule(data=st.data(), names=st.permutations(NAMES), units=st.integers(1, 400), is_opening=st.booleans())
    def pay_freely(self, data: st.DataObject, names: list[str], units: int, is_opening: bool) -> None:
        """Book any payment, which may be refused."""
        some = st.sets(st.sampled_from(sorted(self.paper.sessions)), max_size=2)
        asked = () if is_opening else tuple(data.draw(some))
        currency = data.draw(st.sampled_from(sorted({each.currency for each in self.paper.sessions.values()})))
        payer, payee = (Player.objects.filter(name=name).first() for name in names[:2])
        if payer and payee:
            with suppress(RepaymentRefused):
                self.book(payer.pk, payee.pk, units, currency, asked, is_opening)

    def book(
        self, payer: int, payee: int, units: int, currency: str, asked: tuple[int, ...], is_opening: bool = False
    ) -> None:
        kind = Repayment.Kind.OPENING if is_opening else Repayment.Kind.PAYMENT
        wanted = repayments.Wanted(payer, payee, units, currency, asked, kind=kind)
        row = repayments.book(self.circle.pk, wanted, token=uuid4(), by=self.owner).row
        names = [(name or player).name for name, player in ((row.payer_as, row.payer), (row.payee_as, row.payee))]
        self.paper.rows[row.pk] = Paid(names[0], names[1], units, currency, asked, is_opening, self.paper.tick())

    def book_line(self, line: Line, units: int) -> None:
        """Book what a list suggests: it is never refused."""
        self.book(line.payer.id, line.payee.id, units, line.currency, line.evenings)

    @rule(data=st.data())
    def pay_a_list_line_by_line(self, data: st.DataObject) -> None:
        for read in self.some_list(data):
            lines = read().lines
            left = written(lines)
            for line in data.draw(st.permutations(lines)):
                self.book_line(line, line.units)
                left -= written([line])
                assert written(read().lines) == left
            assert read().is_even

    @rule(data=st.data(), part=st.integers(2, 3))
    def pay_a_part_or_too_much(self, data: st.DataObject, part: int) -> None:
        for read in self.some_list(data):
            line = data.draw(st.sampled_from(read().lines))
            self.book_line(line, max(1, data.draw(st.sampled_from((line.units // part, line.units * part)))))

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        if self.paper.rows:
            pk = data.draw(st.sampled_from(sorted(self.paper.rows)))
            repayments.undo(self.circle.pk, pk, by=self.owner)
            del self.paper.rows[pk]

    @rule(pair=st.sampled_from(list(permutations(("Béla", "Bela", "Dóra"), 2))), is_apart=st.booleans())
    def merge_or_take_apart(self, pair: tuple[str, str], is_apart: bool) -> None:
        rows = [Player.objects.filter(name=name).first() for name in pair]
        if None in rows:
            return
        into, other = (row.pk for row in rows if row)
        if is_apart:
            players.unmerge(self.circle.pk, other, by=self.owner)
            self.paper.merged.pop(pair[1], None)
        else:
            with suppress(MergeRefused):
                players.merge(self.circle.pk, into, other, by=self.owner)
                self.paper.merged[pair[1]] = pair[0]

    def everything(self) -> dict[str, PaymentList]:
        circle = Circle.objects.get()
        return lists.everything(circle, balances(circle.pk), players_of(circle))

    def tonight(self, evening: int) -> tuple[Night, PaymentList] | None:
        """The night of a session and its list; None if it has no result."""
        circle = Circle.objects.get()
        night = night_of(Evening.objects.get(pk=evening))
        return night and (night, lists.tonight(circle, balances(circle.pk), night, players_of(circle)))

    def some_list(self, data: st.DataObject) -> Iterator[Callable[[], PaymentList]]:
        """Yield what reads one of the lists that have lines, if there is any."""
        nights = {pk: self.tonight(pk) for pk in sorted(self.paper.sessions)}
        scopes: list[str | int] = [currency for currency, shown in self.everything().items() if shown.lines]
        scopes += [pk for pk, found in nights.items() if found and found[0].is_offered and found[1].lines]
        if scopes:
            scope = data.draw(st.sampled_from(scopes))
            yield lambda: self.everything()[scope] if isinstance(scope, str) else self.tonight(scope)[1]  # type: ignore[index]

    def teardown(self) -> None:
        if hasattr(self, "circle"):
            assert faults() == []


def written(lines: Iterable[Line]) -> set[tuple[str, str, int]]:
    return {(line.payer.name, line.payee.name, line.units) for line in lines}
