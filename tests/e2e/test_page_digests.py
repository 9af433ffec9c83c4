"""The digest page: each reader's own, how they stand and what they would tell, without a script and in a browser."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from orchestrator.access import KeyRing, Scope, new_key
from tests.e2e.chromium import audit, reading, why_no_audit
from tests.e2e.page_reader import HOSTILE, Reader, hostile_corpus

TITLE = "<b>주간</b> \u202eokta"


@asynccontextmanager
async def digesting(serve, tmp_path, index_url, **more):
    """A server with digests of two keys' holders, over what somebody hostile has written two hours ago."""
    ring = KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC))
    keys = [ring.create(name, list(Scope)) for name in ("minji", "jiho")]
    minji, jiho = (f"key:{key.id}" for key, _ in keys)
    settings = {
        "index": {"database_url": index_url},
        "locale": {"zone": "Asia/Seoul"},
        **more,
        "scheduled": {"attempts": 1, **more.get("scheduled", {})},
        "digests": {
            "주간": {"person": minji, "title": TITLE, "language": "ko", "period": "weekly", "schedule": "0 9 * * 1",
                    "deliver": ["https://127.0.0.1:1/secretpath"], "secret": "s3cret-s3cret"},
            "theirs": {"person": jiho, "title": "only Jiho's", "schedule": "*/5 * * * *"},
        },
        "searches": {"okta": {"person": minji, "question": "okta <i>"}},
    }  # fmt: skip
    when = (datetime.now(UTC) - timedelta(hours=2)).isoformat(timespec="seconds")
    corpus = hostile_corpus(tmp_path, when)
    async with serve(tmp_path, more=settings, corpus=corpus) as api:
        yield api, [text for _, text in keys]


async def test_each_reader_sees_their_own_and_how_it_stands(serve, tmp_path, index_url):
    async with digesting(serve, tmp_path, index_url) as (api, (minji, jiho)):
        async with Reader(api, "ko") as reader:
            await (await reader.sign_in(minji)).get("/digests")
            shown = reader.text()
            assert "<b>주간</b> okta 아직 만들지 않음" in shown
            assert "매주 월요일 09:00 (Asia/Seoul)" in shown
            assert ("저장한 검색" in shown, "직접 돌릴 때만" in shown, "only Jiho's" in shown) == (True, True, False)
            assert not reader.page.xpath("//b | //i")
            assert reader.page.xpath("//nav/a[@href='/digests'][@aria-current='page']")
            async with reader.http.post(
                api.url + "/v1/digests/주간/run", headers={"Authorization": f"Bearer {minji}"}
            ) as reply:
                assert [each["status"] for each in (await reply.json())["deliveries"]] == ["dead"]
            text = await reader.get("/digests")
            shown = reader.text()
            assert "전달 못 함" in shown
            assert "포기함https://127.0.0.1/…" in shown
            assert "fedsearch digest retry " in shown
            assert "secretpath" not in text
        async with Reader(api) as reader:
            await (await reader.sign_in(jiho)).get("/digests")
            shown = reader.text()
            assert ("only Jiho's" in shown, "okta" in shown, "*/5 * * * * (Asia/Seoul)" in shown) == (True, False, True)
            for name in ("주간", "okta", "search/okta", "nothing"):
                await reader.get(f"/digests/{name}")
                assert (reader.status, f"You have no digest called “{name}”." in reader.text()) == (404, True)
                assert "SEC-666" not in reader.text()


async def test_a_preview_shows_what_people_wrote_as_text(serve, tmp_path, index_url):
    async with digesting(serve, tmp_path, index_url) as (api, (minji, _)), Reader(api, "en") as reader:
        await (await reader.sign_in(minji)).get("/digests")
        addresses = [link.get("href") for link in reader.page.xpath("//main//li//a[@class='button']")]
        assert len(addresses) == 2
        for address in addresses:
            text = await reader.get(address)
            assert reader.status == 200, text
            assert reader.page.xpath("//article//li//a")
            assert all(
                link.get("href").startswith(("https://", "http://")) for link in reader.page.xpath("//article//a")
            )
            assert HOSTILE.replace("\u202e", "")[:30] in reader.text()
            assert len(reader.page.xpath("//script")) == 1
            assert not reader.page.xpath("//img | //main//b | //main//i")
            assert "\u202e" not in text
        weekly = next(each for each in addresses if "search" not in each)
        await reader.get(weekly)
        (form,) = reader.page.xpath("//main//form")
        await reader.submit(form, since="banana <b>")
        assert (reader.status, "“banana <b>” names no time" in reader.text()) == (400, True)
        await reader.get(weekly)
        await reader.submit(reader.page.xpath("//main//form")[0], since="last week")
        assert (reader.status, "SEC-666" in reader.text()) == (200, True)
        # The language changes, and the digest stays.
        await reader.submit(reader.page.xpath("//form[@action='/language']")[0], reader.page.xpath("//button[@value='ko']")[0])  # fmt: skip
        assert "보기만 해서는" in reader.text()
        assert reader.page.xpath("//input[@id='since']")[0].get("value") == "last week"


