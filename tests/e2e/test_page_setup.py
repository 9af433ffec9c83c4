"""Setting a server up on its pages, over real sockets and without a script: the first time, by token, by a vendor's sign-in, by declaration."""

import json
import stat
import tomllib
from urllib.parse import urlencode

import aiohttp
import pytest
from yarl import URL

from orchestrator.access import SCOPES, newest_actions
from orchestrator.sandbox import load_corpus
from tests.e2e.page_reader import Reader
from tests.e2e.test_following import becomes, place_in
from tests.e2e.test_init import google
from tests.e2e.test_source_trial import PAGE

CODE = "ABCD-EFGH-JKLM-NPQR"
OKTA = "status of the Okta rollout"
SAID = {
    "en": ("Nobody can sign in here yet", "That is not the code", "it may do everything", "Try it without any account", "Keep it all the same", "It is kept, and asked from now on: slack", "set up"),
    "ko": ("아직 아무도 로그인할 수 없습니다", "코드가 아닙니다", "모든 것을 할 수 있는 키입니다", "계정 없이 써 보기", "그래도 보관하기", "보관했고, 지금부터 묻습니다: slack", "설정됨"),
}  # fmt: skip


def addresses(*named):
    """Only where the pretend vendors are; no secret."""
    return lambda _, sandbox: {
        "sources": {
            name: {"base_url": end.base_url} if name in named else {"enabled": False}
            for name, end in sandbox.endpoints.items()
        }
    }


def kept(folder):
    """What was written, by name, with whether anybody else may read it."""
    files = (path for path in (folder / "config").rglob("*") if path.is_file() and path.name != "fedsearch.toml")
    return {
        path.relative_to(folder / "config").as_posix(): (path.read_text("utf-8"), stat.S_IMODE(path.stat().st_mode) & 0o077)
        for path in files
    }  # fmt: skip


async def fill(reader, path, do, **fields):
    """Send the form of a page with its own hidden fields."""
    form = reader.page.xpath(f"//form[@action='{path}']")[0]
    told = {each.get("name"): each.get("value", "") for each in form.xpath(".//input[@type='hidden' or @checked]")}
    data = {**told, **fields, **({"do": do} if do else {})}
    return await reader._load("POST", path, data=data)


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_from_nothing_to_an_answer(serve, tmp_path, language):
    """The code that was printed, the first key, a token tried with a real question, kept, and asked at once."""
    closed, wrong, key, sandbox, anyway, asked, ready = SAID[language]
    started = serve(tmp_path, place=place_in(tmp_path), code=CODE, more=addresses("slack"))
    async with started as api, Reader(api, language) as reader, Reader(api) as other:
        await reader.get("/")
        assert (reader.status, closed in reader.text()) == (401, True)
        await reader.get(reader.page.get_element_by_id("first").get("href"))
        assert (reader.status, closed in reader.text()) == (200, True)
        await fill(reader, "/setup/code", "", code="ABCD-EFGH-JKLM-NPQX")
        assert (reader.status, wrong in reader.text("//*[@role='alert']")) == (401, True)
        await other.get("/setup")
        await fill(reader, "/setup/code", "", code="abcd efgh jklm npqr")
        assert (reader.status, key in reader.text()) == (200, True)
        (made,) = api.ring.all()
        assert (made.scopes, api.ring.find(reader.text("//*[@id='made']"))) == (tuple(sorted(SCOPES)), made)
        await fill(other, "/setup/code", "", code=CODE)
        assert other.reply.url.path == "/sign-in"  # it opens nothing any more
        await reader.get("/setup")
        tiles = reader.text("//ul[@class='states']")
        assert all(name in tiles for name in (sandbox, "Atlassian", "Google", "Slack", "Notion"))
        await reader.get("/setup/slack")
        assert reader.page.xpath("//a[starts-with(@href, 'https://api.slack.com/apps?new_app=1&manifest_json=')]")
        assert "search:read" in reader.text("//p[@class='scopes']")
        await fill(reader, "/setup/slack", "try", secret="xoxp-wrong", question=OKTA)
        assert (reader.status, reader.text("//*[@id='keep']")) == (200, anyway)
        token = api.sandbox.endpoints["slack"].token
        await reader.get("/setup/slack")
        page = await fill(reader, "/setup/slack", "try", secret=token, question=OKTA)
        assert reader.page.xpath("//li[@class='good']//h2[contains(., 'Slack')]")
        assert "Okta" in reader.text("//ol[@class='rows found']")
        assert token not in page
        assert kept(tmp_path) == {}  # a trial keeps nothing
        page = await fill(reader, "/setup/slack", "keep", question=OKTA)
        assert (reader.status, asked in reader.text()) == (200, True)
        assert token not in page
        found = kept(tmp_path)
        assert [(name, others) for name, (_, others) in found.items()] == [("secrets/sources__slack__token.sealed", 0)]
        assert not any(token in text for text, _ in found.values())
        assert reader.text("(//ul[@class='rows']//code)[last()]").endswith("/sealing.key")
        await reader.get(reader.page.xpath("//a[@class='button']/@href")[0])
        assert set(reader.page.xpath("//li[@class='hit']/@data-source")) == {"slack"}
        await reader.get("/setup")
        assert ready in reader.text("//li[.//a[@href='/setup/slack']]")
        told = [(each.action, each.source) for each in newest_actions(tmp_path / "audit.jsonl", 9)]
        assert told == [("source set up", "slack"), ("key made", "setup (by the code that the server printed)")]
        assert token not in (tmp_path / "audit.jsonl").read_text("utf-8")


