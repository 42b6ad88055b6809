"""The catalogues of translations, on a small tree of its own."""

import os
import re
from collections.abc import Mapping
from gettext import GNUTranslations
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from scorekeeper.languages import offered
from sessions_app.management import translations

CATALOGUE = translations.catalogue_of("hu")
CODE = """
from django.utils.translation import gettext_lazy as _, ngettext, npgettext, pgettext
_("Settle up")
ngettext("One hand", "%(n)s hands", n) % {"n": n}
pgettext("suit", "Hearts")
npgettext("sheet", "line", "lines", n)
"""
PAGE = """
{% if x %}
      {% translate "Undo" %}
  {% blocktranslate count n=n trimmed %}
     One player
  {% plural %}
     {{ n }} players
  {% endblocktranslate %}
{% endif %}
{% translate "Hearts" context "suit" %} {{ x|default:_("nobody") }}
{% blocktranslate with name=x context "seat" %}{{ name }} deals, 100%{% endblocktranslate %}
"""
WANTED = {
    "Settle up",
    ("One hand", "%(n)s hands"),
    ("suit", "Hearts"),
    ("sheet", ("line", "lines")),
    "Undo",
    ("One player", "%(n)s players"),
    "nobody",
    ("seat", "%(name)s deals, 100%%"),
}
TRANSLATIONS: dict[str, str | tuple[str, str]] = {
    "Settle up": "Elszámolás",
    "One hand": ("Egy leosztás", "%(n)s leosztás"),
    "Hearts": "Kőr",
    "line": ("sor", "sor"),
    "Undo": "Visszavonás",
    "One player": ("%(n)s játékos", "%(n)s játékos"),
    "nobody": "senki",
    "%(name)s deals, 100%%": "%(name)s oszt, 100%%",
}

