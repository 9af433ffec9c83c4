"""The declared source and its dialect against the emulator of the plain API, over real sockets; two of a kind at once."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call
from connectors.errors import BadReply, Rejected, Throttled, Unauthenticated, Unavailable
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.sandbox import Fault, Sandbox
from orchestrator.settings import load_settings
from tests.corpora import corpus_of
from tests.e2e.asking import connected
from tests.e2e.patience import ENOUGH
from translators.query import Compare, Container, Field, Not, Op, Person, Phrase, Prefix, Query, Sort, Term, all_of
from translators.strategies import KST
from translators.translator import NativeQuery
from translators.words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from connectors.json_api import JsonApiSource
    from orchestrator.sandbox.corpus import Corpus

NOW = datetime(2026, 3, 20, 9, tzinfo=KST)
WORDS = (
    "배포를 금요일로",
    "deploy on friday",
    "release train 출시 일정",
    "train release",
    "배포 계획 staging",
    "nothing",
)


def rows(prefix: str = "w") -> list[dict[str, Any]]:
    return [
        {
            "id": f"{prefix}{number}",
            "source": "json_api",
            "kind": "page" if number % 2 else "message",
            "title": f"{prefix} {number}",
            "text": text,
            "container": "공지" if number < 3 else "eng",
            "author": "u1" if number % 2 else "u2",
            "author_name": "김민수" if number % 2 else "Sarah Kim",
            "created": f"2026-03-0{number + 1}T00:00:00+09:00",
            "updated": f"2026-03-1{number}T00:00:00+09:00",
            "url": f"https://{prefix}.example/{number}",
        }
        for number, text in enumerate(WORDS)
    ]


def corpus(folder: Path, prefix: str = "w") -> Corpus:
    folder.mkdir(exist_ok=True)
    return corpus_of(folder, rows(prefix))


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    async with Sandbox(corpus(tmp_path)) as served:
        yield served


@pytest.fixture
async def source(sandbox: Sandbox) -> AsyncIterator[JsonApiSource]:
    made = connector(sandbox)
    yield made
    await made.aclose()


def connector(sandbox: Sandbox, **more: Any) -> JsonApiSource:
    source: JsonApiSource = connected(sandbox, "json_api", name="wiki", **more)
    return source


async def found(source: JsonApiSource, *where: Any, sort: Sort = Sort.RELEVANCE) -> list[str]:
    native = Words().translate(Query("?", where=all_of(where), sort=sort), Words.can).native
    return [hit.id for hit in (await source.search(native, Call())).hits]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ([Term("deploy")], ["w1"]),
        ([Term("배포")], ["w0", "w4"]),
        ([Phrase("release train")], ["w2"]),
        ([Phrase("출시 일정")], ["w2"]),
        ([Prefix("rele")], ["w2", "w3"]),
        ([Term("배포"), Not(Term("staging"))], ["w0"]),
        ([Term("release"), Not(Phrase("release train"))], ["w3"]),
        ([Compare(Field.AUTHOR, Op.EQ, Person("김민수"))], ["w1", "w3", "w5"]),
        ([Compare(Field.AUTHOR, Op.EQ, Person("Sarah", "u2")), Term("배포")], ["w0", "w4"]),
        ([Compare(Field.CONTAINER, Op.EQ, Container("공지"))], ["w0", "w1", "w2"]),
        ([Compare(Field.TIME, Op.GE, datetime(2026, 3, 13, tzinfo=KST))], ["w3", "w5"]),
        ([Compare(Field.TIME, Op.LT, datetime(2026, 3, 5, tzinfo=KST))], ["w0", "w2"]),
        ([Term("-비밀")], []),
        ([Term('a" OR "b')], []),
    ],
)
async def test_what_is_meant_is_found(source: JsonApiSource, where: list[Any], expected: list[str]) -> None:
    """Messages by when they were written, pages by when they were changed."""
    assert sorted(await found(source, *where)) == expected


async def test_orders_are_kept(source: JsonApiSource) -> None:
    assert await found(source, Term("배포"), sort=Sort.NEWEST) == ["w4", "w0"]
    assert await found(source, Term("배포"), sort=Sort.OLDEST) == ["w0", "w4"]


async def test_a_result_is_whole(source: JsonApiSource) -> None:
    """Who, where, when; and that its text proves what is not in it."""
    (hit,) = (await source.search(NativeQuery("words", "friday"), Call())).hits
    assert (hit.source, hit.kind.value, hit.title, hit.url) == ("wiki", "page", "w 1", "https://w.example/1")
    assert hit.author is not None
    assert (hit.author.name, hit.author.native_id) == ("김민수", "u1")
    assert (hit.container, hit.complete) == (Container("공지"), True)
    assert (hit.created, hit.updated) == (datetime(2026, 3, 2, tzinfo=KST), datetime(2026, 3, 11, tzinfo=KST))


async def test_page_by_page_everything_comes_once(source: JsonApiSource) -> None:
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        page = await source.search(NativeQuery("words", ""), Call(limit=4, cursor=cursor))
        seen += [hit.id for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            break
    assert sorted(seen) == [f"w{number}" for number in range(6)]
    assert page.total == 6


async def test_bad_parameters_are_refused_and_told(sandbox: Sandbox) -> None:
    """A declaration that does not fit the search: what it says of that reaches the person."""
    params = {"q": "{text}", "size": "{limit}"}
    wrong = connector(sandbox, request={"params": params}, can={"term": "exact"})
    with pytest.raises(Rejected, match="there is no parameter size; there are author, in, limit"):
        await wrong.search(NativeQuery("words", "x"), Call())
    await wrong.aclose()


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(retry_after=7), Throttled),
        (Fault(status=500), Unavailable),
        (Fault(malformed=True), BadReply),
        (Fault(status=401), Unauthenticated),
        (Fault(disconnect=True), Unavailable),
    ],
)
async def test_faults_have_names(sandbox: Sandbox, source: JsonApiSource, fault: Fault, error: type[Exception]) -> None:
    sandbox.set_fault("json_api", fault)
    with pytest.raises(error):
        await source.search(NativeQuery("words", "x"), Call())


async def test_a_wrong_token_says_what_to_do(sandbox: Sandbox) -> None:
    wrong = connector(sandbox, token="wrong-wrong", auth={"help": "ask the librarians"})
    with pytest.raises(Unauthenticated, match="ask the librarians"):
        await wrong.probe(Call())
    await wrong.aclose()


# ---- two of a kind


async def test_two_of_a_kind_are_both_asked_and_named_apart(tmp_path: Path) -> None:
    """Two searches in ``sources.d``, each with its own address, title and results; one of them fails alone."""
    folder = tmp_path / "sources.d"
    folder.mkdir()
    async with AsyncExitStack() as stack:
        variables = {"FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml")}
        (tmp_path / "fedsearch.toml").write_text("", "utf-8")
        boxes = {}
        for name, title in (("design-wiki", "Design wiki"), ("ops_wiki", "")):
            box = await stack.enter_async_context(Sandbox(corpus(tmp_path / name, name[:3])))
            at = box.endpoints["json_api"]
            said = f'kind = "json_api"\nbase_url = "{at.base_url}"\ncategory = "wiki"\n' + (
                f'title = "{title}"\n' if title else ""
            )
            (folder / f"{name}.toml").write_text(said, "utf-8")
            variables[f"FEDSEARCH_SOURCES__{name.replace('-', '_').upper()}__TOKEN"] = at.token
            boxes[name] = box
        engine = build_engine(load_settings({}, variables))
        stack.push_async_callback(engine.aclose)
        answer = await engine.search(Ask("배포", NOW, budget=ENOUGH))
        assert {result.hit.source for result in answer.results} == {"design_wiki", "ops_wiki"}
        titles = {step.source: step.title for step in answer.plan.steps}
        assert titles == {"design_wiki": "Design wiki", "ops_wiki": "JSON search (ops_wiki)"}
        boxes["ops_wiki"].set_fault("json_api", Fault(status=500))
        answer = await engine.search(Ask("release train", NOW, budget=ENOUGH))  # no word of which is remembered
        assert {result.hit.source for result in answer.results} == {"design_wiki"}
        failed = {outcome.source: outcome.status.value for outcome in answer.outcomes}
        assert (failed["design_wiki"], failed["ops_wiki"] == "ok") == ("ok", False)
