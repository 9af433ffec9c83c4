"""Laws of understanding, over any text and any moment: total, pure, verbatim, half-open."""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from orchestrator.understand import Directory, DirectoryPerson, DirectoryProject, load_lexicon, to_row, understand, warm
from orchestrator.understand.filters import READERS
from orchestrator.understand.text import LONGEST
from orchestrator.understand.time.windows import find_windows
from tests.examples import nightly
from translators.query import AllOf, Compare, Field, Not, Op, Phrase, Term, conjuncts, leaves

ZONES = st.sampled_from(
    [UTC, ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York"), timezone(timedelta(hours=5, minutes=45))]
)
# Hypothesis adds the zone itself, so the limits are naive.
FIRST, LAST = datetime.min, datetime(9999, 12, 31, 23, 59)  # noqa: DTZ001, DTZ901
OLD, NEW = datetime(2000, 1, 1), datetime(2100, 1, 1)  # noqa: DTZ001
MOMENTS = st.datetimes(min_value=FIRST, max_value=LAST, timezones=ZONES)
NOWS = st.datetimes(min_value=OLD, max_value=NEW, timezones=ZONES)
PIECES = st.sampled_from(
    [
        "from:",
        "author:",
        "in:",
        "repo:",
        "after:",
        "before:",
        "type:",
        "is:",
        "assignee:",
        "source:",
        "-word",
        '-"a',
        'b"',
        '"',
        "“",
        "”",
        "'",
        "「",
        "」",
        "『",
        "』",
        "from:kim",
        "after:2025-13-40",
        "before:2025-02-30",
        "after:yesterday",
        "in:#general",
        "type:page",
        "is:open",
        "foo:bar\n",
        "",
        "",
        "",
        "what",
        "who",
        "when",
        "where",
        "did",
        "we",
        "decide",
        "status",
        "of",
        "the",
        "Kestrel",
        "launch",
        "policy",
        "Dana",
        "Dana's",
        "wrote",
        "on",
        "slack",
        "in",
        "the",
        "wiki",
        "last",
        "week",
        "since",
        "March",
        "between",
        "Jan",
        "3",
        "and",
        "Feb",
        "2",
        "Q3",
        "2025",
        "first",
        "half",
        "of",
        "next",
        "year",
        "31",
        "June",
        "2/29",
        "1999",
        "12:30\n",
        "",
        "",
        "",
        "누가",
        "언제",
        "어디",
        "결정했나요",
        "지난주",
        "회의에서",
        "김민수님이",
        "보낸",
        "메일",
        "말고",
        "빼고",
        "제외하고",
        "3월부터",
        "5월까지",
        "작년",
        "하반기",
        "최근",
        "30일",
        "설",
        "연휴",
        "이후",
        "분기",
        "현황",
        "프로젝트",
        "내가",
        "올린",
        "PR",
        "#1423",
        "OPS-12",
        "ERR_X_1",
        "https://a.b/c",
        "v2.1",
        "k8s\n",
        "",
        "",
        "",
        "한",
        "😀",
        "\u202e",
        "\x00",
        "�",
        "9999년",
        "0년",
        "99월",
        "이천십팔년",
        "첫째",
        "주",
        "마지막",
        "월요일",
        "오늘",
        "내일",
        "이십일일",
        "90일",
        "2주",
        "the",
        "and",
        "of",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=120), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES, max_size=8).map("".join)
)
LAX = settings(nightly(300), suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm()


@LAX
@given(TEXTS, MOMENTS)
@example("\x00", datetime(1, 1, 1, tzinfo=UTC))
@example("작년 그저께 지난주 last decade 2 years ago", datetime(1, 1, 1, tzinfo=UTC))
@example("내년 next year in 3000 years 다음 주 since 9999-12-31", datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
def test_any_text_at_any_moment_is_understood(text: str, now: datetime) -> None:
    """No string and no moment raises, and the row holds every key."""
    query = understand(text, now)
    row = to_row(query, "x")
    assert row["intent"] == query.scores[0].type if query.scores else row["intent"]
    assert {"keywords", "phrases", "people", "projects", "sources", "negated", "after", "before"} <= row.keys()


@LAX
@given(TEXTS, NOWS)
def test_the_same_question_is_understood_the_same(text: str, now: datetime) -> None:
    """Nothing but the arguments decides."""
    assert understand(text, now) == understand(text, now)


@LAX
@given(TEXTS, NOWS)
def test_windows_are_half_open_and_in_order(text: str, now: datetime) -> None:
    """A start lies before its end, and the clause says the same as the window, at local midnight."""
    query = understand(text, now)
    times = [leaf for leaf in leaves(query.where) if isinstance(leaf, Compare) and leaf.field is Field.TIME]
    if query.window is None:
        assert not times
        return
    if query.window.start and query.window.end:
        assert query.window.start < query.window.end
    said = {leaf.op: leaf.value for leaf in times}
    assert set(said) <= {Op.GE, Op.LT}
    for op, day in ((Op.GE, query.window.start), (Op.LT, query.window.end)):
        value = said.get(op)
        assert (value is None) == (day is None)
        if isinstance(value, datetime):
            assert (value.date(), value.hour, value.utcoffset() is None) == (day, 0, False)


@LAX
@given(TEXTS, NOWS)
def test_keywords_never_hold_filter_syntax(text: str, now: datetime) -> None:
    """What is left to search for carries no operator a source might obey, unless it is an identifier kept verbatim."""
    query = understand(text, now)
    ids = {found.text for found in query.ids}
    for keyword in set(query.keywords) - ids:
        name, colon, _ = keyword.partition(":")
        assert not (colon and name.lower() in READERS)
        assert not keyword.startswith("-")
        assert not set(keyword) & set('"“”「」')
        assert keyword == keyword.strip()


WORDS = st.lists(
    st.text(alphabet=st.characters(categories=["L", "N"], max_codepoint=0xD7A3), min_size=1, max_size=8),
    min_size=1,
    max_size=5,
)


@LAX
@given(WORDS, TEXTS.filter(lambda text: not set(text) & set("\"“”„«»「」『』'’‘")), NOWS)
def test_quoted_text_is_kept_letter_by_letter(words: list[str], around: str, now: datetime) -> None:
    """A quoted phrase comes back as typed, as one phrase of the clause or the name of a place, whatever stands around it."""
    phrase = unicodedata.normalize("NFC", " ".join(words))
    query = understand(f'"{phrase}" {around}'[: LONGEST - 1], now)
    if query.container is not None and query.container.name == phrase:
        return  # "sales decks" folder: the quoted name is that of the place, as verbatim there
    assert phrase in query.phrases
    assert Phrase(phrase) in conjuncts(query.where)


@LAX
@given(TEXTS, NOWS)
def test_every_keyword_is_a_term_or_part_of_a_phrase(text: str, now: datetime) -> None:
    """The formal meaning holds all keywords and essential only orders them."""
    query = understand(text, now)
    terms = {leaf.text for leaf in conjuncts(query.where) if isinstance(leaf, Term)}
    phrases = " ".join(query.phrases).casefold()
    assert all(keyword in terms or keyword.casefold() in phrases for keyword in query.keywords)
    assert sorted(query.essential) == sorted(query.keywords)
    weighed = {word for word, _ in query.lesser}
    assert all(word in query.keywords or word in weighed for word, _ in query.variants)
    assert isinstance(query.where, AllOf | Term | Phrase | Compare | Not)


@settings(deadline=None, max_examples=30)
@given(st.text(min_size=1, max_size=40), NOWS)
def test_a_hundred_kilobytes_cost_no_more_than_their_beginning(piece: str, now: datetime) -> None:
    """Long input is cut at a stated length and says so."""
    query = understand((piece * 100_000)[:100_000], now)
    assert len(query.text) <= LONGEST
    assert "too_long" in {doubt.code for doubt in query.doubts}


PEOPLE = Directory(
    people=(DirectoryPerson("Dana Whitfield", ("다나",), ("dana.w",), "dana@example.com"), DirectoryPerson("한가람")),
    projects=(DirectoryProject("Blue Heron", ("블루헤론",)),),
    channels=("general",),
)


@nightly(150)
@given(TEXTS, NOWS)
@example('"connection pool" -draft', datetime(2026, 11, 20, tzinfo=UTC))
def test_a_directory_never_breaks_understanding(text: str, now: datetime) -> None:
    """With a directory, text is as safe, and scores stay between 0 and 1."""
    assert all(0 <= entity.score <= 1 for entity in understand(text, now, PEOPLE).entities)


@LAX
@given(st.data(), NOWS)
def test_a_word_that_may_be_a_name_breaks_nothing_where_it_is_quoted(data: st.DataObject, now: datetime) -> None:
    """Nothing but a quotation, of words that are names and words both: there is no open word beside them to look at."""
    lexicon = load_lexicon()
    known = st.sampled_from(sorted(lexicon.doubtful | lexicon.everyday | lexicon.given))
    phrase = " ".join(data.draw(st.lists(known, min_size=1, max_size=3)))
    assert phrase in understand(f'"{phrase}" -draft', now, PEOPLE).phrases


@LAX
@given(TEXTS, NOWS)
def test_found_windows_lie_inside_the_text(text: str, now: datetime) -> None:
    """Offsets of every time expression are true."""
    from orchestrator.understand.directory import NOBODY
    from orchestrator.understand.draft import Draft
    from orchestrator.understand.text import clean

    cleaned, _ = clean(text)
    for hit in find_windows(Draft(cleaned, now, load_lexicon(), NOBODY)):
        assert 0 <= hit.first < hit.last <= len(cleaned)
        assert hit.start is None or isinstance(hit.start, date)
