"""What a result says itself, and what it only passes on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.answer.own import (
    context_of,
    conversations,
    is_asking,
    is_cut,
    is_dated,
    is_notice,
    is_reply,
    own_text,
    signed,
    titles_of,
)
from translators.query import Container, Kind, Person, QueryType


@pytest.mark.parametrize(
    "title", ["Re: launch", "RE: Re: launch", "Fwd: launch", "FW：launch", "회신: 출시", " 답장: 출시"]
)
def test_a_subject_that_was_taken_over_is_known(title: str) -> None:
    assert is_reply(title)


@pytest.mark.parametrize("title", ["Release notes", "Review: launch", "출시 회신", "Fwding", ""])
def test_other_titles_are_their_own(title: str) -> None:
    assert not is_reply(title)


def test_a_reply_is_quoted_and_not_its_subject(desk: Any) -> None:
    desk = desk.ask(keywords=("v2", "GraphQL"))
    answer = desk.answer(
        desk.result("gmail:1", "We changed our mind: v2 will be REST, agreed.", title="Re: Decision: v2 = GraphQL")
    )
    assert "Re: Decision" not in answer.summary
    assert "v2 will be REST" in answer.summary


def test_a_subject_is_quoted_where_there_is_nothing_else(desk: Any) -> None:
    desk = desk.ask(keywords=("GraphQL",))
    assert "Re: Decision" in desk.answer(desk.result("gmail:1", title="Re: Decision: v2 = GraphQL")).summary


def test_what_a_mail_quotes_is_not_what_it_says(desk: Any) -> None:
    mail = desk.result("gmail:1", "v2 will be REST.\n\n> v2 will be GraphQL, decided.\n> Emily").hit
    assert own_text(mail).strip() == "v2 will be REST."
    assert own_text(desk.result("gmail:1", "> all of it").hit) == "> all of it"
    assert own_text(desk.result("notion:1", "> a callout").hit) == "> a callout"


def test_a_notice_of_another_thing_is_not_quoted(desk: Any) -> None:
    title = "Start of the migration changed to 7 December"
    notice = f"Jane created KEY-1: {title} https://tracker.example/KEY-1"
    results = desk.result("linear:KEY-1", title=title), desk.result("slack:2", notice)
    assert is_notice(results[1].hit, notice, titles_of(results))
    assert not is_notice(
        results[1].hit, f"As we said in the call of this morning with everybody: {title}", titles_of(results)
    )
    answer = desk.ask(keywords=("migration",)).answer(*results)
    assert "created KEY-1" not in answer.summary


@pytest.mark.parametrize(
    ("snippet", "complete", "cut"),
    [
        ("A short confirmation of the call of today. Minsu starts with the schema n", False, True),
        ("A short confirmation of the call of today. Minsu starts with the schema n", True, False),
        ("A short confirmation of the call of today. Minsu starts with the schema.", False, False),
        ("- the schema", False, False),
    ],
)
def test_where_the_source_cut_its_text_the_quote_goes_on(snippet: str, *, complete: bool, cut: bool) -> None:
    hit = Hit("gmail", "1", Kind.MAIL, snippet=snippet, complete=complete)
    assert is_cut(hit, snippet.rpartition(". ")[2] or snippet) is cut


def test_a_quote_that_the_source_cut_ends_in_an_ellipsis(desk: Any) -> None:
    desk = desk.ask(keywords=("schema",), type=QueryType.EXPLORATORY)
    text = "This confirms the call of today with all of you. Minsu starts with the schema n"
    assert "starts with the schema n…”" in desk.answer(desk.result("gmail:1", text)).summary


def test_a_reply_is_about_what_it_replies_to(desk: Any) -> None:
    place, thread = Container("help"), {"thread_ts": "1.0"}
    asked = desk.result("slack:1", "Where is the badge?", age=2, container=place, facts={"ts": "1.0"})
    told = desk.result(
        "slack:2", "At my desk, you must sign for it.", age=1, container=place, facts={**thread, "ts": "2.0"}
    )
    other = desk.result("slack:3", "At noon.", age=1, container=Container("lunch"), facts={**thread, "ts": "3.0"})
    said = conversations((told, asked, other))
    assert context_of(told.hit, said) == f"{place.name}\nWhere is the badge?"
    assert context_of(other.hit, said) == "lunch"
    answer = desk.ask(keywords=("badge",), type=QueryType.FACTUAL).answer(asked, told)
    assert [each.text for each in answer.statements][1].startswith("“At my desk, you must sign for it.”")


def test_a_message_that_asks_is_known() -> None:
    assert is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="where do I get one? mine is lost"))
    assert is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="문지방 4는 언제 올라가요 다들 기다려요"))
    assert is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="큰 개를 데리고 오시면 어떻게 안내하나요"))
    assert is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="so where do I send the cars then"))
    assert not is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="언제 오는지 모르겠어요"))
    assert is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="작업 끝났나요"))
    assert is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="how long does it take"))
    assert not is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="I know where they do it"))
    for stated in ("What failed was the pump.", "When you have the form, send it.", "How it works is the same."):
        assert not is_asking(Hit("slack", "1", Kind.MESSAGE, snippet=stated))
    for stated in (
        "무슨 일이 있어도 지켜야 해요",
        "무슨 말을 해도 환불은 안 돼요",
        "언제 가도 자리가 있어요",
        "왜 늦었냐면 트럭이 고장 나서예요",
        "몇 개 더 필요해요",
    ):
        assert not is_asking(Hit("slack", "1", Kind.MESSAGE, snippet=stated))
    assert not is_asking(Hit("slack", "1", Kind.MESSAGE, snippet="see https://wiki.example/?p=1 for it"))
    assert not is_asking(Hit("notion", "1", Kind.PAGE, snippet="When? On 1 May."))


def test_the_day_in_a_title_of_minutes_is_their_own() -> None:
    minutes = Hit("notion", "1", Kind.PAGE, created=datetime(2026, 10, 27, 6, tzinfo=UTC))
    assert is_dated(minutes, "2026-10-27 migration call")
    assert not is_dated(minutes, "Launch on 3 November")
    assert not is_dated(Hit("notion", "1", Kind.PAGE), "2026-10-27 migration call")


def thread(desk: Any, *texts: str) -> list[Any]:
    """A conversation found whole, of which only the first message was ranked well."""
    place = Container("yard")
    return [
        desk.result(
            f"slack:{number}", text, age=9 - number, score=1.0 if number == 0 else 0.05, container=place,
            facts={"thread_ts": "0.0", "ts": f"{number}.0"},
        )
        for number, text in enumerate(texts)
    ]  # fmt: skip


def first(answer: Any) -> str:
    return [each.text for each in answer.statements][1]


def test_how_a_thing_stands_is_the_last_word_of_its_conversation(desk: Any) -> None:
    talk = thread(desk, "Forklift 3 loses oil, out of service.", "Spare part ordered.", "Seal is new, it runs again.")
    asked = desk.ask("how is forklift 3", keywords=("forklift", "3"), type=QueryType.STATUS)
    assert "it runs again" in first(asked.answer(*talk))


def test_a_day_in_a_reply_counts_as_one_of_what_the_conversation_is_about(desk: Any) -> None:
    talk = thread(desk, "When do we move the stock?", "trucks are there", "26 March 2025 then, I tell the customers.")
    asked = desk.ask("when does the stock move", keywords=("stock", "move"), type=QueryType.TEMPORAL)
    assert first(asked.answer(*talk)).startswith("26 March 2025")


def test_what_follows_a_sentence_is_not_what_it_is_about(desk: Any) -> None:
    told = desk.result("slack:1", "The Oslo launch of Fen moves to 9 May 2025. Riga is not affected.")
    riga = desk.result("gmail:2", "Riga launch of Fen stays on 2 April 2025.", score=0.5)
    asked = desk.ask("when is the Riga launch of Fen", keywords=("Riga", "launch", "Fen"), type=QueryType.TEMPORAL)
    assert first(asked.answer(told, riga)).startswith("2 April 2025")


@pytest.mark.parametrize("kind", ["gmail", "linear"])
def test_what_a_letter_has_said_is_what_its_rest_is_about(desk: Any, kind: str) -> None:
    letter = desk.result(f"{kind}:1", "Riga launch of Fen, one more time.\n\nIt stays on 2 April 2025.", title="News")
    other = desk.result("slack:2", "Oslo is on 9 May 2025.", score=0.9)
    asked = desk.ask("when is the Riga launch of Fen", keywords=("Riga", "launch", "Fen"), type=QueryType.TEMPORAL)
    assert first(asked.answer(letter, other)).startswith("2 April 2025")


def test_whoever_speaks_need_not_name_themselves(desk: Any) -> None:
    bryce = desk.result("gmail:1", "It comes to 16,950 won.", title="Haulage", author="Oliver Bryce", age=2)
    other = desk.result("gmail:2", "It comes to 99,000 won.", title="Haulage", author="Ana Kim", age=1)
    asked = desk.ask("what does Bryce ask for haulage", keywords=("Bryce", "haulage"), type=QueryType.FACTUAL)
    assert "16,950" in first(asked.answer(other, bryce))


def test_what_a_mail_forwards_is_what_it_says_and_whom_it_quotes_is_no_sentence() -> None:
    text = "see below\n\nOn 3 May Ana wrote:\n> Riga stays on 2 June."
    assert own_text(Hit("gmail", "1", Kind.MAIL, "Fwd: minutes", snippet=text)) == text
    assert own_text(Hit("gmail", "1", Kind.MAIL, "Re: minutes", snippet=text)).strip() == "see below"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Fine, 16. Ana > On 3 May Ben wrote: > 18 is beyond us.", "Fine, 16. Ana"),
        ("16으로 하죠. 2026년 5월 3일 (일) 벤 님이 작성: > 18은 어렵습니다.", "16으로 하죠."),
        ("Go to Settings > Security > Tokens.", "Go to Settings > Security > Tokens."),
        ("Turn It On now. The job wrote: > 5 rows.", "Turn It On now. The job wrote: > 5 rows."),
    ],
)
def test_what_a_mail_in_one_line_quotes_is_not_what_it_says(text: str, own: str) -> None:
    assert own_text(Hit("outlook", "1", Kind.MAIL, "Re: price", snippet=text)) == own


@pytest.mark.parametrize(
    ("text", "author", "signature"),
    [
        ("We sent three.\nPieter Aalders\nNoordkade Bank", "Pieter Aalders", ("Pieter Aalders", "Noordkade Bank")),
        ("It is 96.\n\n- Hilde,\n> I can give you 96.", "Hilde Brandt", ()),
        ("It is 96.\n\nHilde,\n> I can give you 96.", "Hilde Brandt", ("Hilde,",)),
        ("견적 보냅니다.\n문상철 드림\n02-555-0199", "문상철", ("문상철 드림", "02-555-0199")),
        ("문상철", "문상철", ()),
        ("See you.\nLee\nAcme Lee", "Ana Lee", ("Lee", "Acme Lee")),
        ("Dear all,\nOn call:\nAna Kim\nBen Cho", "Ana Kim", ()),
        ("It is 96.\n--", "", ()),
        ("Ana has the keys.\nBen will come.", "Ana Kim", ()),
        ("Ana Kim\nhas\nthe\nkeys\nof\nthe\nroom", "Ana Kim", ()),
    ],
)
def test_a_letter_is_signed_with_its_authors_name_alone_in_a_line(
    text: str, author: str, signature: tuple[str, ...]
) -> None:
    said, lines = signed(Hit("gmail", "1", Kind.MAIL, snippet=text, author=Person(author)))
    assert lines == signature
    assert text.startswith(said)
    assert not any(line in said for line in lines)
    assert signed(Hit("slack", "1", Kind.MESSAGE, snippet=text, author=Person(author))) == (text, ())
