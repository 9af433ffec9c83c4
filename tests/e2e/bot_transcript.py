"""A conversation with the bot in the demo workplace, in both languages: ``python -m tests.e2e.bot_transcript``."""

from __future__ import annotations

import asyncio
import sys
import tempfile

from orchestrator.sandbox import default_corpus
from tests.e2e.bot_workplace import read, workplace


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

        def told(posts):
            for post in posts:
                show(f"fedsearch{f' (to {life.person(post.only).handle} only)' if post.only else ''}:")
                show("\n".join(f"  | {line}" for line in read(post).splitlines()))

        ts, posts = await say("minsu.kim", channel, "API 마이그레이션 일정에 대해 무엇을 결정했나요?")
        await say("minsu.kim", channel, "그건 누가 정했어?", mention=False, thread=ts)
        show("\npriya.nair presses [검색 내역]")
        told(await work.press(life.id_of("priya.nair"), posts[0], "fedsearch.receipt"))
        ts, _ = await say("priya.nair", channel, "What did we decide about the API migration?")
        await say("priya.nair", channel, "who decided that?", mention=False, thread=ts)
        await say("taeyoung.kim", direct, "policy", mention=False)


def main():
    """Print it."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(conversation(folder, lambda line: sys.stdout.write(f"{line}\n")))


if __name__ == "__main__":
    main()
