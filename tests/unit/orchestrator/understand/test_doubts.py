"""What could not be taken at its word is said in the language of the question."""

from __future__ import annotations

from datetime import datetime

import pytest

from orchestrator.documents.question import query_document
from orchestrator.thinking import open_mind, understood
from orchestrator.understand import understand
from orchestrator.understand.text import LONGEST
from tests.rows import each_row
from tests.security.runaway import RANKING
from translators.letters import SYLLABLE
from translators.match import HANGUL, WORD
from translators.query import Category
from translators.said import said_in

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
MIND = open_mind("factors", RANKING)
ASKED = (
    ("unknown_filter", "보일러 점검 colour:red"),
    ("unknown_filter", "보일러 점검 form:민수"),
    ("bad_date", "보일러 점검 after:2026-02-31"),
    ("bad_date", "2월 31일 보일러 점검"),
    ("contradictory_window", "보일러 점검 after:2026-03-01 before:2026-02-01"),
    ("unknown_type", "보일러 점검 type:poem"),
    ("unknown_state", "보일러 점검 is:green"),
    ("unknown_source", "보일러 점검 source:fax"),
    ("unsupported_filter", "보일러 점검 -source:slack"),
    ("unbalanced_quote", '보일러 "점검'),
    ("too_long", "보일러 점검 " * LONGEST),
    ("control_characters", "보일러\x00 점검"),
    ("wrong_keyboard", "dhszhf wjdcor"),
    ("any_issue", "안 끝난 버그 목록"),
)


@pytest.mark.parametrize(("code", "question"), ASKED)
def test_every_doubt_is_said_in_both_languages(code: str, question: str) -> None:
    query = understand(question, NOW, known={"slack": Category.CHAT})
    (doubt,) = (each for each in query.doubts if each.code == code)
    said, quoted = said_in(doubt.message, "en"), set(WORD.findall(query.text))
    assert not [word for word in WORD.findall(said) if HANGUL.search(word) and word not in quoted]
    assert "습니다" in said_in(doubt.message, "ko") or "인가요" in said_in(doubt.message, "ko")
    assert "{" not in doubt.message + said_in(doubt.message, "ko")
    told = {each["code"]: each["message"] for each in query_document(query)["doubts"]}
    assert told[code] == said_in(doubt.message, "ko")


@each_row(
    "text", ["PAY-142", "okta rollout", "from:minsu", "옥타 rollout plan", "https://acme.example/the/page", "支払い"]
)
def test_names_and_numbers_alone_are_in_no_language(text: str) -> None:
    """Whoever asks so is answered in their own; it is searched for as it stands."""
    query = understood(MIND, text, NOW, None, "ko")
    assert query.language == "ko"
    assert not query.in_korean


@each_row(
    ("text", "language"),
    [
        ("who is 김민수?", "en"),
        ("who is 김하나?", "en"),  # whose name ends as a verb does
        ("tell me about 박수지", "en"),
        ("owner of okta 는 김하나야", "ko"),
        ("what is 연차 이월 규정", "en"),
        ("how much 이율인가요", "ko"),
        ("kafka retention 기본 며칠", "ko"),
        ("Vandermeer 제안서", "ko"),
        ("status of the okta rollout by 김민수", "en"),
        ("what's new 가 뭐야", "ko"),
    ],
)
def test_a_question_is_answered_in_the_language_by_which_it_is_built(text: str, language: str) -> None:
    assert understand(text, NOW).language == language


@each_row("text", ["where is PAY-142", "옥타 도입 rollout", "status of okta"])
def test_a_question_in_a_language_is_answered_in_it(text: str) -> None:
    own = "en" if SYLLABLE.search(text) else "ko"
    assert understood(MIND, text, NOW, None, own).language != own