async def test_who_may_not_and_where_there_are_none(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.get("/digests")
        assert reader.status == 401
        await (await reader.sign_in()).get("/digests")
        assert (reader.status, "No digest or saved search is yours" in reader.text()) == (200, True)
        assert reader.page.xpath("//nav/a[@href='/digests']")
        assert reader.page.xpath("//main//a[@href='/digest']")
        await reader.get("/digests/any")
        assert reader.status == 404
        _, seeing = api.ring.create("seeing", [Scope.SEARCH, Scope.DIGESTS])
        async with Reader(api) as other:
            await (await other.sign_in(seeing)).get("/digests")
            assert (other.status, other.page.xpath("//a[@href='/digest']")) == (200, [])
            assert not other.page.xpath("//nav/a[@href='/digests']")
            await other.get("/digest")
            assert other.status == 403
        _, poor = api.ring.create("poor", [Scope.SEARCH])
        async with Reader(api) as other:
            await (await other.sign_in(poor)).get("/digests")
            assert other.status == 403


@pytest.mark.parametrize(
    ("language", "made", "changed", "refused"),
    [
        ("ko", "매일 08:30 (Asia/Seoul)", "매주 금요일 18:00 (Asia/Seoul)", "보낼 수 없습니다"),
        ("en", "every day at 08:30 (Asia/Seoul)", "Fridays at 18:00 (Asia/Seoul)", "it may not be delivered to"),
    ],
)
@pytest.mark.skipif(bool(why_no_audit()), reason=why_no_audit() or "-")
@pytest.mark.asyncio(loop_scope="module")
async def test_a_reader_makes_changes_and_ends_a_digest(
    browser, serve, tmp_path, index_url, language, made, changed, refused
):
    async with (
        digesting(serve, tmp_path, index_url) as (api, (minji, jiho)),
        reading(browser, api.url, locale=language) as (page, wrong),
    ):
        await page.goto("/sign-in")
        await page.fill("#key", minji)
        await page.press("#key", "Enter")
        await page.wait_for_selector("#question")
        await page.goto("/digests")
        await page.click("a[href='/digest']")
        assert await audit(page) == []
        await page.fill("[name=name]", "결제 소식")
        await page.fill("[name=about]", "okta")
        await page.select_option("[name=when]", "every")
        await page.fill("[name=time]", "08:30")
        assert await page.input_value("[name=zone]") == "Asia/Seoul", "the server's, where it has one"
        await page.fill("[name=deliver]", "mailto:else@example.com")
        await page.click("form.fields button")
        assert refused in await page.text_content("[role=alert]")
        assert await page.input_value("[name=time]") == "08:30", "what was typed stays"
        await page.fill("[name=deliver]", "")
        await page.click("form.fields button")
        assert "결제 소식" in await page.text_content("[role=status]")
        assert made in await page.text_content("main")
        async with Reader(api) as other:  # nobody else's
            await (await other.sign_in(jiho)).get("/digest?name=결제 소식")
            assert other.status == 404
        await page.click("a[href^='/digest?name=']")
        assert await page.input_value("[name=about]") == "okta"
        assert await page.locator("[name=name], [value=search]").count() == 0, "what it is stays"
        await page.select_option("[name=when]", "5")
        await page.fill("[name=time]", "18:00")
        await page.click("form.fields button")
        assert changed in await page.text_content("main")
        assert made not in await page.text_content("main")
        await page.click("button[value=remove]")
        assert changed not in await page.text_content("main")
        assert [each for each in wrong if "401" not in each and "422" not in each] == []


async def test_a_saved_search_is_made_without_a_script_and_not_by_another_site(serve, tmp_path, index_url):
    async with digesting(serve, tmp_path, index_url) as (api, (minji, _)), Reader(api) as reader:
        await (await reader.sign_in(minji)).get("/digest")
        (form,) = reader.page.xpath("//form[@action='/digest']")
        sent = {"name": "sso", "kind": "search", "about": "okta rollout?", "when": "other", "cron": "0 9 1 * *"}
        async with reader.http.post(api.url + "/digest", data=sent) as reply:
            assert reply.status == 403
        token = form.xpath(".//input[@name='token']/@value")[0]
        async with reader.http.post(api.url + "/digest", data={**sent, "token": token, "cron": "every day"}) as reply:
            assert (reply.status, "every day" in await reply.text()) == (422, True)
        async with reader.http.post(api.url + "/digest", data={**sent, "token": token, "zone": "Mars/Gale"}) as reply:
            assert (reply.status, "there is no time zone" in await reply.text()) == (422, True)
        async with reader.http.post(api.url + "/digest", data={**sent, "token": token}) as reply:
            assert reply.status == 200
        await reader.get("/digests")
        assert "0 9 1 * * (Asia/Seoul)" in reader.text()
        assert "okta rollout?" in reader.text()


async def test_a_title_and_the_secret_of_a_webhook_are_given_and_the_secret_is_shown_nowhere(
    serve, tmp_path, index_url
):
    more = {"scheduled": {"allowed": ["https://hooks.acme.example/team/"]}, "accounts": {"secret": new_key()}}
    async with digesting(serve, tmp_path, index_url, **more) as (api, (minji, _)), Reader(api, "ko") as reader:
        await (await reader.sign_in(minji)).get("/digest")
        token = reader.page.xpath("//form[@action='/digest']//input[@name='token']/@value")[0]
        hook = "https://hooks.acme.example/team/x"
        sent = {"token": token, "name": "정산", "kind": "daily", "title": "정산 소식", "deliver": hook}
        async with reader.http.post(api.url + "/digest", data=sent) as reply:
            assert (reply.status, "서명에 쓸 비밀 값이 필요합니다" in await reply.text()) == (422, True)
        bad = {**sent, "secret": "s3cret-s3cret", "when": "other", "cron": "every day"}
        async with reader.http.post(api.url + "/digest", data=bad) as reply:
            assert (reply.status, "s3cret" in await reply.text()) == (422, False)
        async with reader.http.post(api.url + "/digest", data={**sent, "secret": "s3cret-s3cret"}) as reply:
            text = await reply.text()
            assert (reply.status, "정산 소식" in text, "s3cret" in text) == (200, True, False)
        text = await reader.get("/digest?name=정산")
        assert reader.page.xpath("//input[@name='title']/@value") == ["정산 소식"]
        assert "s3cret" not in text
        changed = {**sent, "old": "정산", "title": ""}  # the secret stays
        async with reader.http.post(api.url + "/digest", data=changed) as reply:
            assert (reply.status, "정산 소식" in await reply.text()) == (200, False)


@pytest.mark.skipif(bool(why_no_audit()), reason=why_no_audit() or "-")
@pytest.mark.parametrize(("language", "scheme"), [("ko", "light"), ("en", "dark")])
@pytest.mark.asyncio(loop_scope="module")
async def test_no_barrier_and_nothing_wider_than_320_pixels(browser, serve, tmp_path, index_url, language, scheme):
    wishes = {"locale": language, "color_scheme": scheme, "viewport": {"width": 320, "height": 700}}
    async with (
        digesting(serve, tmp_path, index_url) as (api, (minji, _)),
        reading(browser, api.url, **wishes) as (page, wrong),
    ):
        await page.goto("/sign-in")
        await page.fill("#key", minji)
        await page.press("#key", "Enter")
        await page.wait_for_selector("#question")
        for address in ("/digests", "/digest", "/digests/주간", "/digests/search/okta"):
            await page.goto(address)
            assert await audit(page) == [], address
            assert await page.evaluate("document.documentElement.scrollWidth") <= 320, address
        assert await page.evaluate("window.owned") is None
        assert [each for each in wrong if "401" not in each] == []
