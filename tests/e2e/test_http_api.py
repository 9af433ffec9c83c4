"""The HTTP API over real sockets: uvicorn before the engine, the engine before the sandbox."""

import asyncio
import io
import json
import re
import socket

import aiohttp
import pytest
import pytest_asyncio
import uvicorn

from orchestrator.access import Scope
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.serving import api_services
from orchestrator.learning import judgments_of, order_of, read_use
from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.settings import load_settings
from orchestrator.surfaces.http import ApiLimits, make_api, server_config
from orchestrator.surfaces.http.prefork import NOT_YET, READY
from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e.conftest import ready, serving

QUESTION = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
NOW = "2026-11-20T10:00:00+09:00"


async def until(happened):
    """Look again until it has happened, for at most 20 s."""
    async with asyncio.timeout(HANGING):
        while not happened():  # noqa: ASYNC110 - neither uvicorn nor a task tells
            await asyncio.sleep(0.01)


shared = pytest.mark.asyncio(loop_scope="module")
"""Of tests that ask one server: they change nothing of it."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def api(tmp_path_factory):
    """A server for all that only ask."""
    folder = tmp_path_factory.mktemp("api")
    async with serving(folder) as it:
        it.folder = folder
        yield it


def asking():
    """The searches that are on their way to a source."""
    return [task for task in asyncio.all_tasks() if "Climb" in getattr(task.get_coro(), "__qualname__", "")]


async def events(reply):
    """Server-sent events as (id, name, document), by the specification's line rules."""
    text = (await reply.read()).decode()
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if fields:
            found.append((fields["id"], fields["event"], json.loads(fields["data"])))
    return found


@requirement("6.12", "HTTP API: search, with the receipt of every source", where="orchestrator/surfaces/http/searching.py")  # fmt: skip
async def test_an_answer_with_its_receipt(serve, tmp_path):
    async with (
        serve(tmp_path) as api,
        api.post("/v1/search", {"question": QUESTION, "limit": 3, "now": NOW}) as reply,
    ):
        answer = await reply.json()
        assert (reply.status, reply.content_type) == (200, "application/json")
        assert answer["question"]["type"] == "decision"
        cited = {each["number"] for each in answer["citations"]}
        assert {each["number"] for each in answer["results"]} == {1, 2, 3} | cited  # what is cited is always shown
        assert re.search(r"\[\d\]", answer["summary"])
        assert {each["source"] for each in answer["sources"]} == {"slack", "notion", "linear", "gmail"}
        line = json.loads((tmp_path / "audit.jsonl").read_text("utf-8"))
        assert line["request"] == reply.headers["x-request-id"]
        assert line["sources"]["notion"]["returned"] > 0
        assert "question" not in line
        assert line["principal"].startswith("key:")


@requirement("6.13", "HTTP API: the same as a stream", where="orchestrator/surfaces/http/searching.py")  # fmt: skip
async def test_a_stream_tells_everything_in_order_and_can_be_taken_up_again(serve, tmp_path):
    async with serve(tmp_path, "gmail=delay:0.4") as api:
        async with api.post("/v1/search/stream", {"question": QUESTION, "now": NOW}) as reply:
            assert reply.content_type == "text/event-stream"
            told = await events(reply)
        names = [name for _, name, _ in told]
        assert names[0] == "plan"
        assert names.count("outcome") == 4
        assert names[-2:] == ["answer", "done"]
        assert "revision" in names
        middle = told[2][0]
        async with api.post(
            "/v1/search/stream", {"question": QUESTION, "now": NOW}, headers={"Last-Event-ID": middle}
        ) as reply:
            assert await events(reply) == told[3:]


async def test_a_stream_is_not_taken_up_by_another_key(serve, tmp_path):
    async with serve(tmp_path) as api:
        async with api.post("/v1/search/stream", {"question": QUESTION, "now": NOW}) as reply:
            told = await events(reply)
        _, other = api.ring.create("other", [Scope.SEARCH])
        headers = {"Authorization": f"Bearer {other}", "Last-Event-ID": told[0][0]}
        async with api.http.post(api.url + "/v1/search/stream", json={"question": "okta"}, headers=headers) as reply:
            theirs = await events(reply)
        assert theirs[0][1] == "plan"
        assert theirs[0][0].split("-")[0] != told[0][0].split("-")[0]
        assert theirs[0][2]["question"]["text"] == "okta"


