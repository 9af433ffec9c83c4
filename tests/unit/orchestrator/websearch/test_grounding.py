"""Markers stand behind what they bear out, counted in bytes of one part; the rest is passed over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from connectors.gemini.wire import read_generated
from orchestrator.websearch import (
    BadWebQuery,
    GroundedText,
    GroundingSource,
    GroundingSupport,
    cite,
    declaration,
    read_answer,
    read_arguments,
    title_of,
)

if TYPE_CHECKING:
    from pathlib import Path

A, B, C = (GroundingSource(f"https://{name}.example/", name.upper()) for name in "abc")
KOREAN = "서버 컴포넌트는 서버에서만 렌더링됩니다. 클라이언트로는 보내지 않습니다."
FAMILY = "가족 👨‍👩‍👧 이모지"


def end_of(text: str, piece: str) -> int:
    """Where ``piece`` ends in ``text``, in bytes."""
    return len(text[: text.index(piece) + len(piece)].encode())


def cited(
    text: str | tuple[str, ...], *supports: GroundingSupport, sources: tuple[GroundingSource | None, ...] = (A, B, C)
) -> str:
    return cite(GroundedText((text,) if isinstance(text, str) else text, sources, supports)).text


CASES = {
    "English": (cited("Hello world.", GroundingSupport(0, 12, (0,), "Hello world.")), "Hello world.[1]"),
    "several sources": (cited("Hi.", GroundingSupport(0, 3, (2, 0), "Hi.")), "Hi.[1][3]"),
    "Korean": (
        cited(
            KOREAN,
            GroundingSupport(0, end_of(KOREAN, "렌더링됩니다."), (0,), "서버 컴포넌트는 서버에서만 렌더링됩니다."),
            GroundingSupport(0, len(KOREAN.encode()), (1,), "클라이언트로는 보내지 않습니다."),
        ),
        "서버 컴포넌트는 서버에서만 렌더링됩니다.[1] 클라이언트로는 보내지 않습니다.[2]",
    ),
    "emoji": (
        cited("좋아요 👍🏽 정말", GroundingSupport(0, end_of("좋아요 👍🏽", "👍🏽"), (0,))),
        "좋아요 👍🏽[1] 정말",
    ),
    "inside a visible character": (
        cited(FAMILY, GroundingSupport(0, end_of(FAMILY, "👨"), (0,))),
        "가족 👨‍👩‍👧[1] 이모지",
    ),
    "inside a syllable": (cited("결제", GroundingSupport(0, 2, (0,))), "결[1]제"),
    "second part": (cited(("하나.", "둘."), GroundingSupport(1, len("둘.".encode()), (1,), "둘.")), "하나.둘.[2]"),
    "a part that is not shown": (
        cited(("", "둘."), GroundingSupport(0, 3, (0,)), GroundingSupport(1, 4, (1,))),
        "둘.[2]",
    ),
    "out of range": (
        cited("짧다", GroundingSupport(0, 7, (0,)), GroundingSupport(0, -1, (0,)), GroundingSupport(0, 0, (1,))),
        "짧다",
    ),
    "no such part": (cited("짧다", GroundingSupport(5, 3, (0,)), GroundingSupport(-1, 3, (0,))), "짧다"),
    "no such chunk": (cited("짧다", GroundingSupport(0, 6, (7, -1))), "짧다"),
    "some such chunk": (cited("짧다", GroundingSupport(0, 6, (7, 1))), "짧다[2]"),
    "unsupported": (cited("짧다", GroundingSupport(0, 6, ())), "짧다"),
    "the same twice": (cited("짧다", GroundingSupport(0, 6, (1,)), GroundingSupport(0, 6, (1, 0))), "짧다[1][2]"),
    "one page twice": (cited("짧다", GroundingSupport(0, 6, (0, 1, 2)), sources=(A, B, A)), "짧다[1][2]"),
    "a chunk that is no page": (cited("짧다", GroundingSupport(0, 6, (0, 1)), sources=(None, B)), "짧다[1]"),
    "characters for bytes": (cited("결제 서비스", GroundingSupport(0, 6, (0,), "결제 서비스")), "결제 서비스[1]"),
    "said twice, so the offset counts": (cited("예. 예.", GroundingSupport(0, 4, (0,), "예.")), "예.[1] 예."),
    "said nowhere, so the offset counts": (cited("예. 예.", GroundingSupport(0, 4, (0,), "아니요")), "예.[1] 예."),
    "markers of the text's own": (
        cited("이미 [1] 있다", GroundingSupport(0, end_of("이미 [1] 있다", "있다"), (1,))),
        "이미 [1] 있다[2]",
    ),
    "no parts": (cited((), GroundingSupport(0, 3, (0,))), ""),
}


@pytest.mark.parametrize("case", CASES)
def test_markers(case: str) -> None:
    got, wanted = CASES[case]
    assert got == wanted


def test_without_its_markers_it_is_the_text() -> None:
    text = "이미 [1] 있다. 끝."
    whole = cite(
        GroundedText(
            (text, "둘"), (A, B), (GroundingSupport(0, end_of(text, "있다."), (0, 1)), GroundingSupport(1, 3, (1,)))
        )
    )
    assert whole.plain == text + "둘"
    assert [whole.text[start:end] for start, end in whole.spans] == ["[1][2]", "[2]"]


# ---- replies


def reply(**candidate: object) -> dict[str, Any]:
    return {"candidates": [{"finishReason": "STOP", **candidate}]}


RECORDED = reply(
    content={
        "role": "model",
        "parts": [{"text": "The user asks.", "thought": True}, {"text": KOREAN}],
    },
    groundingMetadata={
        "webSearchQueries": ["react server components\u202e"],
        "searchEntryPoint": {"renderedContent": "<div>chips</div>"},
        "groundingChunks": [
            {"web": {"uri": "https://react.dev/rsc", "title": "react.dev"}},
            {"retrievedContext": {"uri": "gs://x", "title": "ours"}},
            {"web": {"uri": "javascript:alert(1)", "title": "bad"}},
            {"web": {"uri": "https://nextjs.org/docs", "title": "Next\x1b[2J\n.js"}},
        ],
        "groundingSupports": [
            {
                "segment": {"partIndex": 1, "endIndex": end_of(KOREAN, "렌더링됩니다."), "text": "서버 컴포넌트는 서버에서만 렌더링됩니다."},
                "groundingChunkIndices": [0, 1, 3],
            },
            {"segment": {"partIndex": 1, "startIndex": 4, "endIndex": 9999}, "groundingChunkIndices": [0]},
            {"groundingChunkIndices": [0]},
        ],
    },
)  # fmt: skip


def test_a_reply_becomes_an_answer_with_its_sources() -> None:
    answer = read_answer("서버 컴포넌트", read_generated(RECORDED))
    assert answer.cited.text == "서버 컴포넌트는 서버에서만 렌더링됩니다.[1][2] 클라이언트로는 보내지 않습니다."
    assert answer.searched == ("react server components",)
    assert answer.suggestions == "<div>chips</div>"
    assert answer.text.endswith(
        "\n\nSources:\n[1] react.dev - https://react.dev/rsc\n[2] Next[2J .js - https://nextjs.org/docs"
    )


def test_the_reply_is_a_documented_one(shared: Path) -> None:
    schema = json.loads((shared / "contracts" / "gemini_generateContent_response.schema.json").read_text("utf-8"))
    jsonschema.validate(RECORDED, schema)


def test_an_answer_without_grounding_is_plain() -> None:
    answer = read_answer("q", read_generated(reply(content={"parts": [{"text": "Just so."}]})))
    assert (answer.text, answer.cited.sources) == ("Just so.", ())


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"candidates": []},
        reply(),
        reply(content={"parts": []}),
        reply(content={"parts": [{"text": " \n"}]}),
        reply(content={"parts": [{"text": "hm", "thought": True}]}),
    ],
)
def test_no_text_is_said_clearly(data: dict[str, Any]) -> None:
    said = {query: read_answer(query, read_generated(data)).text for query in ("what is it", "무엇")}
    assert said["what is it"].startswith("The web search for “what is it” brought no answer")
    assert said["what is it"].endswith("Ask it in other words.")
    assert said["무엇"].startswith("“무엇”에 대한 웹 검색에서 답을 얻지 못했습니다")


def test_a_refusal_is_named() -> None:
    answer = read_answer("q", read_generated({"promptFeedback": {"blockReason": "SAFETY"}}))
    assert "(Gemini gave the reason SAFETY)" in answer.text


def test_a_source_without_a_title() -> None:
    assert title_of(GroundingSource("https://a.example/", " \u202e ")) == "Untitled"


# ---- the tool


def test_the_declaration_is_a_json_schema_that_agrees_with_the_check() -> None:
    told = declaration()
    assert told["name"] == "google_web_search"
    schema = told["parameters"]
    jsonschema.Draft202012Validator.check_schema(schema)
    for arguments in ({"query": "a"}, {"query": " 무엇? "}):
        jsonschema.validate(arguments, schema)
        assert read_arguments(arguments) == arguments["query"].strip()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs 'query', a text"),
        ({"query": None}, "needs 'query', a text"),
        ({"query": ["x"]}, "needs 'query', a text"),
        ({"query": ""}, "cannot be empty"),
        ({"query": " \t\n"}, "cannot be empty"),
        ({"query": "x" * 4001}, "at most 4,000 characters; this one has 4,001"),
        ({"query": "x", "site": "y"}, "takes 'query' and nothing else, not site"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    assert not jsonschema.Draft202012Validator(declaration()["parameters"]).is_valid(arguments)
    with pytest.raises(BadWebQuery, match=message.replace("'", ".")):
        read_arguments(arguments)
