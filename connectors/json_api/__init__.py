"""Any search with a JSON API, declared in settings: SearXNG, Elasticsearch and your own are declarations of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar, cast

from connectors.auth import basic
from connectors.contract import Call, Health, HitPage, SourceDirectory
from connectors.errors import Forbidden, Misconfigured, Rejected, SourceError, Unauthenticated
from connectors.http import HttpRequest, HttpSource, Page, Reply, Transport, answered, error_for
from connectors.json_api.asking import following, given
from connectors.json_api.paths import line_at, listed, pointer
from connectors.json_api.settings import JsonApiSettings
from connectors.json_api.template import Missing, fill
from connectors.json_api.wire import ListReader, ResultReader, read_page
from connectors.manifest import load_manifest
from connectors.paging import read_list
from connectors.text import quote
from connectors.wire import read_items
from translators.said import Said, joined
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from connectors.json_api.settings import ListSettings, RequestSettings
    from translators.translator import Json

ItemT = TypeVar("ItemT")

NOBODYS = Said("{title} takes that token for nobody's; make another")
NO_WORDS = Said("it can only be asked for words, and the question leaves none for it")


class JsonApiSource(HttpSource):
    """One search with a JSON API, as its settings declare it."""

    manifest = load_manifest("connectors.json_api")
    settings_type = JsonApiSettings
    settings: JsonApiSettings

    def open_transport(self) -> Transport:
        """Nobody's address stands in for one that was not set."""
        if not self.settings.base_url:
            raise Misconfigured(
                Said("source {name}: set base_url, what {path} is below").filled(
                    name=self.name, path=self.settings.request.path
                )
            )
        return super().open_transport()

    def authorization(self, secret: str) -> Mapping[str, str]:
        """As declared; basic is RFC 7617."""
        auth = self.settings.auth
        match auth.kind:
            case "basic":
                return basic(f"{auth.username}:{secret}")
            case "header":
                return {auth.name: f"{auth.scheme} {secret}".lstrip()}
            case _:
                return super().authorization(secret)

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """The declared request with the question in it."""
        return _filled(self.settings.request, native, page)

    def parse(self, reply: Reply) -> HitPage:
        """What the declaration finds."""
        return read_page(self.settings, reply.data, self.manifest.title, self.known, self._reader)

    @cached_property
    def _reader(self) -> ResultReader:
        return ResultReader(self.settings)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """One page; none where nothing is left to ask for and the search lists nothing without a word."""
        if not (native.text or self.settings.listing):
            return HitPage(notes=(NO_WORDS,))
        found = await super().search(native, call)
        if self.settings.reply.next:
            return found
        limit = self.manifest.limits.hits(call.limit)
        return replace(found, cursor=following(self.settings.request, found, call.cursor, limit))

    def error(self, reply: Reply) -> SourceError | None:
        """By status, with what the search says of it and what the declaration advises."""
        said, advice = (
            pointer(self.settings.reply.error).line(reply.data),
            self.settings.advice.get(str(reply.status), ""),
        )
        message = answered(self.manifest.title, reply.status, quote(said) if said else "")
        return error_for(reply, joined("; ", filter(None, (message, advice))))

    async def directory(self, call: Call) -> SourceDirectory:
        """Who and what is listed where the declaration says so."""
        declared = self.settings
        people, unread = await self._listed(declared.people, "people", ListReader.people, call)
        places, unlisted = await self._listed(declared.places, "places", ListReader.places, call)
        return SourceDirectory(people, places, (*unread, *unlisted))

    async def _listed(
        self, where: ListSettings | None, what: str, read: Callable[[ListReader, object], tuple[ItemT, ...]], call: Call
    ) -> tuple[tuple[ItemT, ...], tuple[str, ...]]:
        if where is None:
            return (), ()

        async def page(cursor: str | None) -> tuple[Sequence[object], str | None]:
            asked = _filled(where, NativeQuery(self.manifest.dialect, ""), Page(where.page, cursor))
            reply = await self.send(asked, call)
            items = listed(where.items, reply.data)
            if where.next:
                return items, pointer(where.next).line(reply.data) or None
            return items, following(where, HitPage(cursor=str(len(items))), cursor, where.page)

        found, notes = await read_list(page, where.pages, what, refusals=(Forbidden, Rejected))
        known, unread = read_items(found, partial(read, ListReader(where)), what)
        return tuple(each for several in known for each in several), (*unread, *notes)

    async def probe(self, call: Call) -> Health:
        """Whose the token is, where that is told, and a search for one word, whose reply must be as declared."""
        whose = await self._account(call)
        found = await self.search(NativeQuery(self.manifest.dialect, self.settings.probe), replace(call, limit=1))
        detail = "; ".join((f"{len(found.hits)} results for {self.settings.probe}", *found.notes))
        return Health(ok=True, detail=detail, account=whose)

    async def _account(self, call: Call) -> str:
        if (where := self.settings.account) is None:
            return ""
        reply = await self.send(HttpRequest(where.method, where.path), call)
        if not (told := line_at(where.name).plain(reply.data)):
            raise Unauthenticated(NOBODYS.filled(title=self.manifest.title))
        return told


def _filled(asked: RequestSettings | ListSettings, native: NativeQuery, page: Page) -> HttpRequest:
    values = given(asked, native, page)
    params, body = fill(asked.params, values), fill(asked.body, values)
    plain = params if isinstance(params, dict) else {}
    return HttpRequest(
        asked.method,
        asked.path,
        {name: _param(value) for name, value in plain.items()},
        None if isinstance(body, Missing) else cast("Json", body),
    )


def _param(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


SOURCE = JsonApiSource
