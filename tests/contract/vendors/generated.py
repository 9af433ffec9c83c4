"""Every request that a source makes of a query, caught at its transport before anything is sent."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.contract import Call, Credential
from connectors.errors import SourceError, Unavailable
from connectors.http import HttpRequest, HttpSource
from connectors.registry import load_source, source_kinds
from connectors.testing.exemplar import filed_exemplars
from translators.registry import load_dialect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.http import Reply
    from connectors.testing.exemplar import Exchange, Filed
    from tests.contract.vendors.descriptions import Check
    from translators.query import Query

FOLDER = Path(__file__).parent
NOT_SOURCES = {"count", "descriptions", "generated"}


def described() -> tuple[str, ...]:
    """The kinds of source whose vendor publishes a description that requests can be held against."""
    return tuple(sorted(({path.stem for path in FOLDER.glob("*.py")} - NOT_SOURCES) & set(source_kinds())))


def validator(kind: str, contracts: Path) -> Check:
    """The check for one kind of source."""
    made: Check = import_module(f"tests.contract.vendors.{kind}").validator(contracts)
    return made


class Recorder:
    """A transport that keeps what it is given and reaches nobody."""

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """Keep the request."""
        self.requests.append(request)
        raise Unavailable("nobody is asked here")

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """Keep the requests."""
        self.requests += requests
        return [Unavailable("nobody is asked here") for _ in requests]

    async def aclose(self) -> None:
        """Nothing is open."""


def requests_for(kind: str, query: Query) -> list[HttpRequest]:
    """What a source, as its first exemplar configures it, would send for a query."""
    source = load_source(kind)
    settings = source.settings_type.model_validate({"kind": kind, **first_settings(kind)})
    connector = source(kind, settings)  # type: ignore[call-arg]
    assert isinstance(connector, HttpSource)
    recorder = Recorder()
    connector._transport = recorder
    dialect = load_dialect(source.manifest.dialect)
    native = dialect.translate(query, dialect.can).native
    with suppress(SourceError):
        asyncio.run(connector.search(native, Call(credential=Credential("token"))))
    return recorder.requests


@cache
def first_settings(kind: str) -> dict[str, object]:
    """The settings of a source's first exemplar."""
    exemplary = next(filed for filed in filed_exemplars(load_source(kind)) if filed.drawer == "exemplary")
    return dict(exemplary.exemplar.settings)


def recorded_requests(kind: str) -> Iterator[tuple[Filed, HttpRequest]]:
    """Every request in a source's exemplars, parts of batches too, relative to the source's base URL."""
    base = urlsplit(load_source(kind).manifest.default_url).path
    for filed in filed_exemplars(load_source(kind)):
        for exchange in filed.exemplar.exchanges:
            for each in exchange.parts or (exchange,):
                yield filed, _request(each, base)


def _request(exchange: Exchange, base: str) -> HttpRequest:
    sent = exchange.request
    headers = {name.lower(): value.replace("{token}", "t") for name, value in sent.headers.items()}
    return HttpRequest(sent.method, sent.path.removeprefix(base), sent.query, sent.body, headers)