async def test_a_browser_asks_by_get(serve, tmp_path):
    async with serve(tmp_path) as api:
        async with api.get("/v1/search/stream", params={"question": QUESTION, "limit": 2, "now": NOW}) as reply:
            told = await events(reply)
        assert [document["question"]["text"] for _, name, document in told if name == "answer"] == [QUESTION]


async def test_a_reader_who_leaves_ends_the_question(serve, tmp_path):
    limits = ApiLimits(linger=0.05, budget=30)
    async with serve(tmp_path, "slack=delay:30", limits=limits) as api:
        async with api.post("/v1/search/stream", {"question": QUESTION, "budget": 30}) as reply:
            await reply.content.readany()
            assert asking()
        await until(lambda: not asking())


async def asked(api):
    async with api.post("/v1/search", {"question": QUESTION, "budget": 30}):
        pass


async def test_a_caller_who_hangs_up_cancels_the_sources(serve, tmp_path):
    async with serve(tmp_path, "slack=delay:30", limits=ApiLimits(budget=30)) as api:
        caller = asyncio.create_task(asked(api))
        await until(asking)
        caller.cancel()
        await until(lambda: not asking())


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/search"),
        ("POST", "/v1/search/stream"),
        ("GET", "/v1/search/stream?question=a"),
        ("POST", "/v1/understand"),
        ("POST", "/v1/explain"),
        ("GET", "/v1/sources"),
        ("POST", "/v1/feedback"),
        ("GET", "/metrics"),
    ],
)
@shared
async def test_nobody_gets_in_without_a_key(api, method, path):
    body = {"question": "okta", "verdict": "right"} if path.endswith("feedback") else {"question": "okta"}
    for headers in ({}, {"Authorization": "Bearer fsk_a_b"}, {"X-API-Key": "x"}, {"Authorization": "Basic eDp5"}):
        async with api.http.request(method, api.url + path, json=body, headers=headers) as reply:
            problem = await reply.json(content_type="application/problem+json")
            assert (reply.status, problem["status"]) == (401, 401)
            assert reply.headers["www-authenticate"].startswith("Bearer")
    _, none = api.ring.create("nothing", [Scope.WEB])
    async with api.http.request(method, api.url + path, json=body, headers={"X-API-Key": none}) as reply:
        assert reply.status == 403


async def test_a_rate_is_kept_and_says_when_to_go_on(serve, tmp_path):
    async with serve(tmp_path, rate=2) as api:
        statuses, left = [], []
        for _ in range(3):
            async with api.post("/v1/understand", {"question": "okta"}) as reply:
                statuses.append(reply.status)
                left.append(reply.headers["ratelimit"].partition(";t=")[0])
        assert statuses == [200, 200, 429]
        assert left == ['"caller";r=1', '"caller";r=0', '"caller";r=0']
        assert reply.headers["ratelimit-policy"] == '"caller";q=2;w=60'
        assert 1 <= int(reply.headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 422, "/body/question"),
        ({"question": ""}, 422, "/body/question"),
        ({"question": " \n"}, 422, "/body/question"),
        ({"question": 3}, 422, "/body/question"),
        ({"question": "a", "limit": 0}, 422, "/body/limit"),
        ({"question": "a", "limit": "many"}, 422, "/body/limit"),
        ({"question": "a", "limit": "5"}, 422, "/body/limit"),
        ({"question": "a", "limit": True}, 422, "/body/limit"),
        ({"question": "a", "budget": "0.5"}, 422, "/body/budget"),
        ({"question": "a", "budget": -1}, 422, "/body/budget"),
        ({"question": "a", "token": "xoxb-secret"}, 422, "/body/token"),
        ({"question": "a", "now": "2026-01-01T00:00:00"}, 422, "/body/now"),
        ([], 422, "/body"),
    ],
)
@shared
async def test_bad_input_is_named_and_never_repeated(api, body, status, pointer):
    async with api.post("/v1/search", body) as reply:
        problem = await reply.json(content_type="application/problem+json")
        assert (reply.status, problem["code"]) == (status, "invalid_request")
        assert problem["errors"][0]["pointer"] == pointer
        assert "xoxb-secret" not in await reply.text()


