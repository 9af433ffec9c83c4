"""What readers are shown of an answer, whatever stands in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html as lxml_html
from starlette.datastructures import QueryParams

from orchestrator.model import WITHOUT
from orchestrator.surfaces.page.answer_view import AnswerView, Teller, snippet
from orchestrator.surfaces.page.asked import asked_of
from orchestrator.surfaces.page.words import words
from translators.said import Said, said_in

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = datetime(2026, 11, 20, tzinfo=UTC)
PAYLOADS = [
    "<script>window.owned=1</script>",
    '"><img src=x onerror=window.owned=1>',
    "' onmouseover='window.owned=1",
    "</ul></section><svg onload=window.owned=1>",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:window.owned=1",
    "&lt;script&gt;&#x3c;b",
    "\x00\x1b]0;title\x07",
]


def told(document: dict[str, Any], query: str = "question=v1", language: str = "en") -> Any:
    shown = AnswerView(asked_of(QueryParams(query)), words(language), language, NOW)
    return lxml_html.fragment_fromstring(Teller(shown, "token", "/?question=v1", "r1").told("answer", document)["html"])


def poisoned(value: Any, payload: str) -> Any:
    """Every text of a document replaced, but for those that are one of a few."""
    fixed = {"kind", "status", "type", "part", "language", "confidence", "created", "updated", "category", "state"}
    if isinstance(value, dict):
        return {key: each if key in fixed else poisoned(each, payload) for key, each in value.items()}
    if isinstance(value, list):
        return [poisoned(each, payload) for each in value]
    return payload if isinstance(value, str) else value


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_is_text(answer: Callable[..., dict[str, Any]], payload: str) -> None:
    document = answer(
        (
            {
                "title": "t",
                "also": [{"source": "slack", "id": "i", "title": "x", "snippet": "s", "url": "y"}],
                "unverified": ["u"],
            },
            {},
        ),
        statements=[
            {"part": "lead", "text": "t", "numbers": []},
            {"part": "claim", "text": "t", "numbers": [1]},
            {"part": "remark", "text": "t", "numbers": []},
        ],
        citations=[{"number": 1, "source": "slack", "id": "x", "url": "u", "quote": "q"}],
        conflicts=["c"],
        suggestions=["s"],
        notes=["n"],
        follow={"said": "s", "taken": "t", "carried": "c", "known": True},
        conversation="c",
        clarification={"question": "q", "options": ["a"], "readings": [{"label": "l", "count": 2, "context": "c"}]},
        sources=[
            {
                "sent": [{"dialect": "d", "text": "t", "args": {"a": "b"}}],
                "problem": {"code": "c", "message": "m", "retry_after": 2.0},
                "losses": [{"kind": "dropped", "what": "w", "why": "y"}],
                "left_out": [{"reason": "r", "count": 1}],
                "notes": ["n"],
                "asked": [{"label": "l", "rung": 1, "returned": 1}],
            }
        ],
    )
    hostile = poisoned(document, payload)
    hostile["sources"][0]["losses"][0]["kind"] = "dropped"
    found = told(hostile)
    assert not found.xpath("//script | //img | //svg | //iframe | //object | //style | //link")
    assert not found.xpath("//@*[starts-with(name(), 'on') or name() = 'style' or name() = 'srcdoc']")
    for address in found.xpath("//@href | //@action | //@src"):
        assert address.startswith(("/", "#")), address
    assert "49" not in found.text_content()


def test_a_link_of_a_source_tells_nobody_where_it_was_followed(answer: Callable[..., dict[str, Any]]) -> None:
    links = told(answer()).xpath("//h3/a")
    assert [(each.get("href"), each.get("rel")) for each in links] == [
        ("https://acme.slack.com/archives/C1/p1", "noopener noreferrer")
    ]


def test_text_cannot_be_turned_around(answer: Callable[..., dict[str, Any]]) -> None:
    """An override in a title must not make `gpj.exe` of `exe.jpg`, nor move what stands beside it."""
    found = told(answer(({"title": "invoice\u202egpj.exe", "author": "מפתח", "snippet": "نص عربي 123"},)))
    assert "\u202e" not in found.text_content()
    assert found.xpath("//h3")[0].get("dir") == "auto"
    assert found.xpath("//p[@class='snippet']")[0].get("dir") == "auto"
    assert "מפתח" in [each.text_content() for each in found.xpath("//bdi")]


def test_every_word_around_an_answer_is_korean_for_a_korean(answer: Callable[..., dict[str, Any]]) -> None:
    text = told(answer(), language="ko").text_content()
    assert "여기 있는 이유" in text
    assert "Why it is here" not in text


def test_citations_lead_to_their_evidence(answer: Callable[..., dict[str, Any]]) -> None:
    document = answer(
        ({}, {"snippet": "v1 ends on 26 February."}),
        statements=[{"part": "claim", "text": "2026-11-18, Slack: “v1 ends” [2]", "numbers": [2]}],
        citations=[{"number": 2, "source": "slack", "id": "C1:2", "url": "", "quote": "v1 ends"}],
    )
    found = told(document)
    cite = found.xpath("//ol[@class='claims']//a")[0]
    assert (cite.get("href"), cite.get("aria-label")) == ("#r2", "Evidence 2")
    assert found.xpath("//li[@id='r2']//blockquote")[0].text_content().endswith("v1 ends")


def test_facets_count_and_narrow(answer: Callable[..., dict[str, Any]]) -> None:
    hits = ({"author": "Alice"}, {"author": "Bob"}, {"author": "Alice", "kind": "thread"})
    every = told(answer(hits))
    assert [each.get("value") for each in every.xpath("//input[@name='person']")] == ["Alice", "Bob"]
    assert not every.xpath("//input[@name='source']")  # there is only one
    narrowed = told(answer(hits), "question=v1&person=Alice&kind=message")
    assert narrowed.xpath("//li[@class='hit'][not(@hidden)]/@id") == ["r1"]
    assert narrowed.xpath("//li[@class='hit'][@hidden]/@id") == ["r2", "r3"]  # a script can show them again
    assert narrowed.xpath("//input[@checked]/@value") == ["message", "Alice"]
    assert "1 of 3 results" in narrowed.text_content()
    none = told(answer(hits), "question=v1&person=Carol")
    assert not none.xpath("//li[@class='hit'][not(@hidden)]")
    assert not none.xpath("//p[@id='none-left'][@hidden]")
    assert "None of the results match" in none.text_content()


def test_why_a_result_stands_where_it_does(answer: Callable[..., dict[str, Any]]) -> None:
    bars = told(answer()).xpath("//meter")
    assert [each.get("value") for each in bars] == ["0.90", "0.50", "0.25", "1.00"]
    assert all(each.getparent().text.strip() for each in bars)  # each within its label


def test_a_clarification_is_a_form_of_buttons(answer: Callable[..., dict[str, Any]]) -> None:
    asked = {
        "question": "Which?",
        "options": ["API v1", "mail v1"],
        "readings": [
            {"label": "API", "count": 1, "context": "Phoenix"},
            {"label": "mail", "count": 2, "context": ""},
        ],
    }
    buttons = told(answer(clarification=asked)).xpath("//form[@action='/'][@method='get']/button")
    assert [(each.get("name"), each.get("value")) for each in buttons] == [
        ("question", "API v1"),
        ("question", "mail v1"),
    ]
    assert [each.text_content().split() for each in buttons] == [
        ["API", "Phoenix", "·", "1", "hit"],
        ["mail", "2", "hits"],
    ]


def test_nothing_found_is_not_nobody_asked(answer: Callable[..., dict[str, Any]]) -> None:
    empty = told(answer((), sources=[{"status": "empty", "returned": 0}], confidence="none"))
    nobody = told(answer((), sources=[{"status": "failed", "returned": 0}], confidence="none"))
    assert "Nothing was found." in empty.text_content()
    assert "No source answered." in nobody.text_content()
    assert nobody.xpath("//details[@open]")  # the receipt says at once why


def test_where_little_is_found_shorter_questions_can_be_asked_at_once(answer: Callable[..., dict[str, Any]]) -> None:
    asked = {"keywords": ["v1", "sunset", "date"], "variants": {"v1": ["version 1"]}}
    found = told(answer((), question=asked, confidence="none", suggestions=["Ask without quotes."]))
    assert found.xpath("//ul[@class='others']//a/text()") == ["v1 sunset", "version 1"]
    assert "Ask without quotes." in found.text_content()


def test_numbers_follow_the_order_shown(answer: Callable[..., dict[str, Any]]) -> None:
    """Whatever numbers the results had while the answer grew: a reload shows the same ones."""
    found = told(
        answer(
            ({"number": 7}, {"number": 3}),
            statements=[{"part": "claim", "text": "x [3] of [99]", "numbers": [3]}],
            citations=[{"number": 3, "source": "slack", "id": "i", "url": "", "quote": ""}],
            conflicts=["[7] against [3]"],
        )
    )
    assert found.xpath("//li[@class='hit']/@id") == ["r1", "r2"]
    assert found.xpath("//ol[@class='claims']//text()[normalize-space()]") == ["x ", "2", " of [99]"]
    assert found.xpath("//div[@class='notice']//a/@href") == ["#r1", "#r2"]


def test_doubts_stand_on_top(answer: Callable[..., dict[str, Any]]) -> None:
    found = told(
        answer(
            question={"doubts": [{"code": "bad_date", "message": "after:2026-02-31 is no day"}]},
            statements=[
                {"part": "remark", "text": "No source has ABC-1.", "numbers": []},
                {"part": "lead", "text": "What was said:", "numbers": []},
                {"part": "remark", "text": "Not included: Jira.", "numbers": []},
            ],
        )
    )
    said = found.xpath("//p[contains(@class, 'doubted') or @class = 'lead' or @class = 'remark']/text()")
    assert said == ["after:2026-02-31 is no day", "No source has ABC-1.", "What was said:", "Not included: Jira."]


def test_the_receipt_holds_each_native_query_as_it_was_sent(answer: Callable[..., dict[str, Any]]) -> None:
    args = {"filter": {"and": ["가", '"b"']}}
    sent = [{"dialect": "notion", "text": 'v1 "26 February"', "args": args}]
    native = told(answer(sources=[{"sent": sent}])).xpath("//pre")[0].text_content()
    text, _, rest = native.partition("\n")
    assert text == 'v1 "26 February"'
    assert json.loads(rest) == args


@pytest.mark.parametrize("detail", ["there is no source {request} {0} {x.y}", "{", "<b>{{7*7}}</b>"])
def test_what_the_server_says_of_a_question_is_no_pattern(detail: str) -> None:
    shown = AnswerView(asked_of(QueryParams("question=v1")), words("en"), "en", NOW)
    problem = {"code": "bad_ask", "detail": detail}
    found = lxml_html.fragment_fromstring(Teller(shown, "token", "/", "r1").told("problem", problem)["html"])
    assert found.xpath("./p/text()") == [detail]


def test_a_fault_of_ours_gives_its_number() -> None:
    shown = AnswerView(asked_of(QueryParams("question=v1")), words("ko"), "ko", NOW)
    problem = {"code": "internal_error", "detail": "x"}
    found = Teller(shown, "token", "/", "r1").told("problem", problem)["html"]
    assert "이 번호를 알려 주세요: r1" in found
    assert "다시 시도" in found


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_receipt_is_told_in_the_language_of_its_reader(answer: Callable[..., dict[str, Any]], language: str) -> None:
    """Whatever the language of the question, as far as it is ours."""
    both = Said.given({"en": "only in English", "ko": "한국어로"})
    document = answer(())
    document["sources"][0] |= {
        "asked": [{"label": WITHOUT.filled(dropped="x-1"), "rung": 1, "returned": 2}],
        "losses": [{"kind": "dropped", "what": "y-2", "why": both}],
        "notes": [both],
    }
    text = told(document, language=language).text_content()
    mine, theirs = (said_in(both, "ko"), str(both)) if language == "ko" else (str(both), said_in(both, "ko"))
    assert text.count(mine) == 2
    assert theirs not in text
    assert ("x-1 빼고" in text) == (language == "ko")
    assert ("without x-1" in text) == (language == "en")


def test_a_snippet_begins_where_something_was_found() -> None:
    said = "nothing of interest here. " * 20 + "and then the Okta rollout " + "goes on " * 80
    pieces = snippet(said, ["okta"])
    text = "".join(each.text for each in pieces)
    assert text.startswith("…")
    assert text.endswith("…")
    assert any(each.marked for each in pieces)
    assert len(text) < 260
