"""The search page without a script, over real sockets: what a plain browser is sent, and what is refused."""

import asyncio
import json
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from lxml import html

from orchestrator.access import Scope
from orchestrator.surfaces.http.prefork import NOT_YET
from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e.conftest import ready
from tests.e2e.page_reader import QUESTION, Reader

ANSWER = {"ko": "결과", "en": "Results"}
MOST_BYTES = 60_000


@requirement("6.21", "A search page for people", where="orchestrator/surfaces/page")  # fmt: skip
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_a_journey_without_a_script(serve, tmp_path, language):
    """Sign in, ask, narrow down, judge, look at the sources, sign out: with links and forms alone."""
    async with serve(tmp_path) as api, Reader(api, language) as reader:
        await reader.get("/?question=okta")
        assert (reader.status, reader.page.get("lang")) == (401, language)
        assert "okta" not in reader.text("//main//h1")
        form = reader.page.xpath("//form[@action='/sign-in']")[0]
        await reader.submit(form, key=api.key)
        assert reader.reply.url.path_qs == "/?question=okta"  # where they wanted to go
        await reader.get("/")
        await reader.submit(reader.page.get_element_by_id("ask"), question=QUESTION[language])
        assert ANSWER[language] in reader.text()
        cites = reader.page.xpath("//ol[@class='claims']//a[@class='cite']/@href")
        assert cites
        assert all(reader.page.get_element_by_id(each[1:]) is not None for each in cites)
        places = [int(each[1:]) for each in reader.page.xpath("//li[@class='hit']/@id")]
        assert places == list(range(1, len(places) + 1))
        assert reader.page.xpath("//pre[@class='native']//text()")
        assert not reader.page.xpath("//div[@id='found']/following-sibling::*[@class='progress']")
        await narrows(reader)
        await judges(reader, tmp_path)
        await reader.get("/sources")
        assert {"Slack", "Notion", "Linear", "Gmail"} <= set(reader.text("//ul[@class='states']//h2").split())
        await reader.submit(reader.page.xpath("//form[@action='/sign-out']")[0])
        await reader.get("/")
        assert reader.status == 401


@pytest.mark.parametrize(("language", "said"), [("ko", "서버가 시작하거나"), ("en", "The server is starting")])
async def test_before_the_server_has_loaded_the_page_says_so_and_leads_back_to_the_question(
    serve, tmp_path, language, said
):
    async with serve(tmp_path, authenticated=False) as api, Reader(api, language) as reader:
        await ready(api.http, api.url)
        api.app.state.server.readiness.tell(NOT_YET)
        await reader.get("/?question=okta")
        assert (reader.status, reader.page.xpath("//main//a/@href")) == (503, ["/?question=okta"])
        assert said in reader.text()
        await reader.get("/")
        assert reader.status == 200


async def test_what_is_in_no_language_is_answered_in_the_readers(serve, tmp_path):
    async with serve(tmp_path, authenticated=False) as api, Reader(api, "ko") as reader:
        await reader.get("/?question=PAY-99999")
        assert "PAY-99999" in reader.text()
        assert "There is no" not in reader.text()
        await reader.get("/?question=a")
        assert "무엇을 찾는지" in reader.text()
        await reader.get("/?question=where+is+PAY-99999")
        assert "There is no PAY-99999" in reader.text()


async def narrows(reader):
    every = reader.page.xpath("//li[@class='hit']/@data-source")
    assert set(every) > {"slack"}
    box = reader.page.xpath("//input[@name='source'][@value='slack']")[0]
    box.set("checked", "")
    await reader.submit(reader.page.get_element_by_id("ask"))
    assert set(reader.page.xpath("//li[@class='hit'][not(@hidden)]/@data-source")) == {"slack"}


async def judges(reader, tmp_path):
    first = reader.page.xpath("//li[@class='hit'][not(@hidden)]")[0]
    button = first.xpath(".//button[@name='judgment']")[1]
    await reader.submit(reader.page.get_element_by_id("judge"), button)
    assert reader.status == 200
    line = json.loads((tmp_path / "feedback.jsonl").read_text("utf-8").splitlines()[-1])
    assert (line["verdict"], line["source"]) == ("wrong", "slack")
    assert line["principal"].startswith("key:")
    assert line["question"]


