"""Our sources ask Prism, which answers by the vendors' own descriptions over a real socket and judges each request."""

from __future__ import annotations

import tomllib
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

import translators
from connectors.contract import Call, Credential, HitPage
from connectors.errors import SourceError
from connectors.registry import load_source, source_kinds
from tests.contract.oracles.prism.mock import prism, recorded, why_not, with_bare_replies
from tests.contract.vendors.generated import first_settings
from translators.exemplars import exemplars_from
from translators.registry import load_dialect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping

    from connectors.contract import Connector
    from tests.contract.oracles.prism.mock import Proxy
    from translators.translator import NativeQuery

MOST_SECONDS = 300  # descriptions are large, and the machine may be busy
PATIENCE = 20.0  # seconds for one question
FEW = 6  # questions for each way in which Prism is told to answer


@dataclass(frozen=True)
class Served:
    """How Prism stands for a source.

    ``files``: a description for each beginning of a path. ``settings``: of the source, so that it asks what is
    described. ``undescribed``: how requests begin that no description can hold. ``recursive``: whether replies are
    described by schemas that hold themselves, so that Prism can answer by its examples alone. ``instead``: what Prism
    is asked in place of what the vendor takes and the description leaves out.
    """

    files: Mapping[str, str]
    settings: Mapping[str, object] = field(default_factory=dict)
    undescribed: tuple[str, ...] = ()
    recursive: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


SERVED = {
    # The list of fields stops at a reference to a person or a task; https://developers.asana.com/docs/inputoutput-options goes on.
    "asana": Served(
        {"": "asana_search.openapi.json"},
        instead={
            "created_by.name": "created_by",
            "dependencies.name,dependencies.completed": "dependencies",
            "dependents.name,dependents.completed": "dependents",
        },
    ),
    "confluence": Served(
        {"": "confluence_v1_search.openapi.json", "/wiki/api/v2": "confluence_v2.openapi.json"}, recursive=True
    ),
    # Issues and discussions go by GraphQL; the path of a file has slashes, which OpenAPI cannot say of a parameter.
    "github": Served(
        {"": "github_search.openapi.json"},
        {"scopes": ["code"], "org": ""},
        undescribed=("POST /graphql", "GET /repos/acme/app/contents/"),
    ),
    "jira": Served({"": "jira_search.openapi.json"}),
    # Of Teams the description has messages by their ids alone, and none of what is listed.
    "microsoft365": Served({"": "msgraph_search.openapi.json"}, undescribed=("GET /chats/", "GET /teams/")),
    "notion": Served({"": "notion_search.openapi.json"}),
    "slack": Served({"": "slack_search_2026.openapi.json"}),
    "slack_rts": Served({"": "slack_search_2026.openapi.json"}),
}
NOT_SERVED = {
    "drive": "Google describes Drive by a discovery document, which Prism cannot read",
    "gmail": "Google describes Gmail by a discovery document, which Prism cannot read",
    "googlechat": "Google describes Chat by a discovery document, which Prism cannot read",
    "imap": "IMAP is not HTTP; a real Dovecot answers instead",
    "json_api": "it speaks to whatever its settings declare",
    "linear": "Linear's API is GraphQL, of which OpenAPI says nothing",
    "mcp_client": "MCP is JSON-RPC; its own schemas and servers stand for it",
}
WAYS = ("dynamic=true", *(f"code={status}" for status in (400, 401, 403, 404, 429, 500)))

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
    pytest.mark.timeout(MOST_SECONDS),
]


@dataclass(frozen=True)
class Standing:
    """Prism in the place of one source's vendor: an address for each beginning of a path."""

    kind: str
    addresses: Mapping[str, str]


@pytest.fixture(scope="module", params=source_kinds())
def standing(
    request: pytest.FixtureRequest, contracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing]:
    """One source at a time: each server takes seconds to start and a hundred megabytes."""
    kind = request.param
    if kind not in SERVED:
        pytest.skip(NOT_SERVED.get(kind, "its vendor publishes no OpenAPI description"))
    served, folder = SERVED[kind], tmp_path_factory.mktemp("descriptions")
    files = {at: contracts / file for at, file in served.files.items()}
    if served.recursive:
        files = {at: with_bare_replies(file, folder) for at, file in files.items()}
    with ExitStack() as servers:
        yield Standing(kind, {at: servers.enter_context(prism(file)) for at, file in files.items()})


