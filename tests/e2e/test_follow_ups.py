"""A question that goes on from another, through every door, over the sandbox."""

import json
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from orchestrator.access import Scope
from orchestrator.dialogue import turn_of
from orchestrator.model import Ask, Confidence, Part
from orchestrator.sandbox import Sandbox, load_corpus
from tests.clock import HANGING
from tests.e2e.page_reader import Reader
from tests.e2e.test_http_api import events
from tests.quality.asking import engine_of

MEDTECH = Path(__file__).parents[1] / "data" / "companies" / "medtech"
EN, KO = "What did we decide about the API migration?", "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
THEN = {
    EN: ("who decided that?", "API migration who decided that?"),
    KO: ("그건 누가 정했어?", "API 마이그레이션 누가 정했어?"),
}


@asynccontextmanager
async def medtech():
    """A company whose products come to several countries on different days, and a function that asks one thing after another."""
    about = json.loads((MEDTECH / "about.json").read_text("utf-8"))
    now = datetime.fromisoformat(about["now"])
    async with Sandbox(load_corpus(MEDTECH / "corpus"), now=now, owner=about["owner"]) as sandbox:
        ends = sandbox.endpoints.items()
        sources = {name: {"kind": name, "base_url": end.base_url, "token": end.token} for name, end in ends}
        async with engine_of(sources) as engine:

            async def talk(*questions):
                turn, answers = None, []
                for question in questions:
                    ask = await engine.in_context(Ask(question, now, budget=HANGING), turn)
                    answers.append(await engine.search(ask))
                    turn = turn_of(answers[-1], ask)
                return answers

            yield talk


def claims(answer):
    return [each.text for each in answer.statements if each.part is Part.CLAIM]


async def test_the_former_question_is_never_answered_again():
    async with medtech() as talk:
        europe, korea, mars, who = await talk(
            "When does Moru launch in the EU?", "and in Korea?", "and in Mars?", "who decided that?"
        )
        assert claims(europe)[0].startswith("10 November 2026")
        assert claims(korea)[0].startswith("6 July 2026"), "the same message tells of both"
        for answer in (mars, who):  # nobody says anything of it
            assert (claims(answer), answer.confidence) == ([], Confidence.LOW)
            assert "Mars" in answer.statements[0].text
        europe, korea = await talk("모루 유럽 출시일 언제로 확정됐어?", "한국은?")
        assert "7월 6일" in claims(korea)[0]
        assert korea.query.text == "모루 한국 출시일 언제로 확정됐어?"


@pytest.mark.parametrize(
    ("asked", "denied"),
    [("When does Moru launch in the EU?", "not that one"), ("폐색 알람 임계값 몇으로 결정됐죠?", "그거 말고")],
)
async def test_a_correction_leaves_out_what_it_led_to_and_goes_on_doing_so(asked, denied):
    async with medtech() as talk:
        led = [
            {(each.hit.source, each.hit.id) for each in answer.results if each.number in first.numbers}
            for answer in await talk(asked, denied, denied)
            for first in [next(each for each in answer.statements if each.part is Part.CLAIM)]
        ]
        assert all(led)
        assert len(led[0] | led[1] | led[2]) == sum(map(len, led)), "none comes back"


@pytest.mark.parametrize("first", [EN, KO])
async def test_over_http_an_answer_is_gone_on_from_by_its_asker_alone(serve, tmp_path, first):
    then, taken = THEN[first]
    async with serve(tmp_path) as api:
        async with api.post("/v1/search", {"question": first}) as reply:
            answer = await reply.json()
        assert answer["follow"] is None
        body = {"question": then, "conversation": answer["conversation"]}
        for _ in range(2):  # asked again it means the same
            async with api.post("/v1/search", body) as reply:
                followed = await reply.json()
            assert followed["question"]["text"] == taken
            assert followed["follow"]["said"] == then
            assert taken in followed["follow"]["taken"]
            assert followed["follow"]["known"]
        async with api.post("/v1/search/stream", body) as reply:
            (streamed,) = (document for _, name, document in await events(reply) if name == "answer")
        assert streamed["question"]["text"] == taken
        assert streamed["conversation"]
        _, other = api.ring.create("other", [Scope.SEARCH])
        async with api.post("/v1/search", body, headers={"Authorization": f"Bearer {other}"}) as reply:
            theirs = await reply.json()
        assert (theirs["question"]["text"], theirs["follow"]["known"]) == (then, False)
        assert first not in json.dumps(theirs, ensure_ascii=False)


@pytest.mark.parametrize(("first", "language"), [(EN, "en"), (KO, "ko")])
async def test_the_page_asks_on_below_its_answer_and_means_the_same_when_it_is_loaded_again(
    serve, tmp_path, first, language
):
    then, taken = THEN[first]
    async with serve(tmp_path) as api, Reader(api, language) as reader:
        await reader.sign_in()
        await reader.get("/")
        await reader.submit(reader.page.get_element_by_id("ask"), question=first)
        assert not reader.page.xpath("//*[contains(@class, 'taken')]")
        await reader.submit(reader.page.xpath("//form[@class='follow']")[0], question=then)
        address = reader.reply.url.path_qs
        for _ in range(2):
            assert taken in reader.text("//*[contains(@class, 'taken')]")
            await reader.get(address)
        (alone,) = reader.page.xpath("//*[contains(@class, 'taken')]/a/@href")
        (permalink,) = reader.page.xpath("//a[@class='permalink']/@href")
        await reader.get(permalink)  # says by itself what it is about, to whoever is given it
        assert reader.page.get_element_by_id("question").get("value") == taken
        await reader.get(alone)
        assert reader.page.get_element_by_id("question").get("value") == then
        assert not reader.page.xpath("//*[contains(@class, 'taken')]")


@pytest.mark.parametrize("first", [EN, KO])
async def test_a_model_goes_on(serve, tmp_path, first):
    then, taken = THEN[first]
    async with (
        serve(tmp_path, mcp=True) as api,
        httpx2.AsyncClient(headers=api.auth, trust_env=False, timeout=HANGING) as http,
        Client(streamable_http_client(api.url + "/mcp", http_client=http)) as client,
    ):
        found = (await client.call_tool("search", {"question": first})).structured_content
        assert "taken_as" not in found
        told = {"question": then, "conversation": found["conversation"]}
        followed = (await client.call_tool("search", told)).structured_content
        assert taken in followed["taken_as"]
        lost = (await client.call_tool("search", {"question": then, "conversation": "nobody's"})).structured_content
        assert taken not in lost["taken_as"]
