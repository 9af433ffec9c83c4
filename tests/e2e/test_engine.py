"""The whole path over real sockets: the vendors' own clients against the sandbox, failures included."""

import asyncio
import re
import time
from contextlib import aclosing
from datetime import datetime

import pytest
from blockbuster import blockbuster_ctx

from orchestrator.assembly.searching import build_engine
from orchestrator.events import Answered, Arrived, GatheringDone, Planned, Revised
from orchestrator.model import Ask, BadAsk, NoSources, Status
from orchestrator.sandbox import Sandbox, default_corpus, parse_fault
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.corpora import corpus_of
from tests.e2e.asking import over_after
from tests.e2e.patience import ENOUGH
from tests.mirrored import mirrors_caught_up

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")


@pytest.fixture(scope="session")
def corpus():
    """Our own pretend workplace, loaded once."""
    return default_corpus()


def settings_for(sandbox, **changes):
    """Settings that point at a sandbox; ``changes`` goes over the entry of each source."""
    sources = {
        name: {"kind": name, "base_url": end.base_url, "token": end.token, **changes.get(name, {})}
        for name, end in sandbox.endpoints.items()
    }
    return load_settings({"sources": sources}, {})


def ask(text, **kwargs):
    return Ask(text, NOW, **{"budget": ENOUGH, **kwargs})


async def search(corpus, question, *faults, **changes):
    """One question to a fresh sandbox and engine."""
    broken = dict(map(parse_fault, faults))
    async with Sandbox(corpus, faults=broken) as sandbox, build_engine(settings_for(sandbox, **changes)) as engine:
        return await engine.search(question)


@pytest.mark.parametrize(
    "question",
    ["What did we decide about the API migration?", "API 마이그레이션 일정에 대해 무엇을 결정했나요?"],
)
async def test_four_sources_one_cited_answer(corpus, question):
    answer = await search(corpus, ask(question))
    assert {outcome.source: outcome.status for outcome in answer.outcomes}.keys() == {
        "slack",
        "notion",
        "linear",
        "gmail",
    }
    assert all(outcome.status in {Status.OK, Status.EMPTY} for outcome in answer.outcomes)
    assert len({result.hit.source for result in answer.results}) >= 3
    assert "[1]" in answer.summary or "[2]" in answer.summary or "[3]" in answer.summary
    for citation in answer.citations:
        assert citation.result is answer.results[citation.number - 1]
        assert citation.quote


async def test_a_page_is_found_by_what_stands_on_it_though_its_title_says_nothing_of_that(tmp_path):
    """By a server from when it has read it; by a process that asks one question not, as the vendor's search knows titles alone."""
    rows = [
        {"id": f"p{at}", "source": "notion", "kind": "page", "title": title, "container": "운영", "text": text}
        for at, (title, text) in enumerate(
            [
                ("선반", "| 생두 샘플 300g | 18개월 |"),
                ("Leases", "The landlord in Redland keeps a deposit of £4,200."),
                ("Milk notes", "-"),
            ]
        )
    ]
    async with Sandbox(corpus_of(tmp_path, rows)) as sandbox, build_engine(settings_for(sandbox)) as engine:
        before = await engine.search(ask("redland deposit"))
        await mirrors_caught_up(engine)
        found = await engine.search(ask("redland deposit"))
        korean = await engine.search(ask("생두 샘플 몇 개월 보관해"))
    assert [result.hit.title for result in before.results] == []
    assert [result.hit.title for result in found.results] == ["Leases"]
    assert "£4,200" in found.statements[1].text
    assert korean.results[0].hit.title == "선반"
    assert any("3 of 3 pages were searched by their texts" in str(note) for note in found.outcomes[0].notes)


