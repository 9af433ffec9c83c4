"""Whatever a person is told is a message, every catalogue has it, and it says the same in all languages."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from connectors import errors
from connectors.registry import load_source, source_kinds
from tests.catalogue import beside, messages, messages_of, written
from tests.rows import each_row
from translators import said
from translators.registry import dialect_names, load_dialect
from translators.said import said_in

ROOT = Path(__file__).resolve().parents[2]
HANGUL = re.compile("[가-힣]")
WORD = re.compile(r"[A-Za-z]{2,}")
# A sentence rather than syntax, a name or an address: four words in small letters, and nothing that only code has.
SENTENCE = re.compile(r"(?:.*(?<!\S)[a-z][a-z'’]+(?=[\s.,;:?)]|$)){4}", re.DOTALL)
CODE = re.compile(r"[|$<>@\\=]|\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\b")

# Told to whoever sets something up, in a terminal or a log, and never in a receipt.
OPERATORS = re.compile(
    r"connectors/(?:local/(?:ingest|jobs|rights|store|embedded|__init__)|models/|registry|testing/)"
    r"|/settings\.py$|json_api/asking\.py$|redis_ledger\.py$|^storage/jobs/"
)
OTHERS = frozenset(
    {
        "connectors/gemini/wire.py",  # to a model
        "connectors/notes.py",  # makes both
        "connectors/wire.py",  # which field of a reply is amiss, in the words of pydantic
    }
)
# What only `fedsearch sources` shows, of a source that works; why a declaration is refused.
PROBES = frozenset(
    {
        "all of GitHub; set org or repos to stay inside",
        "a bot's token: only questions that are put to the bot in Slack",
        "search by meaning is not available here",
        "‹›, ‹› of them not embedded yet",
        "strict mode has no compound paths",
    }
)
# By which a vendor's own words are known.
VENDORS = frozenset({"hasn't returned any results", "run out of searches", 'lock file "postmaster.pid" already exists'})
# What a model is told.
PROMPTS = frozenset(
    {
        "\n\nSet [1], [2] and so on behind what they bear out, and end with the pages, one a line: [1] title (address)",
    }
)
# Said in Korean by a comma, or by nothing.
WORDLESS = frozenset({" or ", "at {value}"})
BUILT_FOR_CODE = frozenset({"compile", "ValueError", "AssertionError", "NotImplementedError", "split", "frozenset"})


def modules(*packages):
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def called(node):
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def written_text(node):
    """A text of the code with ``‹›`` where something is put in; ``None`` for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(each.value if isinstance(each, ast.Constant) else "‹›" for each in node.values)
    return None


LANGUAGES = [each for each in said.LANGUAGES if each != said.ENGLISH]
CATALOGUES = {each: said.read_catalogue(ROOT / "translators" / f"messages.{each}.toml") for each in LANGUAGES}


@each_row("language", LANGUAGES)
def test_every_message_is_said_in_every_language(language):
    """By the catalogue, or by one that a source or a dialect brings. `make messages` adds what is new, as ``""``."""
    told = [(place, (context, english)) for place, context, english in messages() if english]
    assert len(told) > 1200
    known = CATALOGUES[language]
    assert [
        (str(where), said) for where, said in told if said not in known and said not in beside(where, language)
    ] == []


@each_row("language", LANGUAGES)
def test_how_a_source_did_is_called_the_same_above_the_answer_and_in_the_receipt(language):
    known = CATALOGUES[language]
    above = {english: text for (context, english), text in known.items() if context == "status"}
    assert len(above) > 5
    assert {english: known.get(("", english), text) for english, text in above.items()} == above