@pytest.mark.parametrize(
    ("body", "kind", "detail"),
    [
        ('{"question": " "}', "application/json", "/body/question: must hold more than blanks"),
        ('{"question": "a"}', "text/plain", "/body: must be a JSON object, sent with `Content-Type: application/json`"),
        ('{"question": "a", }', "application/json", "/body: is no valid JSON in UTF-8"),
        ('{"question": "결제"}'.encode("euc-kr"), "application/json", "/body: is no valid JSON in UTF-8"),
        (
            '{"question": "a", "limit": "5"}',
            "application/json",
            "/body/limit: must be a number, without quotation marks",
        ),
    ],
)
@shared
async def test_what_is_wrong_is_said_in_words_of_http_and_not_of_a_library(api, body, kind, detail):
    headers = {**api.auth, "Content-Type": kind}
    async with api.http.post(api.url + "/v1/search", data=body, headers=headers) as reply:
        problem = await reply.json(content_type="application/problem+json")
        assert (reply.status, problem["code"], problem["detail"]) == (422, "invalid_request", detail)


@shared
async def test_what_is_not_there_says_where_to_look(api):
    async with api.get("/v1/nothing") as reply:
        detail = (await reply.json(content_type="application/problem+json"))["detail"]
    assert (reply.status, "/openapi.json" in detail) == (404, True)
    async with api.get("/openapi.json") as reply:
        assert reply.status == 200


@shared
async def test_zones_and_unknown_sources_are_refused_in_words(api):
    for zone in ("Nowhere/None", "../../etc/passwd", "\x00"):
        async with api.post("/v1/understand", {"question": "a", "zone": zone}) as reply:
            assert reply.status == 422
    async with api.post("/v1/search", {"question": "a", "sources": ["slak"]}) as reply:
        problem = await reply.json(content_type="application/problem+json")
        assert (reply.status, problem["code"]) == (400, "bad_ask")
        assert "slack" in problem["detail"]


@shared
async def test_large_bodies_are_refused_with_and_without_their_length(api):
    async def endless():
        for _ in range(1000):
            yield b"x" * 1000

    for length in (100_000, 900_000):  # of which most clients have not sent all when it is refused
        async with api.post("/v1/search", {"question": "x" * length}) as reply:
            assert (reply.status, (await reply.json(content_type=None))["code"]) == (413, "too_large")
    try:
        async with api.http.post(
            api.url + "/v1/search", data=endless(), headers={**api.auth, "Content-Type": "application/json"}
        ) as reply:
            assert reply.status == 413
    except aiohttp.ClientConnectionError:
        pass  # the server hung up before everything was sent, as it may


async def test_feedback_counts_once(serve, tmp_path):
    async with serve(tmp_path) as api:
        body = {"question": QUESTION, "source": "notion", "id": "abc", "verdict": "right", "comment": "좋아요"}
        for _ in range(2):
            async with api.post("/v1/feedback", body, headers={"Idempotency-Key": "k1"}) as reply:
                assert reply.status == 204
        async with api.post("/v1/feedback", {**body, "verdict": "wrong"}, headers={"Idempotency-Key": "k1"}) as reply:
            assert reply.status == 422
        lines = [json.loads(line) for line in (tmp_path / "feedback.jsonl").read_text("utf-8").splitlines()]
        assert [line["verdict"] for line in lines] == ["right"]
        assert lines[0]["comment"] == "좋아요"