async def test_no_first_key_is_made_that_cannot_be_written_down(serve, tmp_path):
    (tmp_path / "audit").mkdir()
    more = {"server": {"audit": str(tmp_path / "audit")}}
    async with serve(tmp_path, place=place_in(tmp_path), code=CODE, more=more) as api, Reader(api) as reader:
        await reader.get("/setup")
        await fill(reader, "/setup/code", "", code=CODE)
        assert (reader.status, api.ring.all()) == (503, ())
        (tmp_path / "audit").rmdir()
        await reader.get("/setup")
        await fill(reader, "/setup/code", "", code=CODE)  # it still opens
        assert (reader.status, len(api.ring.all())) == (200, 1)


async def without(reader, path, kind):
    """The page of a tile, with one of its sources not chosen."""
    await reader.get(path)
    del reader.page.xpath(f"//input[@name='kind_{kind}']")[0].attrib["checked"]


async def test_whoever_leaves_halfway_goes_on_from_there(serve, tmp_path):
    place = place_in(tmp_path)
    (tmp_path / "config" / "sources.d").mkdir()
    by_hand = tmp_path / "config" / "sources.d" / "jira.toml"
    by_hand.write_text("# by hand\n", "utf-8")
    by_hand.chmod(0o600)
    started = serve(tmp_path, place=place, kinds=("jira",), more=lambda *_: {"sources": {"jira": {}}})
    async with started as api, Reader(api, "ko") as reader:
        await reader.sign_in()
        end, jira = api.sandbox.endpoints["jira"], api.sandbox._emulators["jira"]
        await without(reader, "/setup/confluence", "confluence")
        typed = {
            "set_base_url": "no address",
            "set_email": jira._site.viewer.email,
            "secret": "wrong",
            "question": "배포",
        }
        await fill(reader, "/setup/confluence", "try", **typed)
        assert (reader.status, kept(tmp_path)) == (400, {"sources.d/jira.toml": ("# by hand\n", 0)})
        await without(reader, "/setup/confluence", "confluence")
        typed["set_base_url"] = end.base_url
        (tmp_path / "audit.jsonl").mkdir()  # what cannot be written down is not begun
        await fill(reader, "/setup/confluence", "try", **typed)
        assert (reader.status, kept(tmp_path)) == (503, {"sources.d/jira.toml": ("# by hand\n", 0)})
        (tmp_path / "audit.jsonl").rmdir()
        await without(reader, "/setup/confluence", "confluence")
        await fill(reader, "/setup/confluence", "try", **typed)
        assert reader.status == 200
        values = tomllib.loads(kept(tmp_path)["sources.d/jira.toml"][0])
        assert values == {"base_url": end.base_url, "email": jira._site.viewer.email}
        assert "# by hand" in kept(tmp_path)["sources.d/jira.toml"][0]
        await reader.get("/setup")
        assert "설정 중" in reader.text("//li[.//a[@href='/setup/confluence']]")


