"""The digest page: each reader's own, how they stand and what they would tell, without a script and in a browser."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from orchestrator.access import KeyRing, Scope
from tests.e2e.chromium import audit, reading, why_no_audit
from tests.e2e.page_reader import HOSTILE, Reader, hostile_corpus

TITLE = "<b>주간</b> \u202eokta"


@asynccontextmanager
async def digesting(serve, tmp_path, index_url):
    """A server with digests of two keys' holders, over what somebody hostile has written two hours ago."""
    ring = KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC))
    keys = [ring.create(name, list(Scope)) for name in ("minji", "jiho")]
    minji, jiho = (f"key:{key.id}" for key, _ in keys)
    settings = {
        "index": {"database_url": index_url},
        "locale": {"zone": "Asia/Seoul"},
        "scheduled": {"attempts": 1},
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
        addresses = [link.get("href") for link in reader.page.xpath("//main//a[@class='button']")]
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
        assert not reader.page.xpath("//nav/a[@href='/digests']")
        await reader.get("/digests/any")
        assert reader.status == 404
        _, poor = api.ring.create("poor", [Scope.SEARCH])
        async with Reader(api) as other:
            await (await other.sign_in(poor)).get("/digests")
            assert other.status == 403


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
        for address in ("/digests", "/digests/주간", "/digests/search/okta"):
            await page.goto(address)
            assert await audit(page) == [], address
            assert await page.evaluate("document.documentElement.scrollWidth") <= 320, address
        assert await page.evaluate("window.owned") is None
        assert [each for each in wrong if "401" not in each] == []
