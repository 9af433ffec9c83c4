"""``fedsearch bot`` as a process that can be killed, before a living Slack."""

import asyncio
import os
from contextlib import asynccontextmanager

from tests.e2e.program import WARM

ARGUMENTS = ("bot", "--port", "0")


def environment(slack, sandbox, database, folder, **more):
    """What the program is told. ``more``: by the names of settings without their prefix."""
    told = {
        "DATA_DIR": str(folder),
        "INDEX__DATABASE_URL": database,
        "RANKING__SEMANTIC": "off",
        "BOT__BASE_URL": slack.base_url,
        "BOT__TRANSPORT": "http",
        "BOT__TOKEN": slack.bot_token,
        "BOT__APP_TOKEN": slack.app_token,
        "BOT__SIGNING_SECRET": slack.signing_secret,
        "BOT__OPEN": "notion",
        **more,
    }
    for name, end in sandbox.endpoints.items():
        told |= {f"SOURCES__{name.upper()}__BASE_URL": end.base_url, f"SOURCES__{name.upper()}__TOKEN": end.token}
    return {**os.environ, **{f"FEDSEARCH_{name}": value for name, value in told.items()}}


@asynccontextmanager
async def running(env):
    """The process, and the address that it hears at. It is killed at the end if it has not ended."""
    process = await asyncio.create_subprocess_exec(*WARM, *ARGUMENTS, env=env, stderr=asyncio.subprocess.PIPE)
    try:
        said = ""
        while "hears by" not in said:
            said = (await process.stderr.readline()).decode()
            assert said, "the bot does not start"
        yield process, said.split("hears by ")[1].split()[0].rstrip(",")
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