async def test_a_vendors_sign_in_serves_several_sources(serve, tmp_path):
    place, told = place_in(tmp_path), {}
    started = serve(tmp_path, place=told, kinds=("gmail", "drive"), more=addresses("gmail", "drive"))
    told |= place
    async with started as api, google(api.sandbox) as (server, at), Reader(api) as reader, Reader(api) as other:
        told |= at  # where the sign-in service is
        await reader.sign_in()
        await other.sign_in()
        await without(reader, "/setup/drive", "googlechat")
        assert f"{api.url}/setup/callback" in reader.text("//code")
        await fill(reader, "/setup/drive", "leave", client_id=server.client_id, secret=server.client_secret)
        address = reader.page.get_element_by_id("leave").get("href")
        async with aiohttp.ClientSession() as vendor, vendor.get(address, allow_redirects=False) as sent:
            back = URL(sent.headers["location"])
        assert back.path == "/setup/callback"
        await other.get(back.path_qs)
        assert other.status == 409  # another browser has begun nothing
        await reader.get("/setup/callback?" + urlencode({"state": "other", "code": "stolen"}))
        assert reader.status == 409
        page = await reader.get(back.path_qs)
        assert (reader.status, len(reader.page.xpath("//li[@class='good']"))) == (200, 2), reader.text()
        assert server.client_secret not in page
        await fill(reader, "/setup/drive", "keep")
        assert reader.status == 200, reader.text()
        await becomes(api, {"gmail": "ok", "drive": "ok"})
        found = kept(tmp_path)
        assert {name for name, (_, others) in found.items() if others} == set()
        assert {name for name in found if name.startswith("secrets/")} == {
            f"secrets/sources__{kind}__oauth__{name}.sealed"
            for kind in ("drive", "gmail")
            for name in ("client_secret", "refresh_token")
        }


