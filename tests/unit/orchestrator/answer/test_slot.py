"""What a question asks to be filled in, in both languages, and that quotes are chosen by it."""

from datetime import datetime

import pytest

from orchestrator.answer import AnswerKind, slot_of
from orchestrator.documents.question import query_document
from orchestrator.surfaces.cli.words import frame
from orchestrator.understand import load_lexicon, understand

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
LEXICON = load_lexicon()


def read(text):
    return understand(text, NOW, None, lexicon=LEXICON)


@pytest.mark.parametrize(
    ("text", "entity", "attribute", "kind"),
    [
        ("When does Moru launch in the EU?", "Moru", {"EU", "launch"}, AnswerKind.DAY),
        ("모루 유럽 출시일 언제로 확정됐어?", "모루", {"유럽", "출시일", "확정"}, AnswerKind.DAY),
        ("Why did we move to Postgres?", "Postgres", set(), AnswerKind.REASON),
        ("배터리 공급사를 왜 바꿨어요?", "배터리", {"공급사"}, AnswerKind.REASON),
        ("How much is the battery pack?", "battery", {"pack"}, AnswerKind.AMOUNT),
        ("대원셀 배터리팩 최종 단가가 얼마야", "대원셀", {"배터리팩", "단가"}, AnswerKind.AMOUNT),
        ("워크숍 참가자 몇 명이에요?", "워크숍", {"참가자"}, AnswerKind.COUNT),
        ("who owns the Okta rollout?", "Okta", {"rollout"}, AnswerKind.PERSON),
        ("Okta 도입 담당자가 누구야?", "Okta", {"도입"}, AnswerKind.PERSON),
        ("충전 상한이 몇 퍼센트야?", "충전", {"상한"}, AnswerKind.MEASURE),
        ("온새 보드 플래싱 어떻게 해요?", "온새", {"보드", "플래싱"}, AnswerKind.STEPS),
        ("창고 부품 가져가려면 뭐부터 써야 해요?", "창고", {"부품"}, AnswerKind.STEPS),
        ("what is still open for the Okta rollout?", "Okta", {"rollout"}, AnswerKind.LIST),
        ("Where is the kickoff held?", "kickoff", set(), AnswerKind.PLACE),
        ("킥오프 어디서 하나요?", "킥오프", set(), AnswerKind.PLACE),
        ("Is the Okta rollout approved?", "Okta", {"rollout"}, AnswerKind.YES_NO),
        ("Okta 도입 완료됐어?", "Okta", {"도입"}, AnswerKind.YES_NO),
        ("Where is the API spec?", "API", {"spec"}, AnswerKind.DOCUMENT),
    ],
)
def test_a_question_is_a_request_for_a_slot(text, entity, attribute, kind):
    slot = slot_of(read(text))
    assert slot.entity == (entity,)
    assert attribute <= set(slot.attribute)
    assert slot.kind is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How wide is the attic bed?", AnswerKind.MEASURE),
        ("how many per cent of the beds are taken", AnswerKind.MEASURE),
        ("크레인은 바람이 얼마나 불면 멈춰?", AnswerKind.MEASURE),
        ("유람선은 한 사람에 얼마야?", AnswerKind.AMOUNT),
        ("일꾼들은 휴가를 며칠까지 써?", AnswerKind.SPAN),
        ("등대 견학 며칠로 바뀌었어요?", AnswerKind.DAY),
        ("등대 견학 신청은 며칠부터 받아?", AnswerKind.DAY),
        ("등대 견학은 며칠 걸려?", AnswerKind.SPAN),
        ("손님 차는 어디다 세워요?", AnswerKind.PLACE),
    ],
)
def test_a_value_is_asked_for_and_nobody(text, kind):
    assert slot_of(read(text)).kind is kind


def test_conditions_constrain():
    slot = slot_of(read("what did we decide about Okta in:#platform after:2026-01-01"))
    assert slot.constraint == ("container = platform", "time >= 2026-01-01T00:00:00+09:00")
    assert query_document(read("who owns Okta?"))["slot"]["kind"] == "person"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_kind_is_worded(language):
    assert all(frame(language)[f"answer {kind}"] for kind in AnswerKind)
