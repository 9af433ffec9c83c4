"""The chat bot: which sources it may ask at all, who may see what of them, and the platform that it is on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import database_of, nowhere_to_keep, own_kinds, seal_of, vault_of
from orchestrator.assembly.administration import usage_log
from orchestrator.assembly.learning import learning_log
from orchestrator.assembly.personal_data import FEEDBACK
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import INDEX, asks_index, is_public, missing_of, sources_of, title_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime
    from typing import Any

    from connectors.contract import Connector
    from connectors.manifest import SourceSettings
    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import Settings
    from orchestrator.surfaces.bot import BotServices, DatabaseMemory, Right
    from orchestrator.surfaces.bot.memory import Memory
    from orchestrator.surfaces.bot.slack import Shop, SlackBot, SlackSecrets

PLATFORM_KINDS = frozenset({"slack", "slack_rts"})  # what they find stands in places of the bot's own platform


@record
class Readable:
    """Who may see what each source finds, the titles of those that are asked, and of those of which nobody may see anything."""

    rights: Mapping[str, Right]
    asked: tuple[str, ...]
    closed: tuple[str, ...]


def readable_of(settings: Settings) -> Readable:
    """Decided by the settings alone. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.surfaces.bot import Right

    rights: dict[str, Right] = {}
    asked: list[str] = []
    closed: list[str] = []
    for name in settings.bot.open:
        if name not in settings.sources:
            raise Misconfigured(
                Said("setting bot.open: no source is called {name}; there are: {sources}").filled(
                    name=repr(name), sources=", ".join(settings.sources)
                )
            )
    for name, kind, options in sources_of(settings):
        if not options.enabled:
            continue
        right = _right_of(kind, options, is_open=name in settings.bot.open)
        if right is not None:
            rights[name] = right
        if not missing_of(kind, options):
            (closed if right is None else asked).append(title_of(name, kind, options))
    if rights and asks_index(settings):  # it may be filled while the bot runs
        rights[INDEX] = Right.OWN
    return Readable(rights, tuple(asked), tuple(closed))


def _right_of(kind: type[Connector], options: SourceSettings, *, is_open: bool) -> Right | None:
    """Who may see what a source finds; ``None`` where nobody may see anything."""
    from orchestrator.surfaces.bot import Right

    manifest = options.described(kind.manifest)
    if is_public(manifest):
        return Right.PUBLIC
    if manifest.name in PLATFORM_KINDS and not is_open:
        return Right.PLATFORM
    if options.credential == "person" or manifest.name == INDEX:
        return Right.OWN
    return Right.OPEN if is_open else None


def bot_settings(settings: Settings, readable: Readable) -> Settings:
    """The same without the sources that are closed to the bot: what is not asked cannot be shown. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured

    if not readable.rights:
        raise Misconfigured(
            Said(
                "the bot may show nothing of any source; name those that every member of the workspace may read in bot.open"
            )
        )
    return settings.model_copy(
        update={"sources": {name: raw for name, raw in settings.sources.items() if name in readable.rights}}
    )


def bot_services(settings: Settings, engine: Engine, readable: Readable, memory: Memory) -> BotServices:
    """What the bot stands on."""
    from orchestrator.access import AuditLog, append_line
    from orchestrator.surfaces.bot import BotServices

    server, said = settings.server, settings.bot
    audit = AuditLog(server.audit_file, lambda: clock_of(settings)(""), texts=server.audit_texts)
    feedback = settings.storage.path / FEEDBACK
    learning = learning_log(settings, lambda: clock_of(settings)(""))
    usage = usage_log(settings, lambda: clock_of(settings)(""))

    async def judged(principal: str, question: str, verdict: str) -> None:
        at = clock_of(settings)("").isoformat()
        line = {"at": at, "principal": principal, "question": question, "verdict": verdict}
        await learning.reacted(principal, question, verdict)
        await append_line(feedback, {**line, "source": None, "id": None, "comment": ""})

    connects = next(own_kinds(settings), None) is not None and not nowhere_to_keep(settings)
    accounts = f"{settings.accounts.address.rstrip('/')}/accounts" if connects else ""

    async def answered(ask: Ask, answer: Answer) -> None:
        await audit.asked(ask, answer, "slack")
        await learning.shown(ask, answer)
        await usage.asked(ask, answer)

    return BotServices(
        engine=engine,
        rights=readable.rights,
        clock=clock_of(settings),
        judged=judged,
        answered=answered,
        memory=memory,
        closed=readable.closed,
        sources=readable.asked,
        accounts=accounts,
        budget=settings.search.budget,
        limit=settings.search.limit,
        every=said.every,
        people=said.others,
        at_once=said.at_once,
    )


def clock_of(settings: Settings) -> Callable[[str], datetime]:
    """The time in a zone by name; in the setting's where there is none of that name."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    from orchestrator.settings import now_in

    otherwise = settings.locale.timezone

    def clock(zone: str) -> datetime:
        try:
            there = ZoneInfo(zone) if zone else otherwise
        except (ZoneInfoNotFoundError, ValueError, OSError):
            there = otherwise
        return now_in(there)

    return clock


