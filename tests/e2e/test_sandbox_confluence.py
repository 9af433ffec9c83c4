"""The real connector and the real dialect against the Confluence emulator over real sockets, in both languages."""

from __future__ import annotations

import json
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from jsonschema import Draft202012Validator

from connectors.contract import Call, Credential, Hit
from connectors.errors import Misconfigured, Rejected, SourceError, Throttled, Unauthenticated
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Status
from orchestrator.plan.conditions import resolve_names
from orchestrator.sandbox import Corpus, Fault, Sandbox
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.corpora import corpus_of
from tests.e2e.asking import connected, faults, time_for
from translators.cql import Cql
from translators.query import (
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    all_of,
    any_of,
)
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from connectors.confluence import ConfluenceSource

PEOPLE = [
    {"id": "U01", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"},
    {"id": "U02", "name": "Sarah Kim", "handle": "sarah", "email": "sarah@acme.example"},
]
ROWS = [
    {"id": "w1", "kind": "page", "title": "배포 절차", "text": "# 순서\n배포를 금요일에 합니다. API는 k8s 위에서 돕니다.", "container": "플랫폼", "author": "U01",
     "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z",
     "comments": [{"text": "롤백은 어떻게 하나요?", "author": "U02", "created": "2026-03-11T00:00:00Z"}]},
    {"id": "w2", "kind": "page", "title": "Release runbook", "text": "Tag, build, deploy. The release train leaves on Friday.", "container": "ENG", "author": "U02",
     "created": "2026-02-01T00:00:00Z", "updated": "2026-02-02T00:00:00Z"},
    {"id": "w3", "kind": "blogpost", "title": "Staging is down", "text": "We deploy to staging only.", "container": "ENG", "author": "U01",
     "created": "2026-01-01T00:00:00Z"},
    {"id": "w4", "kind": "file", "title": "checklist.pdf", "text": "", "container": "ENG", "author": "U02", "created": "2026-01-02T00:00:00Z"},
    {"id": "w5", "kind": "database", "title": "출시 일정표", "text": "출시 일정은 3월", "container": "제품", "author": "U02", "created": "2026-01-03T00:00:00Z"},
    {"id": "w6", "kind": "page", "title": "C++ 코딩 규칙", "text": 'ERR_CONN_4012 and ENG-123, see a "quoted" C:\\temp', "container": "ENG", "author": "U02",
     "created": "2026-01-04T00:00:00Z"},
    {"id": "w7", "kind": "page", "title": "재배포 사례", "text": "지난해 재배포", "container": "ENG", "author": "U01", "created": "2026-01-05T00:00:00Z"},
]  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Seven pieces of content and a comment on one."""
    return corpus_of(tmp_path, ROWS, PEOPLE, source="confluence")


@asynccontextmanager
async def served(corpus: Corpus, *, path: str = "", **settings: Any) -> AsyncIterator[tuple[Sandbox, ConfluenceSource]]:
    """The corpus as haneul's site and the connector to it."""
    async with Sandbox(corpus, owner="haneul") as sandbox:
        base_url = sandbox.endpoints["confluence"].base_url + path
        async with aclosing(connected(sandbox, "confluence", **{"base_url": base_url, **settings})) as source:
            yield sandbox, source


async def found(sandbox: Sandbox, source: ConfluenceSource, where: Clause, sort: Sort = Sort.RELEVANCE) -> list[str]:
    """Rows that a question finds, names resolved by the source's own directory, residuals left aside."""
    resolved = resolve_names(where, await source.directory(Call()))
    native = Cql().translate(Query("?", where=resolved, sort=sort), Cql.can).native
    page = await source.search(native, Call(limit=50))
    assert page.notes == ()
    return [sandbox.origins("confluence")[hit.id] + ("+" if hit.kind is Kind.MESSAGE else "") for hit in page.hits]


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        (Term("deploy"), {"w2", "w3"}),
        (Term("배포"), {"w1", "w1+"}),  # 배포를 too, and not 재배포; the comment has it in its title
        (Phrase("배포를 금요일"), {"w1"}),
        (Phrase("release train"), {"w2"}),
        (Phrase("출시 일정"), {"w5"}),
        (Prefix("check"), {"w4"}),
        (Term("C++"), {"w6"}),
        (all_of([Term("ERR_CONN_4012"), Term("ENG-123")]), {"w6"}),
        (Phrase('"quoted" C:\\temp'), {"w6"}),
        (all_of([Term("deploy"), Not(Term("staging"))]), {"w2"}),
        (Not(Term("deploy")), {"w1", "w1+", "w4", "w5", "w6", "w7"}),
        (any_of([Term("롤백"), Term("checklist")]), {"w1+", "w4"}),
        (any_of([Term("train"), Not(Compare(Field.CONTAINER, Op.EQ, Container("eng")))]), {"w1", "w1+", "w2", "w5"}),
        (Compare(Field.AUTHOR, Op.EQ, Person("", me=True)), {"w1", "w3", "w7"}),
        (Compare(Field.AUTHOR, Op.EQ, Person("sarah kim")), {"w1+", "w2", "w4", "w5", "w6"}),
        (Not(Compare(Field.AUTHOR, Op.EQ, Person("이하늘"))), {"w1+", "w2", "w4", "w5", "w6"}),
        (Compare(Field.CONTAINER, Op.EQ, Container("플랫폼")), {"w1", "w1+"}),
        (Compare(Field.CONTAINER, Op.EQ, Container("eng")), {"w2", "w3", "w4", "w6", "w7"}),
        (Compare(Field.KIND, Op.EQ, Kind.FILE), {"w4"}),
        (Compare(Field.KIND, Op.EQ, Kind.DATABASE), {"w5"}),
        (Compare(Field.KIND, Op.EQ, Kind.MESSAGE), {"w1+"}),
        (Not(Compare(Field.KIND, Op.EQ, Kind.PAGE)), {"w1+", "w4", "w5"}),
        (Compare(Field.TIME, Op.GE, datetime(2026, 2, 5, tzinfo=UTC)), {"w1", "w1+"}),
        (Compare(Field.TIME, Op.LT, datetime(2026, 1, 2, tzinfo=UTC)), {"w3", "w4"}),  # a day wider than was meant
    ],
)  # fmt: skip
async def test_what_a_question_finds(corpus: Corpus, where: Clause, rows: set[str]) -> None:
    """From the clause through CQL and the wire to rows of the corpus."""
    async with served(corpus) as (sandbox, source):
        assert set(await found(sandbox, source, where)) == rows


