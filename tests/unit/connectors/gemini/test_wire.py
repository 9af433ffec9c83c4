"""Replies of Gemini: the recorded ones are valid by Google's own schema, and offsets are bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from connectors.errors import BadReply
from connectors.gemini import GeminiSource, grounded
from connectors.gemini.wire import read_generated
from connectors.testing.exemplar import filed_exemplars

CONTRACT = Path(__file__).parents[5] / "shared/contracts/gemini_generateContent_response.schema.json"
# Replies that Google never sends: they show what becomes of them.
DRIFTED = frozenset({"drifted", "odd_supports", "malformed", "html", "oversized", "redirect"})
ANSWERS = [
    (filed.name, exchange.reply.body)
    for filed in filed_exemplars(GeminiSource)
    for exchange in filed.exemplar.exchanges
    if filed.path.stem not in DRIFTED and exchange.request.method == "POST" and exchange.reply.status == 200
]


@pytest.mark.parametrize("body", [body for _, body in ANSWERS], ids=[name for name, _ in ANSWERS])
def test_recorded_replies_are_as_google_describes_them(body: Any) -> None:
    if not CONTRACT.is_file():
        pytest.skip("the vendors' contracts are not beside this checkout")
    Draft202012Validator(json.loads(CONTRACT.read_text("utf-8"))).validate(body)


def test_there_are_replies_to_hold_against_it() -> None:
    assert len(ANSWERS) >= 10


PIECES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12), min_size=1, max_size=6)


@given(PIECES, st.data())
def test_what_a_page_bears_out_is_cut_out_by_bytes(pieces: list[str], data: st.DataObject) -> None:
    """Korean, emoji and all else: without the repeated text, the segment is what its bytes say."""
    chosen = data.draw(st.integers(0, len(pieces) - 1))
    start = len("".join(pieces[:chosen]).encode())
    segment = {"endIndex": start + len(pieces[chosen].encode()), **({"startIndex": start} if start else {})}
    text = "".join(pieces)
    body = generated(text, [{"segment": segment, "groundingChunkIndices": [0]}])
    (hit,) = grounded(read_generated(body)).hits
    assert hit.snippet == grounded(read_generated(with_text(body, pieces[chosen]))).hits[0].snippet


@given(st.text(max_size=20), st.integers(-5, 200), st.integers(-5, 200), st.integers(-3, 5))
def test_any_offsets_at_all_are_survived(text: str, start: int, end: int, part: int) -> None:
    segment = {"startIndex": start, "endIndex": end, "partIndex": part}
    body = generated(text, [{"segment": segment, "groundingChunkIndices": [0, 99, -1]}])
    (hit,) = grounded(read_generated(body)).hits
    assert hit.url


def test_the_parts_that_are_thoughts_are_counted_and_not_said() -> None:
    body = generated("", [{"segment": {"partIndex": 1, "endIndex": 6}, "groundingChunkIndices": [0]}])
    body["candidates"][0]["content"]["parts"] = [{"text": "hm", "thought": True}, {"text": "한글 답"}]
    found = read_generated(body)
    assert found.first is not None
    assert found.first.text == "한글 답"
    assert grounded(found).hits[0].snippet == "한글"


def test_nulls_are_what_is_left_out() -> None:
    """Some encoders of protocol buffers write them."""
    body = {
        "candidates": [
            {
                "content": {"parts": [{"text": None, "thought": None}], "role": None},
                "finishReason": None,
                "groundingMetadata": {"groundingChunks": None, "groundingSupports": None, "webSearchQueries": None},
            }
        ],
        "promptFeedback": {"blockReason": None},
    }
    found = read_generated(body)
    assert (found.refusal, found.first is not None) == ("", True)
    assert grounded(found).hits == ()
    assert read_generated({"candidates": None}).refusal == "no candidate"


def test_an_answer_that_broke_off_is_still_an_answer() -> None:
    body = generated("half", [])
    body["candidates"][0]["finishReason"] = "SAFETY"
    assert read_generated(body).refusal == ""


def test_what_is_no_reply_says_so() -> None:
    for wrong in ([], "x", None, {"candidates": [1]}):
        with pytest.raises(BadReply, match="Gemini"):
            read_generated(wrong)


def generated(text: str, supports: list[dict[str, Any]]) -> dict[str, Any]:
    chunk = {"web": {"uri": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/A", "title": "react.dev"}}
    grounding = {"webSearchQueries": ["q"], "groundingChunks": [chunk], "groundingSupports": supports}
    return {
        "candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding, "finishReason": "STOP"}]
    }


def with_text(body: dict[str, Any], text: str) -> dict[str, Any]:
    """The same with the segment's text repeated, as Google does."""
    copy: dict[str, Any] = json.loads(json.dumps(body))
    copy["candidates"][0]["groundingMetadata"]["groundingSupports"][0]["segment"]["text"] = text
    return copy
