"""Who may read the search page, and what is refused: keys, cookies, proxies, forms of others, and text that is no markup."""

import shutil
from urllib.parse import urlencode

import pytest

from orchestrator.access import Scope
from tests.e2e.page_reader import HOSTILE, Reader, hostile_corpus


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


@pytest.mark.parametrize("back", ["javascript:alert(1)", "//evil.example/", "https://evil.example/", "/\\evil.example"])
async def test_no_way_back_from_a_judgment_leads_off_the_page(serve, tmp_path, back):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.sign_in()
        await reader.get("/")
        token = reader.page.xpath("//input[@name='token']/@value")[0]
        sent = {**FORMS["/feedback"], "token": token, "back": back}
        async with reader.http.post(api.url + "/feedback", data=sent) as reply:
            text = await reply.text()
        assert reply.status == 200
        assert 'href="/"' in text
        assert "evil.example" not in text
        assert "javascript:" not in text


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


async def test_the_session_is_for_the_page_and_not_for_the_api(serve, tmp_path):
    """A cookie goes along wherever a browser is lured to; the API takes keys in headers only."""
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.sign_in()
        async with reader.http.get(api.url + "/v1/sources") as reply:
            assert reply.status == 401
        async with reader.http.post(api.url + "/v1/search", json={"question": "okta"}) as reply:
            assert reply.status == 401


async def test_what_people_have_written_stays_text(serve, tmp_path):
    async with serve(tmp_path, authenticated=False, corpus=hostile_corpus(tmp_path)) as api, Reader(api) as reader:
        text = await reader.get("/?" + urlencode({"question": "okta " + HOSTILE}))
        assert reader.page.xpath("//li[@class='hit']")
        assert len(reader.page.xpath("//script")) == 1
        assert not reader.page.xpath("//img | //b[.='Mallory']")
        assert "<script>window.owned" not in text
        assert "\u202e" not in text
