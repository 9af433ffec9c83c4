"""Over the demo workplace: a thing asked for by key or address is the first result, and unknown keys and names are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.documents.answer import answer_document
from orchestrator.model import Confidence
from tests.e2e.demo_workplace import ask

if TYPE_CHECKING:
    from orchestrator.engine import Engine

GUIDE = "https://www.notion.so/acme/merchant-migration-guide-ec7773527418f2eada1f991891c4e4a3"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("PAY-151 상태", "/PAY-151/"),
        ("what is the status of PAY-151?", "/PAY-151/"),
        ("PAY-142 언제 시작해?", "/PAY-142/"),
        ("PAY-153", "/PAY-153"),
        (f"{GUIDE} 무슨 내용이야?", GUIDE),
        (f"what is {GUIDE}?pvs=4 about", GUIDE),
    ],
)
async def test_what_is_asked_for_by_key_or_address_is_the_first_result(
    engine: Engine, question: str, first: str
) -> None:
    answer = await ask(engine, question)
    assert first in answer.results[0].hit.url
    assert all(result.score <= answer.results[0].score for result in answer.results)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("PAY-9999 status", "There is no PAY-9999 in Linear, or none that may be seen here."),
        ("PAY-9999 상태", "Linear에는 PAY-9999 항목이 없거나 볼 수 있는 권한이 없습니다."),
    ],
)
async def test_a_key_that_is_nowhere_is_told_and_nothing_else_is_listed(
    engine: Engine, question: str, said: str
) -> None:
    answer = await ask(engine, question)
    assert (answer.results, answer.confidence) == ((), Confidence.NONE)
    assert answer.summary.startswith(said)
    assert all("PAY-9999" in str(native) for outcome in answer.outcomes for native in outcome.sent)


@pytest.mark.parametrize(
    ("question", "code", "said"),
    [
        ("from:nobody API", "unknown_person", "nobody is called “nobody” in Linear, Notion, Slack"),
        ("from:김 배포", "unknown_person", "비슷한 이름: 김민서, 김민수, 김태영"),
        ("in:없는채널 배포", "unknown_place", "Linear, Slack에 “없는채널” 채널이나 공간이 없습니다"),
        ("in:deploy rollout", "unknown_place", "no place is called “deploy” in Linear, Slack; nearest: "),
        ("from:me API", "unknown_me", "no account of your own is connected"),
        ("from:나 배포", "unknown_me", "본인 계정은 연결되어 있지 않습니다"),
    ],
)
async def test_a_name_that_nobody_knows_is_a_doubt_of_the_answer(
    engine: Engine, question: str, code: str, said: str
) -> None:
    (doubt,) = answer_document(await ask(engine, question))["question"]["doubts"]
    assert doubt["code"] == code
    assert said in doubt["message"]


@pytest.mark.parametrize("question", ["from:minsu API", "from:민수 배포", "in:결제-개발 배포", "in:general rollout"])
async def test_a_name_that_is_known_raises_none(engine: Engine, question: str) -> None:
    assert (await ask(engine, question)).query.doubts == ()
