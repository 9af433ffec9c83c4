"""What a bot remembers outlives it and is shared: killed and started again, two at once, the store lost and found."""

import asyncio
import json
import re
from contextlib import asynccontextmanager

import asyncpg
import pytest

from orchestrator.dialogue import turn_from
from orchestrator.model import DialogueTurn
from orchestrator.sandbox import Sandbox, default_corpus, parse_fault
from orchestrator.surfaces.bot import kept
from orchestrator.surfaces.bot.kept import DatabaseMemory
from orchestrator.surfaces.bot.platform import ChatLocation, Posted
from storage.database import Database
from tests.clock import HANGING
from tests.e2e.bot_process import environment, running
from tests.e2e.bot_workplace import read, workplace
from tests.pretend.slack import LiveSlack

CORPUS = default_corpus()
KO, EN = "API 마이그레이션 일정에 대해 무엇을 결정했나요?", "What did we decide about the API migration?"
API, MAIL = DialogueTurn("API", ("a",), ("b",)), DialogueTurn("mail")
HERE, THERE = ChatLocation("T1", "C1", "1.1"), ChatLocation("T1", "C1", "2.2")


@asynccontextmanager
async def memory(url, **more):
    made = DatabaseMemory(Database(url, 2), asyncio.get_running_loop().time, **more)
    await made.open()
    try:
        yield made
    finally:
        await made.aclose()


async def said(url, statement):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(statement)
    finally:
        await connection.close()


async def until(happened, seconds=HANGING):
    async with asyncio.timeout(seconds):
        while not happened():  # noqa: ASYNC110 - the bot tells nobody
            await asyncio.sleep(0.02)


@asynccontextmanager
async def killable(index_url, tmp_path, *faults):
    """A living Slack and sources that outlive the bots before them."""
    async with (
        Sandbox(CORPUS, sources=["slack", "notion"], faults=dict(map(parse_fault, faults))) as sandbox,
        LiveSlack(CORPUS) as slack,
    ):
        slack.user = slack.life.id_of("minsu.kim")
        slack.channel = slack.life.channel_called("platform")
        slack.life.invite(slack.channel, slack.bot_user)
        yield slack, environment(slack, sandbox, index_url, tmp_path)


def is_whole(slack, count):
    posts = slack.life.posts
    return len(posts) == count and any(block["type"] == "actions" for block in posts[-1].shown["blocks"])


@pytest.mark.parametrize(
    ("first", "then", "taken"),
    [
        (KO, "그건 누가 정했어?", "API 마이그레이션 누가 정했어?"),
        (EN, "who decided that?", "API migration who decided that?"),
    ],
)
async def test_killed_between_question_and_follow_up_it_goes_on(tmp_path, index_url, first, then, taken):
    async with killable(index_url, tmp_path) as (slack, env):
        async with running(env) as (process, slack.deliveries.request_url):
            ts, _ = await slack.say(slack.user, slack.channel, f"<@{slack.bot_user}> {first}")
            await until(lambda: is_whole(slack, 1))
            process.kill()
            await process.wait()
        async with running(env) as (_, slack.deliveries.request_url):
            await slack.say(slack.user, slack.channel, then, thread=ts)
            await until(lambda: is_whole(slack, 2))
            assert taken in read(slack.life.posts[-1])
            await slack.press(slack.user, slack.life.posts[0], "fedsearch.wider")
            await until(lambda: is_whole(slack, 3))
    rows = await said(index_url, "SELECT * FROM bot_threads")
    kept_words = json.dumps([dict(row) for row in rows], default=str, ensure_ascii=False)
    turns = [turn_from(row["subject"]) for row in rows]
    assert {each.text for each in turns} <= {first, taken}
    assert all(re.fullmatch(r"[\w-]{8}", digest) for each in turns for digest in each.led)
    assert slack.channel not in kept_words
    assert slack.user not in kept_words


async def test_two_processes_never_answer_one_event_twice(tmp_path, index_url):
    async with killable(index_url, tmp_path) as (slack, env), running(env) as (_, one), running(env) as (_, other):
        bodies = []
        for n in range(6):
            ts = slack.life.stamp()
            event = {"type": "app_mention", "user": slack.user, "channel": slack.channel, "ts": ts, "event_ts": ts}
            bodies.append(slack.wrapped({**event, "text": f"<@{slack.bot_user}> {EN} ({n})"}))
        for address in (one, other):  # each event to both, all at once
            slack.deliveries.request_url = address
            delivered = await asyncio.gather(*map(slack.deliveries.event, bodies))
            assert {each.status for each in delivered} == {200}
        await until(lambda: is_whole(slack, 6))
        await asyncio.sleep(0.5)
        assert len(slack.life.posts) == 6


async def test_an_answer_that_was_broken_off_says_so_after_a_while(tmp_path, index_url, monkeypatch):
    async with killable(index_url, tmp_path, "slack=delay:2", "notion=delay:2") as (slack, env):
        async with running(env) as (process, slack.deliveries.request_url):
            await slack.say(slack.user, slack.channel, f"<@{slack.bot_user}> {KO}")
            async with asyncio.timeout(HANGING):
                while not await said(index_url, "SELECT FROM bot_owed"):  # noqa: ASYNC110 - the bot tells nobody
                    await asyncio.sleep(0.02)
            process.kill()
            await process.wait()
        so_far = len(slack.life.posts[0].versions)
        await said(index_url, "UPDATE bot_owed SET until = now()")
        monkeypatch.setattr("orchestrator.surfaces.bot.slack.teams.MENDING", 0.05)
        settings = {"sources": ["slack"], "bot": {"base_url": slack.base_url, "token": slack.bot_token}}
        async with workplace(CORPUS, tmp_path, index_url, **settings):
            await until(lambda: len(slack.life.posts[0].versions) > so_far)
        assert read(slack.life.posts[0]) == "답을 마치기 전에 멈추었습니다. 다시 물어 주세요."
        assert await said(index_url, "SELECT FROM bot_owed") == []


