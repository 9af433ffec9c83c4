"""``make newcomer``: what somebody new does, from an empty environment and the wheel alone to answers, timed and written down in docs/how-to/from-nothing.md.

The vendors, the identity provider and Slack are those of the sandbox and the tests, over real sockets; everything that is said stands there as the program said it.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from orchestrator.sandbox import Sandbox, default_corpus
from tests.clock import HANGING
from tests.e2e.bot_workplace import read
from tests.e2e.chromium import chromium, reading
from tests.e2e.identity_provider import CLIENT, SECRET, identity_provider
from tests.e2e.test_init import at_terminal, google, living_at, pointed_at
from tests.e2e.test_mcp_sign_in import signing_in
from tests.ports import free_port
from tests.pretend.slack import LiveSlack

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "how-to" / "from-nothing.md"
PICTURES = ROOT / "docs" / "images"
LINES = 26  # of what one command said, that are shown
NOTES = {
    "vpn.md": "# VPN\n\n재택근무를 하려면 IT 포털에서 VPN 계정을 신청합니다. 승인에는 하루가 걸립니다.\n",
    "travel.md": "# Travel policy\n\nFlights under six hours are booked in economy. Receipts are handed in within 14 days.\n",
}
OKTA = "status of the Okta rollout"
TOML = """[oidc]
issuer = "{issuer}"
client_id = "{client}"
audience = "{here}/mcp"              # what agents' tokens are for

[accounts]
address = "{here}"
"""
HEAD = """# From nothing to answers, as it went

What somebody new does and reads, from an empty environment and the wheel alone: written by `make newcomer`, which fails where an answer fails to come. {when}, Python {python}, {cores} cores. What stands after
`$` was typed, the rest was said; times are those of the machine, without reading and typing. Vendors, identity provider and Slack are pretend ones on the same machine, over real sockets ([the sandbox](../reference/sandbox.md)): the environment
says where they are, and nothing else.

| | goal | took | of the processor | load of the machine meanwhile |
|---|---|---|---|---|
{table}

| | | |
|---|---|---|
| ![Notion is tried with a question before it is kept](../images/newcomer-setup-en.png) | ![Minji is answered](../images/newcomer-answer-en.png) | ![Boram is answered, in Korean](../images/newcomer-answer-ko.png) |

"""


class Newcomer:
    """Somebody with an empty home. ``story``: what they typed and what they were told; ``seconds``: how long they waited."""

    def __init__(self, home: Path, wheel: Path, extras: str) -> None:
        self.home, self._wheel, self._extras = home, wheel, extras
        home.chmod(0o755)  # so that the database of a root lies here too, and nothing is left elsewhere
        self.story: list[str] = []
        self.began = time.monotonic()
        self.program = str(home / "env" / "bin" / "fedsearch")
        self.env = living_at(home, COLUMNS="110", PIP_DISABLE_PIP_VERSION_CHECK="1")
        self.env["PATH"] = f"{home / 'env' / 'bin'}:{self.env['PATH']}"

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def arrives(self) -> None:
        """An environment with the wheel in it."""
        self.types(f"python{sys.version_info.major}.{sys.version_info.minor} -m venv env")
        shown = f"env/bin/pip install -q '{self._wheel.name}[{self._extras}]'"
        self.types(shown, command=["env/bin/pip", "install", "-q", f"{self._wheel}[{self._extras}]"])

    def types(self, line: str, *, command: list[str] | None = None) -> str:
        """What a command said. It must do what it is to do."""
        self.story += ["", f"$ {line}"]
        start = time.monotonic()
        done = subprocess.run(
            command or ["sh", "-c", line],
            cwd=self.home,
            env=self.env,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        said = done.stdout + done.stderr
        if done.returncode:
            raise SystemExit(f"{line}: {done.returncode}\n{said}")
        self.hears(said)
        self.story.append(f"                                            ({time.monotonic() - start:.1f} s)")
        return said

    def hears(self, said: str) -> None:
        """Put down what was said, without what only this machine has."""
        said = said.replace(str(self.home), "~").strip()
        lines = [line[:170].rstrip() for line in said.splitlines() if not line.startswith("WARNING: ")]  # pip's
        self.story += lines[:LINES] + (["…"] if len(lines) > LINES else [])

    def sees(self, what: str) -> None:
        """Put down what happened in a browser or in Slack."""
        self.story += ["", f"({self.seconds:.0f} s) {what}"]


def own_files(person: Newcomer) -> None:
    """A first cited answer out of one's own files."""
    (person.home / "notes").mkdir()
    for name, text in NOTES.items():
        (person.home / "notes" / name).write_text(text, "utf-8")
    person.arrives()
    person.types("fedsearch index add notes")
    said = person.types("fedsearch search 'VPN 계정은 어디서 신청하나요?'")
    if "[1]" not in said or "IT 포털" not in said:
        raise SystemExit(f"no cited answer:\n{said}")


