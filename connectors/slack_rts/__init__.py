"""Slack by Real-time Search (``assistant.search.context``): messages and files, as the token's owner or for a bot's asker."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, get_args
from urllib.parse import parse_qs, urlsplit

from connectors.contract import Call, Fact, Health, Hit, HitPage, known_facts
from connectors.errors import SourceError
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.slack import SlackSource, markup
from connectors.slack.settings import ChannelType, is_bot
from connectors.slack_rts.wire import Context, File, Powers, Spoken, realtime_error_in, without_trigger
from connectors.text import clip, plain_line
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person
from translators.said import Said

if TYPE_CHECKING:
    from translators.translator import Json, NativeQuery

SEARCH, INFO = "assistant.search.context", "assistant.search.info"
CLAUSE = re.compile(r"\(([^()]*)\)|([^()\s]+)")  # as the dialect writes them: words, and alternatives in parentheses
LONGEST = 500  # characters of the query; it repeats what the term clauses say
FOR_BOTS: tuple[ChannelType, ...] = ("public_channel",)
# A query must not be empty, and words are what it is made of: where none is asked for, this asks for everything.
EVERYTHING = "after:2000-01-01"
MEANT = Said("Slack searched by meaning too, so not every result holds the words that were asked for")


class SlackRealtimeSource(SlackSource):
    """One Slack workspace. A hit is one message, or one file where files were asked for."""

    manifest = load_manifest("connectors.slack_rts")

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``POST assistant.search.context``. Bots' messages and archived channels belong to what people search."""
        clauses = [(found[1] or found[2]).split() for found in CLAUSE.finditer(native.text)]
        modifiers = str(native.args.get("modifiers", ""))
        body: dict[str, Json] = {
            "query": self._asked(native, clauses, modifiers),
            "limit": page.limit,
            "content_types": native.args.get("content_types", ["messages"]),
            "channel_types": [*(self.settings.channel_types or get_args(ChannelType))],
            "include_bots": True,
            "include_archived_channels": True,
            "disable_semantic_search": not self.settings.semantic,
        }
        if clauses:
            body["term_clauses"] = [" ".join(clause) for clause in clauses]
        if clauses and modifiers:
            body["modifiers"] = modifiers
        body |= {name: native.args[name] for name in ("after", "before", "sort", "sort_dir") if name in native.args}
        if page.cursor is not None:
            body["cursor"] = page.cursor
        return HttpRequest("POST", SEARCH, json=body)

    def _asked(self, native: NativeQuery, clauses: list[list[str]], modifiers: str) -> str:
        """The question in the asker's words where Slack searches by meaning; the clauses stay what is searched for by words."""
        if not self.settings.semantic:
            return _query(_required(clauses), modifiers)
        question, _ = clip(str(native.args.get("question", "")), LONGEST)
        return question or _query(clauses, modifiers)

    def parse(self, reply: Reply) -> HitPage:
        """The messages and files of a page; one that cannot be read costs itself."""
        context = read(Context, reply.data, "Slack")
        messages, no_messages = read_each(Spoken, context.results.messages, self._message, "messages", self.known)
        files, no_files = read_each(File, context.results.files, self._file, "files", self.known)
        meant = (MEANT,) if self.settings.semantic else ()
        cursor = context.response_metadata.next_cursor or None
        return HitPage((*messages, *files), cursor, None, (*no_messages, *no_files), remarks=meant)

    def error(self, reply: Reply) -> SourceError | None:
        """Slack's errors, and those of this method."""
        body = reply.members
        own = realtime_error_in(body) if reply.ok and body.get("ok") is False else None
        return own or super().error(reply)

    async def send(self, request: HttpRequest, call: Call, *, sent: str = "") -> Reply:
        """A bot searches in public channels, on behalf of whoever has just asked it in Slack, and not otherwise."""
        _, secret = await self.signed(call)
        if request.path != SEARCH or not is_bot(secret):
            return await super().send(request, call, sent=sent)
        if call.trigger is None:
            raise without_trigger()
        asked = request.json if isinstance(request.json, Mapping) else {}
        body: dict[str, Json] = {**asked, "channel_types": [*FOR_BOTS], "action_token": call.trigger.secret}
        try:
            return await super().send(replace(request, json=body), call, sent=sent)
        except SourceError as failure:
            raise failure.without(call.trigger.secret) from None

    async def probe(self, call: Call) -> Health:
        """``auth.test`` for whose token it is, ``assistant.search.info`` for what it may do."""
        who = await super().probe(call)
        powers = read(Powers, (await self.send(HttpRequest("POST", INFO, json={}), call)).data, "Slack")
        _, secret = await self.signed(call)
        details = (
            who.detail,
            "a bot's token: only questions that are put to the bot in Slack" if is_bot(secret) else "",
            "search by meaning is not available here"
            if self.settings.semantic and not powers.is_ai_search_enabled
            else "",
        )
        return replace(who, detail="; ".join(filter(None, details)))

    def _message(self, found: Spoken) -> Hit:
        text, _ = clip(markup.without_markup(found.content or ""), self.settings.max_text)
        thread = parse_qs(urlsplit(found.permalink).query).get("thread_ts", [""])[0]
        facts: dict[str, Fact] = {
            "channel_id": found.channel_id,
            "ts": found.message_ts,
            "thread_ts": plain_line(thread),
            "replies": found.reply_count,
            "bot": found.is_author_bot,
        }
        return Hit(
            source="",
            id=f"{found.channel_id}:{found.message_ts}",
            kind=Kind.THREAD if thread or found.reply_count else Kind.MESSAGE,
            url=found.permalink,
            snippet=text,
            author=_person(found),
            container=Container(found.channel_name or found.channel_id, native_id=found.channel_id),
            created=found.created,
            facts=known_facts(facts),
        )

    def _file(self, found: File) -> Hit:
        text, _ = clip(markup.without_markup(found.content or ""), self.settings.max_text)
        return Hit(
            source="",
            id=found.file_id,
            kind=Kind.FILE,
            title=found.title,
            url=found.permalink,
            snippet=text,
            author=_person(found),
            created=found.date_created,
            updated=found.date_updated,
            facts=known_facts({"file_type": found.file_type, "size": found.size}),
        )


def _required(clauses: list[list[str]]) -> list[list[str]]:
    """The clauses of one word."""
    return [clause for clause in clauses if len(clause) == 1]


def _query(clauses: list[list[str]], modifiers: str) -> str:
    """What one would type into Slack's search box: a query is required, and all that is read where there are no clauses.

    Whether it counts beside clauses is not documented, so no alternative is in it, since there its words would all be
    wanted; but a search by meaning has nothing else to go by.
    """
    text = ""
    for word in (*(word for clause in clauses for word in clause), *modifiers.split()):
        text = f"{text} {word}" if len(text) + len(word) < LONGEST else text
    return text.strip() or EVERYTHING


def _person(found: Spoken | File) -> Person | None:
    known = found.author_name or found.author_user_id
    return Person(found.author_name, found.author_user_id or None, found.author_email or None) if known else None


SOURCE = SlackRealtimeSource