async def test_an_answered_question_owes_nothing(tmp_path, index_url):
    async with workplace(CORPUS, tmp_path, index_url, sources=["slack"]) as work:
        user = work.slack.life.id_of("minsu.kim")
        await work.ask(user, work.slack.life.direct(user), EN)
        await work.slack.command(user, work.slack.life.channel_called("platform"), EN)
        await work.settled()
        assert await said(index_url, "SELECT FROM bot_owed") == []


async def test_what_one_bot_heard_the_other_knows(index_url):
    async with memory(index_url) as one, memory(index_url) as other:
        assert [await one.is_new("a"), await other.is_new("a"), await other.is_new("b")] == [True, False, True]
        assert sorted(await asyncio.gather(*(each.is_new("c") for each in (one, other)))) == [False, True]
        assert [await each.is_new("") for each in (one, one, other)] == [True, True, True]
        await one.remember(HERE, API)
        await one.remember(HERE, None)
        assert [await other.turn(HERE), await other.turn(THERE)] == [API, None]
        await other.remember(HERE, MAIL)
        assert await one.turn(HERE) == MAIL


async def test_what_is_owed_is_told_once_and_where_it_is_owed(index_url):
    async with memory(index_url, owed=0.0) as one, memory(index_url) as other:
        await one.owe(Posted(HERE, "9.9"), "ko")
        await one.owe(Posted(HERE, ""), "ko")  # shown to one person: it cannot be edited later
        await other.owe(Posted(HERE, "8.8"), "en")
        assert await other.broken_off("T2") == []
        both = await asyncio.gather(one.broken_off("T1"), other.broken_off("T1"))
        assert [(each.place.id, each.id, language) for found in both for each, language in found] == [
            ("C1", "9.9", "ko")
        ]
        await other.settle(Posted(HERE, "8.8"))
        assert await said(index_url, "SELECT FROM bot_owed") == []


async def test_memory_ends_by_age_and_by_number(index_url, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 3)
    async with memory(index_url) as one:
        for n in range(6):
            await one.is_new(f"event {n}")
            await one.remember(ChatLocation("T", "C", str(n)), API)
        one._sweep_at = 0.0
        await one.is_new("last")
        assert len(await said(index_url, "SELECT FROM bot_heard")) == 3
        assert len(await said(index_url, "SELECT FROM bot_threads")) == 3
        await said(index_url, "UPDATE bot_heard SET until = now()")
        await said(index_url, "UPDATE bot_threads SET until = now()")
        async with memory(index_url) as other:
            assert await other.is_new("last")
            assert await other.turn(ChatLocation("T", "C", "5")) is None
        assert [len(await said(index_url, f"SELECT FROM {table}")) for table in ("bot_heard", "bot_threads")] == [1, 0]


async def test_a_reply_that_was_lost_makes_nobody_deaf(index_url):
    """The database has taken the claim and breaks before it says so: asked again, the claim is ours."""
    async with memory(index_url) as one:
        run = one._database.run

        async def twice(work):
            await run(work)
            return await run(work)

        one._database.run = twice
        assert await one.is_new("a")
        one._database.run = run
    async with memory(index_url) as other:
        assert not await other.is_new("a")


async def test_without_the_store_it_works_on_says_so_and_finds_it_again(index_url, monkeypatch, capsys):
    monkeypatch.setattr(kept, "RETREAT", 0.1)
    async with memory("postgresql://127.0.0.1:1/none") as one:
        assert "does not answer" in one.trouble
        assert [await one.is_new("a"), await one.is_new("a")] == [True, False]
        await one.remember(HERE, API)
        assert await one.turn(HERE) == API
        assert await one.broken_off("T1") == []
        lost, one._database = one._database, Database(index_url, 2)
        await asyncio.sleep(0.15)
        assert await one.is_new("b")
        assert one.trouble == ""
        assert not await one.is_new("a")  # what it heard meanwhile it knows still
        await lost.aclose()
    told = capsys.readouterr().out
    assert told.count("memory is lost") == told.count("memory is back") == 1


async def test_without_the_store_the_bot_answers_and_its_health_says_so(tmp_path):
    import aiohttp

    async with workplace(CORPUS, tmp_path, "postgresql://127.0.0.1:1/none", sources=["slack"]) as work:
        user = work.slack.life.id_of("minsu.kim")
        direct = work.slack.life.direct(user)
        _, (post,) = await work.ask(user, direct, EN)
        assert read(post).startswith("What was decided:")
        _, (second,) = await work.ask(user, direct, "그건 누가 정했어?")
        assert "API migration 누가 정했어?" in read(second)
        url = work.slack.deliveries.request_url.replace("/slack/events", "/healthz")
        async with aiohttp.ClientSession() as client, client.get(url) as reply:
            assert (reply.status, (await reply.text())[:8]) == (200, "ok, but ")