async def test_order(corpus: Corpus) -> None:
    pages = Compare(Field.KIND, Op.EQ, Kind.PAGE)
    async with served(corpus) as (sandbox, source):
        newest = await found(sandbox, source, pages, Sort.NEWEST)
        assert newest == ["w1", "w2", "w7", "w6", "w3"]
        assert await found(sandbox, source, pages, Sort.OLDEST) == newest[::-1]


async def test_hits_are_whole(corpus: Corpus) -> None:
    """Address, people, place and times as the site has them; the text of the best pages, excerpts of the others."""
    async with served(corpus, pages_read=1) as (_, source):
        native = Cql().translate(Query("?", where=Term("deploy"), sort=Sort.NEWEST), Cql.can).native
        first, second = (await source.search(native, Call())).hits
    assert first.url.startswith("https://acme.atlassian.net/wiki/spaces/ENG/pages/")
    assert (first.title, first.kind) == ("Release runbook", Kind.PAGE)
    assert first.author is not None
    assert (first.author.name, first.author.email) == ("Sarah Kim", "sarah@acme.example")
    assert first.container == Container("ENG", "ENG")
    assert first.created == datetime(2026, 2, 1, tzinfo=UTC)
    assert first.updated == datetime(2026, 2, 2, tzinfo=UTC)
    assert first.snippet == "Tag, build, deploy. The release train leaves on Friday."
    assert (second.snippet, second.facts["type"]) == ("We deploy to staging only.", "blogpost")
    assert not first.complete


