"""The pages of whoever runs the server, over real sockets and without a script: use, sources, keys and people, digests."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest

from orchestrator.access import Scope, newest_actions
from tests.e2e.identity_provider import CLIENT, SECRET, identity_provider
from tests.e2e.page_reader import QUESTION, Reader

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
        assert text.split("_", 2)[2] not in page
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


ROLES = {
    "en": ("Everybody whom {} signs in", "Members of operators", "in the settings: oidc.grants.operators", "you could not undo it", "known here as minji@example.com"),
    "ko": ("{}(으)로 로그인한 모든 사람", "operators 구성원", "설정에서: oidc.grants.operators", "되돌릴 수 없습니다", "여기서 알려진 이름: minji@example.com"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_roles_are_given_and_taken_beside_what_settings_say(serve, tmp_path, language):
    everybody, group, setting, locked, known_as = ROLES[language]
    async with identity_provider() as provider:
        provider.person = {"sub": "minji", "email": "minji@example.com", "email_verified": True}
        oidc = provider.settings(client_id=CLIENT, client_secret=SECRET, grants={"operators": ["metrics"]})

        def settings(url, _):
            return {"oidc": oidc, "accounts": {"address": url}}

        async with (
            serve(tmp_path, more=settings) as api,
            Reader(api, language) as reader,
            Reader(api, language) as minji,
        ):
            await minji.get("/sign-in/provider?back=/admin")
            assert (minji.status, known_as in minji.text()) == (403, True)
            await reader.sign_in()
            await reader.get("/admin/access")
            assert [row[:3] for row in roles_of(reader)] == [
                [everybody.format(provider.url), "search, sources", setting.replace("grants.operators", "scopes")],
                [group, "metrics", setting],
            ]
            await give(reader, "person", "Minji@example.com", "admin", "define")
            assert reader.status == 200
            await minji.get("/admin/access")  # the browser that is signed in already
            assert minji.status == 200
            await take(minji)
            assert (minji.status, locked in minji.text("//p[@role='status']")) == (409, True)
            await give(minji, "group", "operators", "admin")
            assert len(roles_of(minji)) == 4
            token = provider.token(sub="bo", groups=["operators"])
            async with api.http.get(api.url + "/admin", headers={"Authorization": f"Bearer {token}"}) as reply:
                assert reply.status == 200
            await take(reader, last=True)
            assert reader.status == 200
            await minji.get("/admin/access")
            assert minji.status == 403
            await give(reader, "person", "", "admin")
            assert reader.status == 400
            done = [(each.action, each.source) for each in newest_actions(tmp_path / "audit.jsonl", 3)]
            assert done == [
                ("role taken", "person:Minji@example.com"),
                ("role given", "group:operators (admin)"),
                ("role given", "person:Minji@example.com (define, admin)"),
            ]


async def test_no_role_is_given_that_outlasts_a_server_which_lets_everybody_in(serve, tmp_path):
    oidc = {"issuer": "https://login.example.com", "audience": "fedsearch"}
    async with serve(tmp_path, authenticated=False, more={"oidc": oidc}) as api, Reader(api) as reader:
        await reader.get("/admin/access")
        assert (reader.status, reader.page.xpath("//form[@action='/admin/roles']")) == (200, [])
        await give(reader, "everybody", "", "admin")
        assert (reader.status, (tmp_path / "roles.json").exists()) == (403, False)


def roles_of(reader):
    rows = reader.page.xpath("//section[@aria-labelledby='roles']//tbody/tr")
    return [[each.text_content().strip() for each in row] for row in rows]


async def give(reader, grantee, name, *scopes):
    form = {"grantee": grantee, "name": name, "do": "give", **{f"may_{each}": "1" for each in scopes}}
    await send(reader, form)


async def take(reader, *, last=False):
    """Take away the first that was given, or the last."""
    roles = reader.page.xpath("//input[@name='role']/@value")
    await send(reader, {"do": "take", "role": roles[-1 if last else 0]})


async def send(reader, form):
    token = reader.page.xpath("//input[@name='token']/@value")[0]
    body = urlencode({"token": token, **form}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    await reader._load("POST", "/admin/roles", data=body, headers=headers)


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
