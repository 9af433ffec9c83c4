"""Words, stems and the inverted index under all four emulators."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox.index import TextIndex, composed, stem, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("PAY-142", ["pay", "142"]),
        ("API마이그레이션 일정", ["api", "마이그레이션", "일정"]),
        ("user_id=7", ["user", "id", "7"]),
        ("🔥 — …", []),
        (unicodedata.normalize("NFD", "장애"), ["장애"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("migrations", "migration"),
        ("planning", "plan"),
        ("migrated", "migrating"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("calls", "calling"),
    ],
)
def test_inflections_share_a_stem(one, other):
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("migration", "migrate"), ("status", "stat"), ("class", "clas"), ("bed", "b"), ("장애들", "장애")],
)
def test_stemming_is_light(one, other):
    assert stem(one) != stem(other)


@pytest.fixture
def index() -> TextIndex:
    """Five documents in two languages."""
    return TextIndex(
        [
            ["the deploy plan"],
            ["deploying the plans today"],
            ["결제 장애가 났다"],
            ["결제 서비스 장애의 원인"],
            ["plan", "deploy"],
        ]
    )


def test_latin_words_match_whole_or_by_stem(index):
    assert set(index.find("plan", "exact")) == {0, 4}
    assert set(index.find("plan", "stem")) == {0, 1, 4}
    assert not index.find("pla", "stem")


def test_hangul_words_match_the_beginning_of_a_word(index):
    assert set(index.find("장애", "stem")) == {2, 3}
    assert set(index.find("장애", "beginning")) == {2, 3}
    assert not index.find("애가", "stem")
    assert not index.find("장애", "exact")


def test_a_prefix_matches_any_beginning(index):
    assert set(index.find("dep", "prefix")) == {0, 1, 4}


def test_a_phrase_is_exact_and_does_not_cross_fields(index):
    assert set(index.find_phrase("deploy plan")) == {0}
    assert not index.find_phrase("plan deploy")
    assert set(index.find_phrase("결제 장애")) == {2}, "the particle of the last word is forgiven"
    assert not index.find_phrase("장애 원인"), "a particle inside is not"
    assert not index.find_phrase("!!")


def test_rarer_words_and_shorter_documents_score_higher():
    index = TextIndex([["rare common"], ["common common"], ["common and many other words besides that"], ["common"]])
    rare, common = index.find("rare", "exact"), index.find("common", "exact")
    scores = index.score([rare, common], range(4))
    assert max(scores, key=scores.__getitem__) == 0
    assert scores[3] > scores[2]


@given(st.lists(st.text(max_size=40), max_size=5), st.text(max_size=20))
def test_every_word_of_a_document_finds_it(texts, probe):
    index = TextIndex([text] for text in texts)
    for number, text in enumerate(texts):
        for word in words(text):
            assert number in index.find(word, "exact")
            assert number in index.find(word, "stem")
    index.find_phrase(probe)
    assert composed(probe) == unicodedata.normalize("NFC", probe)
