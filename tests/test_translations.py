"""The catalogues of translations, on a small tree of its own."""

import os
import re
from collections.abc import Callable
from gettext import GNUTranslations
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog
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
    found = translations.read(tree)
    for text, words in TRANSLATIONS.items():
        translate(found, text, words)
    translations.write(tree, found)
    assert translations.problems(tree) == []
    return tree


def translate(found: Catalog, text: str, words: str | tuple[str, ...]) -> None:
    for message in found:
        if message.id and (message.id if isinstance(message.id, str) else message.id[0]) == text:
            message.string = words


def change(tree: Path, by: Callable[[Catalog], object]) -> None:
    found = translations.read(tree)
    by(found)
    translations.write(tree, found)


def text_of(tree: Path) -> str:
    return (tree / CATALOGUE).read_text(encoding="utf-8")


def test_all_strings_of_code_and_templates_are_found(tree: Path) -> None:
    found = {
        (message.context, message.id) if message.context else message.id
        for message in translations.extracted(tree)
        if message.id
    }
    assert found == WANTED


def test_files_are_named_without_lines(tree: Path) -> None:
    assert '#: sessions_app/words.py templates/parts/page.html\nmsgctxt "suit"\nmsgid "Hearts"' in text_of(tree)


def test_an_update_that_finds_nothing_new_changes_nothing(translated: Path) -> None:
    before = text_of(translated)
    assert re.search(r"\b20\d\d-", before) is None, "a date would change with every update"
    translations.update(translated)
    assert text_of(translated) == before


def test_an_update_drops_what_is_gone_and_guesses_nothing(translated: Path) -> None:
    page = translated / "templates/parts/page.html"
    page.write_text('{% translate "Undo!" %}')
    translations.update(translated)
    assert 'msgid "Undo!"\nmsgstr ""' in text_of(translated)
    assert "Visszavonás" not in text_of(translated)
    assert "fuzzy" not in text_of(translated)
    assert translations.problems(translated) == ["not translated: 'Undo!'"]


def test_a_message_that_got_a_plural_is_translated_anew(translated: Path) -> None:
    counted = "{% blocktranslate count n=n %}Undo{% plural %}Undo all{% endblocktranslate %}"
    page = PAGE.replace('{% translate "Undo" %}', counted)
    (translated / "templates/parts/page.html").write_text(page)
    translations.update(translated)
    assert translations.problems(translated) == ["not translated: 'Undo' | 'Undo all'"]


def test_a_missing_message_is_named(translated: Path) -> None:
    change(translated, lambda found: found.delete("Undo"))
    assert translations.problems(translated) == ["missing: 'Undo'"]


@pytest.mark.parametrize("mark", ["", "#~ "])
def test_an_obsolete_message_is_named(translated: Path, mark: str) -> None:
    with (translated / CATALOGUE).open("a", encoding="utf-8") as file:
        file.write(f'\n{mark}msgid "Redo"\n{mark}msgstr "Újra"\n')
    assert translations.problems(translated) == ["obsolete: 'Redo'"]


def test_a_fuzzy_message_is_named_and_stays_so_after_an_update(translated: Path) -> None:
    change(translated, lambda found: found["Undo"].flags.add("fuzzy"))
    translations.update(translated)
    assert translations.problems(translated) == ["fuzzy: 'Undo'"]


@pytest.mark.parametrize("empty", ["", ("", ""), ("%(n)s leosztás", "")])
def test_an_empty_translation_is_named(translated: Path, empty: str | tuple[str, str]) -> None:
    text = "Undo" if isinstance(empty, str) else "One hand"
    change(translated, lambda found: translate(found, text, empty))
    expected = "1 of 2 plural forms" if any(empty) else "not translated"
    assert [problem.partition(":")[0] for problem in translations.problems(translated)] == [expected]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("%(name)s deals, 100%%", "%(nam)s oszt"),
        ("%(name)s deals, 100%%", "oszt"),
        ("Undo", "Vissza {n}"),
        ("Undo", "Vissza %s"),
        ("One hand", ("%(m)s leosztás", "%(n)s leosztás")),
        ("One hand", ("Egy leosztás", "Két leosztás")),
    ],
)
def test_other_placeholders_are_named(translated: Path, text: str, other: str | tuple[str, str]) -> None:
    change(translated, lambda found: translate(found, text, other))
    assert [problem.partition(":")[0] for problem in translations.problems(translated)] == ["other placeholders"]


def test_a_named_placeholder_may_be_said_again(translated: Path) -> None:
    change(translated, lambda found: translate(found, "%(name)s deals, 100%%", "%(name)s, %(name)s oszt"))
    assert translations.problems(translated) == []