@pytest.mark.parametrize("question", [QUESTION, "what did we decide about the api migration"])
async def test_what_is_opened_and_marked_is_a_judgment_of_what_was_shown(serve, tmp_path, question):
    """Real answers: their order is worked out anew from the numbers that are written down, which hold no text."""
    async with serve(tmp_path) as api:
        async with api.post("/v1/search", {"question": question, "now": NOW}) as reply:
            results = (await reply.json())["results"]
        for verdict, result in (("opened", results[2]), ("right", results[1])):
            body = {"question": question, "source": result["source"], "id": result["id"], "verdict": verdict}
            async with api.post("/v1/feedback", body) as reply:
                assert reply.status == 204
        async with api.post("/v1/feedback", {"question": question, "verdict": "opened"}) as reply:
            assert reply.status == 422
    lines = (tmp_path / "feedback.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == ["right"], "what somebody did is in numbers alone"
    written = "".join(path.read_text("utf-8") for path in (tmp_path / "learning").iterdir())
    texts = {question, *(result[name] for result in results for name in ("id", "title", "url", "source"))} - {""}
    assert not [text for text in texts if text in written]
    (judged,) = judgments_of(read_use(tmp_path / "learning"))
    assert judged.grades[:4] == (0.0, 1.0, 0.3, 0.0)
    assert judged.shown.is_ours
    assert order_of(judged.shown, RankingConfig.load(config_dir() / "ranking.toml")) == tuple(range(len(results)))


@pytest.mark.parametrize("half", [{"source": "notion"}, {"id": "abc"}, {"source": "notion", "id": None}])
@shared
async def test_half_a_results_name_is_no_feedback(api, half):
    async with api.post("/v1/feedback", {"question": QUESTION, "verdict": "right", **half}) as reply:
        problem = await reply.json(content_type="application/problem+json")
        assert (reply.status, problem["code"]) == (422, "invalid_request")
        assert "leave out both" in problem["detail"]
    assert not (api.folder / "feedback.jsonl").exists()


@shared
async def test_the_description_says_what_becomes_of_other_methods(api):
    async with api.http.get(api.url + "/openapi.json") as reply:
        told = await reply.json()
    assert "405 `method_not_allowed`" in told["info"]["description"]
    named = [operation["operationId"] for path in told["paths"].values() for operation in path.values()]
    assert len(set(named)) == len(named)
    assert {"search", "web_search", "rerank", "list_digests"} <= set(named)
    async with api.http.delete(api.url + "/v1/search") as reply:
        problem = await reply.json(content_type="application/problem+json")
        assert (reply.status, problem["code"], reply.headers["Allow"]) == (405, "method_not_allowed", "POST")
        assert problem["detail"] == "this address takes POST"
    async with api.http.put(api.url + "/v1/digests") as reply:
        problem = await reply.json(content_type="application/problem+json")
        assert (reply.status, reply.headers["Allow"]) == (405, "GET, POST")
        assert problem["detail"] == "this address takes GET, POST"
    async with api.post("/v1/understand", {"question": "okta", "colour": "red"}) as reply:
        assert (await reply.json())["detail"] == "/body/colour: is no key that this takes"


@requirement("6.15", "HTTP API: sources and their health", where="orchestrator/surfaces/http/operating.py")  # fmt: skip
async def test_sources_and_figures(serve, tmp_path):
    async with serve(tmp_path, "slack=status:500") as api:
        async with api.get("/v1/sources") as reply:
            states = {each["name"]: each["status"] for each in (await reply.json())["sources"]}
        assert states == {"slack": "failed", "notion": "ok", "linear": "ok", "gmail": "ok"}
        async with api.post("/v1/search", {"question": QUESTION, "now": NOW}):
            pass
        async with api.get("/metrics") as reply:
            text = await reply.text()
        async with api.get("/v1/sources") as reply:
            left = {each["name"]: each["left"] for each in (await reply.json())["sources"]}
        assert left["notion"]["cost"] >= 1
        assert left["notion"]["questions_a_minute"] > left["notion"]["questions"] > 0
        assert 'fedsearch_source_requests_left{source="slack"}' in text
        assert 'fedsearch_source_questions_a_minute{source="notion"}' in text
        assert 'fedsearch_source_outcomes_total{source="slack",status="failed"} 1.0' in text
        assert 'fedsearch_http_requests_total{method="POST",route="/v1/search",status="200"} 1.0' in text


@shared
async def test_health_needs_no_key_and_replies_are_careful(api):
    await ready(api.http, api.url)
    for path in ("/healthz", "/readyz"):
        async with api.http.get(api.url + path) as reply:
            assert reply.status == 200
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert "server" not in reply.headers
        async with api.http.head(api.url + path) as reply:
            assert (reply.status, await reply.read()) == (200, b"")
    async with api.http.get(api.url + "/v1/../etc/passwd\r\nX: y".replace("\r\n", "%0d%0a")) as reply:
        assert reply.status == 404
        assert reply.content_type == "application/problem+json"
    async with api.http.get(api.url + "/healthz", headers={"X-Request-Id": "bad id\t"}) as reply:
        assert re.fullmatch(r"[0-9a-f]{16}", reply.headers["x-request-id"])


@shared
async def test_problems_are_told_in_the_language_that_is_accepted(api):
    korean = {"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.5"}
    asked = [
        ("POST", "/v1/search", {"json": {}}, {**api.auth}),
        ("POST", "/v1/search", {"json": {"question": "x", "limit": 0, "nope": 1}}, {**api.auth}),
        ("POST", "/v1/search", {"json": {"question": "okta", "zone": "Mars/North"}}, {**api.auth}),
        ("POST", "/v1/search", {"data": b"\xff"}, {**api.auth, "Content-Type": "application/json"}),
        ("POST", "/v1/search", {"data": b"x" * 70_000}, {**api.auth}),
        ("POST", "/v1/search", {"json": {"question": " "}}, {}),
        ("POST", "/v1/search", {"json": {"question": "okta"}}, {"Authorization": "Bearer nobody's"}),
        ("POST", "/v1/feedback", {"json": {"question": "okta", "verdict": "right", "id": "1"}}, {**api.auth}),
        ("GET", "/v1/nothing", {}, {}),
        ("GET", "/v1/search", {}, {}),
        ("GET", "/v1/digests/none", {}, {**api.auth}),
    ]
    for method, path, sent, headers in asked:
        told = {}
        for language, accepted in (("en", {}), ("ko", korean)):
            async with api.http.request(method, api.url + path, headers={**headers, **accepted}, **sent) as reply:
                told[language] = await reply.json(content_type="application/problem+json")
                assert (reply.headers["content-language"], reply.headers["vary"]) == (language, "Accept-Language")
        english, in_korean = told["en"], told["ko"]
        stable = ("type", "status", "code")
        assert [english[each] for each in stable] == [in_korean[each] for each in stable]
        for said in (
            in_korean["title"],
            in_korean["detail"],
            *(each["detail"] for each in in_korean.get("errors", ())),
        ):
            assert re.search("[가-힣]", said), said
        assert not re.search("[가-힣]", json.dumps(english, ensure_ascii=False)), english
        pointers = [each["pointer"] for each in english.get("errors", ())]
        assert pointers == [each["pointer"] for each in in_korean.get("errors", ())]


@shared
async def test_what_is_in_no_language_is_answered_in_the_one_that_is_accepted(api):
    for accepted, said in (("ko", "없습니다"), ("en", "There is no"), ("", "There is no")):
        async with api.post("/v1/search", {"question": "PAY-99999"}, headers={"Accept-Language": accepted}) as reply:
            assert said in (await reply.json())["summary"]
        async with api.post(
            "/v1/search/stream", {"question": "PAY-99999"}, headers={"Accept-Language": accepted}
        ) as reply:
            assert said in (await reply.text())


async def test_before_it_has_loaded_questions_are_refused_and_sources_are_shown(serve, tmp_path):
    """A question that came before spent its time on what was loaded: it was answered with 200, and no source was asked."""
    async with serve(tmp_path) as api:
        await ready(api.http, api.url)
        board = api.app.state.server.readiness
        board.tell(NOT_YET)
        for path in ("/v1/search", "/v1/search/stream", "/v1/understand", "/v1/explain"):
            async with api.http.post(api.url + path, json={"question": "okta"}, headers=api.auth) as reply:
                problem = await reply.json(content_type="application/problem+json")
                assert (reply.status, problem["code"], reply.headers["retry-after"]) == (503, "not_ready", "1"), path
        async with api.get("/v1/sources") as reply:
            assert reply.status == 200
        board.tell(READY)
        async with api.post("/v1/search", {"question": "okta"}) as reply:
            assert {each["status"] for each in (await reply.json())["sources"]} <= {"ok", "empty"}


async def test_without_sources_it_says_so(serve, tmp_path):
    settings = load_settings({"storage": {"data_dir": str(tmp_path)}}, {})
    async with build_engine(settings) as engine:
        assert engine.profiles == ()
    services = api_services(settings, None)
    door = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(make_api(services)))
    running = asyncio.create_task(server.serve(sockets=[door]))
    try:
        await until(lambda: server.started)
        url = f"http://127.0.0.1:{door.getsockname()[1]}"
        async with aiohttp.ClientSession() as http:
            await ready(http, url)
        async with aiohttp.ClientSession() as http, http.post(f"{url}/v1/search", json={"question": "okta"}) as reply:
            problem = await reply.json(content_type="application/problem+json")
            assert (reply.status, problem["code"]) == (503, "no_sources")
    finally:
        server.should_exit = True
        await running
        door.close()


