"""A source that lies about how much it has, asked at both ends (all words at once along with one): nothing that it says costs more than its share."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from connectors.contract import HitPage, LeftOut
from connectors.errors import BadReply, Forbidden, Misconfigured, Rejected, Throttled, Unauthenticated, Unavailable
from orchestrator.gather.climb import MOST_PAGES
from orchestrator.model import Status
from tests.unit.orchestrator.gather.conftest import gather, kit  # noqa: F401 - the latter a fixture
from tests.unit.orchestrator.gather.test_by_word import by_word
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT, MOST = 5, 20  # hits that are asked for, and that are kept of one request
ENDS, BETWEEN = {"outage export", "outage"}, {"outage log", "export"}
BUDGET = 3.0


def good(kit: Any) -> HitPage:  # noqa: F811
    """What holds all words, and one."""
    return kit.found("export after the outage", "outage in the hall")


class Endless(dict[str, Any]):
    """For each page another cursor, and never an end."""

    def __init__(self, page: Callable[[int], HitPage]) -> None:
        self.page = page
        self.asked = 0

    def __getitem__(self, _: str) -> HitPage:
        self.asked += 1
        return self.page(self.asked)

    def get(self, key: str, default: Any = None) -> Any:
        return default if key == "directory" else None


# What each end answers: the page as it would be, made into what it says.
PAGES: dict[str, Callable[[HitPage], Any]] = {
    "less than nothing": lambda page: replace(page, total=-1),
    "more than there are atoms": lambda page: replace(page, total=10**80),
    "nothing of all": lambda page: replace(page, total=0),
    "all of nothing": lambda page: HitPage(total=sys.maxsize),
    "nothing, and more of it": lambda page: HitPage(cursor="more", total=3),
    "one thing many times": lambda page: replace(page, hits=page.hits[:1] * 10_000),
    "more than was asked for": lambda page: replace(page, hits=tuple(replace(page.hits[0], id=f"outage {each}") for each in range(10_000))),
    "ranks that are none": lambda page: replace(page, hits=tuple(replace(each, rank=-7) for each in page.hits)),
    "one rank for all": lambda page: replace(page, hits=tuple(replace(each, rank=1) for each in page.hits)),
    "scores that are no numbers": lambda page: replace(page, hits=tuple(replace(each, score=float("nan")) for each in page.hits)),
    "a cursor that leads to itself": lambda page: replace(page, cursor="0"),
    "a cursor without an end": lambda page: replace(page, cursor="x" * 1_000_000),
    "a cursor of nothing": lambda page: replace(page, cursor=""),
    "things without an id": lambda page: replace(page, hits=tuple(replace(each, id="") for each in page.hits)),
    "ids that are no text": lambda page: replace(page, hits=tuple(replace(each, id=f"\ud800\0{each.id}") for each in page.hits)),
    "notes without an end": lambda page: replace(page, notes=tuple(Said.given({"en": f"note {each}"}) for each in range(5_000))),
    "one note many times": lambda page: replace(page, notes=(Said.given({"en": "note"}),) * 5_000),
    "parts left out without an end": lambda page: replace(page, left_out=tuple(LeftOut(Said.given({"en": f"part {each}"})) for each in range(2_000))),
    "what took no request": lambda page: replace(page, asked=False),
    "things of another source": lambda page: replace(page, hits=tuple(replace(each, source="gmail") for each in page.hits)),
    "it is down": lambda _: Unavailable("down"),
    "wait for a thousand years": lambda _: Throttled("slow down", 3e10),
    "wait for less than no time": lambda _: Throttled("slow down", -5.0),
    "wait for no time that is one": lambda _: Throttled("slow down", float("nan")),
    "you are nobody": lambda _: Unauthenticated("sign in"),
    "you may not": lambda _: Forbidden("no scope"),
    "that was no question": lambda _: Rejected("bad query", "x"),
    "that is no answer": lambda _: BadReply("HTML"),
    "set up otherwise": lambda _: Misconfigured("no url"),
}  # fmt: skip
TRIED = {
    "counts": [
        (what, *ends) for what in PAGES for ends in (("outage export",), ("outage",), ("outage export", "outage"))
    ]
}


def asked(kit: Any, in_virtual_time: Any, replies: Any, budget: float = BUDGET) -> tuple[Any, Any, list[Any]]:  # noqa: F811
    """The outcome, the source, and what is still at work when it is there."""
    source = kit.Pretend("s", replies)
    sources = kit.sources(source)
    step = replace(by_word(kit).steps[0], limit=LIMIT)

    async def story() -> Any:
        sources["s"].habit.searched(whole=False)  # it shows less than all of a word, so it is asked at both ends
        return await gather(kit.plan_of(step), sources, budget, asking=kit.asking(3, ahead=2))

    arrived, left = in_virtual_time(story())
    return arrived["s"], source, left


def test_whatever_an_end_says_costs_no_more_requests_than_its_share(kit: Any, in_virtual_time: Any) -> None:  # noqa: F811
    for what, *ends in TRIED["counts"]:
        replies = {each: good(kit) for each in ENDS | BETWEEN}
        replies |= {each: PAGES[what](good(kit)) for each in ends}
        (at, outcome), source, left = asked(kit, in_virtual_time, replies)
        said = (what, ends)
        assert at <= BUDGET, said
        assert left == [], said
        assert len(source.calls) <= MOST_PAGES * len(ENDS | BETWEEN), said
        assert {native for native, _ in source.calls} <= ENDS | BETWEEN, said
        assert isinstance(outcome.status, Status), said
        assert all(len(each.hits) <= MOST for each in outcome.lists), said
        assert all([hit.rank for hit in each.hits] == list(range(1, len(each.hits) + 1)) for each in outcome.lists), (
            said
        )
        for each in outcome.lists:
            assert len({hit.id for hit in each.hits}) == len(each.hits), said
        if len(ends) == 1:  # the other end has answered well, and what it found is shown
            assert "export after the outage" in {hit.id for hit in outcome.hits} or what == "ids that are no text", said


def test_pages_without_an_end_are_read_to_the_fifth(kit: Any, in_virtual_time: Any) -> None:  # noqa: F811
    for page in (
        lambda each: replace(kit.found(f"outage {each}"), cursor=str(each)),
        lambda each: HitPage(cursor=str(each)),
        lambda each: replace(kit.found("outage"), cursor=str(each)),
    ):
        (_, outcome), source, left = asked(kit, in_virtual_time, Endless(page), 60.0)
        assert left == []
        assert len(source.calls) <= MOST_PAGES * len(ENDS | BETWEEN)
        assert all(len(each.hits) <= MOST for each in outcome.lists)


def test_one_end_that_hangs_costs_what_the_other_found_nothing(kit: Any, in_virtual_time: Any) -> None:  # noqa: F811
    class Hanging(kit.Pretend):  # type: ignore[misc, name-defined]
        hangs = ""

        async def search(self, native: Any, call: Any) -> HitPage:
            if native.text == self.hangs:
                await asyncio.sleep(1000.0)
            return await super().search(native, call)

    for hangs, other in (("outage export", "outage"), ("outage", "outage export")):
        source = Hanging("s", {each: good(kit) for each in ENDS | BETWEEN})
        source.hangs = hangs
        sources = kit.sources(source)
        step = replace(by_word(kit).steps[0], limit=LIMIT)

        async def story() -> Any:
            sources["s"].habit.searched(whole=False)  # noqa: B023
            return await gather(kit.plan_of(step), sources, BUDGET, asking=kit.asking(3, ahead=2))  # noqa: B023

        arrived, _ = in_virtual_time(story())
        at, outcome = arrived["s"]
        assert at <= BUDGET
        assert outcome.hits, (hangs, other)
