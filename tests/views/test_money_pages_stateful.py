"""Every page and text that names an amount names the same, in whatever order sessions and payments happen."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

import pytest
from django.test import Client
from django.utils.translation import override
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from scorekeeper.games.amounts import Amount
from sessions_app.models import Evening, Member, Player
from sessions_app.readers.money.lists import Line, PaymentList
from sessions_app.words.amounts import amount_words
from tests.ledger.money_machine import Books, written
from tests.machines import run_in_transactions
from tests.views.page import Node, Page
from tests.views.test_settle_payments import names

type Amounts = dict[str, dict[str, Fraction]]


class Pages(Books):
    """Books of which a phone of Anna's shows the pages now and then."""

    @initialize()
    def open(self) -> None:
        """Begin with a night of two games of one currency, a debt in points, and a payment in part."""
        super().open()
        for pk, hands in zip(sorted(self.paper.sessions), ("2H 7", "+1", "s= 66"), strict=True):
            evening, session = Evening.objects.get(pk=pk), self.paper.sessions[pk]
            self.write(evening, 1, 0, hands)
            session.hands.append((session.names[0], hands))
            self.end(evening, session)
        line = next(iter(self.everything().values())).lines[0]
        self.book_line(line, line.units // 2)
        Member.objects.filter(user=self.owner).update(player=Player.objects.get(name="Anna"))
        self.phone = Client(headers={"accept-language": "en"})
        self.phone.force_login(self.owner)

    @property
    def owed(self) -> dict[str, dict[str, Amount]]:
        """The open balances on paper, by currency and name."""
        found = {
            currency: {name: amount for name, amount in amounts.items() if amount}
            for currency, amounts in self.paper.balances().items()
        }
        return {currency: amounts for currency, amounts in found.items() if amounts}

    def page(self, address: str) -> Page:
        answer = self.phone.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        return Page.of(answer)

    @rule(data=st.data(), name=st.sampled_from(("Anna", "Béla", "Cili")))
    def look(self, data: st.DataObject, name: str) -> None:
        self.look_at_the_circle()
        self.look_at_a_player_and_home(name)
        self.look_at_a_session(self.drawn(data)[0].pk)

    def teardown(self) -> None:
        if hasattr(self, "phone"):
            self.look_at_the_circle()
            for name in ("Anna", "Béla", "Cili"):
                self.look_at_a_player_and_home(name)
            for pk in sorted(self.paper.sessions):
                self.look_at_a_session(pk)
        super().teardown()

    def look_at_the_circle(self) -> None:
        page, lists = self.page(f"/circles/{self.circle.pk}/"), self.everything()
        assert marked(page) == self.owed
        assert listed(page) == {("everything", currency): written(lists[currency].lines) for currency in self.owed}
        asked = [line for currency in self.owed for line in lists[currency].lines]
        reminders = page.all("textarea")
        assert len(reminders) == bool(asked)
        for reminder in reminders:
            assert_asks_for(reminder, asked)

    def look_at_a_player_and_home(self, name: str) -> None:
        player = Player.objects.get(name=self.paper.person(name))
        address = f"/circles/{self.circle.pk}/players/{player.pk}/"
        lists = self.everything()
        shown = {"/": "Anna", address: player.name}
        for page, whose in ((self.page(each), whose) for each, whose in shown.items()):
            for currency, amounts in marked(page).items():
                assert amounts == {whose: self.owed[currency][whose]}
                [said] = [abs(said) for each, _amount, said in lists[currency].best_first if each.name == whose]
                assert any(words(said, currency) in node.text for node in page.nodes() if "data-open" in node.attrs)
        for currency, amounts in self.owed.items():
            if player.name in amounts:
                statement = self.page(f"{address}statement/?currency={currency}")
                latest = next(node.attrs for node in statement.nodes() if "data-entry" in node.attrs)
                assert Fraction(latest["data-balance-after"]) == amounts[player.name]

    def look_at_a_session(self, pk: int) -> None:
        for query in ("", "?scope=everything", "?way=pairs"):
            self.look_at_its_settling(pk, query)

    def look_at_its_settling(self, pk: int, query: str) -> None:
        session, found = self.paper.sessions[pk], self.tonight(pk)
        page = self.page(f"/sessions/{pk}/settle/{query}")
        if found is None:
            assert (listed(page), marked(page)) == ({}, {})
            return
        night, of_night = found
        [(shown, currency)] = listed(page)
        everything = self.everything()[currency]
        assert currency == session.result_currency
        owed, sat = self.owed.get(currency, {}), {player.name for player, _amount in of_night.balances}
        theirs = {name: amount for name, amount in owed.items() if name in sat}
        assert marked(page).get(currency, {}) == (owed if shown == "everything" else theirs)
        if shown == "everything":
            assert listed(page) == {(shown, currency): written(everything.lines)}
            assert_asks_for(page.one("textarea"), everything.lines)
            return
        assert night.is_offered
        assert {name for line in listed(page)[shown, currency] for name in line[:2]} <= sat
        # A session of which pairs have paid goes on so, without a switch.
        is_begun = any(paid.sessions == (pk,) for paid in self.paper.rows.values())
        is_switched = any("aria-current" in link.attrs for link in page.all("a") if link.text == "Pair by pair")
        if not is_switched and not (is_begun and "pairs" in query):
            assert listed(page) == {(shown, currency): written(of_night.lines)}
            assert_asks_for(page.one("textarea"), of_night.lines, everything)


def marked(page: Page) -> Amounts:
    """The exact balances by currency and name, by the page's marks."""
    found: Amounts = defaultdict(dict)
    for node in page.nodes():
        if "data-open" in node.attrs:
            amount = Fraction(node.attrs["data-open"])
            known = found[node.attrs["data-currency"]].setdefault(names()[node.attrs["data-player"]], amount)
            assert known == amount
    return {
        currency: left
        for currency, amounts in found.items()
        if (left := {name: amount for name, amount in amounts.items() if amount})
    }


def listed(page: Page) -> dict[tuple[str, str], set[tuple[str, str, int]]]:
    """The lines of each list of a page, by its scope and currency."""
    return {
        (each.attrs["data-scope"], each.attrs["data-currency"]): {
            (names()[line["data-payer"]], names()[line["data-payee"]], int(line["data-units"]))
            for line in (node.attrs for node in each.nodes())
            if "data-units" in line
        }
        for each in page.nodes()
        if "data-scope" in each.attrs
    }


def words(amount: Amount, currency: str) -> str:
    with override("en"):
        return amount_words(amount, currency).replace("\xa0", " ")


def sentences(lines: Iterable[Line]) -> list[str]:
    return [f"{line.payer.name} → {line.payee.name}: {words(line.units, line.currency)}" for line in lines]


def assert_asks_for(text: Node, lines: Iterable[Line], everything: PaymentList | None = None) -> None:
    """Assert that a text asks for these payments and no others, but those that are to be paid in all."""
    asked = text.text.translate({0x2068: None, 0x2069: None}).replace("\xa0", " ").partition("Paid so far:")[0]
    asked, _in_all, rest = asked.partition("In all:")
    assert asked.count("→") == len(sentences(lines))
    assert all(sentence in asked for sentence in sentences(lines))
    if everything and rest:
        assert all(sentence in rest for sentence in sentences(everything.lines))


@pytest.mark.django_db
def test_pages_and_texts_name_the_same_amounts_in_whatever_order_things_happen() -> None:
    run_in_transactions(Pages, steps=30, most_examples=8)