@requirement("6.17", "HTTP API: rerank", where="orchestrator/surfaces/http/reranking.py")  # fmt: skip
@shared
async def test_documents_are_put_in_order_for_clients_without_a_vendors_key(api):
    documents = [
        {"id": "a", "text": "연차는 15일입니다"},
        {"id": "b", "text": "환불은 결제 후 7일 안에 신청합니다"},
        {"id": "c", "text": "refund within seven days"},
    ]
    for path in ("/rerank", "/v1/rerank"):
        async with api.post(path, {"query": "환불 신청 기한", "documents": documents, "topN": 2}) as reply:
            results = (await reply.json())["results"]
        assert [results[0]["id"], results[0]["index"], len(results)] == ["b", 1, 2]
        assert 0 <= results[1]["relevanceScore"] <= results[0]["relevanceScore"] <= 1
    for count, ours in ((60, 40), (200, 199)):
        fill = [{"id": str(number), "text": "연차 휴가 lunch menu"} for number in range(count)]
        for query, right in (
            ("환불 신청 기한", "환불은 7일 안에 신청"),
            ("refund period", "a refund within 7 days"),
        ):
            fill[ours] = {"id": "right", "text": right}
            for name in ("topN", "top_n"):
                async with api.post("/v1/rerank", {"query": query, "documents": fill, name: 3}) as reply:
                    results = (await reply.json())["results"]
                assert (len(results), results[0]["id"], results[0]["index"]) == (3, "right", ours)
    async with api.post("/rerank", {"query": "a", "documents": documents, "topN": 2, "top_n": 3}) as reply:
        assert reply.status == 422  # which of them?
    async with api.post("/rerank", {"query": " ", "documents": documents}) as reply:
        assert [each["id"] for each in (await reply.json())["results"]] == ["a", "b", "c"]
    async with api.post("/rerank", {"query": "환불", "documents": []}) as reply:
        assert await reply.json() == {"results": []}
    for path in ("/rerank", "/v1/rerank"):
        for length, status in ((1000, 200), (4000, 413)):  # in ASCII, JSON says a Korean letter in 6 bytes
            full = [{"id": str(number), "text": "한" * length} for number in range(200)]
            sent = io.BytesIO(json.dumps({"query": "한", "documents": full}).encode())
            kind = {"Content-Type": "application/json"}
            async with api.http.post(api.url + path, data=sent, headers=api.auth | kind) as reply:
                assert reply.status == status, (path, length)
    async with api.http.post(api.url + "/rerank", json={"query": "a", "documents": []}) as reply:
        assert reply.status == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "[", ""])
async def test_without_keys_it_answers_to_no_name_that_another_could_point_here(serve, tmp_path, host):
    """DNS rebinding: a page of evil.example, pointed at this machine, would read what its visitor may read."""
    async with serve(tmp_path, authenticated=False, mcp=True) as api:
        for path, method in (("/v1/sources", "GET"), ("/mcp", "POST")):
            async with api.http.request(method, api.url + path, headers={"Host": host}) as reply:
                assert reply.status in {400, 403, 421}, path
        async with api.http.get(api.url + "/v1/sources") as reply:
            assert reply.status == 200
