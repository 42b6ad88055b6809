"""Cached includes show the current state in the reader's language, and their cache is bounded."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy, override

from scorekeeper.db.cache import CacheStore, LRUCache
from sessions_app import cached_templates
from sessions_app.models import Evening, User
from tests.factories import record
from tests.views.page import Page, filled, hand_form


def drawn(source: str, **context: object) -> str:
    return Engine.get_default().from_string(source).render(Context(context))


def test_caches_of_a_store_are_bounded_together_and_the_entry_used_last_stays() -> None:
    store = CacheStore(most=10_000)
    one, other = LRUCache[str](store), LRUCache[str](store)
    for cache, key in ((one, "a"), (other, "b"), (one, "a"), (other, "c")):
        assert cache.get_or_make(key, lambda key=key: f"made {key}") == f"made {key}"
    assert (len(one), len(other)) == (1, 2)
    for number in range(30):
        one.get("a")
        other.put(number, "x" * 1000)
    assert one.get("a") == "made a"
    assert (other.get("b"), other.get("c")) == (None, None)
    assert 5 < len(other) < 9
    other.put("too large", "x" * 3000)
    assert other.get("too large") is None
    one.clear()
    assert (len(one), one.get("a")) == (0, None)
    other.clear()
    assert store.weight == 0


def test_entries_of_another_language_can_be_dropped() -> None:
    store = CacheStore(most=8000)
    cache = LRUCache[str](store)
    for language in ("hu", "en", "hu", "en"):
        with override(language):
            for number in range(10):
                cache.put((gettext_lazy("Home"), language, number), "x" * 1000)
    assert 3 < len(cache) < 8
    cache.clear()
    assert (len(cache), store.weight) == (0, 0)


def test_entry_weighs_what_its_key_and_value_refer_to() -> None:
    store = CacheStore()
    cache = LRUCache[list[object]](store)
    cache.put(("x" * 5000,), [["y" * 5000], {"z": "z" * 5000}])
    assert 15_000 < store.weight < 17_000
    cache.put(("x" * 5000,), [LRUCache])  # a class belongs to the program
    assert 5_000 < store.weight < 6_000


def test_many_threads_may_ask_a_cache_at_once() -> None:
    kept = LRUCache[int](CacheStore(most=10 * 400))

    def ask(_thread: int) -> None:
        for number in range(500):
            assert kept.get_or_make(number % 20, partial(int, number % 20)) == number % 20

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, range(4)))
    assert 5 < len(kept) < 15


def test_a_piece_is_drawn_anew_in_another_language_and_of_other_values() -> None:
    source = '{% once "components/hand_name.html" number=number %}'
    seen = set()
    for language in ("en", "hu", "en"):
        for number in ("1", "<2>", "1"):
            with override(language):
                seen.add(drawn(source, number=number))
    assert len(seen) == 4
    assert all("<2>" not in html for html in seen)
    with pytest.raises(TypeError, match="model instance"):
        drawn(source, number=User())


def test_days_have_their_year_once_another_has_begun(
    owners: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On pages of which nothing else has changed since the old year."""
    record(evening, owner, "2H 7", declarer=1)
    year = timezone.localtime(evening.started_at).year
    path = f"/circles/{evening.circle_id}/"

    def days() -> str:
        return " ".join(cards.text for cards in Page.of(owners.get(path)).of_class("cards"))

    before = days()
    assert before
    assert str(year) not in before
    monkeypatch.setattr(timezone, "localdate", lambda *_of: date(year + 1, 1, 1))
    monkeypatch.setattr(cached_templates, "_year_at", lambda _minute: timezone.localdate().year)
    assert str(year) in days()


def test_form_is_drawn_as_it_is_filled_in_and_no_value_that_is_not_offered_is_cached(
    owners: Client, evening: Evening
) -> None:
    """Rows are cached by their choices, their exclusions, their questions and their errors."""
    path = f"/sessions/{evening.pk}/hands/new/"
    posted = {"contract": "2", "trump": "hearts", "dealer": "1", "count": "1"}
    for _time in range(2):
        assert "contract" not in hand_form(Page.of(owners.get(path)))
        for chosen in ("2", "3", "2"):
            again = Page.of(owners.post(path, posted | {"contract": chosen}))
            assert hand_form(again)["contract"] == chosen
            assert "tricks" not in hand_form(again)
        assert "contract" not in hand_form(Page.of(owners.post(path, posted | {"contract": "9", "count": ""})))
    kept = len(cached_templates._rendered)
    for number in range(3):
        assert "contract" not in hand_form(Page.of(owners.post(path, posted | {"contract": f"{number}" * 5000})))
    assert len(cached_templates._rendered) == kept


def test_sheet_is_cached_once_whatever_saved_says(owners: Client, evening: Evening, owner: User) -> None:
    record(evening, owner)
    path = f"/sessions/{evening.pk}/"
    owners.get(path)
    kept = len(cached_templates._rendered)
    for saved in ("0", "2", "3", "999", "x"):
        assert "data-saved" not in Page.of(owners.get(f"{path}?saved={saved}")).one(id="state").attrs
    assert len(cached_templates._rendered) == kept
    assert Page.of(owners.get(f"{path}?saved=1")).one(id="state").attrs["data-saved"] == "1"


def test_cached_form_has_the_token_of_each_phone(owners: Client, keepers: Client, played: Evening) -> None:
    """A token of another phone in a form would have its posts refused."""
    forms, phones = [], [owners, keepers]
    for phone in phones:
        phone.handler.enforce_csrf_checks = True
        shown = Page.of(phone.get(f"/sessions/{played.pk}/settle/")).all("form")
        forms.append(next(form for form in shown if "data-repay" in form.attrs))
    posted = [filled(form) for form in forms]
    assert posted[0]["csrfmiddlewaretoken"] != posted[1]["csrfmiddlewaretoken"]
    for phone, form, fields in zip(phones, forms, posted, strict=True):
        assert phone.post(form.attrs["action"], fields).status_code == 302


def test_blanks_are_filled_escaped_and_only_those_of_the_template() -> None:
    blanks = cached_templates.blanks("name", "part")
    text = mark_safe("<b>{name}</b> {part} {name}".format(**blanks))  # noqa: S308  our own text
    typed = "<i> " + "name" * 3
    assert cached_templates.fill(text, {"name": typed, "part": mark_safe("<hr>")}) == (
        "<b>&lt;i&gt; namenamename</b> <hr> &lt;i&gt; namenamename"
    )
    with pytest.raises(KeyError, match="part"):
        cached_templates.fill(text, {"name": "Anna"})
    assert cached_templates.fill(text, {"name": blanks["part"], "part": ""}).count(blanks["part"]) == 2
