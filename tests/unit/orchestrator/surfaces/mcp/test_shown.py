"""What has no address, and cannot be asked for by one, is fetched from what its asker was shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from connectors.contract import Hit
from orchestrator.access import Caller, Scope
from orchestrator.dialogue import ConversationTokens
from orchestrator.model import Answer, Plan, Principal, Result
from orchestrator.surfaces.mcp.replies import item
from orchestrator.surfaces.mcp.server import KEPT, MOST, ShownResults, Tools, ToolServices
from translators.query import Kind, Query
from translators.strategies import NOON

BARE = Result(Hit("memory", "김민수", Kind.PAGE, "김민수", snippet="결제 팀 리드"), (), number=1)


@dataclass
class Clock:
    """A clock that a test turns."""

    at: timedelta = field(default_factory=timedelta)

    def __call__(self) -> Any:
        return NOON + self.at


def wanted(result: Result) -> bool:
    return result.hit.id == "김민수"


def test_nobody_is_given_what_another_was_shown() -> None:
    shown = ShownResults(Clock())
    shown.note("kim", [BARE])
    assert shown.find("kim", wanted) is BARE
    assert shown.find("kim", wanted, "memory") is BARE
    assert shown.find("kim", wanted, "wiki") is None
    assert shown.find("lee", wanted) is None


def test_it_is_forgotten_in_time_and_in_number() -> None:
    clock = Clock()
    shown = ShownResults(clock)
    shown.note("kim", [BARE])
    clock.at = KEPT + timedelta(seconds=1)
    assert shown.find("kim", wanted) is None
    shown.note("kim", [BARE])
    shown.note("lee", [Result(Hit("wiki", str(number), Kind.PAGE), 1.0) for number in range(MOST)])
    assert shown.find("kim", wanted) is None


def test_the_id_of_a_result_is_its_url_or_what_its_source_calls_it() -> None:
    assert item(BARE)["id"] == "김민수"
    assert item(Result(Hit("wiki", "1", Kind.PAGE, url="https://x.example/1"), 1.0))["id"] == "https://x.example/1"


class Engine:
    """Finds it by its words, and not by its id."""

    async def in_context(self, ask: Any, _: Any) -> Any:
        return ask

    async def search(self, ask: Any) -> Any:
        results = () if ask.text == "김민수" else (BARE,)
        return Answer(Plan(Query(ask.text, keywords=(ask.text,)), ()), results, ())


async def test_fetch_gives_what_was_shown_to_its_asker_alone() -> None:
    async def answered(*_: object) -> None:
        """Nobody keeps count."""

    whose = Principal("kim")
    services = ToolServices(
        engine=Engine,  # type: ignore[arg-type]
        caller=lambda _: Caller(whose, frozenset({Scope.SEARCH})),
        clock=Clock(),
        answered=answered,
        web=lambda: None,  # type: ignore[arg-type, return-value]
        conversations=ConversationTokens(lambda: b"secret", Clock()),
        budget=1.0,
        version="1",
    )
    tools = Tools(services)
    context: Any = None
    assert not (await tools.fetch("김민수", context))["found"]
    (shown,) = (await tools.search("결제 팀 리드가 누구야", context))["results"]
    fetched = await tools.fetch(shown["id"], context)
    assert fetched["found"]
    assert fetched["text"] == "결제 팀 리드"
    whose = Principal("lee")
    assert not (await tools.fetch(shown["id"], context))["found"]
