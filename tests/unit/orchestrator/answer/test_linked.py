"""Which questions ask how pieces of work hang together."""

from __future__ import annotations

import pytest

from orchestrator.answer.signals import LINKED

ASKING = """\
what does BRAM-23 block
what is BRAM-27 waiting for
what is the mix waiting on
what's holding up the launch
what is holding the launch up
who is holding back the release
what is blocking the hull paint
what blocks the survey
is anything blocked by the permit
what depends on the permit
what does the launch depend on
why is the permit stuck
why can't we start the audit yet
why hasn't the review started
why isn't the survey done
why is the launch late
what's the hold-up with the launch
what's left under PAY-12
what is left of the launch
what are the open sub-tasks of PAY-12
which subtasks of the survey are not done
what has to happen before the launch
what needs to be done before we can ship
what can't start until PAY-12 is done
what is on hold because of the licence
what are we waiting for on the survey
what stops the survey
dependencies of PAY-12
prerequisites for the launch
BRAM-27은 뭘 기다려
도장 작업 뭐 때문에 막혔어
뭐가 배포를 막고 있어
PAY-12가 막는 일
PAY-12 때문에 못 하는 일
허가 안 나오면 뭐가 밀려
PAY-12 안 끝나면 뭐가 못 나가
PAY-12 끝나야 할 수 있는 게 뭐야
폰트 때문에 멈춘 작업이 뭐뭐야
선체 도장 왜 아직 시작 못했어
왜 검수를 못 하고 있어
배포 왜 안 나가
심사 왜 안 되고 있어
PAY-12 하위 작업 뭐 남았어
PAY-12 밑에 남은 일
하위 이슈 뭐 있어 PAY-12
배포 선행 작업 뭐야
허가 후속 작업
배포하려면 뭐가 먼저 끝나야 돼
조사 뭐에 걸려 있어
심사 뭐 기다리는 중이야
시험이 끝나기를 기다리는 일
배포에 걸린 거 뭐야
도장 뭐가 발목 잡고 있어
PAY-12에 물려 있는 일
검수 대기 이유
"""
OTHERS = """\
what is PAY-12
who owns PAY-12
when is the launch
why did we choose Okta
why was booth B shut
how much is the licence
who wrote the block diagram
what is in block B
where do visitors wait
waiting room opening hours
what is the hold music
where is the left luggage
who left the company
what did we decide about the sub-contract
what is the dependent care allowance
status of the survey
what did Dana finish
why is the sky photo blue
who is late for the party
how long is the stop at Cork
what time does the shop stop selling
PAY-12 뭐야
PAY-12 누가 해
배포 언제야
왜 옥타로 골랐어
부스 왜 닫았어
왜 바꿨어
막내 이름이 뭐야
막걸리 어디서 사
기다란 통 얼마야
대기실 어디야
휴가 며칠 남았어
재고 얼마나 남았어
감기 걸린 사람 누구야
왜 가격을 올렸어
때문에라는 말이 몇번 나와
상태 알려줘
"""


@pytest.mark.parametrize("question", ASKING.splitlines())
def test_it_is_asked_what_waits_for_what(question: str) -> None:
    assert LINKED.search(question)


@pytest.mark.parametrize("question", OTHERS.splitlines())
def test_something_else_is_asked(question: str) -> None:
    assert not LINKED.search(question)
