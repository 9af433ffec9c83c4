"""Patterns are compiled late and tried only where they can match: neither may change what is found."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from orchestrator.packaged import config_dir
from orchestrator.understand import BadLexicon, load_lexicon, understand
from orchestrator.understand.cues import Cues, branches
from orchestrator.understand.draft import without_possessive
from orchestrator.understand.heads import plain
from orchestrator.understand.ids import LOOSE, MARKS, QUOTE
from orchestrator.understand.keyboard import CONSONANTS, SYLLABLE, TYPED, VOWELS, as_typed_in_korean
from orchestrator.understand.lexicon import _cached
from orchestrator.understand.projects import CAMEL, CAPITAL
from orchestrator.understand.sources import MULTI, MULTI_WORDS
from orchestrator.understand.time import english_dates, feasts
from orchestrator.understand.time.tokens import NUMERIC, tokenise
from orchestrator.understand.worth import FIGURE
from tests.examples import nightly
from tests.rows import each_row

if TYPE_CHECKING:
    from datetime import datetime

DATA = Path(__file__).resolve().parents[3] / "data" / "queries"
FILES = ("queries.jsonl", "fresh.jsonl", "windows.jsonl")
LETTERS = {"en": 5, "ko": 2}
ROWS = {
    language: tomllib.loads((config_dir() / "language" / f"{language}.toml").read_text("utf-8"))["intent"]
    for language in LETTERS
}
PATTERNS = sorted((language, row["pattern"]) for language, rows in ROWS.items() for row in rows)
LAX = settings(nightly(200), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
WORDS = st.text("abcs'’ \"“”„‘«»「」『』-_.,!ſKéı안녕ㄱ", max_size=12)


@each_row(("language", "pattern"), PATTERNS)
def test_every_cue_is_a_regular_expression(language: str, pattern: str) -> None:
    re.compile(pattern)


def test_a_folder_with_a_broken_cue_is_refused_when_it_is_read(tmp_path: Path) -> None:
    """Its owner is told at once; a question would meet the pattern only by chance."""
    folder = tmp_path / "language"
    shutil.copytree(config_dir() / "language", folder)
    with (folder / "ko.toml").open("a", encoding="utf-8") as file:
        file.write("\n[[intent]]\ntype = 'person'\nweight = 1\npattern = '누구(가'\n")
    with pytest.raises(BadLexicon, match=r"누구\(가"):
        load_lexicon(folder)


def test_english_questions_do_not_read_the_korean_cues(now: datetime) -> None:
    lexicon = _cached.__wrapped__(None, ())
    understand("what did we decide about the rollout last week", now, lexicon=lexicon)
    assert "_patterns" in vars(lexicon.cues_en)
    assert "_patterns" not in vars(lexicon.cues_ko)
    understand("지난주에 배포 결정한 사람", now, lexicon=lexicon)
    assert "_patterns" in vars(lexicon.cues_ko)


# ---- the letters a match begins with


@each_row(
    ("pattern", "size", "letters"),
    [
        ("decision", 3, {"dec"}),
        ("as is", 5, {"as is"}),
        ("is", 3, {"is"}),
        (r"^\bwho\b", 3, {"who"}),
        ("colou?rs", 5, {"colou", "color"}),
        ("x+y", 2, {"x"}),
        ("x*y", 2, {"x", "y"}),
        ("x{0,2}y", 2, {"x", "y"}),
        ("x{2}y", 2, {"x"}),
        ("(?:so |hey )*who", 3, {"so ", "hey", "who"}),
        ("(?:so |hey )?who", 3, {"so ", "hey", "who"}),
        ("(?:a|b)(?:c|d)e", 3, {"ace", "ade", "bce", "bde"}),
        ("(?P<name>ab)c", 3, {"abc"}),
        ("[qh]1", 2, {"q1", "h1"}),
        ("[a-z]1", 2, {""}),
        (r"(?!not)(?<!x)so", 2, {"so"}),
        (r"a\.b", 3, {"a.b"}),
        (r"a.b", 3, {"a"}),
        (r"\w+ing", 3, {""}),
        ("(?i)who", 3, {""}),
        ("a??b", 2, {"ab", "b"}),
        (r"누구|누가", 2, {"누구", "누가"}),
        (r"몇 ?(?:월|시)", 2, {"몇 ", "몇월", "몇시"}),
        ("설|구정", 1, {"설", "구"}),
        ("설?날", 1, {"설", "날"}),
        ("", 3, {""}),
    ],
)
def test_letters_are_read_from_a_pattern(pattern: str, size: int, letters: set[str]) -> None:
    assert set().union(*(found for _, found in branches(pattern, size))) == letters


@each_row(("language", "pattern"), PATTERNS)
def test_branches_are_the_whole_pattern(language: str, pattern: str) -> None:
    assert "|".join(text for text, _ in branches(pattern, LETTERS[language])) == pattern


@LAX
@given(st.sampled_from(PATTERNS).flatmap(lambda cue: st.tuples(st.just(cue), st.from_regex(cue[1]))))
def test_a_cue_that_matches_is_never_left_out(made: tuple[tuple[str, str], str]) -> None:
    """Texts are made from the pattern itself, so that each of its alternatives is met."""
    (language, pattern), text = made
    assume(re.search(pattern, text))
    cue = {"type": "person", "weight": 1, "pattern": pattern}
    assert list(Cues([cue], LETTERS[language]).found(text))


@each_row("language", LETTERS)
def test_labelled_questions_find_exactly_the_cues_they_hold(language: str) -> None:
    cues = load_lexicon().cues_ko if language == "ko" else load_lexicon().cues_en
    patterns = [(row["type"], float(row["weight"]), re.compile(row["pattern"])) for row in ROWS[language]]
    for name in FILES:
        for line in (DATA / name).read_text("utf-8").splitlines():
            text = plain(json.loads(line)["text"])
            held = [(kind, weight) for kind, weight, pattern in patterns if pattern.search(text)]
            assert [(str(kind), weight) for kind, weight, _ in cues.found(text)] == held, text


# ---- other patterns that are tried only where they can match


@LAX
@given(st.sampled_from([*feasts.ENGLISH, *feasts.KOREAN]).flatmap(lambda name: st.from_regex(name, fullmatch=True)))
def test_every_holiday_is_tried_under_all_its_names(text: str) -> None:
    for table, korean in ((feasts.ENGLISH, False), (feasts.KOREAN, True)):
        named = re.match("|".join(table), text, re.IGNORECASE)
        found = feasts.feast_at(text, 0, korean=korean)
        assert (found and found[1].group()) == (named and named.group())


@LAX
@given(WORDS)
def test_only_quotation_marks_make_quotes(text: str) -> None:
    assume(MARKS.isdisjoint(text))
    assert not QUOTE.search(text)
    assert not LOOSE.search(text)


@LAX
@given(st.from_regex(MULTI.pattern, fullmatch=True))
def test_sources_of_several_words_hold_one_that_is_looked_for(text: str) -> None:
    assert any(word in text for word in MULTI_WORDS)


@pytest.mark.parametrize(
    "pattern", [english_dates.SHORT, english_dates.WITH_YEAR, english_dates.FISCAL, english_dates.GLUED, english_dates.DECADE, FIGURE]
)  # fmt: skip
def test_patterns_that_are_not_tried_on_plain_words_match_none(pattern: re.Pattern[str]) -> None:
    @LAX
    @given(st.from_regex(re.compile(pattern.pattern, pattern.flags), fullmatch=True))
    def check(text: str) -> None:
        assert not text.isalpha()

    check()


@LAX
@given(st.one_of(st.from_regex(CAMEL.pattern, fullmatch=True), st.from_regex(CAPITAL.pattern, fullmatch=True)))
def test_names_are_not_looked_for_in_words_without_a_capital(text: str) -> None:
    assert text != text.lower()


@LAX
@given(st.text("".join(TYPED), min_size=1, max_size=5))
def test_syllables_begin_with_a_consonant_and_a_vowel(text: str) -> None:
    """Whatever begins otherwise is no Hangul typed in English."""
    if SYLLABLE.match("".join(TYPED[letter] for letter in text)):
        assert text[0] in CONSONANTS
        assert text[1] in VOWELS
    else:
        assert as_typed_in_korean(text) is None


@LAX
@given(WORDS)
def test_a_possessive_is_cut_as_the_pattern_says(text: str) -> None:
    assert without_possessive(text) == re.sub(r"(?:['’]s|(?<=s)['’])$", "", text)


@LAX
@given(WORDS)
def test_text_without_digits_has_the_same_tokens(text: str) -> None:
    """It is cut by a smaller pattern; a digit behind it brings back the whole one and changes nothing before."""
    pieces = [match.group() for match in NUMERIC.finditer(text)]
    assert [text[token.start : token.end] for token in tokenise(text)[:-1]] == pieces
    assert [token.kind for token in tokenise(text)[:-1]] == [token.kind for token in tokenise(f"{text} 7")[:-2]]