async def test_what_is_asked_is_as_described(standing: Standing) -> None:
    """Every canonical question of the dialect, the lists of names and the probe: Prism finds nothing wrong in them."""
    async with asked(standing) as (connector, proxy):
        outcomes = [await outcome(connector.probe(CALL)), await outcome(connector.directory(CALL))]
        found = [await outcome(connector.search(each, CALL)) for each in questions(standing.kind)]
    assert wrong(standing, proxy) == []
    assert [each for each in (*outcomes, *found) if not understood(each)] == []
    assert any(isinstance(each, HitPage) for each in found), f"nothing was understood: {found[:3]}"
    assert len(proxy.judged) > FEW


@pytest.mark.parametrize("way", WAYS)
async def test_whatever_is_answered_is_read_or_named(standing: Standing, way: str) -> None:
    """Replies made up by the description, and each error that it describes: hits, or an error of ours; nothing else."""
    if way == "dynamic=true" and SERVED[standing.kind].recursive:
        pytest.skip("its replies are described by schemas that hold themselves, of which Prism makes nothing up")
    async with asked(standing, way) as (connector, proxy):
        outcomes = [await outcome(connector.probe(CALL)), await outcome(connector.directory(CALL))]
        for each in questions(standing.kind)[:FEW]:
            proxy.judged.clear()
            outcomes.append(found := await outcome(connector.search(each, CALL)))
            if proxy.judged and all(judged.status >= 400 for judged in proxy.judged):
                assert isinstance(found, SourceError) or not found.hits, f"an error became hits: {proxy.judged}"
    assert [each for each in outcomes if not understood(each)] == []
    assert wrong(standing, proxy) == []


async def test_what_is_not_as_described_is_seen(standing: Standing) -> None:
    """A path that no vendor has is told, or all of this would prove nothing."""
    async with recorded(standing.addresses) as proxy, aiohttp.ClientSession() as session:
        async with session.get(f"{proxy.url}/no/such/path") as reply:
            await reply.read()
        assert len(wrong(standing, proxy)) == 1


async def test_a_body_of_the_wrong_type_is_seen(contracts: Path) -> None:
    """So is what the header ``sl-violations`` alone tells."""
    with prism(contracts / "jira_search.openapi.json") as address:
        async with recorded({"": address}) as proxy, aiohttp.ClientSession() as session:
            url = f"{proxy.url}/rest/api/3/search/jql"
            async with session.post(url, json={"jql": 42, "maxResults": 5}) as reply:
                await reply.read()
    assert ["jql must be string" in each for each in proxy.violations] == [True]


# ---- asking

CALL = Call(credential=Credential("planted-token"), timeout=PATIENCE)


@asynccontextmanager
async def asked(standing: Standing, prefer: str = "") -> AsyncIterator[tuple[Connector, Proxy]]:
    """The source itself, and the proxy between it and Prism."""
    made: Any = load_source(standing.kind)
    served = SERVED[standing.kind]
    async with recorded(standing.addresses, prefer, served.instead) as proxy:
        settings = {**first_settings(standing.kind), **served.settings, "base_url": proxy.url}
        connector = made("mine", made.settings_type.model_validate({"kind": standing.kind, **settings}))
        try:
            yield connector, proxy
        finally:
            await connector.aclose()


def questions(kind: str) -> list[NativeQuery]:
    """Every canonical question of the source's dialect in its own words, those in Korean and hostile ones too."""
    manifest = load_source(kind).manifest
    dialect = load_dialect(manifest.dialect)
    can = manifest.can.capabilities if manifest.can else dialect.can
    folder = Path(translators.__path__[0]) / dialect.name / "exemplars"
    tables = (tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml")))
    return [dialect.translate(each.query, can).native for table in tables for each in exemplars_from(table)]


async def outcome(asking: Awaitable[Any]) -> Any:
    """What comes of it, an exception as a value."""
    try:
        return await asking
    except Exception as failure:  # noqa: BLE001 — which it is, is what is tested
        return failure


def understood(result: object) -> bool:
    """Whether this is an answer or an error of ours."""
    return isinstance(result, SourceError) or not isinstance(result, Exception)


def wrong(standing: Standing, proxy: Proxy) -> list[str]:
    """What is not as described, but for what no description can hold."""
    return [each for each in proxy.violations if not each.startswith(SERVED[standing.kind].undescribed or "\0")]