@pytest.mark.parametrize(("language", "said"), [("en", "No source is configured"), ("ko", "설정된 소스가 없어")])
async def test_the_start_page_says_that_there_is_nothing_to_ask(serve, tmp_path, language, said):
    off = {name: {"enabled": False} for name in ("slack", "notion", "linear", "gmail")}
    async with serve(tmp_path, authenticated=False, sources=off) as api, Reader(api, language) as reader:
        await reader.get("/")
        assert said in reader.text("//p[@class='notice']")
        assert "fedsearch doctor" in reader.text("//p[@class='notice']")
    async with serve(tmp_path, authenticated=False) as api, Reader(api, language) as reader:
        await reader.get("/")
        assert not reader.page.xpath("//p[@class='notice']")


async def test_the_page_is_light_and_its_parts_are_kept_for_ever(serve, tmp_path):
    async with serve(tmp_path, authenticated=False) as api, Reader(api) as reader:
        start = await reader.get("/")
        parts = reader.page.xpath("//link/@href | //script/@src")
        sizes = {}
        for part in parts:
            async with api.http.get(api.url + part, headers={"Accept-Encoding": "gzip"}) as reply:
                assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
                assert (await reply.read()).strip()
                sizes[part] = int(reply.headers["content-length"])
        answered = await reader.get("/?" + urlencode({"question": QUESTION["ko"]}))
        assert len(start.encode()) + sum(sizes.values()) < MOST_BYTES / 4
        assert len(answered.encode()) + sum(sizes.values()) < MOST_BYTES
        async with api.http.get(api.url + parts[0], headers={"Accept-Encoding": "identity"}) as reply:
            assert "content-encoding" not in reply.headers
        async with api.http.get(api.url + "/static/..%2froutes.py") as reply:
            assert reply.status == 404
        async with api.http.get(api.url + "/static/page.css") as reply:
            assert reply.status == 404


async def test_a_page_begins_before_its_sources_have_answered(serve, tmp_path):
    async with serve(tmp_path, "gmail=delay:1.0", authenticated=False) as api:
        async with api.http.get(api.url + "/?question=okta") as reply:
            seen, before = b"", b""
            async for chunk in reply.content.iter_any():
                seen += chunk
                if b'id="found"' not in seen:
                    before = seen
        assert b"</header>" in before
        assert b'class="progress"' in before
        assert b'<li class="good"><b>Slack</b>' in before  # done while another was still awaited
        assert seen.rstrip().endswith(b"</html>")


async def test_a_reader_who_leaves_ends_the_question(serve, tmp_path):
    async with serve(tmp_path, "slack=delay:30", authenticated=False) as api:
        async with api.http.get(api.url + "/?question=okta") as reply:
            await reply.content.readuntil(b'class="progress"')
            assert asking()
        async with asyncio.timeout(HANGING):
            while asking():  # noqa: ASYNC110 - a task that is cancelled tells nobody
                await asyncio.sleep(0.01)


def asking():
    """The searches that are on their way to a source."""
    return [task for task in asyncio.all_tasks() if "Climb" in task.get_coro().__qualname__]


async def test_the_language_is_what_the_browser_says_until_it_is_chosen(serve, tmp_path):
    async with serve(tmp_path, authenticated=False) as api, Reader(api, "ko-KR,ko;q=0.9,en;q=0.8") as reader:
        await reader.get("/?question=okta")
        assert reader.page.get("lang") == "ko"
        form = reader.page.xpath("//form[@action='/language']")[0]
        await reader.submit(form, form.xpath("./button[@value='en']")[0])
        assert reader.reply.url.path_qs == "/?question=okta"
        assert reader.page.get("lang") == "en"
        await reader.get("/sources")
        assert "How the sources do" in reader.text()


