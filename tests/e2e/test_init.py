"""``fedsearch init`` as people meet it: a process behind a real terminal, the sandbox where vendors would be."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import signal
import stat
import subprocess
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress

import aiohttp
import pytest
from aiohttp import web

from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.sandbox.service import Service
from tests.clock import HANGING
from tests.e2e import patience
from tests.e2e.program import COLD, ROOT, WARM
from tests.pretend.sign_in_pages import SignInPages

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def living_at(home, **more):
    """The environment of somebody whose home that is, and who has set nothing yet."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FEDSEARCH_", "LC_", "LANG"))}
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data")}
    return {**kept, **own, "LANG": "C.UTF-8", **more}


class Person:
    """Somebody who reads what stands on their terminal and types; ``said`` is all that they have read. ``program``: where it is installed, in place of this repository's."""

    def __init__(self, home, *options, cold=False, program="", **more):
        ours = {} if program else {**patience.COLD, "PYTHONPATH": str(ROOT)}
        self.env = living_at(home, **ours, COLUMNS="100", TERM="dumb", **more)
        if not program:
            self.env["FEDSEARCH_RANKING__SEMANTIC"] = "off"
        self.said = ""
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.chdir(home)
            command = [*([program] if program else COLD if cold else WARM), "init", *options]
            os.execve(command[0], command, self.env)

    def _reads(self, text):
        """Everything up to ``text``, from where they had read to."""
        until, start = time.monotonic() + HANGING, len(self.said)
        while text not in self.said[start:]:
            assert time.monotonic() < until, f"{text!r} was never said in:\n{self.said[start:]}"
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    raw = os.read(self.terminal, 65536)
                except OSError:
                    raw = b""
                assert raw, f"it ended before {text!r} in:\n{self.said[start:]}"
                self.said += ESCAPES.sub("", raw.decode("utf-8", "replace"))
        return self.said[start:]

    async def reads(self, text):
        return await asyncio.to_thread(self._reads, text)

    def types(self, text):
        os.write(self.terminal, f"{text}\r".encode())

    def presses(self, key):
        os.write(self.terminal, key)

    def is_gone(self):
        """Whatever became of it: nothing is left behind."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.terminal)

    async def leaves(self):
        """The exit code, once the process has ended."""

        def ended():
            while True:
                try:
                    raw = os.read(self.terminal, 65536)
                except OSError:
                    break
                if not raw:
                    break
                self.said += ESCAPES.sub("", raw.decode("utf-8", "replace"))
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

        return await asyncio.to_thread(ended)


@asynccontextmanager
async def at_terminal(home, *options, **more):
    person = Person(home, *options, **more)
    try:
        yield person
    finally:
        person.is_gone()


def pointed_at(sandbox):
    """Only where the pretend vendors are; no secret."""
    return {f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL": end.base_url for name, end in sandbox.endpoints.items()}


def files(home):
    """What was kept, by name, with whether anybody else may read it."""
    folder = home / "config" / "fedsearch"
    return {
        path.relative_to(folder).as_posix(): (path.read_text("utf-8"), stat.S_IMODE(path.stat().st_mode) & 0o077)
        for path in folder.rglob("*")
        if path.is_file()
    }


async def test_a_token_is_tried_kept_and_asked_with_a_real_question(tmp_path):
    async with (
        Sandbox(default_corpus(), sources=["slack"]) as sandbox,
        at_terminal(tmp_path, **pointed_at(sandbox)) as person,
    ):
        token = sandbox.endpoints["slack"].token
        list_of = await person.reads("Number or name: ")
        assert all(
            name in list_of
            for name in ("Try it without any account", "Files on this machine", "Atlassian", "Google", "Slack")
        )
        person.types("slack")
        told = await person.reads("is not shown): ")
        assert "https://api.slack.com/apps?new_app=1&manifest_json=" in told
        assert "search:read" in told
        person.types("xoxp-wrong")
        await person.reads("b goes back: ")
        assert files(tmp_path) == {}  # what Slack refuses is not kept
        person.types("")
        await person.reads("is not shown): ")
        person.types(token)
        told = await person.reads("Enter goes on without: ")
        assert "✓ Slack takes it as " in told
        person.types("status of the Okta rollout")
        told = await person.reads("Number or name: ")
        assert "[1]" in told
        assert "connected" in told
        person.types("")
        assert await person.leaves() == 0
        assert token not in person.said
        kept, said = files(tmp_path), re.sub(r"\s+", " ", person.said)
        assert [(name, others) for name, (_, others) in kept.items()] == [("secrets/sources__slack__token.sealed", 0)]
        assert not any(token in text for text, _ in kept.values())
        assert "sealed in ~/config/fedsearch/secrets/sources__slack__token.sealed (encrypted)" in said
        assert "it is ~/data/fedsearch/sealing.key, which only your account" in said
        ask = [*WARM, "search", "status of the Okta rollout", "--no-receipt"]
        done = await asyncio.to_thread(
            subprocess.run, ask, env=person.env, capture_output=True, encoding="utf-8", check=False
        )
        assert (done.returncode, "[1]" in done.stdout) == (0, True), done.stderr


async def test_whoever_leaves_halfway_goes_on_from_there_in_korean_too(tmp_path):
    async with Sandbox(default_corpus(), sources=["jira"]) as sandbox:
        end = sandbox.endpoints["jira"]
        async with at_terminal(tmp_path, cold=True, LC_ALL="ko_KR.UTF-8") as person:
            await person.reads("번호나 이름: ")
            person.types("Jira")
            await person.reads("Enter를 누르면 모두: ")
            person.types("2")
            await person.reads("acme.atlassian.net): ")
            person.types("no address")
            await person.reads("acme.atlassian.net): ")
            person.types(end.base_url)
            await person.reads("메일 주소: ")
            person.presses(b"\x03")
            assert await person.leaves() == 130
            assert "설정한 것은 그대로 남습니다" in person.said
        assert {name: tomllib.loads(text) for name, (text, _) in files(tmp_path).items()} == {
            "sources.d/jira.toml": {"base_url": end.base_url}
        }
        async with at_terminal(tmp_path, "--language", "ko") as person:
            assert "설정 중: 토큰이 없습니다" in await person.reads("번호나 이름: ")
            person.types("atlassian")
            await person.reads("Enter를 누르면 모두: ")
            person.types("2")
            await person.reads(f"[{end.base_url}]: ")
            person.types("")
            await person.reads("메일 주소: ")
            jira = sandbox._emulators["jira"]
            person.types(jira._site.viewer.email)
            await person.reads("보이지 않습니다): ")
            person.types(jira.tokens[1])
            await person.reads("건너뛰려면 Enter: ")
            person.presses(b"\x04")
            assert await person.leaves() == 0
        assert files(tmp_path).keys() == {"sources.d/jira.toml", "secrets/sources__jira__token.sealed"}


async def test_without_any_account_there_is_a_cited_answer(tmp_path):
    async with at_terminal(tmp_path) as person:
        began = time.monotonic()
        await person.reads("Number or name: ")
        person.types("1")
        await person.reads("start date]: ")
        person.types("")
        told = await person.reads("Number or name: ")
        assert "1 January 2027" in told
        assert re.search(r"\[\d\]", told)
        print(f"a cited answer after {time.monotonic() - began:.0f} s")
        person.types("")
        assert await person.leaves() == 0
        assert 'fedsearch search "your question"' in person.said
    assert files(tmp_path) == {}


async def test_files_are_a_source_and_say_what_to_ask(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "deploy.md").write_text("# Deploy schedule\n\nWe deploy on Friday.", "utf-8")
    async with at_terminal(tmp_path, FEDSEARCH_INDEX__EMBEDDER__MODEL="none") as person:
        await person.reads("Number or name: ")
        person.types("9999")
        await person.reads("Number or name: ")
        person.types("2")
        await person.reads("Folder or file: ")
        person.types("nowhere")
        assert "nowhere is not there" in await person.reads("Number or name: ")
        person.types("2")
        await person.reads("Folder or file: ")
        person.types("~/notes")
        assert "fedsearch search 'where is the document Deploy schedule?'" in await person.reads("Number or name: ")
        person.types("")
        assert await person.leaves() == 0


class Signed:
    """What a vendor's API takes: its fixed tokens, and those that its sign-in service has given out."""

    def __init__(self, fixed, server):
        self.fixed, self.server = fixed, server

    def __getitem__(self, place):
        return self.fixed[place]

    def __contains__(self, token):
        return token in self.fixed or token in self.server._tokens


