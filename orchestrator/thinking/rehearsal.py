"""A question and its answer before there is anybody to ask: what the first question would load and work out is there before processes are split off, once for all."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Status
from orchestrator.plan import PlanLimits, make_plan
from orchestrator.signals import NOTHING
from orchestrator.thinking.stages import GatheredHits, answered, understood
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from orchestrator.thinking.stages import Mind

QUESTIONS = {
    False: "what did we decide about the billing migration last week?",
    True: "지난주 해솔봇 결제 이전 일정이 어떻게 결정됐나요?",  # with a name that no list knows
}
FOUND = {
    False: "We decided on 3 March to move billing to the new gateway, since 12 percent of payments failed.",
    True: "3월 3일 회의에서 결제를 새 게이트웨이로 옮기기로 결정했다. 담당은 결제팀이고 예산은 1,200만 원이다.",
}
HITS = 3
SOURCE = "rehearsal"


def rehearse(mind: Mind, now: datetime, *, korean: bool) -> None:
    """In English, or in Korean."""
    query = understood(mind, QUESTIONS[korean], now)
    plan = make_plan(query, (), (), PlanLimits())
    native = NativeQuery("web", QUESTIONS[korean])
    found = HitList(Translation(native), tuple(_hits(FOUND[korean], now)))
    outcome = Outcome(SOURCE, SOURCE, Category.WIKI, Status.OK, (found,), sent=(native,))
    answered(mind, GatheredHits((outcome,), plan, now, NOTHING), {})


def _hits(text: str, now: datetime) -> Iterator[Hit]:
    for number in range(HITS):
        when = now - timedelta(days=number + 1)
        title, url = f"{text.split('.', maxsplit=1)[0]} {number}", f"https://{SOURCE}.example/{number}"
        yield Hit(SOURCE, str(number), Kind.PAGE, title=title, url=url, snippet=text, created=when, updated=when)