async def test_a_declaration_is_tried_kept_changed_and_switched_off(serve, tmp_path):
    (tmp_path / "corpus.jsonl").write_text(PAGE, "utf-8")
    corpus = load_corpus([str(tmp_path / "corpus.jsonl")])
    more = lambda *_: {"sources": {"json_api": {"enabled": False}}}  # noqa: E731
    async with (
        serve(tmp_path, place=place_in(tmp_path), corpus=corpus, kinds=("json_api",), more=more) as api,
        Reader(api) as reader,
    ):
        await reader.sign_in()
        end = api.sandbox.endpoints["json_api"]
        text = f'kind = "json_api"\ntitle = "Handbook"\nkinds = ["page"]\nbase_url = "{end.base_url}"\n'
        typed = {"name": "handbook", "question": "travel policy", "secret": end.token}
        wrong = {
            "is no valid TOML": {"text": "kind ="},
            "is a secret": {"text": f'{text}token = "x"\n'},
            "no such setting": {"text": f"{text}titel = 1\n"},
            "starts a program": {"text": 'kind = "gemini_cli"\n'},
            "opens a folder": {"text": 'kind = "local"\n'},
            "small letters": {"text": text, "name": "../../etc/passwd"},
        }
        for said, fields in wrong.items():
            await reader.get("/setup/declared")
            await fill(reader, "/setup/declared", "try", **{**typed, **fields})
            assert (
                reader.status,
                said.replace("is no valid", "is not valid") in reader.text("//*[@role='alert']"),
            ) == (400, True), said
            there = reader.page.xpath("//form[@action='/setup/declared']")[0].fields
            told = {name: there[name] for name in ("name", "question")}
            told["text"] = reader.page.xpath("//textarea")[0].text.strip()
            wanted = {"text": text, **typed, **fields}
            assert told == {name: wanted[name].strip() for name in told}, "what was typed is there again"
            assert end.token not in reader.page.text_content()
        await reader.get("/setup/declared")
        await fill(reader, "/setup/declared", "try", text=text, **typed)
        assert "Travel policy" in reader.text("//ol[@class='rows found']")
        counts = {
            row.xpath("./dt")[0].text_content(): row.xpath("./dd")[0].text
            for row in reader.page.xpath("//section//dl/div")
        }
        assert (counts["title"], counts["author"]) == ("1 / 1", "0 / 1")
        assert kept(tmp_path) == {}
        await fill(reader, "/setup/declared", "keep")
        assert set(kept(tmp_path)) == {"sources.d/handbook.toml", "secrets/sources__handbook__token.sealed"}
        await becomes(api, {"handbook": "ok"})
        await reader.get("/setup/declared?name=handbook")
        assert reader.page.xpath("//textarea")[0].text == text
        await fill(
            reader,
            "/setup/declared",
            "try",
            name="handbook",
            text=text.replace("Handbook", "Staff book"),
            question="travel",
        )
        await fill(reader, "/setup/declared", "keep")
        await reader.get("/admin/sources")
        assert "Staff book" in reader.text("//h2")
        await fill(reader, "/admin/sources", "off")
        assert await becomes(api, {}) is None
        assert "Staff book" in reader.text("//section[@aria-labelledby='off']")
        await fill(reader, "/admin/sources", "on", source="handbook")
        await becomes(api, {"handbook": "ok"})
        await fill(reader, "/admin/sources", "remove", source="handbook")
        await becomes(api, {"handbook": "ok"})  # what is asked is switched off first
        await reader.get("/admin/sources")
        await fill(reader, "/admin/sources", "off", source="handbook")
        (tmp_path / "config" / "fedsearch.toml").write_text('[sources.handbook]\ntitle = "Book"\n', "utf-8")
        await fill(reader, "/admin/sources", "remove", source="handbook")
        assert (reader.status, "fedsearch.toml" in reader.text()) == (409, True)
        assert next(iter(newest_actions(tmp_path / "audit.jsonl", 1))).action == "source switched off"
        (tmp_path / "config" / "fedsearch.toml").write_text("", "utf-8")
        await reader.get("/admin/sources")
        await fill(reader, "/admin/sources", "remove", source="handbook")
        assert reader.status == 200
        assert kept(tmp_path) == {}
        assert await becomes(api, {}) is None
        assert "Staff book" not in reader.text()
        assert next(iter(newest_actions(tmp_path / "audit.jsonl", 1))).action == "source removed"
        await reader.get("/setup/declared?name=../fedsearch")
        assert not (reader.page.xpath("//textarea")[0].text or "").strip()


async def test_the_pretend_workplace_is_asked_and_nothing_of_it_kept(serve, tmp_path):
    async with serve(tmp_path, place=place_in(tmp_path), more=addresses()) as api, Reader(api, "ko") as reader:
        await reader.sign_in()
        await reader.get("/setup/sandbox")
        question = reader.page.xpath("//input[@name='question']/@value")[0]
        await fill(reader, "/setup/sandbox", "try", question=question)
        assert "회고" in reader.text("//p[@class='lines']")
        assert not reader.page.xpath("//*[@id='keep']")
        assert kept(tmp_path) == {}
        await becomes(api, {})


async def test_what_was_typed_opens_for_the_browser_that_typed_it_alone(serve, tmp_path):
    async with (
        serve(tmp_path, place=place_in(tmp_path), more=addresses("slack")) as api,
        Reader(api) as reader,
        Reader(api) as other,
    ):
        await reader.sign_in()
        await other.sign_in()
        await reader.get("/setup/slack")
        await fill(reader, "/setup/slack", "try", secret=api.sandbox.endpoints["slack"].token, question=OKTA)
        held = reader.page.xpath("//input[@name='held']/@value")[0]
        await other.get("/setup/slack")
        for sealed in (held, held[:-8] + "AAAAAAAA", "nonsense", ""):
            await fill(other, "/setup/slack", "keep", held=sealed)
            assert other.status == 403
            await other.get("/setup/slack")
        assert kept(tmp_path) == {}
        assert json.dumps(api.sandbox.endpoints["slack"].token) not in held
