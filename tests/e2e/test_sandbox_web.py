"""The four web searches and their dialect against emulators of the vendors, over real sockets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from connectors.contract import Call
from connectors.errors import BadReply, Forbidden, Misconfigured, Rejected, Throttled, Unauthenticated, Unavailable
from connectors.registry import load_source
from orchestrator.sandbox import Fault, Sandbox
from tests.e2e.web_world import VENDORS, at, web_corpus
from translators.query import AnyOf, Compare, Container, Field, Not, Op, Phrase, Query, Term, all_of
from translators.translator import NativeQuery
from translators.web import Web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from connectors.contract import HitPage

PLAIN = ("brave", "searxng", "serpapi")  # those that give out the address of a page, and not Google's redirect


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    async with Sandbox(web_corpus(tmp_path / "web")) as served:
        yield served


def connector(sandbox: Sandbox, kind: str, **more: Any) -> Any:
    made: Any = load_source(kind)
    return made(kind, made.settings_type.model_validate({"kind": kind, **at(sandbox, kind)[kind], **more}))


async def searched(sandbox: Sandbox, kind: str, *where: Any, call: Call | None = None, **more: Any) -> HitPage:
    source = connector(sandbox, kind, **more)
    can = Web.can if source.manifest.can is None else Web.can.meet(source.manifest.can.capabilities)
    native = Web().translate(Query("?", where=all_of(where)), can).native
    try:
        page: HitPage = await source.search(native, call or Call())
        return page
    finally:
        await source.aclose()


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ([Term("suspense"), Term("fallback")], {"react.dev"}),
        ([Term("쿠버네티스"), Term("배포")], {"kubernetes.io"}),
        ([Phrase("lazy components")], {"react.dev"}),
        ([AnyOf((Term("쿠버네티스"), Term("kubernetes"))), Term("documentation")], {"kubernetes.io"}),
        ([Term("suspense"), Compare(Field.CONTAINER, Op.EQ, Container("react.dev"))], {"react.dev"}),
        ([Term("suspense"), Compare(Field.CONTAINER, Op.EQ, Container("dev"))], {"react.dev", "freecodecamp.org", "example.org"}),
        ([Term("site:react.dev")], set()),
        ([Term('x" OR "suspense')], set()),
        ([Phrase("!!g suspense")], set()),
        ([Term("zebra")], set()),
    ],
)  # fmt: skip
async def test_what_is_meant_is_found(sandbox: Sandbox, kind: str, where: list[Any], expected: set[str]) -> None:
    page = await searched(sandbox, kind, *where)
    assert {hit.container.name for hit in page.hits if hit.container} == expected
    assert all(hit.title and hit.url and not hit.complete for hit in page.hits)


@pytest.mark.parametrize("kind", ["brave", "serpapi"])
async def test_what_is_to_be_left_out_is(sandbox: Sandbox, kind: str) -> None:
    page = await searched(sandbox, kind, Term("suspense"), Not(Term("hooks")))
    assert "freecodecamp.org" not in {urlsplit(hit.url).hostname for hit in page.hits}
    assert len(page.hits) == 2


@pytest.mark.parametrize("kind", ["brave", "serpapi", "gemini"])
async def test_windows_are_kept(sandbox: Sandbox, kind: str) -> None:
    window = [
        Compare(Field.TIME, Op.GE, datetime(2026, 1, 1, tzinfo=UTC)),
        Compare(Field.TIME, Op.LT, datetime(2026, 2, 1, tzinfo=UTC)),
    ]
    page = await searched(sandbox, kind, Term("suspense"), *window)
    assert len(page.hits) == 1


async def test_searxng_is_not_asked_for_dates(sandbox: Sandbox) -> None:
    page = await searched(
        sandbox, "searxng", Term("suspense"), Compare(Field.TIME, Op.GE, datetime(2026, 1, 1, tzinfo=UTC))
    )
    assert len(page.hits) == 3


async def test_gemini_says_which_page_bears_out_what(sandbox: Sandbox) -> None:
    (hit,) = (await searched(sandbox, "gemini", Term("쿠버네티스"), Term("컨테이너"))).hits
    assert (hit.title, hit.snippet) == ("kubernetes.io", "쿠버네티스는 컨테이너 배포를 자동화한다.")
    assert hit.facts["searched"] == ("쿠버네티스 컨테이너",)
    assert urlsplit(hit.url).hostname == "vertexaisearch.cloud.google.com"


@pytest.mark.parametrize("kind", PLAIN)
async def test_page_by_page_everything_comes_once(sandbox: Sandbox, kind: str) -> None:
    source = connector(sandbox, kind)
    seen: list[str] = []
    cursor = None
    for _ in range(6):
        page = await source.search(NativeQuery("web", "suspense"), Call(limit=2, cursor=cursor))
        seen += [hit.url for hit in page.hits]
        if (cursor := page.cursor) is None:
            break
    await source.aclose()
    assert len(seen) == len(set(seen)) == 3


@pytest.mark.parametrize("kind", VENDORS)
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(retry_after=7), Throttled),
        (Fault(status=500), Unavailable),
        (Fault(malformed=True), BadReply),
        (Fault(disconnect=True), Unavailable),
    ],
)
async def test_faults_have_names(sandbox: Sandbox, kind: str, fault: Fault, error: type[Exception]) -> None:
    sandbox.set_fault(kind, fault)
    with pytest.raises(error) as raised:
        await searched(sandbox, kind, Term("suspense"))
    assert getattr(raised.value, "retry_after", 7) == 7


@pytest.mark.parametrize("kind", ["brave", "gemini", "serpapi"])
async def test_a_wrong_key_says_where_to_get_one(sandbox: Sandbox, kind: str) -> None:
    with pytest.raises(Unauthenticated, match="key") as raised:
        await searched(sandbox, kind, Term("x"), token="wrong-wrong-wrong")
    assert "wrong-wrong" not in str(raised.value)


@pytest.mark.parametrize("kind", VENDORS)
async def test_doctor_is_told(sandbox: Sandbox, kind: str) -> None:
    source = connector(sandbox, kind)
    assert (await source.probe(Call())).ok
    await source.aclose()


@pytest.mark.parametrize("kind", VENDORS)
async def test_without_a_word_nobody_is_asked(sandbox: Sandbox, kind: str) -> None:
    page = await searched(sandbox, kind, Compare(Field.TIME, Op.GE, datetime(2026, 1, 1, tzinfo=UTC)))
    assert (page.hits, len(page.notes), len(sandbox.requests)) == ((), 1, 0)


async def test_vendors_refuse_what_they_document_to_refuse(sandbox: Sandbox) -> None:
    """The emulators are no yes-men: what goes around the dialect is told as a bug of ours."""
    for kind, native in (("brave", NativeQuery("web", "x " * 60)), ("brave", NativeQuery("web", "x" * 401))):
        source = connector(sandbox, kind)
        with pytest.raises(Rejected, match="q"):
            await source.search(native, Call())
        await source.aclose()
    plan = connector(sandbox, "brave", extra_snippets=True)
    with pytest.raises(Forbidden, match="plan"):
        await plan.search(NativeQuery("web", "x"), Call())
    await plan.aclose()
    model = connector(sandbox, "gemini", model="gemini-1.0-pro")
    with pytest.raises(Misconfigured, match="set model"):
        await model.search(NativeQuery("web", "x"), Call())
    await model.aclose()


async def test_a_question_of_any_length_is_taken(sandbox: Sandbox) -> None:
    """What is beyond the limits of engines is checked here, and the line stays within them."""
    for kind in PLAIN:
        page = await searched(sandbox, kind, *(Term(f"word{number}") for number in range(200)))
        assert page.hits == ()
    sent = [record.query["q"] for record in sandbox.requests]
    assert all(len(line) <= 400 and len(line.split()) <= 32 for line in sent)
