"""What a person can set up question by question, and signing in by a browser that comes back to this machine (RFC 8252)."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from connectors.manifest import Application, Manifest
    from connectors.oauth import Grant, Vendor
    from orchestrator.documents.sources import SetupTile
    from orchestrator.surfaces.cli import BrowserSignIn

WITHIN = 600.0  # seconds that somebody may take at the vendor's page
STATE_BYTES = 24
LONGEST_REQUEST = 16_384
READING = 5.0  # seconds that a browser may take to send its request
COME_BACK = "You can close this page and go back to the terminal. · 이 창을 닫고 터미널로 돌아가세요."
NO_CODE = Said("{title} sent no code along, since it was declined or failed there; begin again")
TOO_LATE = Said("nobody came back from {title} within ten minutes; begin again")
NO_REFRESH = Said(
    "{title} gave no refresh token, so the sign-in would end within the hour; begin again, and allow access offline"
)


def setup_tiles() -> tuple[SetupTile, ...]:
    """Every kind of source that says how it is set up, those of one account together."""
    from connectors.registry import load_source, source_kinds
    from orchestrator.documents.sources import SetupTile

    found: defaultdict[str, list[Manifest]] = defaultdict(list)
    for manifest in (load_source(kind).manifest for kind in source_kinds()):
        if manifest.setup is not None:
            found[manifest.setup.account or manifest.title].append(manifest)
    tiles = []
    for title, manifests in found.items():
        auth, setup = manifests[0].auth, manifests[0].setup
        assert setup is not None
        tiles.append(
            SetupTile(
                title=title,
                titles={each.name: each.title for each in manifests},
                help=auth.help,
                url=setup.application_url or setup.url or auth.url,
                asks=setup.asks,
                optional=setup.optional,
                scopes={each.name: _scopes(each) for each in manifests},
                by_browser=bool(setup.application_url),
                loopback=setup.loopback,
            )
        )
    return tuple(sorted(tiles, key=lambda tile: tile.title))


def _scopes(manifest: Manifest) -> tuple[str, ...]:
    setup, ways = manifest.setup, manifest.auth.sign_in
    own = setup.scopes if setup is not None else ()
    return own or (ways.scopes if ways is not None else manifest.auth.scopes)


@record
class _Arrival:
    """What a browser brought back; ``code`` is empty where the vendor sent none."""

    code: str


async def signed_in(kinds: Sequence[str], application: Application, at: BrowserSignIn) -> str:
    """The refresh token that a person's consent gave, for all sources of ``kinds`` together.

    ``at.show`` is told the address to open; ``at.pasted`` gives the address that a browser elsewhere ended at. Raises
    :class:`connectors.errors.SourceError`.
    """
    from datetime import UTC, datetime

    from connectors.errors import Unauthenticated, Unavailable
    from connectors.oauth import new_verifier

    vendor, loopback = vendor_of(kinds, application)
    title = vendor.name
    state, verifier = secrets.token_urlsafe(STATE_BYTES), new_verifier()
    async with _loopback(state) as (port, arrived):
        back = f"http://{loopback}:{port}/accounts/{kinds[0]}/callback"
        at.show(vendor.authorize_url(back, state, verifier))
        try:
            async with asyncio.timeout(WITHIN):
                found = await _first(arrived, _pasted(at.pasted, state))
        except TimeoutError:
            raise Unavailable(TOO_LATE.filled(title=title)) from None
        if not found.code:
            raise Unauthenticated(NO_CODE.filled(title=title))
        grant = await vendor.redeem(found.code, back, verifier, datetime.now(UTC))
    return refresh_token_of(grant, title)


def refresh_token_of(grant: Grant, title: str) -> str:
    """What renews a consent. Raises :class:`BadReply` where the vendor gave nothing that does."""
    from connectors.errors import BadReply

    if not grant.refresh_token:
        raise BadReply(NO_REFRESH.filled(title=title))
    return grant.refresh_token


def vendor_of(kinds: Sequence[str], application: Application) -> tuple[Vendor, str]:
    """Who is asked for a consent to all sources of ``kinds`` together, and by which name it sends people back to this machine."""
    from connectors.oauth import Vendor
    from connectors.registry import load_source

    manifests = [load_source(kind).manifest for kind in kinds]
    ways, setup = manifests[0].auth.sign_in, manifests[0].setup
    assert ways is not None
    assert setup is not None
    scopes = tuple(dict.fromkeys(each for manifest in manifests for each in _scopes(manifest)))
    title = setup.account or manifests[0].title
    return Vendor(title, ways, application.model_copy(update={"scopes": scopes})), setup.loopback


async def _first(*ways: Awaitable[_Arrival]) -> _Arrival:
    tasks = [asyncio.ensure_future(each) for each in ways]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pasted(typed: Callable[[], Awaitable[str]], state: str) -> _Arrival:
    """From an address that somebody copies, where their browser is on another machine than this."""
    while True:
        found = _arrival(urlsplit((await typed()).strip()).query, state)
        if found is not None:
            return found


def _arrival(query: str, state: str) -> _Arrival | None:
    """What an address brought; none where it is not an answer to what was begun here (login CSRF)."""
    told = {name: values[0] for name, values in parse_qs(query, max_num_fields=20).items()}
    if not hmac.compare_digest(told.get("state", "").encode(), state.encode()):
        return None
    return _Arrival(told.get("code", ""))


@asynccontextmanager
async def _loopback(state: str) -> AsyncIterator[tuple[int, asyncio.Future[_Arrival]]]:
    """A port of this machine that one browser comes back to; what comes with another state is told off."""
    arrived: asyncio.Future[_Arrival] = asyncio.get_running_loop().create_future()

    async def heard(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(READING):
                head = await reader.readuntil(b"\r\n\r\n")
            method, target, *_ = head.decode("latin-1").split(" ", 2)
            found = _arrival(urlsplit(target).query, state) if method == "GET" else None
            writer.write(_page(found is not None))
            await writer.drain()
            if found is not None and not arrived.done():
                arrived.set_result(found)
        writer.close()

    server = await asyncio.start_server(heard, "127.0.0.1", 0, limit=LONGEST_REQUEST)
    async with server:
        yield server.sockets[0].getsockname()[1], arrived


def _page(taken: bool) -> bytes:  # noqa: FBT001 — private, and called once
    status, text = ("200 OK", COME_BACK) if taken else ("400 Bad Request", "This was not begun here.")
    body = f"<!doctype html><meta charset=utf-8><title>fedsearch</title><p>{text}".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n".encode() + body
