"""The search page without a script, over real sockets: what a plain browser is sent, and what is refused."""

import asyncio
import json
import re
import shutil
from urllib.parse import parse_qsl, urlencode, urlsplit

import aiohttp
import pytest
from lxml import html
from yarl import URL

from orchestrator.access import Scope
from orchestrator.sandbox import load_corpus
from tests.clock import HANGING
from tests.conformance.marks import requirement

QUESTION = {
    "ko": "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
    "en": "What did we decide about the API migration?",
}
ANSWER = {"ko": "결과", "en": "Results"}
MOST_BYTES = 60_000


class Reader:
    """A browser without a script: it keeps cookies, follows links, and sends forms as they stand."""

    def __init__(self, api, language="en"):
        self.api = api
        self.http = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            headers={"Accept-Language": language, "Sec-Fetch-Site": "same-origin"},
        )
        self.page = self.status = self.reply = None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.http.close()

    async def get(self, address, **kwargs):
        return await self._load("GET", address, **kwargs)

    async def submit(self, form, button=None, **others):
        """Send a form with the fields that belong to it, wherever on the page they stand."""
        form_id = form.get("id")
        fields = [each for each in form.iter("input") if each.get("form") in {None, form_id}]
        fields += self.page.xpath(f"//input[@form='{form_id}']") if form_id else []
        told = [
            (each.get("name"), others.pop(each.get("name"), each.get("value", "")))
            for each in fields
            if self._sent(each)
        ]
        if button is not None:
            told.append((button.get("name"), button.get("value")))
        if form.get("method", "get").lower() == "get":
            return await self.get(form.get("action") + "?" + urlencode(told))
        body = urlencode(told).encode()
        return await self._load(
            "POST", form.get("action"), data=body, headers={"Content-Type": "application/x-www-form-urlencoded"}
        )

    async def sign_in(self, key=None):
        await self.get("/sign-in")
        await self.submit(self.page.xpath("//form[@action='/sign-in']")[0], key=key or self.api.key)
        return self

    def text(self, path="//main"):
        return " ".join(" ".join(each.text_content().split()) for each in self.page.xpath(path))

    def cookie(self, name="fedsearch"):
        return self.http.cookie_jar.filter_cookies(URL(self.api.url))[name].value

    @staticmethod
    def _sent(field):
        return field.get("name") and (field.get("type") != "checkbox" or field.get("checked") is not None)

    async def _load(self, method, address, **kwargs):
        async with self.http.request(method, self.api.url + address, **kwargs) as self.reply:
            text = await self.reply.text()
        self.status = self.reply.status
        self.page = html.document_fromstring(text) if text and self.reply.content_type == "text/html" else None
        return text


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


