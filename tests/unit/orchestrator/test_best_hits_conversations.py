"""The conversation of a good hit is read as a whole: what is new comes behind, and what came cut is made whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from connectors.contract import Hit, HitPage
from orchestrator.best_hits import Conversations
from orchestrator.gather import Asking, Care, Deadline, Gate, PageCache, Source, fan_out
from orchestrator.model import Evidence, Principal, Result
from tests.unit.orchestrator.gather.conftest import Pretend, plan_of, step
from translators.query import Kind
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.model import Outcome

ASKED = Hit("mail", "2", Kind.MAIL, "Re: Print run", snippet="Could we say", score=0.5, facts={"thread": "t"})
WHOLE = replace(ASKED, snippet="Could we say 1,800?", complete=True, score=None)
FIRST, ANSWER = (replace(WHOLE, id=key, snippet=said) for key, said in (("1", "2,000?"), ("3", "Yes to 1,800.")))


class Letters(Pretend):
    def conversation(self, hit: Hit) -> NativeQuery | None:
        return NativeQuery("mail", f"thread {hit.facts['thread']}") if hit.facts else None


async def read(mail: Letters) -> Outcome:
    sources = {mail.name: Source(mail, Gate(mail.manifest.limits))}
    asking = Asking(Principal("kim"), Care(PageCache(0.0), 0, hedge=False), 3)
    deadline, plan = Deadline.of(3.0, 0.15, 0.1), plan_of(step(mail.name, limit=5))

    async def best(outcomes: Sequence[Outcome]) -> tuple[Result, ...]:
        return tuple(Result(hit, (Evidence("mail", 1),)) for outcome in outcomes for hit in outcome.hits)

    found = [each async for each in fan_out(plan, sources, deadline, asking)]
    return (await Conversations(3, best).read(plan, found, sources, deadline, asking))[0]


def test_the_thread_of_a_mail_comes_along_and_makes_an_excerpt_whole(in_virtual_time: Any) -> None:
    pages = {"q": HitPage((ASKED,)), "thread t": HitPage((FIRST, WHOLE, ANSWER))}
    outcome = in_virtual_time(read(Letters("mail", pages)))
    assert [(hit.id, hit.snippet) for hit in outcome.hits] == [
        ("2", "Could we say 1,800?"),
        ("1", "2,000?"),
        ("3", "Yes to 1,800."),
    ]
    assert outcome.hits[0].score == ASKED.score, "it stands where it was found"
    assert outcome.requests == 2