def secrets_of(settings: Settings) -> SlackSecrets:
    """Slack's secrets. Raises :class:`Misconfigured` without the bot's token, where workspaces do not bring theirs."""
    from connectors.errors import Misconfigured
    from orchestrator.surfaces.bot.slack import SlackSecrets

    said = settings.bot
    if said.token is None and not said.client_id:
        raise Misconfigured(Said("no bot.token; put the app's bot token (xoxb-…) into FEDSEARCH_BOT__TOKEN"))
    token, app, signing = (
        each.get_secret_value() if each else "" for each in (said.token, said.app_token, said.signing_secret)
    )
    return SlackSecrets(token, app, signing)


def shop_of(settings: Settings) -> Shop | None:
    """Where workspaces install the app by themselves, if they do. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from connectors.text import private_way
    from orchestrator.surfaces.bot.slack import Shop, SlackApp

    said = settings.bot
    if not said.client_id:
        return None
    if said.client_secret is None:
        raise Misconfigured(Said("bot.client_id needs the app's secret; put it into FEDSEARCH_BOT__CLIENT_SECRET"))
    if not said.teams:
        raise Misconfigured(Said("name in bot.teams the workspaces that may install the bot: its answers are for them"))
    if not private_way(said.address):
        raise Misconfigured(
            Said("set bot.address to how browsers reach this bot, with https:// (http:// on this machine alone)")
        )
    if not settings.accounts.secret.get_secret_value():
        raise Misconfigured(
            Said(
                "workspaces' tokens have nowhere to be kept: set accounts.secret (`fedsearch accounts key` makes a key)"
            )
        )
    application = SlackApp(said.client_id, said.client_secret.get_secret_value())
    seal = seal_of(settings)
    return Shop(application, said.teams, said.address, vault_of(settings, seal), seal)


@asynccontextmanager
async def shared_memory(settings: Settings) -> AsyncIterator[DatabaseMemory]:
    """What bots remember together, in the database; while that is away, each by itself. Nothing is opened yet."""
    from orchestrator.surfaces.bot import DatabaseMemory

    memory = DatabaseMemory(database_of(settings), asyncio.get_running_loop().time)
    try:
        yield memory
    finally:
        await memory.aclose()


@asynccontextmanager
async def open_bot(settings: Settings, *, rated: bool = True) -> AsyncIterator[SlackBot]:
    """The bot, signed in and ready, hearing nothing yet. Raises :class:`Misconfigured`."""
    from orchestrator.surfaces.bot.slack import open_slack

    secrets, readable, shop = secrets_of(settings), readable_of(settings), shop_of(settings)
    said = settings.bot
    async with (
        build_engine(bot_settings(settings, readable), rated=rated, apart=True) as engine,
        shared_memory(settings) as memory,
        shop.vault if shop else nullcontext(),
    ):
        services = bot_services(settings, engine, readable, memory)
        by_address = said.people == "address"
        async with open_slack(services, secrets, said.base_url, by_address=by_address, shop=shop) as slack:
            await asyncio.gather(engine.prepare(), memory.open())
            yield slack


def manifest_of(settings: Settings, name: str, command: str, address: str) -> Mapping[str, Any]:
    """The manifest of the bot's app, by what the settings say of how it is reached. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from connectors.text import private_way
    from orchestrator.surfaces.bot.slack import app_manifest

    said = settings.bot
    by_socket, installs, reached = said.transport == "socket", bool(said.teams), (address or said.address).rstrip("/")
    if (installs or not by_socket) and not private_way(reached):
        raise Misconfigured(Said("Slack is to reach the bot: say where with --address https://…, or in bot.address"))
    return app_manifest(name, command, reached, by_socket=by_socket, installs=installs)


async def ran_bot(settings: Settings, host: str, port: int, listening: Callable[[str], None]) -> None:
    """Answer until cancelled."""
    from orchestrator.surfaces.bot.slack import serve_http, serve_pages, serve_socket

    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(open_bot(settings))
        if settings.bot.transport == "http":
            heard = await stack.enter_async_context(serve_http(slack, host, port))
        else:
            heard = await stack.enter_async_context(serve_socket(slack))
            if slack.installing is not None:
                pages = await stack.enter_async_context(serve_pages(slack, host, port))
                heard = f"{heard}, and installs by {pages}"
        listening(heard)
        await asyncio.Event().wait()