@asynccontextmanager
async def google(sandbox):
    """Google's sign-in service for a pretend Gmail and Drive, and the settings that lead there."""
    from datetime import UTC, datetime

    pages = SignInPages("google", lambda: datetime.now(UTC))
    for emulator in sandbox._emulators.values():
        emulator.tokens = Signed(emulator.tokens, pages.server)
    with ThreadPoolExecutor(1) as pool:
        runner = web.ServerRunner(Service(pages, pool, asyncio.Event(), lambda _: None).server(), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        at = f"http://127.0.0.1:{runner.addresses[0][1]}"
        told = {"AUTHORIZE_URL": f"{at}/authorize", "TOKEN_URL": f"{at}/token"}
        settings = {
            f"FEDSEARCH_SOURCES__{kind}__APPLICATION__{name}": url
            for kind in ("GMAIL", "DRIVE")
            for name, url in told.items()
        }
        try:
            yield pages.server, settings
        finally:
            await runner.cleanup()


@pytest.mark.parametrize("pastes", [False, True], ids=["on this machine", "on another machine"])
async def test_a_browser_signs_in_to_two_sources_at_once(tmp_path, pastes):
    async with Sandbox(default_corpus(), sources=["gmail", "drive"]) as sandbox, google(sandbox) as (server, at):
        secret = server.client_secret
        async with at_terminal(tmp_path, **pointed_at(sandbox), **at) as person:
            await person.reads("Number or name: ")
            person.types("Google")
            await person.reads("takes all: ")
            person.types("1, 2")
            told = await person.reads("Client ID of the application: ")
            assert "https://console.cloud.google.com/auth/clients/create" in told
            person.types(server.client_id)
            await person.reads("that is there): ")
            person.types(secret)
            shown = await person.reads("press Enter.")
            address = re.search(r"http://127\.0\.0\.1:\d+/authorize\?\S+", shown)[0]
            async with aiohttp.ClientSession() as browser:
                async with browser.get(address, allow_redirects=False) as sent:
                    back = sent.headers["location"]
                if pastes:
                    person.types("http://127.0.0.1:1/accounts/gmail/callback?code=stolen&state=other")
                    person.types(back)
                else:
                    stranger = re.sub(r"state=[^&]+", "state=other", back)
                    async with browser.get(stranger) as refused:
                        assert refused.status == 400
                    async with browser.get(back) as taken:
                        assert "터미널로 돌아가세요" in await taken.text()
            told = await person.reads("Enter goes on without: ")
            assert all(f"✓ {name} takes it" in told for name in ("Gmail", "Google Drive"))
            person.types("status of the Okta rollout")
            assert "[1]" in await person.reads("Number or name: ")
            person.types("")
            assert await person.leaves() == 0
        assert secret not in person.said
        kept = files(tmp_path)
        assert {name for name, (_, others) in kept.items() if not others} == kept.keys()
        assert {name for name in kept if name.startswith("secrets/")} == {
            f"secrets/sources__{kind}__{name}.sealed"
            for kind in ("drive", "gmail")
            for name in ("application__client_secret", "oauth__client_secret", "oauth__refresh_token")
        }
        ask = [*WARM, "sources", "--json"]
        done = await asyncio.to_thread(
            subprocess.run, ask, env=person.env, capture_output=True, encoding="utf-8", check=False
        )
        assert (done.returncode, done.stdout.count('"ok"')) == (0, 2), done.stdout + done.stderr


def test_what_is_no_terminal_is_told_so(tmp_path):
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*WARM, "init"], env=env, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, "needs a terminal" in done.stderr) == (2, True)
