"""Hand-typed filters, quotes and what is wrong with them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from orchestrator.understand import understand
from orchestrator.understand.directory import Directory, DirectoryPerson
from orchestrator.understand.text import LONGEST
from tests.rows import each_row
from translators.query import (
    Category,
    Compare,
    Container,
    Field,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    State,
    Term,
    conjuncts,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from translators.query import Query


def days(query: Query) -> tuple[date | None, date | None]:
    """Start and end of the window, which must be there."""
    assert query.window is not None
    return query.window.start, query.window.end


def codes(query: Query) -> set[str]:
    """Codes of the doubts."""
    return {doubt.code for doubt in query.doubts}


def test_all_filters_together(ask: Callable[..., Query]) -> None:
    """Each filter fills its field and its clause, and none is a keyword."""
    query = ask(
        'from:priya in:#arch-review after:2026-02-01 before:2026-03-01 type:page is:open assignee:me source:slack -draft "event sourcing" verdict on replay'
    )
    assert query.author == Person("priya")
    assert query.container == Container("arch-review")
    assert days(query) == (date(2026, 2, 1), date(2026, 3, 1))
    assert query.kinds == (Kind.PAGE,)
    assert query.sources == ("slack",)
    assert query.negated == ("draft",)
    assert query.mine
    assert query.keywords == ("event", "sourcing", "replay")
    parts = conjuncts(query.where)
    assert parts[:2] == (Phrase("event sourcing"), Term("replay"))
    assert Compare(Field.AUTHOR, Op.EQ, Person("priya")) in parts
    assert Compare(Field.ASSIGNEE, Op.EQ, Person("", me=True)) in parts
    assert Compare(Field.CONTAINER, Op.EQ, Container("arch-review")) in parts
    assert Compare(Field.KIND, Op.EQ, Kind.PAGE) in parts
    assert Compare(Field.STATE, Op.EQ, State.OPEN) in parts
    assert Not(Term("draft")) in parts


@pytest.mark.parametrize(
    ("text", "hint"),
    [("type:thread x", Category.CHAT), ("type:page x", Category.WIKI), ("type:issue x", Category.TRACKER), ("type:pr x", Category.CODE),
     ("type:email x", Category.MAIL), ("type:file x", Category.DRIVE), ("in:#random x", Category.CHAT), ("repo:a/b x", Category.CODE)],
)  # fmt: skip
def test_types_and_places_hint_at_sources(ask: Callable[..., Query], text: str, hint: Category) -> None:
    """A type or a place says what kind of source is meant."""
    assert ask(text).hints == (hint,)


@pytest.mark.parametrize("text", ['from:"Kim Min-su" budget', "from:'Kim Min-su' budget", "from:“Kim Min-su” budget"])
def test_a_quoted_value_may_hold_spaces(ask: Callable[..., Query], text: str) -> None:
    """Names of two words are quoted."""
    query = ask(text)
    assert (query.author, query.keywords, query.phrases) == (Person("Kim Min-su"), ("budget",), ())


@pytest.mark.parametrize(
    ("text", "phrase"),
    [('"exact words" a', "exact words"), ("“exact words” a", "exact words"), ("'exact words' a", "exact words"), ("‘exact words’ a", "exact words"),
     ("「정확한 말」 a", "정확한 말"), ("『정확한 말』 a", "정확한 말"), ('"from:bob -x" a', "from:bob -x"), ("'장애 회고'에 대한 a", "장애 회고")],
)  # fmt: skip
def test_quotes_of_all_kinds(ask: Callable[..., Query], text: str, phrase: str) -> None:
    """What stands in quotes is one phrase, filters in it included."""
    query = ask(text)
    assert query.phrases == (phrase,)
    assert query.author is None
    assert Phrase(phrase) in conjuncts(query.where)


def test_an_apostrophe_is_no_quote(ask: Callable[..., Query]) -> None:
    """Dana's and Ravi's enclose nothing."""
    assert ask("Dana's and Ravi's plans").phrases == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "empty"), ("   \n\t ", "empty"), ("\x00\x1b", "control_characters"), ("foo:bar budget", "unknown_filter"), ("form:bob budget", "unknown_filter"),
     ("after:2025-13-40 budget", "bad_date"), ("before:soonish budget", "bad_date"), ("2025-02-30 budget", "bad_date"), ("2월 30일 예산", "bad_date"),
     ('"never closed', "unbalanced_quote"), ("닫히지 않은 「인용", "unbalanced_quote"), ("type:spaceship x", "unknown_type"), ("is:purple x", "unknown_state"),
     ("after:2026-03-01 before:2026-02-01 x", "contradictory_window"), ("x" * (LONGEST + 1), "too_long"), ("-source:slack x", "unsupported_filter")],
)  # fmt: skip
def test_problems_are_named(ask: Callable[..., Query], text: str, code: str) -> None:
    """Each problem has a stable code and a message that is a sentence."""
    query = ask(text)
    assert code in codes(query)
    assert all(len(doubt.message) > 20 for doubt in query.doubts)


def test_a_question_without_problems_has_no_doubts(ask: Callable[..., Query]) -> None:
    """Ordinary questions, times and addresses with colons raise nothing."""
    assert ask("re: standup at 10:30, see https://example.com/a:b and C:\\temp").doubts == ()


def test_an_unknown_filter_is_read_as_plain_words(ask: Callable[..., Query]) -> None:
    """Nothing is lost."""
    assert ask("foo:bar budget").keywords == ("foo", "bar", "budget")


@pytest.mark.parametrize(
    "text",
    [
        "CardScanView.swift:118 crash",
        "at com.acme.Pay.run(Pay.kt:42)",
        "main.ts:12:5 원인",
        "localhost:8080 refused",
        "std::vector overflow",
    ],
)
def test_places_in_code_are_no_filters(ask: Callable[..., Query], text: str) -> None:
    """A line of a file, a frame of a stack trace, a port, a namespace."""
    assert ask(text).doubts == ()


def test_a_line_in_a_file_is_no_keyword(ask: Callable[..., Query]) -> None:
    """The file is looked up as it stands; the number says nothing."""
    query = ask("CardScanView.swift:118 crash")
    assert query.keywords == ("CardScanView.swift", "crash")
    assert [found.text for found in query.ids] == ["CardScanView.swift"]
    assert ask("Pay.kt:42에서 나는 오류").keywords == ("Pay.kt", "오류")


def test_a_misspelt_filter_says_what_was_meant(ask: Callable[..., Query]) -> None:
    """The doubt names the nearest filter."""
    query = ask("form:bob budget")
    assert "did you mean from:" in query.doubts[0].message
    assert query.keywords == ("bob", "budget")


def test_contradictory_limits_restrict_nothing(ask: Callable[..., Query]) -> None:
    """Both limits are left out."""
    assert ask("after:2026-03-01 before:2026-02-01 budget").window is None


def test_dates_of_filters_may_be_words(ask: Callable[..., Query]) -> None:
    """after:yesterday, since:지난주, before:2026-03."""
    assert days(ask("after:yesterday x")) == (date(2026, 5, 12), None)
    assert days(ask("since:지난주 x")) == (date(2026, 5, 4), None)
    assert days(ask("before:2026-03 x")) == (None, date(2026, 3, 1))


def test_excluded_authors_and_negated_filters(ask: Callable[..., Query]) -> None:
    """-from: excludes an author, -is:open asks for what is done."""
    query = ask("-from:ivan -is:open kubernetes")
    assert Not(Compare(Field.AUTHOR, Op.EQ, Person("ivan"))) in conjuncts(query.where)
    assert Compare(Field.STATE, Op.EQ, State.DONE) in conjuncts(query.where)
    assert (query.people(), query.negated) == (("ivan",), ("ivan",))


def test_unknown_sources_are_named(now: datetime) -> None:
    """With the configured sources at hand, source: is checked against them."""
    query = understand("source:trello budget", now, known={"slack": Category.CHAT})
    assert codes(query) == {"unknown_source"}
    assert "slack" in query.doubts[0].message
    assert understand("source:slack budget", now, known={"slack": Category.CHAT}).hints == (Category.CHAT,)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("from:오재훈님", "오재훈"),
        ('from:"오재훈 팀장님"', "오재훈"),
        ("from:오재훈매니저님", "오재훈"),
        ("from:오재훈씨", "오재훈"),
        ('from:"Dr. Sarah Kim"', "Sarah Kim"),
        ("from:김님", "김님"),
        ('from:"김 팀장"', "김 팀장"),
        ("from:대표님", "대표"),
        ("from:dr", "dr"),
    ],
)
def test_titles_are_no_part_of_a_name_in_a_filter(ask: Callable[..., Query], typed: str, name: str) -> None:
    """As in "오재훈님이 보낸 메일". Where a family name would be left, or nothing, it stays as typed."""
    query = ask(f"{typed} 연차")
    assert query.author == Person(name)


@pytest.mark.parametrize("typed", ["jose", "garcia", "josé", "ＧＡＲＣＩＡ", '"jose garcia"'])
def test_accents_need_not_be_typed_to_be_known(ask: Callable[..., Query], typed: str) -> None:
    """The one person of the directory by a part of the name, so that sources are asked by address."""
    jose = DirectoryPerson("José García", email="jose@partner.example")
    query = ask(f"from:{typed} contract", directory=Directory(people=(jose, DirectoryPerson("Ann Lee"))))
    assert query.author == Person("José García", email="jose@partner.example")


TEAM = Directory(people=(DirectoryPerson("Sarah Kim"), DirectoryPerson("김민수")), channels=("release notes",))


@each_row(
    ("text", "author", "window", "keywords"),
    [
        ("from: 김민수 okta", "김민수", None, ("okta",)),
        ("from:Sarah Kim okta", "Sarah Kim", None, ("okta",)),
        ("from:김민수 팀장님 okta", "김민수", None, ("okta",)),
        ("okta after: 2026-05-01", None, (date(2026, 5, 1), None), ("okta",)),
        ("okta after:last week", None, (date(2026, 5, 4), None), ("okta",)),
        ("after:지난 주 옥타", None, (date(2026, 5, 4), None), ("옥타",)),
        ("before:march 3 okta", None, (None, date(2026, 3, 3)), ("okta",)),
        ("on:yesterday okta", None, (date(2026, 5, 12), date(2026, 5, 13)), ("okta",)),
        ("okta during:april", None, (date(2026, 4, 1), date(2026, 5, 1)), ("okta",)),
        ("on:2026-05-11 okta", None, (date(2026, 5, 11), date(2026, 5, 12)), ("okta",)),
    ],
)
def test_a_value_may_stand_apart_and_have_several_words(
    ask: Callable[..., Query], text: str, author: str | None, window: tuple[date | None, date | None] | None, keywords: tuple[str, ...]
) -> None:  # fmt: skip
    """As people write filters by hand; each is a condition that was typed, and nothing of it a word."""
    query = ask(text, TEAM)
    assert (query.author and query.author.name) == author
    assert (query.window and days(query)) == window
    assert query.keywords == keywords
    assert query.doubts == query.implied == ()


@each_row(
    "text",
    ["the question is: who owns okta", "two kinds of bug type: crash and hang", "From: Dana To: all Subject: okta", "see after: the demo", "approved by: whom", "a bug in: the app"],
)  # fmt: skip
def test_prose_with_a_colon_is_no_filter(ask: Callable[..., Query], text: str) -> None:
    """Nor is the head of a mail that was pasted."""
    query = ask(text)
    assert (query.author, query.container, query.kinds, query.window) == (None, None, (), None)
    assert codes(query) == set()


def test_letters_as_wide_as_hangul_are_read_as_plain_ones(ask: Callable[..., Query]) -> None:
    """An input method leaves them behind; nobody means them, and sources do not all fold them."""
    query = ask("ＰＡＹ－１４２　ｓｔａｔｕｓ　ｆｒｏｍ：민수")
    assert [each.text for each in query.ids] == ["PAY-142"]
    assert query.author == Person("민수")


@pytest.mark.parametrize(
    ("text", "left_out", "strength"),
    [
        ("감독이 와그너를 빼고 투입한 선수는?", "와그너", 0.2),
        ("민법통칙에 있는 규정을 제외하고 중국에서 법규가 제정되지 않은 법은 무엇인가?", "규정", 0.2),
        ("투수들은 클레멘스를 제외하면 다 어디에 올랐나?", "클레멘스", 0.2),
        ("비서실이 아니라 국무회의 중심으로 이뤄졌어야 했다고 지적한 학자는?", "비서실", 0.2),
        ("초안을 빼고 제안서 보여줘", "초안", 0.9),
        ("테스트 계정을 제외하고 가입자 수 추이", "테스트 계정", 0.9),
        ("우진테크 말고 어느 업체로 계약하기로 했어요?", "우진테크", 0.9),
        ("iOS가 아니라 안드로이드 크래시 로그", "iOS", 0.7),
        ("which depot other than Cork is on Mulberry", "Cork", 0.4),
        ("which vendors except Lionbridge did we shortlist", "Lionbridge", 0.4),
        ("vendors we shortlisted, other than Lionbridge", "Lionbridge", 0.9),
        ("how many seats do we have on Miro, excluding contractors", "contractors", 0.9),
    ],
)
def test_what_a_fact_is_told_of_all_but_one_may_name_that_one(
    ask: Callable[..., Query], text: str, left_out: str, strength: float
) -> None:
    query = ask(text)
    assert query.negated == (left_out,)
    assert [each.strength for each in query.implied if isinstance(each.clause, Not)] == [strength]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("okta OR saml", "okta OR saml"),
        ("rollout okta OR saml", "rollout AND (okta OR saml) AND state = open"),
        ("okta OR saml OR radius", "okta OR saml OR radius"),
        ("옥타 OR 쿠버네티스", "옥타 OR 쿠버네티스"),
        ('"change freeze" OR "배포 동결"', '"change freeze" OR "배포 동결"'),
        ("okta or saml", "okta AND saml"),
        ("okta OR", "okta"),
        ("OR okta", "okta"),
        ('"dead OR alive"', '"dead OR alive"'),
    ],
)
def test_or_in_capitals_joins_its_neighbours(ask: Callable[[str], Query], text: str, meant: str) -> None:
    assert str(ask(text).where) == meant


def test_not_in_capitals_leaves_out_what_follows_one_word_too(ask: Callable[[str], Query]) -> None:
    assert ask("rollout NOT okta").negated == ("okta",)
    for text in ("this is NOT working", "why did it NOT start", "ROLLOUT NOT DONE"):
        assert not ask(text).negated, text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pool from:dana from:lee", "pool AND (author = dana OR author = lee)"),
        ("pool from:me from:lee", "pool AND (author = me OR author = lee)"),
        ("pool in:#alpha in:#beta", "pool AND (container = alpha OR container = beta)"),
        ("pool repo:a/b repo:a/c", "pool AND (container = a/b OR container = a/c)"),
        ("pool assignee:dana assignee:lee is:open", "pool AND (assignee = dana OR assignee = lee) AND state = open"),
        ("pool is:open is:done", "pool AND (state = open OR state = done)"),
        ("pool from:dana from:dana", "pool AND author = dana"),
    ],
)
def test_of_several_values_of_a_filter_any_one_will_do(ask: Callable[[str], Query], text: str, meant: str) -> None:
    """The last one stood for all of them, and nobody was told; two states held of nothing."""
    assert str(ask(text).where) == meant
