"""The pages of whoever runs the server, over real sockets and without a script: use, sources, keys and people, digests."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest

from orchestrator.access import Scope, newest_actions
from tests.e2e.test_page import QUESTION, Reader

NOTHING = "zzqxv blorptangle quuxification"
SAID = {
    "en": ("Administration", "Questions without an answer", "Their words are not kept", "Not asked in the last 24 hours", "Nobody signs in but by keys"),
    "ko": ("관리", "답을 찾지 못한 질문", "글은 보관하지 않습니다", "지난 24시간 동안 묻지 않았습니다", "키로만 들어올 수 있습니다"),
}  # fmt: skip
RIGHT = {"en": "Right", "ko": "맞음"}


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_use_is_told_in_numbers(serve, tmp_path, language):
    title, unanswered, unkept, quiet, by_keys = SAID[language]
    async with serve(tmp_path) as api, Reader(api, language) as reader:
        await reader.sign_in()
        await reader.get("/admin/sources")
        assert reader.text().count(quiet) == 4
        for question in (QUESTION[language], QUESTION[language], NOTHING):
            await reader.get("/?" + urlencode({"question": question}))
        async with api.post("/v1/feedback", {"question": "okta", "verdict": "right"}) as reply:
            assert reply.status == 204
        text = await reader.get("/admin")
        assert (reader.status, reader.text("//h1")) == (200, title)
        assert unanswered in reader.text()
        assert unkept in reader.text()
        assert NOTHING not in text
        assert f"{RIGHT[language]} 1" in reader.text("//section[@aria-labelledby='feedback']")
        asked, people = reader.page.xpath("//figure")
        assert cells(asked)[-1][1:] == ["2", "1"]
        assert cells(people)[-1][1:] == ["1"]
        assert asked.xpath(".//svg/rect[@class='bad']/@height") == ["16.0"]
        await reader.get("/admin/sources")
        slack = reader.page.xpath("//li[h2[starts-with(normalize-space(), 'Slack')]]")[0]
        questions, requests = slack.xpath(".//figure")
        assert sum(int(each) for row in cells(questions) for each in row[1:]) == 3
        assert sum(int(each) for row in cells(requests) for each in row[1:]) > 3
        await reader.get("/admin/access")
        assert by_keys in reader.text()
        await reader.get("/admin/digests")
        assert reader.status == 200


def cells(figure):
    return [[each.text_content() for each in row] for row in figure.xpath(".//tbody/tr")]


async def test_words_of_unanswered_questions_are_shown_where_the_audit_log_holds_them_too(serve, tmp_path):
    server = {"audit": str(tmp_path / "audit.jsonl"), "audit_texts": True}
    async with serve(tmp_path, more={"server": server}) as api, Reader(api) as reader:
        await reader.sign_in()
        for _ in range(2):
            await reader.get("/?" + urlencode({"question": f"{NOTHING} <b>"}))
        await reader.get("/?" + urlencode({"question": QUESTION["en"]}))
        await reader.get("/admin")
        (row,) = reader.page.xpath("//section[@aria-labelledby='unanswered']//li")
        assert row.text_content().startswith(f"{NOTHING} <b>")
        assert "2 times" in row.text_content()
        assert QUESTION["en"] not in reader.text()
        assert "key:" not in row.text_content()


async def test_keys_are_shown_without_their_secrets(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        key, text = api.ring.create("대시보드 <script>", [Scope.SEARCH], timedelta(days=1))
        old, _ = api.ring.create("old", [Scope.WEB], timedelta(seconds=0))
        await reader.sign_in()
        page = await reader.get("/admin/access")
        rows = {row.xpath("./th/code/text()")[0]: row for row in reader.page.xpath("//tbody/tr")}
        assert len(rows) == 3
        assert rows[key.id].xpath("./th/text()")[0].strip() == "대시보드 <script>"
        assert f"{datetime.now(UTC) + timedelta(days=1):%Y}" in rows[key.id].text_content()
        assert "expired" in rows[old.id].text_content()
        assert text.rsplit("_", 1)[1] not in page
        assert not any(digest in page for each in api.ring.all() for digest in each.digests)


@pytest.mark.parametrize(("language", "once"), [("en", "cannot be shown again"), ("ko", "다시 보여 줄 수 없습니다")])
async def test_a_key_is_made_shown_once_used_and_revoked(serve, tmp_path, language, once):
    async with serve(tmp_path) as api, Reader(api, language) as reader, Reader(api) as other:
        await reader.sign_in()
        await reader.get("/admin/access")
        form = reader.page.xpath("//form[@class='fields']")[0]
        await reader.submit(form, form.xpath(".//button")[0], name="대시보드", days="7")
        assert once in reader.text("//p[@role='status']")
        text = reader.text("//*[@id='made']")
        made = api.ring.find(text)
        assert (made.name, made.scopes, (made.expires - made.created).days) == (
            "대시보드",
            (Scope.SEARCH, Scope.SOURCES),
            7,
        )
        page = await reader.get("/admin/access")
        assert text not in page
        await other.sign_in(text)
        await other.get("/")
        assert other.status == 200
        own = api.ring.find(api.key)
        for key, status in ((own, 409), (made, 200), (made, 409)):
            token = reader.page.xpath("//input[@name='token']/@value")[0]
            data = {"token": token, "do": "revoke", "key": key.id}
            async with reader.http.post(api.url + "/admin/access", data=data) as reply:
                assert reply.status == status
        await other.get("/")
        assert other.status == 401
        assert [(each.action, each.source) for each in newest_actions(tmp_path / "audit.jsonl", 9)] == [
            ("key revoked", f"대시보드 ({made.id})"),
            ("key made", "대시보드 (search, sources)"),
        ]


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": "a", "days": "0"}, {"name": "a", "days": "99999999"}])
async def test_what_is_no_key_is_not_made(serve, tmp_path, wrong):
    async with serve(tmp_path) as api, Reader(api) as reader:
        await reader.sign_in()
        await reader.get("/admin/access")
        form = reader.page.xpath("//form[@class='fields']")[0]
        await reader.submit(form, form.xpath(".//button")[0], **wrong)
        assert reader.status == 400
        assert len(api.ring.all()) == 1


async def test_what_cannot_be_written_down_is_not_done(serve, tmp_path):
    (tmp_path / "audit").mkdir()
    async with serve(tmp_path, more={"server": {"audit": str(tmp_path / "audit")}}) as api, Reader(api) as reader:
        await reader.sign_in()
        await reader.get("/admin/access")
        form = reader.page.xpath("//form[@class='fields']")[0]
        await reader.submit(form, form.xpath(".//button")[0], name="a")
        assert reader.status == 503
        assert len(api.ring.all()) == 1


async def test_people_and_their_roles_stand_beside_the_keys(serve, tmp_path):
    oidc = {
        "issuer": "https://login.example.com",
        "audience": "fedsearch",
        "grants": {"operators": ["admin", "metrics"]},
    }
    proxy = {"header": "X-Forwarded-User", "addresses": ["127.0.0.1/32"], "scopes": ["search", "admin"]}
    async with serve(tmp_path, more={"oidc": oidc, "proxy": proxy}) as api, Reader(api) as reader:
        await reader.get("/admin/access", headers={"X-Forwarded-User": "minji@acme.example"})
        assert reader.status == 200
        rows = reader.page.xpath("//section[@aria-labelledby='roles']//dl/div")
        assert [[each.text_content() for each in row] for row in rows] == [
            ["Everybody whom https://login.example.com signs in", "search, sources"],
            ["besides, members of operators", "admin, metrics"],
            ["Everybody whom the proxy names", "admin, search"],
        ]


async def test_other_peoples_digests_are_shown_without_what_they_ask(serve, tmp_path, index_url):
    more = {"index": {"database_url": index_url}, "digests": {"team": {"person": "key:x", "title": "주간 요약"}}}
    async with serve(tmp_path, more=more) as api, Reader(api) as reader:
        body = {"name": "watch", "question": "severance package", "kind": "search"}
        async with api.post("/v1/digests", body) as reply:
            assert reply.status == 201, await reply.text()
        _, text = api.ring.create("operator", [Scope.ADMIN])
        await reader.sign_in(text)
        page = await reader.get("/admin/digests")
        assert reader.status == 200
        assert {"주간 요약"} <= {each.text.strip() for each in reader.page.xpath("//h2")}
        assert "watch" in reader.text()
        assert "key:x" in reader.text()
        assert "severance" not in page


async def test_what_was_done_stands_in_the_audit_log_and_on_the_page(serve, tmp_path):
    async with serve(tmp_path) as api, Reader(api) as reader:
        line = {
            "at": "2026-11-20T01:00:00+00:00",
            "request": "r",
            "principal": "key:1",
            "action": "connected",
            "source": "slack",
        }
        with (tmp_path / "audit.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        await reader.sign_in()
        await reader.get("/admin")
        (row,) = reader.page.xpath("//section[@aria-labelledby='changes']//tbody/tr")
        assert [each.text_content() for each in row][1:] == ["key:1", "connected", "slack"]
