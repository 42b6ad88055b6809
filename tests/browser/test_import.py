"""A book is brought by a phone: the file is chosen, what will come is shown, taken in, and taken out again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Circle, Evening, Repayment
from sessions_app.readers.book import document
from sessions_app.writers import demo
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a circle of another server."""
    circle = demo.lay(UserFactory())
    Circle.objects.filter(pk=circle.pk).update(is_demo=False)
    circle.refresh_from_db()
    value = json.loads(b"".join(document.of_circle(circle)))
    Repayment.objects.filter(circle=circle).delete()
    Evening.objects.filter(circle=circle).delete()
    circle.delete()
    path = tmp_path / "book.json"
    path.write_bytes(document.packed(value))
    return path


@pytest.mark.parametrize("has_scripts", [True, False])
def test_book_is_brought_taken_in_and_out_again(new_phone: Callable[..., Page], file: Path, has_scripts: bool) -> None:
    page = new_phone(java_script_enabled=has_scripts)
    page.goto("/")
    page.get_by_role("link", name="Bring a book").tap()
    page.get_by_label("A file", exact=True).set_input_files(file)
    page.get_by_role("button", name="Show what will come").tap()
    expect(page.get_by_role("heading", name="What will come")).to_be_visible()
    page.get_by_role("button", name="Take it in").tap()
    expect(page.get_by_text("It is in the book.")).to_be_visible()
    assert Evening.objects.exists()
    page.get_by_role("button", name="Take it out again").tap()
    expect(page.get_by_text("It was taken out again.")).to_be_visible()
    assert not Circle.objects.exists()
