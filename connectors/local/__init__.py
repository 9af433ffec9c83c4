"""The local index: what has no search of its own, and what must be fast or found by its meaning, in one PostgreSQL."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from connectors.contract import Call, Health, HitPage, LeftOut, SourceDirectory
from connectors.errors import SILENT, Rejected, SourceError, Unavailable
from connectors.local.settings import LocalSettings
from connectors.manifest import load_manifest
from translators.query import Sort
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from connectors.local.pipeline import RetrievalResult
    from connectors.local.retrieval import RetrievalScope
    from connectors.local.store import IndexStore
    from translators.translator import Json, NativeQuery

ResultT = TypeVar("ResultT")

USER = "user:"
OIDC = "oidc:"
"""Before a group that the identity provider names: its groups and those of the index are different things, however alike they are called."""

PARTS = Said("{parts} parts")
WAITING = Said("{parts} parts, {waiting} of them not embedded yet")
NAMELESS = Said("somebody without a name")
NOTHING_VISIBLE = Said(
    "nothing in the index is visible to {who}; `fedsearch index add … --visible-to` says who sees what"
)


class LocalSource:
    """The index as one more source. A hit is a document, shown by the part of it that fits best."""

    manifest = load_manifest("connectors.local")
    settings_type = LocalSettings

    def __init__(self, name: str, settings: LocalSettings, index: IndexStore | None = None) -> None:
        self.name = name
        self.settings = settings
        self._index = index
        self._is_ours = index is None

    async def prepare(self) -> None:
        """Start the database and load the model, so that no question waits for them; without a model words find."""
        index = self.index
        await index.open()
        if index.embedder is not None:
            with suppress(SourceError):
                await index.embedder.prepare()

    @property
    def index(self) -> IndexStore:
        """What is searched; made when it is first needed."""
        if self._index is None:
            from connectors.local.store import index_from

            self._index = index_from(self.settings.index, self.settings.numbers)
        return self._index

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of the candidates of one question, in the pipeline's order or by date."""
        limit = self.manifest.limits.hits(call.limit)
        start = _offset(call.cursor)
        return await self._in_time(self._search(native, call, start, limit), call)

    async def _search(self, native: NativeQuery, call: Call, start: int, limit: int) -> HitPage:
        from connectors.local.hits import read_hits
        from connectors.local.pipeline import DATED_FROM, IndexQuery, by_date

        await call.turn()
        began = asyncio.get_running_loop().time()
        scope = await self._scope(call, native.args.get("filter"))
        question = str(native.args.get("question") or native.text)
        searched: RetrievalResult = await self.index.search(
            IndexQuery(question, native.text, scope, _lesser(native), native.args.get("new") is True)
        )
        ordered, notes = searched.candidates, searched.notes
        remarks: tuple[Said, ...] = ()
        if not ordered and not await self.index.sees_any(scope):
            remarks = (NOTHING_VISIBLE.filled(who=_asker(call) or NAMELESS),)
        if (order := native.args.get("sort")) in {Sort.NEWEST, Sort.OLDEST}:
            dated_from = DATED_FROM if native.text else 0.0
            ordered = by_date(ordered, newest=order == Sort.NEWEST, dated_from=dated_from)
        page = ordered[start : start + limit]
        hits = await self.index.reader.run(
            lambda connection: read_hits(connection, self.name, page, self._own(call), self.settings.max_text)
        )
        cursor = str(start + limit) if start + limit < len(ordered) else None
        missing = self.index.reader.missing(began)
        left_out = (LeftOut(missing, Unavailable.code),) if missing else ()
        return HitPage(hits, cursor, None, tuple(dict.fromkeys(notes)), left_out, remarks)

    async def directory(self, call: Call) -> SourceDirectory:
        """Empty: documents come from many places, each of which knows the same person by another id."""
        del call
        return SourceDirectory()

    async def probe(self, call: Call) -> Health:
        """Reach the database, and count what the asker may see: how much there is of others is not theirs to know."""

        async def look() -> Health:
            await call.turn()
            began = asyncio.get_running_loop().time()
            scope = await self._scope(call)
            parts, waiting = await self.index.visible(scope)
            shown = WAITING if waiting else PARTS
            said = shown.filled(parts=parts, waiting=waiting) if scope.principals else ""
            missing = self.index.reader.missing(began)
            return Health(ok=True, detail=said, remarks=(missing,) if missing else ())

        return await self._in_time(look(), call)

    async def aclose(self) -> None:
        """Let go of the database, unless somebody else brought it."""
        index, self._index = self._index, None
        if index is not None and self._is_ours:
            await index.aclose()

    async def _in_time(self, asked: Awaitable[ResultT], call: Call) -> ResultT:
        try:
            async with asyncio.timeout(call.timeout):
                return await asked
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None

    async def _scope(self, call: Call, condition: Json = None) -> RetrievalScope:
        groups = [OIDC + each for each in call.groups]
        return await self.index.scope(_asker(call), condition, sorted(self._own(call)), groups)

    def _own(self, call: Call) -> frozenset[str]:
        told = (call.principal.removeprefix(USER), *self.settings.addresses)
        return frozenset(each.casefold() for each in told if each)

    def __repr__(self) -> str:
        return f"LocalSource({self.name!r})"


def _asker(call: Call) -> str:
    """Who asks, as documents name people; nobody is nobody, and no person is a group, whatever an account is called."""
    asker = call.principal
    return asker if not asker or asker.startswith(USER) else f"{USER}{asker}"


def _lesser(native: NativeQuery) -> dict[str, float]:
    said = native.args.get("lesser")
    return (
        {word: float(weight) for word, weight in said.items() if isinstance(weight, float)}
        if isinstance(said, dict)
        else {}
    )


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 6):  # noqa: PLR2004
        raise Rejected(Said("there is no such page"), cursor)
    return int(cursor)


SOURCE = LocalSource