def test_the_compiled_catalogue_translates(translated: Path) -> None:
    assert translations.compile_catalogue(translated)
    with (translated / CATALOGUE).with_suffix(".mo").open("rb") as file:
        hungarian = GNUTranslations(file)
    assert hungarian.gettext("Settle up") == "Elszámolás"
    assert hungarian.pgettext("suit", "Hearts") == "Kőr"
    assert [hungarian.ngettext("One hand", "%(n)s hands", n) for n in (1, 2)] == ["Egy leosztás", "%(n)s leosztás"]


def test_it_is_compiled_again_only_when_it_has_changed(translated: Path) -> None:
    compiled = (translated / CATALOGUE).with_suffix(".mo")
    assert translations.compile_catalogue(translated)
    assert not translations.compile_catalogue(translated)
    compiled.touch()
    later = compiled.stat().st_mtime_ns + 1
    os.utime(translated / CATALOGUE, ns=(later, later))
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
    found = translations.read(translated, "ru")
    for text, words in RUSSIAN.items():
        translate(found, text, words)
    translations.write(translated, found, "ru")
    assert translations.problems(translated, "ru") == []
    return translated


def languages_offered(tree: Path) -> list[str]:
    return [code for code, _name in offered(tree / translations.FOLDER)]


def test_new_language_has_its_own_number_of_plural_forms(tree: Path) -> None:
    translations.update(tree, "ru")
    text = (tree / translations.catalogue_of("ru")).read_text(encoding="utf-8")
    assert "nplurals=3" in text
    assert 'msgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""' in text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("%(n)s раздача", "%(n)s раздачи", ""), "2 of 3 plural forms"),
        (("Одна раздача", "%(n)s раздачи", "%(n)s раздач"), "other placeholders"),  # 21 takes the first form as well
    ],
)
def test_wrong_plural_forms_of_a_language_are_named(russian: Path, words: tuple[str, ...], problem: str) -> None:
    found = translations.read(russian, "ru")
    translate(found, "One hand", words)
    translations.write(russian, found, "ru")
    assert translations.problems(russian, "ru") == [f"{problem}: 'One hand' | '%(n)s hands'"]


def test_language_is_offered_while_its_catalogue_is_whole(russian: Path) -> None:
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en", "ru"]
    page = russian / "templates/parts/page.html"
    page.write_text(PAGE + '{% translate "Redo" %}')
    translations.update(russian)
    changed(russian, "hu")
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en"]
    assert translations.problems(russian, "ru") == ["missing: 'Redo'"]


def test_unfinished_language_that_is_compiled_by_name_is_in_english_where_it_lacks_words(russian: Path) -> None:
    found = translations.read(russian, "ru")
    for text in ("Undo", "One hand"):
        translate(found, text, "")
    translations.write(russian, found, "ru")
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
    changed(russian, "hu")
    translations.compile_catalogue(russian)
    assert languages_offered(russian) == ["hu", "en", *(["ru"] if folder != "ru" else [])]
    if folder == "ru":
        assert translations.problems(russian, "ru")[0].startswith("cannot be read: ")


def changed(tree: Path, language: str) -> None:
    """Make the catalogue newer than the compiled files, however coarse the clock of the files is."""
    path = tree / translations.catalogue_of(language)
    later = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))


def test_template_names_files_and_lines(tree: Path) -> None:
    text = translations.write_template(tree).read_text(encoding="utf-8")
    assert '#: sessions_app/words.py:5 templates/parts/page.html:10\nmsgctxt "suit"\nmsgid "Hearts"' in text


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("new",), "Of which language?"),
        (("new", "--language", "hu"), "There is Hungarian already."),
        (("new", "--language", "tlh"), "'tlh' is not the code of a language"),
        (("check", "--language", "../hu"), "is not the code of a language"),
        (("check", "--language", "ru"), "There is no catalogue yet: ./run manage messages new --language ru"),
    ],
)
def test_command_says_what_to_do_instead(tree: Path, settings: Any, command: tuple[str, ...], sentence: str) -> None:
    settings.BASE_DIR = tree
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


def avoided_words(found: Catalog) -> list[str]:
    """Name each avoided word that the English of a catalogue uses, with its message."""
    texts = [
        text
        for message in found
        if message.id
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    ]
    return [
        f"{match[0]} (say: {instead}): {text}"
        for text in texts
        for words, instead in AVOIDED.items()
        for match in re.finditer(rf"\b(?:{words})\b", text, re.IGNORECASE)
    ]


def test_the_english_of_the_screens_uses_one_word_for_one_thing() -> None:
    assert avoided_words(translations.read(settings.BASE_DIR)) == []


def test_an_avoided_word_is_named(tree: Path) -> None:
    (tree / "templates/parts/page.html").write_text('{% translate "This evening he deals" %}')
    translations.update(tree)
    assert [found.partition(" ")[0] for found in avoided_words(translations.read(tree))] == ["evening", "he"]
