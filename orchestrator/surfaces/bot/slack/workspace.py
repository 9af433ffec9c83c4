"""A Slack workspace as the bot's platform, by Slack's own asynchronous client; messages in Block Kit.

Texts stand in rich-text and plain-text elements, which Slack does not read for markup: no source and no question can
address somebody there. The line that stands for the message in notifications is read for markup, so it is escaped. And
in both, whatever would address people in another of Slack's formats is broken up, should anybody copy it on.
https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
https://docs.slack.dev/messaging/formatting-message-text (escaping, special mentions)
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.webhook.async_client import AsyncWebhookClient

from orchestrator.documents.plain import plain
from orchestrator.model import Principal
from orchestrator.surfaces.bot.platform import (
    Attendance,
    Buttons,
    ChatLocation,
    Lines,
    Member,
    Note,
    PlaceKind,
    PlatformRefused,
    Posted,
    Readers,
    said,
)
from translators.said import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slack_sdk.web.async_client import AsyncWebClient

    from orchestrator.surfaces.bot.platform import IncomingQuestion, Message, TextRun

MOST_BLOCKS = 50
MOST_TEXT = 3000  # characters of a text object
MOST_SUMMARY = 1000
MOST_URL = 3000
# Slack refuses messages of too many characters in all (`msg_blocks_too_long`) and does not say of how many; apps have met
# it from 11,300 on (https://github.com/slackapi/bolt-js/issues/2867). Small print and buttons come on top of these.
MOST_LINES = 8000
BREAK = "\u2060"  # word joiner: invisible, and no mention goes across it
ADDRESSING = re.compile(r"<(?=[!@#])|@(?=(?:channel|here|everyone|group|subteam)\b)", re.IGNORECASE)


def harmless(text: str) -> str:
    """Plain text in which nothing addresses anybody, wherever it is read."""
    return ADDRESSING.sub(lambda found: found[0] + BREAK, plain(text))


def escaped(text: str) -> str:
    """The same for where Slack reads markup."""
    return harmless(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def rendered(message: Message) -> dict[str, Any]:
    """The arguments ``text`` and ``blocks`` of Slack's methods."""
    blocks = [block for part in _within(message) for block in _block(part)]
    return {"text": escaped(message.summary)[:MOST_SUMMARY] or "…", "blocks": blocks[:MOST_BLOCKS]}


def _within(message: Message) -> Iterator[Lines | Note | Buttons]:
    """The parts, with as many lines as there is room for."""
    left = MOST_LINES
    for part in message.parts:
        if not isinstance(part, Lines):
            yield part
            continue
        kept = []
        for line in part.lines:
            left -= sum(min(len(run.text), MOST_TEXT) + len(run.url) for run in line)
            if left < 0:
                kept.append(said("…"))
                break
            kept.append(line)
        yield Lines(tuple(kept), part.bullets)


def _block(part: Lines | Note | Buttons) -> list[dict[str, Any]]:
    if isinstance(part, Note):
        return [{"type": "context", "elements": [_plain(part.text, MOST_TEXT)]}]
    if isinstance(part, Buttons):
        return [
            {"type": "actions", "elements": [_button(each.action, each.label, each.value) for each in part.buttons]}
        ]
    elements: list[dict[str, Any]] = []
    for line in part.lines:
        if elements:
            elements.append({"type": "text", "text": "\n"})
        elements += [_run(run) for run in line if run.text]
    if not elements:
        return []
    return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}]


def _run(run: TextRun) -> dict[str, Any]:
    style = {name: True for name, on in (("bold", run.bold), ("italic", run.italic)) if on}
    shown: dict[str, Any] = {"type": "text", "text": harmless(run.text)[:MOST_TEXT] or " "}
    if 0 < len(run.url) <= MOST_URL:
        shown |= {"type": "link", "url": run.url}
    return {**shown, "style": style} if style else shown


def _plain(text: str, most: int) -> dict[str, Any]:
    return {"type": "plain_text", "text": harmless(text)[:most] or " ", "emoji": False}


def _button(action: str, label: str, value: str) -> dict[str, Any]:
    return {"type": "button", "action_id": action, "text": _plain(label, 75), "value": value}


PAGE = 900  # members in one reply; Slack takes less than a thousand
MOST_PAGES = 10
FEW = 10  # people who are looked up one by one
ROSTER_SECONDS = 60.0  # that the list of everybody is good for: who is a guest, and their address
CALM = {"parse": "none", "link_names": False}
STILL = {"unfurl_links": False, "unfurl_media": False}  # a preview may show what not all may see
SHARED = ("is_ext_shared", "is_pending_ext_shared", "is_org_shared", "is_shared")