#: English words that the screens do not use, with their replacements.
AVOIDED = {
    r"evenings?": "session",
    r"tables? of (?:three|four|five)": "with four players",
    r"he|his|him|himself": "they, or the player's name",
    r"who may": "who can",
    r"otherwise": "if not; different",
    r"so few|so many": "a number",
    r"as ever|knows nothing": "a plain sentence",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {
        "sessions_app/words.py": CODE,
        "templates/parts/page.html": PAGE,
        "templates/x.js": "_('no')",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    translations.update(tmp_path)
    return tmp_path


@pytest.fixture
def translated(tree: Path) -> Path:
    translate(tree, "hu", TRANSLATIONS)
    assert translations.problems(tree) == []
    return tree


def translate(tree: Path, language: str, translated: Mapping[str, str | tuple[str, ...]]) -> None:
    """Write translations of messages, of a plural by its first form, into a catalogue."""
    found = translations.read(tree, language)
    for message in found:
        text = message.id if isinstance(message.id, str) else message.id[0]
        message.string = translated.get(text, message.string)
    translations.write(tree, found, language)


def text_of(tree: Path) -> str:
    return (tree / CATALOGUE).read_text(encoding="utf-8")


def test_catalogue_holds_all_strings_of_code_and_templates_with_their_files(tree: Path) -> None:
    found = {
        (message.context, message.id) if message.context else message.id
        for message in translations.extracted(tree)
        if message.id
    }
    assert found == WANTED
    assert '#: sessions_app/words.py templates/parts/page.html\nmsgctxt "suit"\nmsgid "Hearts"' in text_of(tree)
    template = translations.write_template(tree).read_text(encoding="utf-8")
    assert '#: sessions_app/words.py:5 templates/parts/page.html:10\nmsgctxt "suit"\nmsgid "Hearts"' in template


def test_an_update_changes_only_what_is_new_or_gone_and_guesses_nothing(translated: Path) -> None:
    before, page = text_of(translated), translated / "templates/parts/page.html"
    assert re.search(r"\b20\d\d-", before) is None, "a date would change with every update"
    translations.update(translated)
    assert text_of(translated) == before
    counted = "{% blocktranslate count n=n %}Undo{% plural %}Undo all{% endblocktranslate %}"
    page.write_text(PAGE.replace('{% translate "Undo" %}', counted))
    translations.update(translated)
    assert translations.problems(translated) == ["not translated: 'Undo' | 'Undo all'"]
    page.write_text('{% translate "Undo!" %}')
    translations.update(translated)
    assert 'msgid "Undo!"\nmsgstr ""' in text_of(translated)
    assert "Visszavonás" not in text_of(translated)
    assert "fuzzy" not in text_of(translated)
    assert translations.problems(translated) == ["not translated: 'Undo!'"]


NAMED = "%(name)s deals, 100%%"


@pytest.mark.parametrize(
    ("text", "words", "problem"),
    [
        ("Undo", "", "not translated: 'Undo'"),
        ("One hand", ("", ""), "not translated: 'One hand' | '%(n)s hands'"),
        ("One hand", ("%(n)s leosztás", ""), "1 of 2 plural forms: 'One hand' | '%(n)s hands'"),
        ("One hand", ("%(m)s leosztás", "%(n)s leosztás"), "other placeholders: 'One hand' | '%(n)s hands'"),
        ("One hand", ("Egy leosztás", "Két leosztás"), "other placeholders: 'One hand' | '%(n)s hands'"),
        (NAMED, "%(nam)s oszt", f"other placeholders: '{NAMED}' (seat)"),
        (NAMED, "oszt", f"other placeholders: '{NAMED}' (seat)"),
        ("Undo", "Vissza {n}", "other placeholders: 'Undo'"),
        ("Undo", "Vissza %s", "other placeholders: 'Undo'"),
        (NAMED, "%(name)s, %(name)s oszt", None),  # it may be said again
    ],
)
def test_a_wrong_message_is_named(
    translated: Path, text: str, words: str | tuple[str, str], problem: str | None
) -> None:
    translate(translated, "hu", {text: words})
    assert translations.problems(translated) == ([problem] if problem else [])


def test_missing_and_doubtful_messages_are_named(translated: Path) -> None:
    found = translations.read(translated)
    found["Undo"].flags.add("fuzzy")
    found.delete("nobody")
    translations.write(translated, found)
    assert translations.problems(translated) == ["fuzzy: 'Undo'", "missing: 'nobody'"]
    translations.update(translated)
    assert translations.problems(translated) == ["fuzzy: 'Undo'", "not translated: 'nobody'"], "it stays doubtful"


@pytest.mark.parametrize("mark", ["", "#~ "])
def test_an_obsolete_message_is_named(translated: Path, mark: str) -> None:
    with (translated / CATALOGUE).open("a", encoding="utf-8") as file:
        file.write(f'\n{mark}msgid "Redo"\n{mark}msgstr "Újra"\n')
    assert translations.problems(translated) == ["obsolete: 'Redo'"]


def test_the_compiled_catalogue_translates_and_is_compiled_again_only_when_it_has_changed(translated: Path) -> None:
    compiled = (translated / CATALOGUE).with_suffix(".mo")
    assert translations.compile_catalogue(translated)
    with compiled.open("rb") as file:
        hungarian = GNUTranslations(file)
    assert hungarian.gettext("Settle up") == "Elszámolás"
    assert hungarian.pgettext("suit", "Hearts") == "Kőr"
    assert [hungarian.ngettext("One hand", "%(n)s hands", n) for n in (1, 2)] == ["Egy leosztás", "%(n)s leosztás"]
    assert not translations.compile_catalogue(translated)
    changed(translated)
    assert translations.compile_catalogue(translated)


def test_without_a_catalogue_everything_is_missing_and_nothing_is_compiled(tree: Path) -> None:
    (tree / CATALOGUE).unlink()
    assert len(translations.problems(tree)) == len(WANTED)
    assert not translations.compile_catalogue(tree)


RUSSIAN: dict[str, str | tuple[str, ...]] = {
    "Settle up": "Расчёт",
    "One hand": ("%(n)s раздача", "%(n)s раздачи", "%(n)s раздач"),
    "Hearts": "Черви",
    "line": ("строка", "строки", "строк"),
    "Undo": "Отменить",
    "One player": ("%(n)s игрок", "%(n)s игрока", "%(n)s игроков"),
    "nobody": "никто",
    "%(name)s deals, 100%%": "Сдаёт %(name)s, 100%%",
}


@pytest.fixture
def russian(translated: Path) -> Path:
    translations.update(translated, "ru")
    translate(translated, "ru", RUSSIAN)
    assert translations.problems(translated, "ru") == []
    return translated


def languages_offered(tree: Path) -> list[str]:
    return [code for code, _name in offered(tree / translations.FOLDER)]


def test_new_language_has_its_own_number_of_plural_forms(tree: Path) -> None:
    translations.update(tree, "ru")
    text = (tree / translations.catalogue_of("ru")).read_text(encoding="utf-8")
    assert "nplurals=3" in text
    assert 'msgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""' in text


def test_wrong_plural_forms_of_a_language_are_named(russian: Path) -> None:
    # 21 takes the first form as well, so it may not leave the number out.
    wrong = {"": "2 of 3 plural forms", "%(n)s раздач": "other placeholders"}
    for last, problem in wrong.items():
        first = "Одна раздача" if last else "%(n)s раздача"
        translate(russian, "ru", {"One hand": (first, "%(n)s раздачи", last)})
        assert translations.problems(russian, "ru") == [f"{problem}: 'One hand' | '%(n)s hands'"]


def test_language_is_offered_while_its_catalogue_is_whole(russian: Path) -> None:
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en", "ru"]
    page = russian / "templates/parts/page.html"
    page.write_text(PAGE + '{% translate "Redo" %}')
    translations.update(russian)
    changed(russian)
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en"]
    assert translations.problems(russian, "ru") == ["missing: 'Redo'"]


def test_unfinished_language_that_is_compiled_by_name_is_in_english_where_it_lacks_words(russian: Path) -> None:
    translate(russian, "ru", {"Undo": "", "One hand": ""})
    translations.compile_one(russian, "ru")
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en", "ru"], "a start leaves it until its catalogue changes"
    with (russian / translations.catalogue_of("ru")).with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    assert [compiled.gettext(text) for text in ("Undo", "nobody")] == ["Undo", "никто"]
    assert compiled.ngettext("One hand", "%(n)s hands", 21) == "%(n)s hands"


DAMAGED = r"""msgid ""
msgstr "Content-Type: text/plain; charset={charset}\n"
"Plural-Forms: nplurals=3; plural={plural};\n"

msgid "Undo"
msgstr "Отменить"
"""


@pytest.mark.parametrize(
    ("folder", "text"),
    [
        ("ru", 'msgid "Undo\n'),
        *(("ru", DAMAGED.format(charset="utf-8", plural=rule)) for rule in ("(n != )", "1/n", "x")),
        *(("ru", DAMAGED.format(charset=charset, plural="0")) for charset in ("ascii", "klingon")),
        ("udm", 'msgid ""\n'),
        ("x@y", ""),
    ],
)
def test_catalogue_that_cannot_be_read_stops_no_start_and_is_not_offered(russian: Path, folder: str, text: str) -> None:
    translations.compile_catalogue(russian)
    damaged = russian / translations.FOLDER / folder / "LC_MESSAGES" / "django.po"
    damaged.parent.mkdir(parents=True, exist_ok=True)
    damaged.write_text(text, encoding="utf-8")
    changed(russian)
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en", *(["ru"] if folder != "ru" else [])]
    if folder == "ru":
        assert translations.problems(russian, "ru")[0].startswith("cannot be read: ")


def changed(tree: Path) -> None:
    """Make the catalogue newer than the compiled files, however coarse the clock of the files is."""
    path = tree / CATALOGUE
    later = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))