async def test_a_slow_and_a_broken_source_cost_only_themselves(corpus):
    """One answers after an hour, one with HTTP 500: the answer comes when the budget is over, and names both."""
    faults = dict(map(parse_fault, ("slack=delay:3600", "linear=status:500")))
    began = time.monotonic()
    async with Sandbox(corpus, faults=faults) as sandbox, build_engine(settings_for(sandbox)) as engine:
        question = ask("API migration decision", budget=200.0)
        answer = await over_after(engine, question, "linear", "notion", "gmail")
    assert time.monotonic() - began < HANGING, "closing must not wait for the slow source"
    by_name = {outcome.source: outcome for outcome in answer.outcomes}
    assert by_name["slack"].status is Status.TIMED_OUT
    assert by_name["linear"].status is Status.FAILED
    assert "500" in by_name["linear"].problem.message
    assert {result.hit.source for result in answer.results} == {"notion", "gmail"}


async def test_a_throttled_source_says_when_to_try_again(corpus):
    answer = await search(corpus, ask("API migration"), "gmail=throttle:7")
    gmail = next(outcome for outcome in answer.outcomes if outcome.source == "gmail")
    assert (gmail.status, gmail.problem.retry_after) == (Status.THROTTLED, 7.0)


async def test_a_wrong_token_is_named_and_never_shown(corpus):
    answer = await search(corpus, ask("API migration"), notion={"token": "ntn_wrong_secret_value"})
    notion = next(outcome for outcome in answer.outcomes if outcome.source == "notion")
    assert notion.status is Status.DENIED
    assert "ntn_wrong" not in repr(answer)


async def test_a_missing_token_is_part_of_the_receipt(corpus):
    answer = await search(corpus, ask("API migration"), slack={"token": None})
    (skipped,) = answer.skipped
    assert (skipped.source, skipped.status) == ("slack", Status.NOT_CONNECTED)
    assert "xoxp" in skipped.reason


async def test_a_source_that_is_not_running_is_unreachable(corpus):
    answer = await search(corpus, ask("API migration"), linear={"base_url": "http://127.0.0.1:9/graphql"})
    linear = next(outcome for outcome in answer.outcomes if outcome.source == "linear")
    assert linear.status is Status.FAILED
    assert "127.0.0.1:9" in linear.problem.message


async def test_events_come_in_order_and_leaving_early_leaves_nothing_behind(corpus):
    async with Sandbox(corpus) as sandbox, build_engine(settings_for(sandbox)) as engine:
        kinds = [type(event) async for event in engine.stream(ask("API migration"), revisions=False)]
        assert kinds == [Planned, *[Arrived] * 4, GatheringDone, Answered]
        before = asyncio.all_tasks()
        async with aclosing(engine.stream(ask("API migration updates"))) as events:
            async for event in events:
                if isinstance(event, Arrived):
                    break
        async with asyncio.timeout(HANGING):
            while any(task.get_name().startswith("ask ") for task in asyncio.all_tasks() - before):  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_the_filter_restricts_and_the_rest_is_accounted_for(corpus):
    answer = await search(corpus, ask("source:notion 온콜 runbook"))
    assert [outcome.source for outcome in answer.outcomes] == ["notion"]
    assert {skipped.source for skipped in answer.skipped} == {"slack", "linear", "gmail"}


async def test_explain_sends_nothing(corpus):
    async with Sandbox(corpus) as sandbox, build_engine(settings_for(sandbox)) as engine:
        plan = await engine.explain(ask("지난주 결제 서비스 장애 from:이하늘"))
        assert {step.source for step in plan.steps} == {"slack", "notion", "linear", "gmail"}
        assert len(sandbox.requests) == 0


async def test_health_of_every_source(corpus):
    faults = dict([parse_fault("linear=status:500")])
    async with Sandbox(corpus, faults=faults) as sandbox, build_engine(settings_for(sandbox)) as engine:
        health = await engine.health()
    assert {name: each.ok for name, each in health.items()} == {
        "slack": True,
        "notion": True,
        "linear": False,
        "gmail": True,
    }


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (ask(""), BadAsk),
        (ask("  \n "), BadAsk),
        (ask("x", sources=("nowhere",)), BadAsk),
        (ask("source:nowhere x"), BadAsk),
    ],
)
async def test_a_question_that_cannot_be_asked_is_refused_with_advice(corpus, question, error):
    with pytest.raises(error) as refusal:
        await search(corpus, question)
    assert len(str(refusal.value)) > 20


