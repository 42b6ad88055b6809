"""The errors of a form, as these tests compare them."""

from collections.abc import Callable

from django.forms import Form
from django.utils import translation

#: A field, and the codes of all that is wrong with it; None where a sentence has no code.
type Codes = dict[str, list[str | None]]


def codes_of(form: Form) -> Codes:
    return {name: [error.code for error in errors] for name, errors in form.errors.as_data().items()}


def sentences_of(form: Form) -> dict[str, list[str]]:
    return {name: [str(sentence) for sentence in sentences] for name, sentences in form.errors.items()}


def assert_refused(post: Callable[[], Form], field: str, code: str | None, sentence: str) -> None:
    """Assert that a form has this one error, with a sentence in both languages."""
    with translation.override("en"):
        form = post()
        assert codes_of(form) == {field: [code]}
        assert sentences_of(form) == {field: [sentence]}
    with translation.override("hu"):
        form = post()
        assert codes_of(form) == {field: [code]}
        assert sentences_of(form)[field][0].strip()