async def test_more_results_and_a_time_zone_stay_in_the_address(serve, tmp_path):
    async with serve(tmp_path, authenticated=False) as api, Reader(api) as reader:
        await reader.get("/?question=migration&zone=America/New_York")
        more = reader.page.xpath("//p[@class='more']/a/@href")[0]
        assert dict(parse_qsl(urlsplit(more).query)) == {
            "question": "migration",
            "limit": "50",
            "zone": "America/New_York",
        }
        few = len(reader.page.xpath("//li[@class='hit']"))
        await reader.get(more)
        assert len(reader.page.xpath("//li[@class='hit']")) > few


async def test_sources_that_fail_are_named(serve, tmp_path):
    async with serve(tmp_path, "notion=status:500", authenticated=False) as api, Reader(api, "ko") as reader:
        await reader.get("/?question=okta")
        assert "Notion 실패" in reader.text("//ul[@class='strip']")
        assert reader.page.xpath("//li[@class='hit']")
    faults = [f"{name}=status:500" for name in ("slack", "notion", "linear", "gmail")]
    async with serve(tmp_path, *faults, authenticated=False) as api, Reader(api, "ko") as reader:
        await reader.get("/?question=okta")
        assert "답한 소스가 없습니다." in reader.text()


async def test_nothing_found_says_what_to_do(serve, tmp_path):
    async with serve(tmp_path, authenticated=False) as api, Reader(api) as reader:
        await reader.get("/?question=zzqxv+blorptangle+quuxification")
        assert "Nothing was found." in reader.text()
        assert reader.page.xpath("//ul[@class='others']//a/@href")


@pytest.mark.parametrize("query", ["question=in%3A", "question=%22%22", "question=-x"])
async def test_a_question_that_cannot_be_asked_is_answered_with_advice(serve, tmp_path, query):
    async with serve(tmp_path, authenticated=False) as api, Reader(api) as reader:
        await reader.get("/?" + query)
        assert reader.status == 200
        assert reader.text()


async def test_too_often_is_said_in_words(serve, tmp_path):
    async with serve(tmp_path, rate=2, authenticated=False) as api, Reader(api, "ko") as reader:
        for _ in range(3):
            await reader.get("/")
        assert reader.status == 429
        assert "너무 자주" in reader.text()
        assert int(reader.reply.headers["retry-after"]) > 0


async def test_programs_still_get_their_problems(serve, tmp_path):
    """A path that the page does not have, and the API's own, are answered as before."""
    async with serve(tmp_path) as api:
        async with api.http.get(api.url + "/nowhere") as reply:
            assert (reply.status, reply.content_type) == (404, "application/problem+json")
        async with api.http.get(api.url + "/v1/sources") as reply:
            assert (reply.status, reply.content_type) == (401, "application/problem+json")
        async with api.http.delete(api.url + "/sources") as reply:
            assert (reply.status, reply.content_type) == (405, "text/html")


async def test_a_stream_tells_in_html_and_is_taken_up_again_by_its_reader_only(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api, "ko") as reader, Reader(api) as other:
        await reader.sign_in()
        _, text = api.ring.create("other", [Scope.SEARCH])
        await other.sign_in(text)
        address = api.url + "/search/stream?question=okta"
        told = await events(reader, address)
        names = [name for _, name, _ in told]
        assert names[0] == "plan"
        assert names.count("outcome") == 4
        assert names[-2:] == ["answer", "done"]
        assert "묻는 중" in told[0][2]["said"]
        answer = html.fragment_fromstring({name: each for _, name, each in told}["answer"]["html"])
        assert answer.get("id") == "found"
        assert answer.xpath("//form[@id='judge']/input[@name='token']/@value")[0]
        assert await events(reader, address, told[1][0]) == told[2:]
        theirs = await events(other, address, told[1][0])
        assert theirs[0][1] == "plan"


async def events(reader, address, last=""):
    async with reader.http.get(address, headers={"Last-Event-ID": last} if last else {}) as reply:
        assert reply.content_type == "text/event-stream"
        blocks = (await reply.text()).split("\n\n")
    fields = [dict(re.findall(r"^(\w+): (.*)$", block, re.MULTILINE)) for block in blocks if "event: " in block]
    return [(each["id"], each["event"], json.loads(each["data"])) for each in fields]
