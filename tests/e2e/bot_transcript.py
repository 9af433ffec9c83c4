"""A conversation with the bot in the demo workplace, in both languages: ``python -m tests.e2e.bot_transcript`` prints it,
with the path of a page it writes the page. ``make docs`` writes the one in the documentation.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from orchestrator.sandbox import default_corpus
from tests.e2e.bot_workplace import read, workplace

PAGE = """# A conversation with the bot

In the demo workplace, where Slack, Notion and Linear are connected and Notion is named in `bot.open`. Everything goes over sockets as in a real
workspace; addresses of links are left out. This page is written by `make docs`; what it shows is explained in
[run the bot](run-the-bot.md).

```
{conversation}
```
"""


async def conversation(folder, show):
    """Everything goes over sockets as in a real workspace; the sources are the demo's."""
    async with workplace(
        default_corpus(), folder, sources=["slack", "notion", "linear"], bot={"open": ["notion"]}
    ) as work:
        life = work.slack.life
        channel, direct = life.channel_called("platform"), life.direct(life.id_of("taeyoung.kim"))
        life.invite(channel, work.slack.bot_user, life.id_of("priya.nair"), life.id_of("minsu.kim"))

        async def say(handle, place, text, *, mention=True, thread=""):
            user = life.id_of(handle)
            where = f"#{life.channels[place].name}" if place in life.channels else "direct message"
            show(f"\n{handle} ({where}{', in the thread' if thread else ''}): {'@fedsearch ' * mention}{text}")
            ts, posts = await work.ask(user, place, work.mention(text) if mention else text, thread=thread)
            told(posts)
            return ts, posts

        async def press(handle, post, label, action):
            show(f"\n{handle} presses [{label}]")
            posts = await work.press(life.id_of(handle), post, action)
            told(posts)
            return posts

        async def command(handle, place, text):
            show(f"\n{handle} (#{life.channels[place].name}): /ask {text}")
            before = len(life.posts)
            await work.slack.command(life.id_of(handle), place, text)
            await work.settled()
            told(life.posts[before:])

        def told(posts):
            for post in posts:
                show(f"fedsearch{f' (to {life.person(post.only).handle} only)' if post.only else ''}:")
                show("\n".join(f"  | {line.rstrip()}" for line in read(post, links=False).splitlines()))

        ts, posts = await say("minsu.kim", channel, "API 마이그레이션 일정에 대해 무엇을 결정했나요?")
        await say("minsu.kim", channel, "그건 누가 정했어?", mention=False, thread=ts)
        await say("minsu.kim", channel, "Slack에서만", thread=ts)
        details = await press("priya.nair", posts[0], "자세히", "fedsearch.more")
        await press("priya.nair", details[0], "검색 내역", "fedsearch.receipt")
        ts, posts = await say("priya.nair", channel, "What did we decide about the API migration?")
        await say("priya.nair", channel, "when does it start?", mention=False, thread=ts)
        details = await press("priya.nair", posts[0], "Details", "fedsearch.more")
        await press("priya.nair", details[0], "Why these?", "fedsearch.why")
        _, posts = await say("taeyoung.kim", direct, "migration", mention=False)
        await press("taeyoung.kim", posts[0], "mail", "fedsearch.ask.1")
        await command("priya.nair", channel, "연차 이월 규정이 어떻게 되나요?")


def main(*paths):
    """Print it, or write the page."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(conversation(folder, lines.append))
    text = "\n".join(lines).strip()
    for path in paths:
        Path(path).write_text(PAGE.format(conversation=text), "utf-8")
    if not paths:
        sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
