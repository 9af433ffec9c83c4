"""``fedsearch bot`` as a program: what it wants, how it starts, how it ends."""

import asyncio
import os
import signal

import pytest

from orchestrator.sandbox import Sandbox, default_corpus
from tests.e2e import patience
from tests.e2e.bot_process import ARGUMENTS
from tests.e2e.program import COLD, WARM
from tests.pretend.slack import LiveSlack

EN = "What did we decide about the API migration?"


def environment(tmp_path, **more):
    return {
        **os.environ,
        **patience.COLD,
        "FEDSEARCH_DATA_DIR": str(tmp_path),
        **{f"FEDSEARCH_{k}": v for k, v in more.items()},
    }


async def ran(env):
    """The exit code and what was said."""
    process = await asyncio.create_subprocess_exec(*WARM, *ARGUMENTS, env=env, stderr=asyncio.subprocess.PIPE)
    _, said = await process.communicate()
    return process.returncode, said.decode()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "FEDSEARCH_BOT__TOKEN"),
        ({"BOT__TOKEN": "xoxb-secret"}, "bot.open"),
        ({"BOT__TOKEN": "xoxb-secret", "BOT__TRANSPORT": "pigeon"}, "setting bot.transport"),
    ],
)
async def test_what_is_missing_is_said(tmp_path, more, says):
    code, said = await ran(environment(tmp_path, **more))
    assert code == 2
    assert says in said
    assert said.count("\n") == 1
    assert "secret" not in said


@pytest.mark.parametrize("transport", ["http", "socket"])
async def test_it_answers_and_ends_without_leaving_anybody_waiting(tmp_path, index_url, transport):
    corpus = default_corpus()
    async with Sandbox(corpus, sources=["slack"]) as sandbox, LiveSlack(corpus) as slack:
        end = sandbox.endpoints["slack"]
        env = environment(
            tmp_path,
            BOT__BASE_URL=slack.base_url,
            BOT__TRANSPORT=transport,
            BOT__TOKEN=slack.bot_token,
            BOT__APP_TOKEN=slack.app_token,
            BOT__SIGNING_SECRET=slack.signing_secret,
            SOURCES__SLACK__BASE_URL=end.base_url,
            SOURCES__SLACK__TOKEN=end.token,
            RANKING__SEMANTIC="off",
            INDEX__DATABASE_URL=index_url,
        )
        program = COLD if transport == "http" else WARM
        process = await asyncio.create_subprocess_exec(*program, *ARGUMENTS, env=env, stderr=asyncio.subprocess.PIPE)
        told = (await process.stderr.readline()).decode()
        assert "the bot hears by" in told
        if transport == "http":
            slack.deliveries.request_url = told.split()[5]
        user = slack.life.id_of("minsu.kim")
        await slack.say(user, slack.life.direct(user), EN)
        process.send_signal(signal.SIGTERM)
        _, said = await process.communicate()
        assert process.returncode == 0
        assert "Traceback" not in said.decode()
        (post,) = slack.life.posts
        assert "What was decided" in str(post.shown)