def test_command_says_what_to_do_instead(tree: Path, settings: Any) -> None:
    settings.BASE_DIR = tree
    for command, sentence in (
        (("new",), "Of which language?"),
        (("new", "--language", "hu"), "There is Hungarian already."),
        (("new", "--language", "tlh"), "'tlh' is not the code of a language"),
        (("check", "--language", "../hu"), "is not the code of a language"),
        (("check", "--language", "ru"), "There is no catalogue yet: ./run manage messages new --language ru"),
    ):
        with pytest.raises(CommandError, match=re.escape(sentence)):
            call_command("messages", *command)


def test_command_makes_a_language_and_names_what_it_lacks(translated: Path, settings: Any) -> None:
    settings.BASE_DIR = translated
    call_command("messages", "new", "--language", "ru")
    with pytest.raises(CommandError, match="The Russian catalogue is not complete") as refused:
        call_command("messages", "check", "--language", "ru")
    assert "not translated: 'Undo'" in str(refused.value)
    call_command("messages", "check", stdout=(told := StringIO()))
    assert told.getvalue() == f"Russian is not offered: {len(WANTED)} problems (--language ru).\n"


def test_the_english_of_the_screens_uses_one_word_for_one_thing() -> None:
    messages = (message.id for message in translations.read(settings.BASE_DIR) if message.id)
    texts = "\n".join(text for each in messages for text in ([each] if isinstance(each, str) else each))
    for words, instead in AVOIDED.items():
        found = re.findall(rf"^.*\b(?:{words})\b.*$", texts, re.IGNORECASE | re.MULTILINE)
        assert found == [], f"say: {instead}"