async def test_paging_to_the_end_finds_what_one_large_page_finds(corpus: Corpus) -> None:
    """No hit twice, none missing, and an end."""
    native = NativeQuery("cql", Cql().translate(Query("?"), Cql.can).native.text)
    async with served(corpus, pages_read=0) as (sandbox, source):
        whole = await source.search(native, Call(limit=50))
        paged: list[Hit] = []
        cursor: str | None = None
        for _ in range(10):
            page = await source.search(native, Call(limit=3, cursor=cursor))
            paged += page.hits
            if (cursor := page.cursor) is None:
                break
        assert [hit.id for hit in paged] == [hit.id for hit in whole.hits]
        assert whole.total == len(whole.hits) == 8
        assert [record.query.get("start") for record in sandbox.requests] == [None] * len(sandbox.requests)


async def test_a_page_is_found_by_its_address_on_its_own_site_only(corpus: Corpus) -> None:
    async with served(corpus) as (sandbox, source):
        addresses = [
            name for name in sandbox.origins("confluence") if name.startswith("https://") and "/pages/" in name
        ]
        pages = [address for address in addresses if "focusedCommentId" not in address and "viewpage" not in address]
        assert len(pages) == 4
        for address in pages:
            for asked, count in ((address, 1), (address.replace("//acme.", "//other."), 0)):
                where = Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, asked))
                translation = Cql().translate(Query(asked, where=where), Cql.can)
                assert translation.residual is None
                page = await source.search(translation.native, Call())
                assert [hit.url for hit in page.hits] == [address] * count
                assert bool(page.remarks) is not bool(count)


async def test_only_the_spaces_that_are_set(corpus: Corpus) -> None:
    """Whatever is asked, other spaces by name included."""
    async with served(corpus, spaces=["ENG"]) as (sandbox, source):
        assert set(await found(sandbox, source, all_of([]))) == {"w2", "w3", "w4", "w6", "w7"}
        elsewhere = Compare(Field.CONTAINER, Op.EQ, Container("플랫폼"))
        assert await found(sandbox, source, elsewhere) == []
        injected = NativeQuery("cql", 'id = 1 OR text ~ "배포*"')
        page = await source.search(injected, Call())
        assert (page.hits, page.remarks) == ((), ("2 results outside the spaces that may be searched were left out",))


async def test_the_site_and_the_gateway_by_token_and_by_address(corpus: Corpus) -> None:
    gateway = "/ex/confluence/11223344-a1b2-3b33-8444-def123456789"
    basic = {"email": "haneul@acme.example", "token": "ATATT_sandbox"}
    for path, signed in (("/wiki", {}), (gateway, {}), ("", basic), (gateway, basic)):
        async with served(corpus, path=path, **signed) as (sandbox, source):
            assert (await source.probe(Call())).account == "haneul@acme.example"
            assert set(await found(sandbox, source, Term("배포"))) == {"w1", "w1+"}
    async with served(corpus) as (_, source):
        own = Credential("haneul@acme.example:ATATT_sandbox")
        assert (await source.probe(Call(credential=own))).ok


@pytest.mark.parametrize(
    "settings",
    [{"token": "wrong-token-1234"}, {"email": "sarah@acme.example"}, {"email": "haneul@acme.example", "token": "wrong-token-1234"}],
)  # fmt: skip
async def test_a_wrong_token_is_told_with_what_to_do(corpus: Corpus, settings: dict[str, str]) -> None:
    async with served(corpus, **settings) as (_, source):
        with pytest.raises(Unauthenticated, match="is email the address of the token's owner") as caught:
            await source.search(NativeQuery("cql", "type = page"), Call())
        assert "wrong-token-1234" not in str(caught.value)


async def test_what_confluence_refuses_is_our_mistake_and_kept(corpus: Corpus) -> None:
    async with served(corpus) as (_, source):
        with pytest.raises(Rejected, match="Could not parse cql") as caught:
            await source.search(NativeQuery("cql", 'text !~ "a"'), Call())
        assert caught.value.native == 'text !~ "a"'
    async with served(corpus, path="/nothing") as (_, source):
        with pytest.raises(Misconfigured, match="is base_url the address of a Confluence Cloud site"):
            await source.search(NativeQuery("cql", "type = page"), Call())


