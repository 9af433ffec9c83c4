"""Recipes of declared sources asked of the software itself, where it is installed: `make recipes`. Never by default: each starts a server of its own, which takes seconds to minutes."""

from __future__ import annotations

import asyncio
import os
import shutil
import tomllib
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import aiohttp
import pytest

from connectors.contract import Call
from connectors.errors import Unauthenticated
from connectors.json_api import JsonApiSource
from fedsearch import Ask, Engine, open_engine
from orchestrator.assembly.sources import source_settings
from tests.clock import HANGING
from tests.ports import free_port
from translators.query import State

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AbstractAsyncContextManager

    from connectors.contract import SourceDirectory
    from orchestrator.model import Answer

EXAMPLES = Path(__file__).parents[2] / "config" / "sources.d.examples"
REDMINE, WIKI = Path("/usr/share/redmine"), Path("/usr/share/mediawiki")  # where Debian has them
SYNAPSE = shutil.which("synapse_homeserver")
wanted = pytest.mark.skipif("ASK_FOR_REAL" not in os.environ, reason="`make recipes` asks the software itself")


def there(what: object, install: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not what, reason=f"not installed here: {install}")


class Recipe:
    """An example, copied and changed as its first lines say, with a token."""

    def __init__(self, name: str, token: str, *changes: tuple[str, str]) -> None:
        text = (EXAMPLES / f"{name}.toml").read_text("utf-8")
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        self.told: Mapping[str, Any] = {**tomllib.loads(text), **({"token": token} if token else {})}

    def engine(self) -> AbstractAsyncContextManager[Engine]:
        settings = {"sources": {"it": dict(self.told)}, "search": {"budget": 30.0}, "ranking": {"semantic": "off"}}
        return open_engine(settings, environment={})

    async def account(self) -> str:
        source = JsonApiSource("it", source_settings("it", self.told)[1])
        try:
            return (await source.probe(Call())).account
        finally:
            await source.aclose()

    async def directory(self) -> SourceDirectory:
        source = JsonApiSource("it", source_settings("it", self.told)[1])
        try:
            return await source.directory(Call())
        finally:
            await source.aclose()


async def asked(engine: Engine, question: str) -> Answer:
    return await engine.search(Ask(question, datetime.now(UTC)))


def texts(answer: Answer) -> list[str]:
    assert [each.status for each in answer.outcomes] == ["ok"], answer.outcomes
    return [each.hit.snippet for each in answer.results]


@asynccontextmanager
async def running(*command: str | Path, ready: str, **options: Any) -> AsyncIterator[None]:
    """A server of somebody else's, until what it answers at ``ready`` is no error."""
    process = await asyncio.create_subprocess_exec(*map(str, command), start_new_session=True, **options)
    try:
        async with aiohttp.ClientSession() as session, asyncio.timeout(HANGING):
            while True:
                assert process.returncode is None, "it ended"
                try:
                    async with session.get(ready) as reply:
                        if reply.status < 400:
                            break
                except aiohttp.ClientError:
                    pass
                await asyncio.sleep(0.3)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


HOMESERVER = """
server_name: pretend.test
listeners: [{{port: {port}, bind_addresses: [127.0.0.1], type: http, resources: [{{names: [client]}}]}}]
database: {{name: psycopg2, allow_unsafe_locale: true, args: {{dsn: "{database}"}}}}
media_store_path: {folder}/media
signing_key_path: {folder}/signing.key
log_config: {folder}/log.yaml
macaroon_secret_key: pretend-secret
form_secret: pretend-secret
report_stats: false
suppress_key_server_warning: true
trusted_key_servers: []
enable_registration: true
enable_registration_without_verification: true
user_directory: {{search_all_users: true}}
"""