@pytest.mark.parametrize("address", ["/", "/?question=okta", "/sources", "/sign-in", "/search/stream?question=okta"])
async def test_every_page_is_protected(serve, tmp_path, address):
    async with serve(tmp_path, authenticated=address != "/sign-in") as api, Reader(api) as reader:
        if address != "/sign-in":
            await reader.sign_in()
        async with reader.http.get(api.url + address, allow_redirects=False) as reply:
            headers = reply.headers
            await reply.read()
        policy = dict(each.strip().split(" ", 1) for each in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert "unsafe" not in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["referrer-policy"] == "same-origin"


async def test_pages_hold_nothing_that_the_policy_would_refuse(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.sign_in()
        for address in ("/", "/?question=migration", "/sources", "/sign-in"):
            await reader.get(address)
            assert not reader.page.xpath("//style | //script[not(@src)] | //@style | //@*[starts-with(name(), 'on')]")


async def test_the_cookie_is_for_the_server_alone_and_never_holds_the_key(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.get("/")
        before = reader.cookie()
        token = reader.page.xpath("//form[@action='/sign-in']//input[@name='token']/@value")[0]
        data = {"token": token, "key": api.key}
        async with reader.http.post(api.url + "/sign-in", data=data, allow_redirects=False) as reply:
            cookie = reply.cookies["fedsearch"]
        assert cookie["httponly"]
        assert cookie["samesite"].lower() == "lax"
        assert cookie["path"] == "/"
        assert 0 < int(cookie["max-age"]) <= 12 * 3600
        assert cookie.value != before  # a session that was put there before is worth nothing
        assert api.key.split("_", 2)[2] not in cookie.value


async def test_over_https_the_cookie_stays_there(serve, tmp_path):
    async with (
        serve(tmp_path, more={"accounts": {"address": "https://search.example.com"}}) as api,
        api.http.get(api.url + "/") as reply,
    ):
        assert "; Secure" in reply.headers["set-cookie"]


async def test_whom_a_trusted_proxy_has_signed_in_needs_no_key(serve, tmp_path):
    proxy = {"header": "X-Forwarded-User", "addresses": ["127.0.0.1/32"]}
    async with serve(tmp_path, more={"proxy": proxy}) as api, Reader(api) as reader:
        await reader.get("/", headers={"X-Forwarded-User": "minji@acme.example"})
        assert reader.status == 200
        assert reader.page.xpath("//nav/a[@href='/sources']")
        assert not reader.page.xpath("//form[@action='/sign-out']")  # the proxy signs out whom it has signed in
        await reader.get("/")
        assert reader.status == 401


async def test_a_revoked_key_ends_its_browsers(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        key, text = api.ring.create("short", [Scope.SEARCH])
        await reader.sign_in(text)
        await reader.get("/")
        assert reader.status == 200
        await reader.get("/sources")
        assert reader.status == 403
        assert "may not do that" in reader.text()
        api.ring.revoke(key.id)
        await reader.get("/?question=okta")
        assert reader.status == 401
        assert "unknown, expired or revoked" in reader.text()


async def test_a_wrong_key_is_said_to_be_wrong_and_not_shown(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api, "ko") as reader:
        await reader.get("/sign-in")
        text = await reader.submit(reader.page.xpath("//form[@action='/sign-in']")[0], key="fsk_secret_typed_wrong")
        assert reader.status == 401
        assert "모르는 키" in reader.text()
        assert "typed_wrong" not in text


FORMS = {
    "/sign-in": {"key": "x"},
    "/sign-out": {},
    "/language": {"language": "ko"},
    "/feedback": {"judgment": "right 1", "r1": "slack C1", "question": "okta"},
}


@pytest.mark.parametrize("path", FORMS)
async def test_a_form_of_somebody_else_is_refused(serve, tmp_path, path):
    async with serve(tmp_path) as api, Reader(api) as reader, Reader(api) as other:
        await reader.sign_in()
        await other.sign_in()
        await reader.get("/")
        mine = reader.page.xpath("//input[@name='token']/@value")[0]
        await other.get("/")
        theirs = other.page.xpath("//input[@name='token']/@value")[0]
        sent = [
            ({}, {}),
            ({"token": ""}, {}),
            ({"token": theirs}, {}),
            ({"token": mine}, {"Sec-Fetch-Site": "cross-site"}),
            ({"token": mine}, {"Sec-Fetch-Site": "same-site"}),
            ({"token": mine}, {"Sec-Fetch-Site": "", "Origin": "https://evil.example"}),
        ]
        for token, headers in sent:
            async with reader.http.post(api.url + path, data={**FORMS[path], **token}, headers=headers) as reply:
                assert reply.status == 403, (token, headers)
        assert not (tmp_path / "feedback.jsonl").exists()
        await reader.get("/")
        assert reader.status == 200  # still signed in


async def test_another_site_cannot_read_along(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.sign_in()
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "", "Origin": "https://evil.example"}):
            async with reader.http.get(api.url + "/search/stream?question=okta", headers=headers) as reply:
                assert reply.status == 403


async def test_an_open_server_answers_under_its_own_name_only(serve, tmp_path):
    """A name of somebody else's that leads here must not read what the person at this machine may read."""
    async with serve(tmp_path, authenticated=False) as api:
        for host, status in [
            ("localhost", 200),
            ("127.0.0.1:9", 200),
            ("evil.example", 403),
            ("127.0.0.1.evil.example", 403),
        ]:
            async with api.http.get(api.url + "/", headers={"Host": host}) as reply:
                assert reply.status == status, host
                assert ("answers under its own name only" in await reply.text()) == (status == 403)


@pytest.mark.parametrize(("given", "status"), [({"page_secret": "x" * 32}, 200), ({}, 401)])
async def test_servers_with_one_secret_share_their_readers(serve, tmp_path, given, status):
    """What one has signed in the other knows, if both hold the same keys; without a common secret it does not."""
    one, other = tmp_path / "one", tmp_path / "other"
    other.mkdir(parents=True)
    async with serve(one, more={"server": given}) as first, Reader(first) as reader:
        await reader.sign_in()
        shutil.copy(one / "keys.json", other)
        async with serve(other, more={"server": given}) as second, reader.http.get(second.url + "/sources") as reply:
            assert reply.status == status


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\r\nSet-Cookie: a=b", "/\\evil.example"])
async def test_no_form_leads_elsewhere_or_adds_a_header(serve, tmp_path, back):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.get("/sign-in")
        token = reader.page.xpath("//input[@name='token']/@value")[0]
        data = {"token": token, "key": api.key, "back": back}
        async with reader.http.post(api.url + "/sign-in", data=data, allow_redirects=False) as reply:
            assert (reply.status, reply.headers["location"]) == (303, "/")
            assert list(reply.cookies) == ["fedsearch"]


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


async def test_the_session_is_for_the_page_and_not_for_the_api(serve, tmp_path):
    """A cookie goes along wherever a browser is lured to; the API takes keys in headers only."""
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.sign_in()
        async with reader.http.get(api.url + "/v1/sources") as reply:
            assert reply.status == 401
        async with reader.http.post(api.url + "/v1/search", json={"question": "okta"}) as reply:
            assert reply.status == 401


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


HOSTILE = '<script>window.owned=1</script>"><img src=x onerror=window.owned=1> \u202egpj.exe okta'


def hostile_corpus(folder, when="2026-11-18T10:00:00+09:00"):
    """A workplace in which somebody has written what pages are attacked with."""
    rows = [
        {
            "source": "linear",
            "kind": "issue",
            "id": "SEC-666",
            "key": "SEC-666",
            "team": "SEC",
            "title": HOSTILE,
            "text": HOSTILE,
        },
        {"source": "notion", "kind": "page", "id": "n1", "title": HOSTILE, "text": HOSTILE},
        {
            "source": "slack",
            "kind": "message",
            "id": "s1",
            "container": "general",
            "container_id": "C1",
            "text": HOSTILE,
        },
    ]
    common = {"author": "U1", "author_name": "<b>Mallory</b>", "created": when, "updated": when}
    path = folder / "hostile.jsonl"
    path.write_text("".join(json.dumps({**common, **each}) + "\n" for each in rows), "utf-8")
    return load_corpus(path)


async def test_what_people_have_written_stays_text(serve, tmp_path):
    async with serve(tmp_path, authenticated=False, corpus=hostile_corpus(tmp_path)) as api, Reader(api) as reader:
        text = await reader.get("/?" + urlencode({"question": "okta " + HOSTILE}))
        assert reader.page.xpath("//li[@class='hit']")
        assert len(reader.page.xpath("//script")) == 1
        assert not reader.page.xpath("//img | //b[.='Mallory']")
        assert "<script>window.owned" not in text
        assert "\u202e" not in text
