"""What is drawn once: it says what is to be shown now, in the language of who looks, and does not pile up."""

from functools import partial
from threading import Thread

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils.translation import override

from sessions_app.kept import Kept
from sessions_app.models import GameSession
from tests.views.page import Page, hand_form


def drawn(source: str, **context: object) -> str:
    return Engine.get_default().from_string(source).render(Context(context))


def test_what_is_kept_is_bounded_and_what_was_asked_for_last_stays() -> None:
    kept: Kept[str] = Kept(most=2)
    for key in ("a", "b", "a", "c"):
        assert kept.of(key, lambda key=key: f"made {key}") == f"made {key}"
    assert len(kept) == 2
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("made a", None, "made c")


def test_many_threads_may_ask_for_it_at_once() -> None:
    kept: Kept[int] = Kept(most=10)

    def ask() -> None:
        for number in range(500):
            assert kept.of(number % 20, partial(int, number % 20)) == number % 20

    threads = [Thread(target=ask) for _thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 10


def test_a_piece_is_drawn_anew_in_another_language_and_of_other_values() -> None:
    source = '{% once "components/state.html" line=line %}'
    seen = set()
    for language in ("en", "hu", "en"):
        for dealer in ("Anna", "<Béla>", "Anna"):
            with override(language):
                seen.add(drawn(source, line=_Line(dealer)))
    assert len(seen) == 4
    assert all("<Béla>" not in html for html in seen)


class _Line(tuple[str]):
    """A line of a deal that was thrown in, by its values."""

    __slots__ = ()

    def __new__(cls, dealer: str) -> "_Line":
        return super().__new__(cls, (dealer,))

    @property
    def dealer(self) -> str:
        return self[0]


def test_no_row_of_the_database_is_taken_for_its_values(evening: GameSession) -> None:
    with pytest.raises(TypeError, match="row of the database"):
        drawn('{% once "components/state.html" line=evening %}', evening=evening)


def test_a_form_is_drawn_as_it_is_filled_in_whatever_was_drawn_before(owners: Client, evening: GameSession) -> None:
    """Rows are kept by what is chosen, offered, asked for and wrong in them."""
    path = f"/sessions/{evening.pk}/hands/new/"
    for _time in range(2):
        page = Page.of(owners.get(path))
        assert "contract" not in hand_form(page)
        posted = {"contract": "2", "trump": "hearts", "dealer": "1", "count": "1"}
        for chosen in ("2", "3", "2"):
            again = Page.of(owners.post(path, posted | {"contract": chosen}))
            assert hand_form(again)["contract"] == chosen
            assert "tricks" not in hand_form(again)
        wrong = Page.of(owners.post(path, posted | {"contract": "9", "count": ""}))
        assert "contract" not in hand_form(wrong)