def test_a_source_or_a_dialect_brings_only_what_it_says():
    for file in (each for room in ("connectors", "translators") for each in (ROOT / room).glob("*/messages.*.toml")):
        own = {(context, english) for place, context, english in messages() if file.parent in place.file.parents}
        assert said.read_catalogue(file).keys() <= own, file


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_as_make_messages_writes_it(tmp_path, language):
    """In the order of the code, and with nothing that nobody says any more."""
    anew = written(language, CATALOGUES[language], tmp_path).read_text("utf-8")
    assert (ROOT / "translators" / f"messages.{language}.toml").read_text("utf-8") == anew


@each_row("language", LANGUAGES)
def test_all_languages_have_the_same_blanks(language):
    def blanks(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    odd = [english for (_, english), text in CATALOGUES[language].items() if blanks(english) != blanks(text)]
    assert odd == []


def test_korean_is_korean():
    mute = [
        english
        for (_, english), korean in CATALOGUES["ko"].items()
        if WORD.search(blanked(english)) and not HANGUL.search(korean) and english not in WORDLESS
    ]
    assert mute == []


def blanked(text):
    return re.sub(r"\{[^{}]*\}|‹›", "", text or "")


def test_no_module_has_languages_of_its_own():
    """No table by language beside the catalogues: ``{"en": …, "ko": …}``."""
    tables = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("translators", "storage", "connectors", "orchestrator")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Dict) and {"en", "ko"} <= {written_text(key) for key in node.keys}
    ]
    assert tables == []


@pytest.mark.parametrize(
    "code",
    ['Said("full", "가득")', "Said(text)", 'Said(f"{count} left")', 'Said("a" + "b")', 'Said("a", language="ko")'],
)
def test_a_message_is_a_literal(tmp_path, code):
    """Else nobody could find it, to translate it."""
    (tmp_path / "asked.py").write_text(code, "utf-8")
    with pytest.raises(ValueError, match="of literals"):
        list(messages_of(tmp_path / "asked.py"))


def loose(path):
    """Sentences in a module that are in English only."""
    tree = ast.parse(path.read_text("utf-8"))
    apart = set()
    for node in ast.walk(tree):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        in_both = isinstance(node, ast.Call) and called(node) in BUILT_FOR_CODE | {"Said"}
        if docstring or in_both or isinstance(node, ast.JoinedStr | ast.Compare):
            apart |= {id(part) for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        text = None if id(node) in apart else written_text(node)
        if text and SENTENCE.match(text) and not CODE.search(text):
            yield text


def read_by_people():
    """Modules whose sentences come to people: not to operators, models or vendors only."""
    named = ((path, str(path.relative_to(ROOT))) for path in modules("storage", "connectors"))
    return [pytest.param(path, id=name) for path, name in named if not OPERATORS.search(name) and name not in OTHERS]


@each_row("path", read_by_people())
def test_no_sentence_is_in_english_only(path):
    """A reason, a note or an error that a source, a dialect or what they share may put into a receipt."""
    assert [text for text in loose(path) if text not in PROBES | PROMPTS | VENDORS] == []


def test_no_error_of_a_source_is_plain_english():
    """Whatever its length: the first argument of an error is said in both languages, or is somebody else's words."""
    kinds = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    plain = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("storage", "connectors", "orchestrator/gather")
        if not OPERATORS.search(str(path.relative_to(ROOT)))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and called(node) in kinds | {"NotThere", "NotShared", "BrokenOff", "Suspended"}
        if node.args and WORD.search(blanked(written_text(node.args[0]) or ""))
    ]
    assert plain == []


@each_row("kind", source_kinds())
def test_every_manifest_tells_in_korean_how_to_sign_in(kind):
    manifest = load_source(kind).manifest
    assert HANGUL.search(said_in(manifest.auth.help, "ko"))
    assert manifest.can is None or not manifest.can.note or HANGUL.search(said_in(manifest.can.note, "ko"))


@each_row("name", dialect_names())
def test_every_dialect_says_in_korean_what_is_its_own_idea(name):
    note = load_dialect(name).can.note
    assert not note or HANGUL.search(said_in(note, "ko"))
