"""What a follow-up is made of, in both languages, and what stands alone."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.dialogue import follow, weighed
from orchestrator.model import DialogueTurn, FollowUp
from orchestrator.understand import load_lexicon, understand

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
LEXICON = load_lexicon()
MORU, MORU_KO = "When does Moru launch in the EU?", "모루 유럽 출시일 언제로 확정됐어?"
OUTAGE = "4월 22일 해온링크 장애 원인이 뭐였나요"
KEYCLOAK = "What's the status of the Keycloak migration?"
API = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"


def read(text):
    return understand(text, NOW, None, lexicon=LEXICON)


def after(former, text, **turn):
    return follow(text, DialogueTurn(former, **turn), read, LEXICON)


@pytest.mark.parametrize(
    ("former", "text", "taken", "fresh"),
    [
        # something of a kind stands in the other's place
        (MORU, "and in Korea?", "When does Moru launch in Korea?", ("Korea",)),
        (MORU, "what about Korea?", "When does Moru launch in Korea?", ("Korea",)),
        (MORU, "when in Korea?", "When does Moru launch in Korea?", ("Korea",)),
        (MORU, "and in Mars?", "When does Moru launch in Mars?", ("Mars",)),
        (MORU, "what about Onsae?", "When does Onsae launch in the EU?", ("Onsae",)),
        (MORU_KO, "한국은?", "모루 한국 출시일 언제로 확정됐어?", ("한국",)),
        (MORU_KO, "그럼 한국은 언제야?", "모루 한국 출시일 언제로 확정됐어?", ("한국",)),
        (MORU_KO, "아니 한국 말이야", "모루 한국 출시일 언제로 확정됐어?", ("한국",)),
        (MORU_KO, "온새는?", "온새 유럽 출시일 언제로 확정됐어?", ("온새",)),
        (KEYCLOAK, "and the Okta migration?", "What's the status of the Okta migration?", ("Okta",)),
        (KEYCLOAK, "no, I mean the Okta migration", "What's the status of the Okta migration?", ("Okta",)),
        (API, "메일 마이그레이션은?", "메일 마이그레이션 일정에 대해 무엇을 결정했나요?", ("메일",)),
        (OUTAGE, "5월 3일은?", "5월 3일 해온링크 장애 원인이 뭐였나요", ()),
        ("What did Felix do last week?", "and this month?", "What did Felix do this month?", ()),
        ("What did Felix do last week?", "and Mina?", "What did Mina do last week?", ("Mina",)),
        ("PAY-61 상태 알려줘", "PAY-62는?", "PAY-62 상태 알려줘", ("PAY-62",)),
        ("PAY-61 상태 알려줘", "and PAY-63?", "PAY-63 상태 알려줘", ("PAY-63",)),
        # a pronoun, nothing to ask about, something else of the same
        (MORU, "who decided that?", "Moru launch EU who decided that?", ()),
        (MORU, "why?", "Moru launch EU why?", ()),
        (MORU, "and the owner?", "Moru launch EU the owner?", ("owner",)),
        (MORU_KO, "그건 누가 정했어?", "모루 유럽 출시일 누가 정했어?", ()),
        (MORU_KO, "담당자는?", "모루 유럽 출시일 담당자는?", ()),
        (MORU_KO, "예산은?", "모루 유럽 출시일 예산은?", ("예산",)),
        (API, "그럼 그 전에는 언제였어?", "API 마이그레이션 그럼 언제였어?", ()),
        (OUTAGE, "재발 방지 작업은?", "해온링크 장애 원인 재발 방지 작업은?", ("재발", "방지")),
        # a whole question that names nobody and nothing
        (OUTAGE, "재발 방지 작업은 누가 해?", "해온링크 재발 방지 작업은 누가 해?", ("재발", "방지")),
        (KEYCLOAK, "And when is the next window?", "Keycloak when is the next window?", ("window",)),
        (MORU_KO, "한국은 누가 담당해?", "모루 한국은 누가 담당해?", ("한국",)),
        ("부산 창고 임대료 얼마야?", "왜 올랐어?", "부산 창고 임대료 왜 올랐어?", ("올랐",)),
        ("who approved the Kestrel budget?", "are you sure?", "Kestrel budget are you sure?", ()),
    ],
)
def test_what_a_follow_up_is_taken_as(former, text, taken, fresh):
    found, followed = after(former, text)
    assert (found, followed.fresh, followed.said) == (taken, fresh, text)


@pytest.mark.parametrize(
    ("former", "text"),
    [
        (MORU, "Who owns Keycloak?"), (MORU, "PAY-61 status"), (API, "PAY-61은?"), (MORU, 'who wrote "exact words"?'),
        ("?", "?"), ("언제?", "why?"),
    ],
)  # fmt: skip
def test_what_stands_alone(former, text):
    assert after(former, text) is None


@pytest.mark.parametrize(
    "text",
    ["not that one", "no, not that", "that's wrong", "the other one", "something else", "그거 말고", "그거 말고 다른 거", "아니, 그게 아니고", "다른 건?"],
)  # fmt: skip
@pytest.mark.parametrize("former", [MORU, MORU_KO])
def test_a_correction_asks_the_same_without_what_it_led_to(former, text):
    found, followed = after(former, text, led=("a",), left_out=("b",), fresh=("x",))
    assert found == former
    assert (followed.left_out, followed.fresh) == (("a", "b"), ("x",))


def test_what_was_added_before_is_asked_for_on():
    _, followed = after("When does Moru launch in Korea?", "who decided that?", fresh=("Korea",))
    assert followed.fresh == ("Korea",)


def test_a_question_whose_former_is_lost_is_taken_by_itself():
    assert after("", "who decided that?") == ("who decided that?", FollowUp("who decided that?", lost=True))


def test_what_is_added_tells_most():
    query = weighed(read("Keycloak when is the next window?"), FollowUp("x", fresh=("window",)))
    assert query.essential[0] == "window"
    assert query.fresh == ("window",)


@given(st.sampled_from([MORU, MORU_KO, API, "?", "PAY-61"]), st.text(max_size=60))
def test_any_text_may_follow(former, text):
    found = after(former, text)
    assert found is None or found[0].strip()