@wanted
@there(SYNAPSE, "pip install matrix-synapse psycopg2-binary, and its bin on PATH")
async def test_matrix(tmp_path: Path, empty_url: str) -> None:
    port = free_port()
    (tmp_path / "homeserver.yaml").write_text(
        HOMESERVER.format(port=port, database=empty_url, folder=tmp_path), "utf-8"
    )
    (tmp_path / "log.yaml").write_text("version: 1\nroot: {level: ERROR}\n", "utf-8")
    here = f"http://127.0.0.1:{port}/_matrix/client/"
    assert SYNAPSE is not None
    python = Path(SYNAPSE).with_name("python")
    start = [python, "-m", "synapse.app.homeserver", "-c", tmp_path / "homeserver.yaml"]
    made = await asyncio.create_subprocess_exec(*map(str, start), "--generate-keys")
    assert await made.wait() == 0
    async with running(*start, ready=f"{here}versions"), aiohttp.ClientSession(f"{here}v3/") as session:

        async def said(method: str, path: str, body: object, token: str = "") -> Any:
            headers = {"authorization": f"Bearer {token}"} if token else {}
            async with session.request(method, path, json=body, headers=headers) as reply:
                assert reply.status == 200, await reply.text()
                return await reply.json()

        async def comes(name: str, shown: str) -> str:
            registered = {"username": name, "password": "pretend-password", "auth": {"type": "m.login.dummy"}}
            token: str = (await said("POST", "register", registered))["access_token"]
            await said("PUT", f"profile/@{name}:pretend.test/displayname", {"displayname": shown}, token)
            return token

        minsu, jane = await comes("minsu", "김민수"), await comes("jane", "Jane Doe")
        invites = {"preset": "private_chat", "invite": ["@jane:pretend.test"]}
        space = (await said("POST", "createRoom", {"creation_content": {"type": "m.space"}, **invites}, minsu))[
            "room_id"
        ]
        await said("POST", f"join/{quote(space)}", {}, jane)
        rooms = {}
        for name in ("Payments", "여행"):
            room = rooms[name] = (await said("POST", "createRoom", {"name": name, **invites}, minsu))["room_id"]
            await said("POST", f"join/{quote(room)}", {}, jane)
            child = f"rooms/{quote(space)}/state/m.space.child/{quote(room)}"
            await said("PUT", child, {"via": ["pretend.test"]}, minsu)
        written = (
            (minsu, "Payments", "We deploy the payment gateway on Thursday"),
            (jane, "Payments", "Deploying the gateway moved to Friday"),
            (jane, "여행", "결제 게이트웨이 배포 일정은 금요일입니다"),
        )
        for number, (who, place, text) in enumerate(written):
            event = {"msgtype": "m.text", "body": text}
            await said("PUT", f"rooms/{quote(rooms[place])}/send/m.room.message/{number}", event, who)
        changes = (("https://matrix.example", f"http://127.0.0.1:{port}"), ("SPACE_ID", space))
        recipe = Recipe("matrix", minsu, *changes)
        known = await recipe.directory()
        assert {each.name: each.native_id for each in known.people} == {
            "김민수": "@minsu:pretend.test", "Jane Doe": "@jane:pretend.test",
        }  # fmt: skip
        assert {each.name: each.native_id for each in known.containers} == rooms
        first, second, third = (text for _, _, text in written)
        async with recipe.engine() as engine:
            answer = await asked(engine, "deploy gateway")
            assert set(texts(answer)) == {first, second, third}  # the third by its words in Korean
            hit = next(each.hit for each in answer.results if each.hit.snippet == first)
            assert (str(hit.author), str(hit.container), hit.created and hit.created.year) == (
                "김민수", "Payments", datetime.now(UTC).year,
            )  # fmt: skip
            assert hit.url.startswith(f"https://matrix.to/#/{quote(rooms['Payments'], safe='')}/")
            assert texts(await asked(engine, "결제 게이트웨이 배포 일정"))[0] == third
            assert set(texts(await asked(engine, "from:Jane gateway"))) == {second, third}
            assert texts(await asked(engine, "from:김민수 gateway")) == [first]
            assert texts(await asked(engine, "in:여행 배포"))[0] == third
        assert await recipe.account() == "@minsu:pretend.test"
        async with Recipe("matrix", "syt_wrong", *changes).engine() as engine:
            (denied,) = (await asked(engine, "deploy gateway")).outcomes
            assert (denied.status, "token" in str(denied.problem).lower()) == ("denied", True), denied


FILLING = """
Redmine::DefaultData::Loader.load("en")
Setting.rest_api_enabled = "1"
author = User.find_by_login("admin")
author.update!(must_change_passwd: false)
project = Project.create!(name: "Payments", identifier: "payments", enabled_module_names: %w[issue_tracking wiki news])
project.trackers = Tracker.all
told = { project: project, tracker: Tracker.first, author: author, priority: IssuePriority.first }
open, done = IssueStatus.find_by(is_closed: false), IssueStatus.find_by(is_closed: true)
Issue.create!(**told, status: open, subject: "Deploy the payment gateway", description: "It is deployed on Thursday.")
Issue.create!(**told, status: done, subject: "결제 게이트웨이 배포", description: "배포는 금요일로 옮겼습니다.")
page = WikiPage.new(wiki: Wiki.find_by(project: project) || Wiki.create!(project: project, start_page: "Wiki"), title: "Schedule")
page.content = WikiContent.new(page: page, author: author, text: "The gateway goes out on *Friday*.")
page.save!
News.create!(project: project, author: author, title: "Gateway moved", description: "The gateway moved to Friday.")
puts "key #{author.api_key}"
"""


