"""The chat bot: which sources it may ask at all, who may see what of them, and the platform that it is on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import is_public, missing_of, source_settings, title_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime

    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import Settings
    from orchestrator.surfaces.bot import Desk, Right
    from orchestrator.surfaces.bot.slack import SlackSecrets
    from orchestrator.surfaces.bot.slack.app import SlackBot

PLATFORM_KINDS = frozenset({"slack", "slack_rts"})  # what they find stands in places of the bot's own platform


@dataclass(frozen=True, slots=True)
class Readable:
    """Who may see what each source finds, and the titles of those of which nobody may see anything."""

    rights: Mapping[str, Right]
    closed: tuple[str, ...]


def readable_of(settings: Settings) -> Readable:
    """Decided by the settings alone. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.surfaces.bot import Right

    rights: dict[str, Right] = {}
    closed: list[str] = []
    for name in settings.bot.open:
        if name not in settings.sources:
            raise Misconfigured(
                f"setting bot.open: no source is called {name!r}; there are: {', '.join(settings.sources)}"
            )
    for name, raw in sorted(settings.sources.items()):
        kind, options = source_settings(name, raw)
        manifest = options.described(kind.manifest)
        if not options.enabled:
            continue
        if is_public(manifest):
            rights[name] = Right.PUBLIC
        elif manifest.name in PLATFORM_KINDS and name not in settings.bot.open:
            rights[name] = Right.PLATFORM
        elif options.credential == "person" or manifest.name == "local":
            rights[name] = Right.OWN
        elif name in settings.bot.open:
            rights[name] = Right.OPEN
        elif not missing_of(kind, options):
            closed.append(title_of(name, kind, options))
    return Readable(rights, tuple(closed))


def bot_settings(settings: Settings, readable: Readable) -> Settings:
    """The same without the sources that are closed to the bot: what is not asked cannot be shown. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured

    if not readable.rights:
        raise Misconfigured(
            "the bot may show nothing of any source; name those that every member of the workspace may read in bot.open"
        )
    return settings.model_copy(
        update={"sources": {name: raw for name, raw in settings.sources.items() if name in readable.rights}}
    )


def desk_of(settings: Settings, engine: Engine, readable: Readable) -> Desk:
    """What the bot stands on."""
    from pathlib import Path

    from orchestrator.access import AuditLog, append_line
    from orchestrator.surfaces.bot import Desk

    server, said = settings.server, settings.bot
    kept = Path(server.audit).expanduser() if server.audit else None
    audit = AuditLog(kept, lambda: clock_of(settings)(""), texts=server.audit_texts)
    feedback = settings.storage.path / "feedback.jsonl"

    async def judged(principal: str, question: str, verdict: str) -> None:
        at = clock_of(settings)("").isoformat()
        line = {"at": at, "principal": principal, "question": question, "verdict": verdict}
        await append_line(feedback, {**line, "source": None, "id": None, "comment": ""})

    async def answered(ask: Ask, answer: Answer) -> None:
        await audit.asked(ask, answer, "slack")

    return Desk(
        engine=engine,
        rights=readable.rights,
        clock=clock_of(settings),
        judged=judged,
        answered=answered,
        closed=readable.closed,
        budget=settings.search.budget,
        limit=settings.search.limit,
        every=said.every,
        people=said.others,
        at_once=said.at_once,
    )


def clock_of(settings: Settings) -> Callable[[str], datetime]:
    """The time in a zone by name; in the setting's where there is none of that name."""
    from datetime import datetime
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    otherwise = settings.locale.timezone

    def clock(zone: str) -> datetime:
        try:
            there = ZoneInfo(zone) if zone else otherwise
        except (ZoneInfoNotFoundError, ValueError, OSError):
            there = otherwise
        return datetime.now(there).astimezone(there)

    return clock


def secrets_of(settings: Settings) -> SlackSecrets:
    """Slack's secrets. Raises :class:`Misconfigured` without the bot's token."""
    from connectors.errors import Misconfigured
    from orchestrator.surfaces.bot.slack import SlackSecrets

    said = settings.bot
    if said.token is None:
        raise Misconfigured("no bot.token; put the app's bot token (xoxb-…) into FEDSEARCH_BOT__TOKEN")
    app, signing = said.app_token, said.signing_secret
    return SlackSecrets(
        said.token.get_secret_value(),
        app.get_secret_value() if app else "",
        signing.get_secret_value() if signing else "",
    )


@asynccontextmanager
async def open_bot(settings: Settings, *, rated: bool = True) -> AsyncIterator[SlackBot]:
    """The bot, signed in and ready, hearing nothing yet. Raises :class:`Misconfigured`."""
    from orchestrator.surfaces.bot.slack import open_slack

    secrets, readable = secrets_of(settings), readable_of(settings)
    async with build_engine(bot_settings(settings, readable), rated=rated) as engine:
        desk = desk_of(settings, engine, readable)
        by_address = settings.bot.people == "address"
        async with open_slack(desk, secrets, settings.bot.base_url, by_address=by_address) as slack:
            await engine.prepare()
            yield slack


async def ran_bot(settings: Settings, host: str, port: int, listening: Callable[[str], None]) -> None:
    """Answer until cancelled."""
    from orchestrator.surfaces.bot.slack import serve_http, serve_socket

    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(open_bot(settings))
        heard = serve_socket(slack) if settings.bot.transport == "socket" else serve_http(slack, host, port)
        listening(await stack.enter_async_context(heard))
        await asyncio.Event().wait()