@pytest.mark.parametrize("question", ["지난달 결제 서비스 장애 from:이하늘", "API migration decision"])
async def test_nothing_blocks_the_event_loop(corpus, question):
    """Not even the first question of a process; a blocking call would show as a connector's bug."""
    async with Sandbox(corpus) as sandbox, build_engine(settings_for(sandbox)) as engine:
        with blockbuster_ctx() as watch:
            watch.functions["threading.Lock.acquire"].deactivate()  # coverage takes one of its own on every new thread
            answer = await engine.search(ask(question))
    problems = {outcome.source: outcome.problem.code for outcome in answer.outcomes if outcome.problem}
    assert set(problems.values()) <= {"own_rate_limit"}  # alternatives that a minute's rate leaves no turn for


async def test_without_any_source_the_way_to_one_is_told():
    async with build_engine(load_settings(environment={})) as engine:
        with pytest.raises(NoSources, match="fedsearch demo"):
            await engine.search(ask("anything"))


async def test_the_same_outcomes_give_the_same_answer_every_time(corpus):
    async with Sandbox(corpus) as sandbox:
        ample = {name: {"rate": 100_000} for name in sandbox.endpoints}  # how far it broadens goes by the rate left
        settings = settings_for(sandbox, **ample)  # meaning, once its model is there, is an outcome more
        settings = settings.model_copy(update={"ranking": settings.ranking.model_copy(update={"semantic": "off"})})
        async with build_engine(settings) as engine:
            await engine._reaching._now.reaches.directories.load(
                engine._reaching.sources, 20.0
            )  # broader questions go by the channels there are
            answers = [await engine.search(ask("결제 서비스 장애 회고")) for _ in range(3)]
    orders = {tuple(result.hit.id for result in answer.results) for answer in answers}
    assert len(orders) == 1
    assert len({answer.summary for answer in answers}) == 1


async def test_every_number_in_an_answer_stands_in_its_list(corpus):
    """However few results are asked for: what is quoted, and both sides of a conflict, are shown."""
    answer = await search(corpus, ask("Merchant API v2: GraphQL or REST, what was decided?", limit=1))
    said = " ".join((answer.summary, *answer.conflicts))
    numbers = {int(number) for number in re.findall(r"\[(\d+)\]", said)}
    assert answer.conflicts
    assert numbers <= set(range(1, len(answer.results) + 1))
    for citation in answer.citations:
        assert citation.result is answer.results[citation.number - 1]


async def test_an_answer_grows_and_its_numbers_stay(corpus):
    """The first revision comes with the quick sources; what it called [n] is [n] to the end."""
    faults = dict(map(parse_fault, ("notion=delay:0.5", "gmail=delay:1.0")))
    question = ask("What did we decide about the API migration?", budget=20.0)
    async with (
        Sandbox(corpus, faults=faults) as sandbox,
        build_engine(settings_for(sandbox)) as engine,
        aclosing(engine.stream(question)) as events,
    ):
        stream = [event async for event in events]
    revisions = [event.answer for event in stream if isinstance(event, Revised)]
    assert isinstance(stream[0], Planned)
    assert isinstance(stream[-1], Answered)
    assert revisions, "something was there to show before the slow sources answered"
    first = next(event for event in stream if isinstance(event, Revised))
    assert "gmail" in first.awaited
    assert {outcome.source for outcome in first.answer.outcomes}.isdisjoint(first.awaited)
    assert "gmail" not in first.answer.summary.lower(), "what is still to come is no gap yet"
    called: dict[tuple[str, str], int] = {}
    for answer in (*revisions, stream[-1].answer):
        numbers = [result.number for result in answer.results]
        assert len(numbers) == len(set(numbers))
        for result in answer.results:
            key = (result.hit.source, result.hit.id)
            assert called.setdefault(key, result.number) == result.number
        cited = {citation.number: citation.result for citation in answer.citations}
        assert all(result in answer.results and result.number == number for number, result in cited.items())
