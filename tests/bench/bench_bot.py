"""How soon the bot acknowledges, shows something and has answered, when fifty people ask at once.

The bot is a process of its own (``fedsearch bot``); Slack and the sources run in this one. Each question is in a thread of
its own and asked by one of 20 people. The floor is a server that answers the same signed requests and does nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager

from aiohttp import web

from orchestrator.sandbox import Sandbox, default_corpus
from tests.pretend.slack import LiveSlack
from tests.pretend.slack.deliveries import Deliveries

AT_ONCE = 50
ROUNDS = 6
QUESTIONS = (
    "What did we decide about the API migration?",
    "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
    "Where is the runbook for webhook-relay?",
    "연차 이월 규정이 어떻게 되나요?",
    "who is working on the Okta rollout",
)


@contextmanager
def bot(slack, sandbox, transport, folder):
    """``fedsearch bot`` before this Slack; where it hears, and its process."""
    environment = {
        **os.environ,
        "FEDSEARCH_CONFIG": "",
        "FEDSEARCH_DATA_DIR": folder,
        "FEDSEARCH_CACHE__RESULTS": "0",
        "FEDSEARCH_RANKING__SEMANTIC": "off",
        "FEDSEARCH_BOT__BASE_URL": slack.base_url,
        "FEDSEARCH_BOT__TRANSPORT": transport,
        "FEDSEARCH_BOT__TOKEN": slack.bot_token,
        "FEDSEARCH_BOT__APP_TOKEN": slack.app_token,
        "FEDSEARCH_BOT__SIGNING_SECRET": slack.signing_secret,
        "FEDSEARCH_BOT__OPEN": "notion",
    }
    for name, end in sandbox.endpoints.items():
        prefix = f"FEDSEARCH_SOURCES__{name.upper()}__"
        environment |= {prefix + "BASE_URL": end.base_url, prefix + "TOKEN": end.token, prefix + "RATE": "1000000"}
    command = [sys.executable, "-c", "from orchestrator.main import run; run()", "bot", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    told = ""
    while "hears by" not in told:
        told = process.stderr.readline()
        if not told:
            raise RuntimeError("the bot does not start")
    threading.Thread(target=process.stderr.read, daemon=True).start()
    try:
        yield re.search(r"hears by (\S+)", told)[1], process
    finally:
        process.terminate()
        process.wait(20)


async def asked_at_once(slack, users, channel, number):
    """One round: seconds of each acknowledgement, of each first message, and until all were answered."""
    before, started = len(slack.life.posts), time.perf_counter()
    mention = f"<@{slack.bot_user}> "

    async def one(n):
        ts = slack.life.stamp()
        event = {"type": "app_mention", "user": users[n % len(users)], "ts": ts, "event_ts": ts, "channel": channel}
        text = f"{mention}{QUESTIONS[n % len(QUESTIONS)]} {number}{n:02d}"
        return await slack.deliveries.event(slack.wrapped({**event, "text": text}))

    delivered = await asyncio.gather(*(one(n) for n in range(AT_ONCE)))
    assert all(each.status == 200 and not each.repeated for each in delivered)

    def new():
        return [post for post in slack.life.posts[before:] if not post.only]

    def is_done(post):
        return any(block["type"] == "actions" for block in post.shown["blocks"])

    async with asyncio.timeout(120):
        while len(new()) < AT_ONCE or not all(map(is_done, new())):  # noqa: ASYNC110 - the bot tells nobody
            await asyncio.sleep(0.02)
    first = [post.at[0] - started for post in new()]
    useful = [post.at[1] - started for post in new()]
    found = sum('"link"' in json.dumps(post.shown) for post in new())
    return [each.seconds for each in delivered], first, useful, time.perf_counter() - started, found


def told(name, seconds):
    """Milliseconds in the middle, at the 99th percentile, and the worst."""
    ordered = sorted(seconds)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(
        f"{name:34} p50 {statistics.median(ordered) * 1e3:7.1f}   p99 {p99 * 1e3:7.1f}   max {ordered[-1] * 1e3:7.1f} ms"
    )


async def floor():
    """The same requests, at once, to a server in this process that does nothing."""
    app = web.Application()
    app.router.add_post("/", lambda _: asyncio.sleep(0, web.Response()))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    deliveries = Deliveries("secret")
    deliveries.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    seconds = []
    for _ in range(ROUNDS):
        sent = await asyncio.gather(*(deliveries.event({"event": n}) for n in range(AT_ONCE)))
        seconds += [each.seconds for each in sent]
    await runner.cleanup()
    told("acknowledged by a bare server", seconds)


async def measured(transport):
    """A few rounds by one transport."""
    corpus = default_corpus()
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(corpus, sources=["slack", "notion"]) as sandbox, LiveSlack(corpus) as slack:
            channel = slack.life.channel_called("general")
            slack.life.invite(channel, slack.bot_user)
            users = sorted(slack.life.workspace.members)[:20]
            loop = asyncio.get_running_loop()
            opening = bot(slack, sandbox, transport, folder)
            address, _ = await loop.run_in_executor(None, opening.__enter__)
            try:
                if transport == "http":
                    slack.deliveries.request_url = address
                await asked_at_once(slack, users, channel, "warm")
                rounds = [await asked_at_once(slack, users, channel, n) for n in range(ROUNDS)]
            finally:
                await loop.run_in_executor(None, opening.__exit__, None, None, None)
    for name, which in (("acknowledged", 0), ("first message in the thread", 1), ("first edit, mostly the answer", 2)):
        told(f"{transport}: {name}", [seconds for each in rounds for seconds in each[which]])
    whole = statistics.median(each[3] for each in rounds)
    found = sum(each[4] for each in rounds)
    print(
        f"{transport}: {AT_ONCE} questions answered in {whole:.2f} s (median of {ROUNDS} rounds), {found} of {AT_ONCE * ROUNDS} with results"
    )


def main():
    """Both transports."""
    print(
        f"{AT_ONCE} questions at once, {ROUNDS} rounds; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    asyncio.run(floor())
    for transport in ("http", "socket"):
        asyncio.run(measured(transport))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"the bot's processes: {(used.ru_utime + used.ru_stime) / (2 * (ROUNDS + 1) * AT_ONCE) * 1e3:.0f} ms of CPU a question, start included; {used.ru_maxrss / 1024:.0f} MB at most"
    )


if __name__ == "__main__":
    main()
