"""The errors of a form, as these tests compare them."""

from django.forms import Form

#: A field, and the codes of all that is wrong with it; None where a sentence has no code.
type Codes = dict[str, list[str | None]]


def codes_of(form: Form) -> Codes:
    return {name: [error.code for error in errors] for name, errors in form.errors.as_data().items()}


def sentences_of(form: Form) -> dict[str, list[str]]:
    return {name: [str(sentence) for sentence in sentences] for name, sentences in form.errors.items()}