async def google_account(person: Newcomer) -> None:
    """A first cited answer out of a pretend Google account, allowed in a browser."""
    async with Sandbox(default_corpus(), sources=["gmail", "drive"]) as sandbox, google(sandbox) as (server, at):
        person.arrives()
        person.story += ["", "$ fedsearch init"]
        told = {**pointed_at(sandbox), **at}
        async with at_terminal(person.home, program=person.program, **told) as screen:
            await screen.reads("Number or name: ")
            screen.types("Google")
            await screen.reads("takes all: ")
            screen.types("1, 2")
            await screen.reads("Client ID of the application: ")
            screen.types(server.client_id)
            await screen.reads("that is there): ")
            screen.types(server.client_secret)
            shown = await screen.reads("press Enter.")
            async with aiohttp.ClientSession() as browser:
                address = re.search(r"http://127\.0\.0\.1:\d+/authorize\?\S+", shown)[0]
                async with browser.get(html.unescape(address)) as back:
                    if back.status != 200:
                        raise SystemExit(await back.text())
            await screen.reads("Enter goes on without: ")
            screen.types(OKTA)
            answer = await screen.reads("Number or name: ")
            screen.types("")
            await screen.leaves()
        if "[1]" not in answer:
            raise SystemExit(f"no cited answer:\n{answer}")
        said = re.sub(r"(authorize\?\S{20})\S+", r"\1…", screen.said.replace("\r", ""))
        person.story += [line.rstrip() for line in said.replace(str(person.home), "~").splitlines()]


async def team(person: Newcomer) -> None:
    """A server whose people sign in elsewhere, two of them, a source set up on a page, the bot, and an agent."""
    corpus = default_corpus()
    async with (
        identity_provider() as provider,
        Sandbox(corpus, sources=["notion"]) as sandbox,
        LiveSlack(corpus) as slack,
        chromium() as browser,
    ):
        here = f"http://127.0.0.1:{(port := free_port())}"
        person.arrives()
        settings = person.home / "config" / "fedsearch" / "fedsearch.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(TOML.format(issuer=provider.url, client=CLIENT, here=here), "utf-8")
        person.types("cat config/fedsearch/fedsearch.toml")
        person.env |= {**pointed_at(sandbox), "FEDSEARCH_OIDC__CLIENT_SECRET": SECRET}
        async with started(person, f"fedsearch serve --port {port}", "schedules"):
            person.types("fedsearch roles give person:minji@acme.example --scope admin")
            await two_people(person, provider, browser, here, sandbox.endpoints["notion"].token)
            await the_bot(person, slack)
            await an_agent(person, provider, here)


async def two_people(person: Newcomer, provider: object, browser: Browser, here: str, token: str) -> None:
    """Minji sets Notion up without a file and asks; Boram signs in, in Korean, and asks too."""
    provider.person = {"sub": "u-17", "name": "Minji", "email": "minji@acme.example", "email_verified": True}
    wide = {"viewport": {"width": 1100, "height": 900}, "reduced_motion": "reduce"}
    async with reading(browser, here, locale="en-GB", **wide) as (page, _):
        await page.goto("/setup/notion")
        await page.click("a[href^='/sign-in/provider']")
        await page.wait_for_selector("input[name='secret']")
        person.sees("Minji opens /setup/notion, signs in at the identity provider, and is back there.")
        await page.fill("input[name='secret']", token)
        await page.fill("input[name='question']", OKTA)
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".found")
        person.sees(f"She pastes a token, asks “{OKTA}” to try it, and sees what Notion has.")
        await page.screenshot(path=PICTURES / "newcomer-setup-en.png")
        await page.click("#keep")
        await page.wait_for_selector("[role='status']")
        person.sees((await page.text_content("[role='status']") or "").strip())
        await page.goto(f"/?question={OKTA.replace(' ', '+')}")
        await page.wait_for_selector(".hit")
        person.sees("She asks, and is answered with citations.")
        await page.screenshot(path=PICTURES / "newcomer-answer-en.png")
    provider.person = {"sub": "u-18", "name": "보람", "email": "boram@acme.example", "email_verified": True}
    async with reading(browser, here, locale="ko-KR", **wide) as (page, _):
        await page.goto("/?question=Okta+전환+어디까지+됐어요?")
        await page.click("a[href^='/sign-in/provider']")
        await page.wait_for_selector(".hit")
        person.sees("보람 asks in Korean at once, is led to sign in, and comes back to the answer of that question.")
        await page.screenshot(path=PICTURES / "newcomer-answer-ko.png")