@dataclass(slots=True)
class Roster:
    """Everybody in the workspace, as they were at ``at`` on the loop's clock."""

    people: Mapping[str, Mapping[str, Any]]
    at: float


class SlackWorkspace:
    """Implements :class:`orchestrator.surfaces.bot.platform.Platform`. ``by_address``: people are to the sources who
    their mail address says, else who they are in Slack. Who is in a place is asked each time anew.
    """

    def __init__(
        self, client: AsyncWebClient, session: aiohttp.ClientSession, *, team: str, by_address: bool = True
    ) -> None:
        self._client = client
        self._session = session
        self._team = team
        self._by_address = by_address
        self._roster: asyncio.Task[Roster] | None = None

    # ---- messages

    async def post(self, asked: IncomingQuestion, message: Message) -> Posted:
        """See :class:`Platform`."""
        if asked.reply:
            await self._reply(asked.reply, message, replacing=False)
            return Posted(asked.place, "", asked.reply)
        if asked.alone:
            await self.whisper(asked, message)
            return Posted(asked.place, "")
        place = asked.place
        said = await self._call(
            "chat.postMessage",
            channel=place.id,
            **({"thread_ts": place.thread} if place.thread else {}),
            **rendered(message),
            **CALM,
            **STILL,
        )
        return Posted(ChatLocation(place.team, str(said["channel"]), place.thread), str(said["ts"]))

    async def edit(self, posted: Posted, message: Message) -> None:
        """See :class:`Platform`."""
        if posted.reply:
            await self._reply(posted.reply, message, replacing=True)
            return
        await self._call("chat.update", channel=posted.place.id, ts=posted.id, **rendered(message), **CALM)

    async def whisper(self, asked: IncomingQuestion, message: Message) -> None:
        """See :class:`Platform`."""
        if asked.reply:
            await self._reply(asked.reply, message, replacing=False)
            return
        place = asked.place
        thread = {"thread_ts": place.thread} if place.thread else {}
        shown = {**rendered(message), **CALM, **thread}
        if await self._is_direct(place.id):  # only they read there, and there it stays
            await self._call("chat.postMessage", channel=place.id, **shown, **STILL)
        else:
            await self._call("chat.postEphemeral", channel=place.id, user=asked.person, **shown)

    async def home(self, person: str, message: Message) -> None:
        """See :class:`Platform`."""
        await self._call("views.publish", user_id=person, view={"type": "home", "blocks": rendered(message)["blocks"]})

    # ---- people and places

    async def member(self, person: str) -> Member:
        """See :class:`Platform`."""
        said = await self._call("users.info", user=person, include_locale=True)
        return self._member(said["user"])

    async def attendance(self, place: ChatLocation) -> Attendance:
        """See :class:`Platform`."""
        channel = await self._channel(place.id)
        kind = _kind(channel)
        if kind is PlaceKind.DIRECT:
            return Attendance(kind, ())
        if any(channel.get(each) for each in SHARED):
            return Attendance(kind, None)
        people = await self._people(await self._inside(place.id))
        return Attendance(kind, tuple(self._member(each) for each in people if not each.get("is_bot")))

    async def readers(self, place: str) -> Readers:
        """See :class:`Platform`."""
        try:
            channel = await self._channel(place)
            if any(channel.get(each) for each in SHARED):
                return Readers()
            if _kind(channel) is PlaceKind.OPEN:
                return Readers(everyone=True)
            return Readers(members=frozenset(await self._inside(place)))
        except PlatformRefused:
            return Readers()

    async def _is_direct(self, place: str) -> bool:
        try:
            return _kind(await self._channel(place)) is PlaceKind.DIRECT
        except PlatformRefused:
            return False

    async def _channel(self, place: str) -> Mapping[str, Any]:
        said = await self._call("conversations.info", channel=place)
        channel: Mapping[str, Any] = said["channel"]
        return channel

    async def _inside(self, place: str) -> list[str]:
        """Everybody in a place. Raises :class:`PlatformRefused` where they are too many to know."""
        found: list[str] = []
        cursor = ""
        for _ in range(MOST_PAGES):
            more = {"cursor": cursor} if cursor else {}
            said = await self._call("conversations.members", channel=place, limit=PAGE, **more)
            found += said["members"]
            cursor = (said.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return found
        raise PlatformRefused(f"more than {MOST_PAGES * PAGE} people are in that channel")

    async def _people(self, ids: list[str]) -> list[Mapping[str, Any]]:
        """Few are looked up one by one, many in the list of everybody; who is not in that is not known to be one of us."""
        if len(ids) <= FEW:
            said = await asyncio.gather(*(self._call("users.info", user=each) for each in ids))
            return [each["user"] for each in said]
        roster = await self._everybody()
        return [roster.get(each, {"id": each, "is_stranger": True}) for each in ids]

    async def _everybody(self) -> Mapping[str, Mapping[str, Any]]:
        now = asyncio.get_running_loop().time()
        task = self._roster
        failed = task is not None and task.done() and (task.cancelled() or task.exception() is not None)
        if task is None or failed or (task.done() and task.result().at + ROSTER_SECONDS <= now):
            task = self._roster = asyncio.create_task(self._read_roster(now))
        return (await asyncio.shield(task)).people

    async def _read_roster(self, at: float) -> Roster:
        people: dict[str, Mapping[str, Any]] = {}
        cursor = ""
        for _ in range(5 * MOST_PAGES):
            more = {"cursor": cursor} if cursor else {}
            said = await self._call("users.list", limit=PAGE, **more)
            people |= {each["id"]: each for each in said["members"]}
            cursor = (said.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                break
        return Roster(people, at)

    def _member(self, user: Mapping[str, Any]) -> Member:
        profile = user.get("profile") or {}
        outsider = bool(user.get("is_stranger")) or user.get("team_id", self._team) != self._team
        address = str(profile.get("email") or "").casefold()
        name = str(profile.get("real_name") or user.get("real_name") or user.get("name") or "")
        known = self._by_address and address and not outsider
        identity = address if known else f"slack:{self._team}:{user['id']}"
        spoken = str(user.get("locale", "")).partition("-")[0]
        return Member(
            id=str(user["id"]),
            principal=Principal(identity, name, "" if outsider else address),
            name=name,
            language=spoken if spoken in LANGUAGES else ENGLISH,
            zone=str(user.get("tz") or ""),
            guest=bool(user.get("is_restricted") or user.get("is_ultra_restricted")),
            outsider=outsider or bool(user.get("deleted")),
        )

    # ---- calls

    async def _call(self, method: str, **arguments: Any) -> Mapping[str, Any]:
        reading = method.startswith(("users.", "conversations."))  # those take no JSON
        sent: Any = {"params" if reading else "json": arguments}
        try:
            reply = await self._client.api_call(method, http_verb="GET" if reading else "POST", **sent)
        except SlackApiError as failure:
            raise _refused(method, failure) from None
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as failure:
            raise PlatformRefused(f"{method}: Slack cannot be reached ({type(failure).__name__})") from None
        found: Mapping[str, Any] = reply.data if isinstance(reply.data, dict) else {}
        return found

    async def _reply(self, address: str, message: Message, *, replacing: bool) -> None:
        """By the address that came with a command or a button; good for half an hour and five answers."""
        client = AsyncWebhookClient(address, session=self._session, logger=self._client._logger)  # noqa: SLF001
        body = {**rendered(message), **STILL, "response_type": "ephemeral", "replace_original": replacing}
        try:
            reply = await client.send_dict(body)
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as failure:
            raise PlatformRefused(f"the reply address cannot be reached ({type(failure).__name__})") from None
        if reply.status_code != 200:  # noqa: PLR2004
            raise PlatformRefused(f"the reply address answered HTTP {reply.status_code}")


def _kind(channel: Mapping[str, Any]) -> PlaceKind:
    if channel.get("is_im"):
        return PlaceKind.DIRECT
    known_open = channel.get("is_channel") and channel.get("is_private") is False and not channel.get("is_mpim")
    return PlaceKind.OPEN if known_open else PlaceKind.CLOSED


def _refused(method: str, failure: SlackApiError) -> PlatformRefused:
    reply = failure.response
    data = reply.data if hasattr(reply, "data") and isinstance(reply.data, dict) else {}
    headers = {str(name).lower(): value for name, value in (getattr(reply, "headers", None) or {}).items()}
    told = str(headers.get("retry-after", ""))
    code = str(data.get("error") or f"HTTP {getattr(reply, 'status_code', '?')}")
    return PlatformRefused(f"{method}: Slack says {code}", float(told) if told.isdigit() else None)