@wanted
@there(REDMINE.is_dir() and shutil.which("puma"), "apt-get install redmine redmine-sqlite puma")
async def test_redmine(tmp_path: Path) -> None:
    own = {"RAILS_ENV": "production", "DATABASE_URL": f"sqlite3:{tmp_path}/redmine.sqlite", "SECRET_KEY_BASE": "x" * 64}
    place = {"cwd": REDMINE, "env": {**os.environ, **own}}
    (tmp_path / "filling.rb").write_text(FILLING, "utf-8")
    await said_by("bundle", "exec", "rake", "db:migrate", **place)
    told = await said_by("bundle", "exec", "rails", "runner", tmp_path / "filling.rb", **place)
    here = f"http://127.0.0.1:{free_port()}"
    puma = ("puma", "-e", "production", "-b", here.replace("http", "tcp"), "config.ru")
    changes = ("https://redmine.example", here)
    async with running(*puma, ready=here, **place):
        key = told.rpartition("key ")[2].strip()
        async with Recipe("redmine", key, changes).engine() as engine:
            answer = await asked(engine, "gateway")
            assert {(each.hit.title, each.hit.kind.value, each.hit.state) for each in answer.results} >= {
                ("Bug #1 (New): Deploy the payment gateway", "issue", State.OPEN),
                ("Bug #2 (Closed): 결제 게이트웨이 배포", "issue", State.DONE),  # by its word in Korean
                ("Wiki: Schedule", "page", None),
                ("Gateway moved", "page", None),
            }
            urls = {each.hit.url for each in answer.results}
            assert {f"{here}/issues/1", f"{here}/projects/payments/wiki/Schedule"} <= urls
            assert texts(await asked(engine, "결제 게이트웨이 배포"))[0] == "배포는 금요일로 옮겼습니다."
        assert await Recipe("redmine", key, changes).account() == "admin"
        with pytest.raises(Unauthenticated):  # though a search by it finds what is public
            await Recipe("redmine", "wrong", changes).account()


PAGES = {
    "Deploy schedule": "The '''gateway''' goes out on [[Friday]].",
    "배포 일정": "'''결제 게이트웨이''' 배포는 [[금요일]]로 옮겼습니다.",
}


@wanted
@there(WIKI.is_dir() and shutil.which("php"), "apt-get install mediawiki php-cli php-sqlite3")
async def test_mediawiki(tmp_path: Path) -> None:
    here = f"http://127.0.0.1:{(port := free_port())}"
    place = {"env": {**os.environ, "MW_CONFIG_FILE": str(tmp_path / "LocalSettings.php")}}
    made = (
        "--dbtype",
        "sqlite",
        "--dbpath",
        tmp_path / "data",
        "--confpath",
        tmp_path,
        "--scriptpath",
        "",
        "--server",
        here,
    )
    await said_by("php", WIKI / "maintenance/install.php", *made, "--pass", "pretend-password", "Wiki", "admin")
    for title, text in PAGES.items():
        (tmp_path / "text").write_text(text, "utf-8")
        with (tmp_path / "text").open("rb") as typed:
            await said_by("php", WIKI / "maintenance/edit.php", "--summary", "x", title, stdin=typed, **place)
    async with (
        running("php", "-S", f"127.0.0.1:{port}", "-t", WIKI, ready=f"{here}/api.php", **place),
        Recipe("mediawiki", "", ("https://wiki.example/w", here)).engine() as engine,
    ):
        answer = await asked(engine, "gateway")  # which stands in the text, and in no title
        found = {each.hit.title: each.hit for each in answer.results}
        assert found.keys() == PAGES.keys()  # the other by its word in Korean
        assert (found["Deploy schedule"].snippet, str(found["Deploy schedule"].author)) == (
            "The gateway goes out on Friday.", "Maintenance script",
        )  # fmt: skip
        async with aiohttp.ClientSession() as browser, browser.get(found["배포 일정"].url) as page:
            assert "배포 일정" in await page.text()
        assert texts(await asked(engine, "게이트웨이 배포"))[0] == "결제 게이트웨이 배포는 금요일로 옮겼습니다."


async def said_by(*command: str | Path, **options: Any) -> str:
    """What a command of somebody else's wrote, which must do what it is to do."""
    done = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, **options
    )
    said, _ = await done.communicate()
    assert done.returncode == 0, said.decode()
    return said.decode()