@faults(but=("401", "403"))
async def test_faults_are_errors_named_by_what_to_do(corpus: Corpus, fault: Fault, expected: type[SourceError]) -> None:
    async with served(corpus) as (sandbox, source):
        sandbox.set_fault("confluence", fault)
        with pytest.raises(expected) as caught:
            await source.search(NativeQuery("cql", "type = page"), Call(timeout=time_for(fault)))
        if isinstance(caught.value, Throttled):
            assert caught.value.retry_after == 2.0
            assert "confluence-burst-based" in str(caught.value)


async def test_texts_that_fail_cost_themselves(corpus: Corpus) -> None:
    """Every second request fails: the search is the first."""
    async with served(corpus, pages_read=1) as (sandbox, source):
        sandbox.set_fault("confluence", Fault(status=500, every=2))
        page = await source.search(NativeQuery("cql", 'text ~ "runbook"'), Call())
        assert [hit.snippet for hit in page.hits] == ["Tag, build, deploy. The release train leaves on Friday."]
        assert page.notes[0].startswith("the text of 1 of 1 pages could not be read")


@pytest.mark.parametrize("text", ["배포 절차가 어떻게 되나요?", "What is the release runbook?"])
async def test_the_whole_engine_answers_from_it(corpus: Corpus, text: str) -> None:
    """With the source found by its folder, and nothing else configured."""
    async with Sandbox(corpus, owner="haneul") as sandbox:
        end = sandbox.endpoints["confluence"]
        tree = {"sources": {"confluence": {"kind": "confluence", "base_url": end.base_url, "token": end.token}}}
        async with build_engine(load_settings(tree, {})) as engine:
            answer = await engine.search(Ask(text, datetime(2026, 3, 20, tzinfo=UTC), budget=HANGING))
    assert [outcome.status for outcome in answer.outcomes] == [Status.OK]
    assert answer.results[0].hit.title in {"배포 절차", "Release runbook"}


# ---- the emulator itself against Atlassian's own descriptions


@pytest.mark.parametrize(
    ("path", "query", "document", "schema"),
    [
        ("/wiki/rest/api/search", {"cql": "type in (page, comment)"}, "v1_search", "SearchPageResponseSearchResult"),
        ("/wiki/rest/api/search", {"cql": "type = page", "limit": "1"}, "v1_search", "SearchPageResponseSearchResult"),
        ("/wiki/rest/api/search", {"cql": "type = folder"}, "v1_search", "SearchPageResponseSearchResult"),
        ("/wiki/rest/api/search/user", {"cql": "type=user"}, "v1_search", "SearchPageResponseSearchResult"),
        ("/wiki/rest/api/user/current", {}, "v1_search", "User"),
        ("/wiki/api/v2/pages/{id}", {"body-format": "view"}, "v2", "PageSingle"),
    ],
)  # fmt: skip
async def test_replies_are_as_atlassian_describes_them(
    corpus: Corpus, shared: Path, path: str, query: dict[str, str], document: str, schema: str
) -> None:
    async with Sandbox(corpus, owner="haneul") as sandbox, aiohttp.ClientSession() as session:
        end = sandbox.endpoints["confluence"]
        number = next(name for name, row in sandbox.origins("confluence").items() if row == "w2" and name.isdigit())
        signed = {"Authorization": f"Bearer {end.token}"}
        async with session.get(f"{end.base_url}{path.format(id=number)}", params=query, headers=signed) as reply:
            assert reply.status == 200
            value = await reply.json()
    described = json.loads((shared / "contracts" / f"confluence_{document}.openapi.json").read_text("utf-8"))
    Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": described["components"]}).validate(
        value
    )


async def test_listed_spaces_are_as_atlassian_describes_them(corpus: Corpus, shared: Path) -> None:
    described = json.loads((shared / "contracts" / "confluence_v2.openapi.json").read_text("utf-8"))
    async with Sandbox(corpus) as sandbox, aiohttp.ClientSession() as session:
        end = sandbox.endpoints["confluence"]
        signed = {"Authorization": f"Bearer {end.token}"}
        async with session.get(f"{end.base_url}/wiki/api/v2/spaces", headers=signed) as reply:
            spaces = (await reply.json())["results"]
    assert spaces
    check = Draft202012Validator({"$ref": "#/components/schemas/SpaceBulk", "components": described["components"]})
    for space in spaces:
        check.validate(space)