async def the_bot(person: Newcomer, slack: LiveSlack) -> None:
    """The app by its manifest, its tokens, and an answer in a channel."""
    said = person.types("fedsearch bot manifest | head -12")
    if "https://api.slack.com/apps?new_app=1" not in said and "display_information" not in said:
        raise SystemExit(said)
    told = {"TOKEN": slack.bot_token, "APP_TOKEN": slack.app_token, "OPEN": "notion", "BASE_URL": slack.base_url}
    person.env |= {f"FEDSEARCH_BOT__{name}": value for name, value in told.items()}
    async with started(person, "fedsearch bot", "hears by"):
        life = slack.life
        channel, asker = life.channel_called("platform"), life.id_of("minsu.kim")
        life.invite(channel, slack.bot_user, asker)
        await slack.say(asker, channel, f"<@{slack.bot_user}> {OKTA}")
        async with asyncio.timeout(HANGING):
            while not any("[1]" in read(each) or "1." in read(each) for each in life.posts):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.1)
        person.sees(f"minsu.kim in #platform: @fedsearch {OKTA}")
        await asyncio.sleep(1)
        person.hears("\n".join(f"  | {line}" for line in read(life.posts[0], links=False).splitlines()))


async def an_agent(person: Newcomer, provider: object, here: str) -> None:
    """The official SDK's client signs its person in and searches."""
    async with (
        httpx2.AsyncClient(auth=signing_in(f"{here}/mcp"), trust_env=False, timeout=HANGING) as http,
        Client(streamable_http_client(f"{here}/mcp", http_client=http)) as client,
    ):
        reply = await client.call_tool("search", {"query": OKTA})
        found = (reply.structured_content or {})["results"]
        person.sees(
            f"An agent (the official Python SDK) is given {here}/mcp alone, registers itself with the identity provider, signs its person in and searches: {len(found)} results, the first “{found[0]['title']}”."
        )


@asynccontextmanager
async def started(person: Newcomer, line: str, until: str) -> AsyncIterator[None]:
    """A program that runs on; what it said until then is put down."""
    person.story += ["", f"$ {line} &"]
    process = await asyncio.create_subprocess_exec(
        person.program, *line.split()[1:], cwd=person.home, env=person.env, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    said: list[str] = []

    async def listens() -> None:
        async for each in process.stderr:
            said.append(each.decode())  # noqa: PERF401 - read while it grows

    listening = asyncio.create_task(listens())
    try:
        async with asyncio.timeout(HANGING):
            while not any(until in each for each in said):
                if process.returncode is not None:
                    raise SystemExit("".join(said))
                await asyncio.sleep(0.05)
        person.hears("".join(said))
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        await listening


WAYS = {
    "files": ("Out of one's own files", 2, "korean,index", own_files),
    "google": ("Out of a Google account, allowed in a browser", 5, "korean,google", google_account),
    "team": ("A team's server: sign-in, two people, the bot, an agent", 30, "server,bot,korean", team),
}


def main(*only: str) -> int:
    """Go all ways and write the page, or ``only`` some and print them. Raises ``SystemExit`` where one does not lead to its answer."""
    parts, table = [], []
    with tempfile.TemporaryDirectory() as made:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", made]
        subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (wheel,) = Path(made).glob("*.whl")
        for title, goal, extras, way in (WAYS[name] for name in only or WAYS):
            with tempfile.TemporaryDirectory() as home:
                person, before = Newcomer(Path(home), wheel, extras), processor()
                if (going := way(person)) is not None:
                    asyncio.run(going)
                took, used = person.seconds, processor() - before
            table.append(f"| {title} | {goal} minutes | {took:.0f} s | {used:.0f} s | {os.getloadavg()[1]:.0f} |")
            parts.append(f"## {title}\n\n```\n{chr(10).join(person.story).strip()}\n```\n")
            print(table[-1], flush=True)
    told = {"when": time.strftime("%Y-%m-%d"), "python": sys.version.split()[0], "cores": os.cpu_count()}
    page = HEAD.format(**told, table="\n".join(table)) + "\n".join(parts)
    if only:
        print(page)
    else:
        PAGE.write_text(page, "utf-8")
    return 0


def processor() -> float:
    """Seconds of it that everything which was started and has ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
