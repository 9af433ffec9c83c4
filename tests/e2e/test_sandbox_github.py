"""The GitHub source and dialect against the emulator over real sockets: four searches, merged, paged, throttled, broken."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential, Hit
from connectors.errors import Forbidden, SourceError, Throttled, Unauthenticated
from orchestrator.gather import Gate
from orchestrator.sandbox import Fault, Sandbox
from tests.clock import HANGING
from tests.corpora import corpus_of
from tests.e2e.asking import connected, faults, past, time_for
from translators.github import GitHub
from translators.match import matches
from translators.query import (
    EVERYTHING,
    AnyOf,
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
    Query,
    Sort,
    State,
    Term,
    all_of,
)
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from connectors.github import GitHubSource

PEOPLE = [
    {"id": "U1", "name": "김민수", "handle": "minsu.kim", "email": "minsu@acme.example"},
    {"id": "U2", "name": "Sarah Kim", "handle": "sarah.kim", "email": "sarah@acme.example"},
]
ROWS: list[dict[str, Any]] = [
    {"id": "i1", "kind": "issue", "container": "acme/app", "title": "결제 배포 실패", "text": "배포를 하면 **timeout** 오류", "state": "open", "author": "U1", "assignee": "U2", "labels": ["bug"], "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z",
     "comments": [{"author": "U2", "created": "2026-03-02T00:00:00Z", "text": "the k8s rollback helped"}]},
    {"id": "i2", "kind": "issue", "container": "acme/web", "title": "Login timeout", "text": "staging only", "state": "closed", "author": "U2", "created": "2026-02-01T00:00:00Z", "updated": "2026-02-20T00:00:00Z"},
    {"id": "p1", "kind": "prs", "container": "acme/app", "title": "Retry on timeout", "text": "Fixes it", "state": "closed", "merged": "True", "author": "U1", "created": "2026-03-05T00:00:00Z"},
    {"id": "d1", "kind": "discussion", "container": "acme/app", "title": "RFC: timeout policy", "text": "결제 배포 재시도", "author": "U2", "created": "2026-03-07T00:00:00Z", "updated": "2026-03-19T00:00:00Z"},
    {"id": "d2", "kind": "discussion", "container": "acme/web", "title": "kubernetes timeout", "text": "", "author": "U1", "created": "2025-01-01T00:00:00Z"},
    {"id": "c1", "kind": "code", "container": "acme/app", "title": "src/배포 스크립트.py", "text": "TIMEOUT = 5  # 배포 timeout\n"},
    {"id": "x1", "kind": "issue", "container": "other/lib", "title": "timeout elsewhere", "text": "", "author": "U1", "created": "2026-03-01T00:00:00Z"},
    *(
        {"id": f"n{number}", "kind": kind, "container": "acme/many", "title": f"webhook {number}", "text": "webhook body", "author": "U1", "created": f"2026-01-{number % 27 + 1:02}T00:00:00Z"}
        for number, kind in enumerate(["issue", "prs", "discussion", "code"] * 12)
    ),
]  # fmt: skip


@asynccontextmanager
async def workplace(
    folder: Path, fault: Fault | None = None, **settings: Any
) -> AsyncIterator[tuple[Sandbox, GitHubSource]]:
    """The emulator over the rows above, and a source with the token that it gives out, inside ``acme`` unless said otherwise."""
    async with (
        Sandbox(corpus_of(folder, ROWS, PEOPLE, source="github"), faults={"github": fault} if fault else {}) as sandbox,
        aclosing(connected(sandbox, "github", **{"org": "acme", **settings})) as source,
    ):
        yield sandbox, source


async def ask(source: GitHubSource, *parts: Clause, sort: Sort = Sort.RELEVANCE, limit: int = 50) -> list[Hit]:
    """What a question finds and our own check keeps."""
    found = GitHub().translate(Query("?", where=all_of(parts), sort=sort), GitHub.can)
    page = await source.search(found.native, Call(limit=limit))
    return [hit for hit in page.hits if matches(found.residual or EVERYTHING, hit) is not False]


def rows(sandbox: Sandbox, hits: list[Hit]) -> list[str]:
    """Which rows of the corpus the hits are."""
    origins = sandbox.origins("github")
    return [origins[hit.id] for hit in hits]


def is_(field: Field, value: Any, op: Op = Op.EQ) -> Compare:
    return Compare(field, op, value)


MINSU = Person("김민수", "minsu-kim")
APP = Container("app", "acme/app")
MARCH = datetime(2026, 3, 1, tzinfo=UTC)
QUESTIONS: list[tuple[tuple[Clause, ...], list[str]]] = [
    ((Term("timeout"),), ["i1", "i2", "p1", "d1", "d2", "c1"]),
    ((Term("배포"),), ["i1", "d1", "c1"]),
    ((Term("결제"), Term("배포")), ["i1", "d1"]),
    ((Phrase("timeout policy"),), ["d1"]),
    ((AnyOf((Term("k8s"), Term("kubernetes"))),), ["i1", "d2"]),
    ((Term("timeout"), AnyOf((Term("k8s"), Term("kubernetes"), Term("RFC")))), ["i1", "d1", "d2"]),
    ((Term("timeout"), Not(Term("staging"))), ["i1", "p1", "d1", "d2", "c1"]),
    ((Term("timeout"), is_(Field.KIND, Kind.ISSUE)), ["i1", "i2"]),
    ((is_(Field.KIND, Kind.PULL_REQUEST), Term("timeout")), ["p1"]),
    ((is_(Field.KIND, Kind.THREAD), Term("timeout")), ["d1", "d2"]),
    ((is_(Field.KIND, Kind.CODE), Term("timeout")), ["c1"]),
    ((is_(Field.KIND, Kind.PAGE), Term("timeout")), []),
    ((Term("timeout"), is_(Field.AUTHOR, MINSU)), ["i1", "p1", "d2"]),
    ((Term("timeout"), is_(Field.AUTHOR, Person("", me=True))), ["i1", "p1", "d2"]),
    ((Term("timeout"), Not(is_(Field.AUTHOR, MINSU))), ["i2", "d1", "c1"]),
    ((is_(Field.ASSIGNEE, Person("Sarah Kim", "sarah-kim")),), ["i1"]),
    ((Term("timeout"), is_(Field.STATE, State.OPEN)), ["i1", "d1", "d2"]),
    ((Term("timeout"), is_(Field.STATE, State.DONE)), ["i2", "p1"]),
    ((Term("timeout"), is_(Field.CONTAINER, APP)), ["i1", "p1", "d1", "c1"]),
    ((Term("timeout"), is_(Field.CONTAINER, Container("acme/web"))), ["i2", "d2"]),
    ((Term("timeout"), is_(Field.CONTAINER, Container("web"))), ["i2", "d2"]),
    ((Term("timeout"), Not(is_(Field.CONTAINER, APP))), ["i2", "d2"]),
    ((Term("timeout"), is_(Field.TIME, MARCH, Op.GE)), ["i1", "p1", "d1"]),
    ((Term("timeout"), is_(Field.TIME, MARCH, Op.LT)), ["i2", "d2"]),
    ((Term("timeout"), is_(Field.UPDATED, datetime(2026, 3, 15, tzinfo=UTC), Op.GE)), ["d1"]),
    ((Term("timeout"), AnyOf((is_(Field.KIND, Kind.CODE), is_(Field.STATE, State.DONE)))), ["i2", "p1", "c1"]),
    ((Term("repo:other/lib"),), []),
    ((Term("timeout"), is_(Field.CONTAINER, Container("lib", "other/lib"))), []),
]


@pytest.mark.parametrize(("parts", "expected"), QUESTIONS, ids=[str(all_of(parts)) for parts, _ in QUESTIONS])
async def test_questions_find_what_they_ask_for(tmp_path: Path, parts: tuple[Clause, ...], expected: list[str]) -> None:
    """Through dialect, source, socket and emulator, in both languages; nothing from outside of the organisation."""
    async with workplace(tmp_path) as (sandbox, source):
        assert sorted(rows(sandbox, await ask(source, *parts))) == sorted(expected)


async def test_hits_say_what_they_are(tmp_path: Path) -> None:
    async with workplace(tmp_path) as (_, source):
        hits = {hit.id: hit for hit in await ask(source, Term("timeout"))}
        issue, pull, file = hits["acme/app#1"], hits["acme/app#2"], hits["acme/app/src/배포 스크립트.py"]
        assert (issue.kind, issue.state, issue.container) == (Kind.ISSUE, State.OPEN, APP)
        assert issue.snippet == "배포를 하면 timeout 오류"
        assert (issue.author, issue.assignee) == (Person("minsu-kim", "minsu-kim"), Person("sarah-kim", "sarah-kim"))
        assert (pull.kind, pull.state, pull.facts["state"]) == (Kind.PULL_REQUEST, State.DONE, "merged")
        assert file.snippet == "TIMEOUT = 5  # 배포 timeout"
        assert all(hit.url.startswith("https://github.com/acme/") for hit in hits.values())
        (with_comment,) = await ask(source, Term("rollback"))
        assert with_comment.snippet.endswith("…\nthe k8s rollback helped")


async def test_the_four_searches_take_turns(tmp_path: Path) -> None:
    async with workplace(tmp_path) as (_, source):
        kinds = [hit.kind for hit in await ask(source, Term("webhook"), limit=8)]
        assert kinds == [Kind.ISSUE, Kind.PULL_REQUEST, Kind.THREAD, Kind.CODE] * 2


async def test_newest_first_over_all_searches(tmp_path: Path) -> None:
    async with workplace(tmp_path) as (_, source):
        hits = await ask(source, Term("webhook"), sort=Sort.NEWEST, limit=40)
        times = [hit.updated for hit in hits if hit.updated is not None]
        assert times == sorted(times, reverse=True)
        assert [hit.kind for hit in hits if hit.updated is None] == [Kind.CODE] * (40 - len(times))
        oldest = await ask(source, Term("webhook"), sort=Sort.OLDEST, limit=3)
        assert oldest[0].updated == min(times)


@pytest.mark.parametrize("size", [1, 3, 7, 20])
async def test_paging_to_the_end_finds_what_one_large_page_finds(tmp_path: Path, size: int) -> None:
    """No hit twice, none missing, and an end."""
    native = GitHub().translate(Query("?", where=AnyOf((Term("webhook"), Term("timeout")))), GitHub.can).native
    async with workplace(tmp_path) as (_, source):
        whole = await source.search(native, Call(limit=50))
        rest = await source.search(native, Call(limit=50, cursor=whole.cursor))
        everything = [hit.id for hit in (*whole.hits, *rest.hits)]
        assert (len(everything), rest.cursor) == (54, None)
        paged: list[str] = []
        cursor = None
        for _ in range(60):
            page = await source.search(native, Call(limit=size, cursor=cursor))
            assert len(page.hits) <= size
            paged += [hit.id for hit in page.hits]
            cursor = page.cursor
            if cursor is None:
                break
        assert cursor is None
        assert sorted(paged) == sorted(everything)


async def test_only_some_searches_and_repositories(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"scopes": ["discussions", "code"], "repos": ["app", "other/lib"]}
    async with workplace(tmp_path, **settings) as (sandbox, source):
        assert sorted(rows(sandbox, await ask(source, Term("timeout")))) == ["c1", "d1"]
        assert {record.path for record in sandbox.requests} == {"/graphql", "/search/code"}
    async with workplace(tmp_path, org="", repos=["acme/app", "other/lib"]) as (sandbox, source):
        assert sorted(rows(sandbox, await ask(source, Term("timeout")))) == ["c1", "d1", "i1", "p1", "x1"]
    async with workplace(tmp_path, org="") as (sandbox, source):
        assert len(await ask(source, Term("timeout"))) == 7


async def test_without_comments_the_whole_text_is_there(tmp_path: Path) -> None:
    async with workplace(tmp_path, comments=False, scopes=["issues", "discussions"]) as (_, source):
        assert await ask(source, Term("rollback")) == []
        assert all(hit.complete for hit in await ask(source, Term("timeout")))


def fetched(text: str) -> NativeQuery:
    where = Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, text))
    return GitHub().translate(Query("?", where=where), GitHub.can).native


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("acme/app#1", "i1"),
        ("ACME/app#2", "p1"),
        ("https://github.com/acme/app/issues/1#issuecomment-3", "i1"),
        ("https://github.com/acme/app/pull/2/files", "p1"),
        ("https://github.com/acme/app/discussions/3", "d1"),
        (
            "https://github.com/acme/app/blob/main/src/%EB%B0%B0%ED%8F%AC%20%EC%8A%A4%ED%81%AC%EB%A6%BD%ED%8A%B8.py#L1",
            "c1",
        ),
    ],
)
async def test_things_are_fetched_by_name_and_address(tmp_path: Path, text: str, row: str) -> None:
    async with workplace(tmp_path) as (sandbox, source):
        page = await source.search(fetched(text), Call())
        assert (rows(sandbox, list(page.hits)), page.notes, len(sandbox.requests)) == ([row], (), 1)


@pytest.mark.parametrize(
    ("text", "note", "requests"),
    [
        ("acme/app#99", "acme/app#99 is not on GitHub, or not for this token", 1),
        (
            "https://github.com/acme/app/blob/main/gone.py",
            "acme/app/gone.py is not on GitHub, or not for this token",
            1,
        ),
        ("other/lib#1", "other/lib#1 lies outside of what this source is set to search", 0),
        (
            "https://github.acme.example/acme/app/issues/1",
            "acme/app#1 at github.acme.example is on another GitHub than this source",
            1,
        ),
    ],
)
async def test_what_cannot_be_fetched_is_told(tmp_path: Path, text: str, note: str, requests: int) -> None:
    async with workplace(tmp_path) as (sandbox, source):
        page = await source.search(fetched(text), Call())
        assert (page.hits, (*page.notes, *page.remarks), len(sandbox.requests)) == ((), (note,), requests)


async def test_names_are_known(tmp_path: Path) -> None:
    async with workplace(tmp_path) as (_, source):
        known = await source.directory(Call())
        assert Person("김민수", "minsu-kim") in known.people
        assert Person("minsu-kim", "minsu-kim") in known.people
        assert Container("many", "acme/many") in known.containers
        assert not any((each.native_id or "").startswith("other/") for each in known.containers)
        assert known.notes == ()
    async with workplace(tmp_path, org="") as (_, source):
        assert (await source.directory(Call())).people == ()


async def test_the_probe_says_who_and_where(tmp_path: Path) -> None:
    async with workplace(tmp_path) as (_, source):
        health = await source.probe(Call())
        assert (health.account, health.detail) == ("minsu-kim", "acme")
    async with workplace(tmp_path, org="gone") as (_, source):
        with pytest.raises(Forbidden, match="gone"):
            await source.probe(Call())


async def test_an_app_s_token_finds_the_same(tmp_path: Path) -> None:
    """It has to say what it searches, which every query does."""
    async with workplace(tmp_path) as (_, source):
        found = GitHub().translate(Query("?", where=AnyOf((Term("k8s"), Term("timeout")))), GitHub.can).native
        page = await source.search(found, Call(credential=Credential("ghu_sandbox")))
        assert len(page.hits) == 6
        assert page.notes == ()


async def test_a_repository_that_is_not_there_is_told(tmp_path: Path) -> None:
    where = all_of((Term("timeout"), is_(Field.CONTAINER, Container("acme/typo")), is_(Field.KIND, Kind.ISSUE)))
    native = GitHub().translate(Query("?", where=where), GitHub.can).native
    async with workplace(tmp_path) as (_, source):
        with pytest.raises(Forbidden, match="check the names"):
            await source.search(native, Call())


# ---- faults


@faults()
async def test_faults_are_errors_named_by_what_to_do(tmp_path: Path, fault: Fault, expected: type[SourceError]) -> None:
    async with workplace(tmp_path, fault) as (_, source):
        with pytest.raises(expected) as caught:
            await ask_within(source, time_for(fault))
        if isinstance(caught.value, Throttled):
            assert caught.value.retry_after == 2.0


async def ask_within(source: GitHubSource, seconds: float) -> Any:
    return await source.search(NativeQuery("github", "timeout"), Call(timeout=seconds))


async def test_one_search_that_fails_is_left_out_and_the_others_count(tmp_path: Path) -> None:
    """Every third request is refused; whoever it hits, three of four searches answer."""
    async with workplace(tmp_path, Fault(status=500, every=4)) as (_, source):
        page = await ask_within(source, HANGING)
        assert page.hits
        (missing,) = page.left_out
        assert "left out, GitHub answered HTTP 500" in missing.said


async def test_one_search_that_hangs_does_not_cost_the_others(tmp_path: Path) -> None:
    async with workplace(tmp_path, Fault(hang=True, every=4)) as (_, source):
        page = await past(0.9 * HANGING, source, answered=3, asking=ask_within(source, HANGING))
        assert page.hits
        assert "did not come in time" in page.left_out[0].said or "no answer within" in page.left_out[0].said


async def test_a_search_that_was_throttled_is_left_alone_for_as_long_as_github_wants(tmp_path: Path) -> None:
    """Each of its searches counts apart, so that each refusal is told to whoever keeps the rate."""
    async with workplace(tmp_path, Fault(retry_after=60), scopes=["issues", "code"]) as (sandbox, source):
        gate = Gate(source.manifest.limits)
        kept = Call(timeout=HANGING, turn=gate.enter, throttled=gate.heed)
        with pytest.raises(Throttled):
            await source.search(NativeQuery("github", "timeout"), kept)
        asked = len(sandbox.requests)
        sandbox.set_fault("github", None)
        with pytest.raises(Throttled):
            await source.search(NativeQuery("github", "timeout"), kept)
        assert len(sandbox.requests) == asked
        other = Gate(source.manifest.limits)
        page = await source.search(NativeQuery("github", "timeout"), Call(turn=other.enter, throttled=other.heed))
        assert page.hits, "whoever asks with another token has limits of their own"


async def test_a_wrong_token_is_told_and_not_shown(tmp_path: Path) -> None:
    async with workplace(tmp_path) as (_, source):
        with pytest.raises(Unauthenticated, match="personal access token") as caught:
            await source.search(NativeQuery("github", "결제"), Call(credential=Credential("wrong-token-1234")))
        assert "wrong-token-1234" not in str(caught.value)


async def test_each_request_takes_its_turn(tmp_path: Path) -> None:
    turns = []

    async def turn(bucket: str = "", /) -> None:
        turns.append(bucket)

    async with workplace(tmp_path) as (sandbox, source):
        await source.search(NativeQuery("github", "timeout"), Call(turn=turn))
        assert sorted(turns) == ["code_search", "graphql", "search", "search"]
        assert len(sandbox.requests) == 4


@pytest.mark.parametrize("make", [Term, Phrase, lambda text: Not(Term(text))])
async def test_no_hostile_text_is_refused_or_leaves_the_organisation(
    tmp_path: Path, make: Callable[[str], Clause]
) -> None:
    hostile = (
        '"',
        'a" repo:other/lib',
        "OR",
        "NOT",
        "(",
        "||",
        " || repo:other/lib",
        "x:y",
        "org:other",
        "🎉",
        "배포\nrepo:other/lib",
        "a" * 300,
    )
    async with workplace(tmp_path) as (_, source):
        for text in hostile:
            found = GitHub().translate(Query("?", where=all_of((make(text),))), GitHub.can)
            page = await source.search(found.native, Call(limit=50))
            assert not any(hit.id.startswith("other/") for hit in page.hits), text
            assert not page.notes, text
