"""Kinds that have brought nothing of late are passed over, and never for good."""

from __future__ import annotations

import pytest

from connectors.contract import Call, Sparing
from connectors.errors import Throttled
from connectors.exchange import HttpRequest, Reply
from connectors.yields import FRUITLESS, NOW_AND_THEN, Yields
from tests.unit.connectors.github.test_source import EMPTY, source
from translators.said import Said
from translators.translator import NativeQuery

PULL = {
    "number": 7,
    "title": "Retry uploads",
    "html_url": "https://github.com/acme/api/pull/7",
    "pull_request": {},
    "created_at": "2026-11-02T09:00:00Z",
    "updated_at": "2026-11-02T09:00:00Z",
    "state": "open",
}
NO_DISCUSSION = {
    "data": {"search": {"discussionCount": 0, "edges": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}}
}
EVERY = 4  # kinds, and of each one search
ASKED = NativeQuery("github", "upload")


def only_pulls(request: HttpRequest, call: Call) -> Reply:
    if request.method == "POST":
        return Reply(200, NO_DISCUSSION)
    pulls = "is:pull-request" in str(request.params["q"])
    found = {"total_count": 1, "incomplete_results": False, "items": [PULL | {"repository_url": "https://api.github.com/repos/acme/api"}]}  # fmt: skip
    return Reply(200, found if pulls else EMPTY)


async def test_what_has_brought_nothing_a_dozen_times_is_passed_over_and_that_is_told() -> None:
    made, canned = source(only_pulls)
    pages = [await made.search(ASKED, Call()) for _ in range(FRUITLESS)]
    assert not any(page.remarks for page in pages)
    before = len(canned.requests)
    page = await made.search(NativeQuery("github", "export"), Call())
    passed_over = len(canned.requests) - before
    assert (before / FRUITLESS, passed_over) == (EVERY, 1)
    assert [str(each) for each in page.remarks] == [
        "not searched, as they have brought nothing of late: issues, discussions, code"
    ]
    assert [hit.title for hit in page.hits] == ["Retry uploads"]
    assert page.total is None, "nobody counted what was not searched"


async def test_now_and_then_every_kind_is_searched_since_the_first_of_it_may_have_come() -> None:
    made, canned = source(only_pulls)
    for _ in range(FRUITLESS + NOW_AND_THEN):
        await made.search(ASKED, Call())
    last = [request for request in canned.requests if request.path.endswith("search/code")]
    assert len(last) == FRUITLESS + 1


async def test_where_nothing_else_is_found_the_rest_is_searched_too() -> None:
    made, canned = source(only_pulls)
    assert isinstance(made, Sparing)
    assert made.whole(ASKED) is None, "nothing is passed over yet"
    for _ in range(FRUITLESS):
        await made.search(ASKED, Call())
    whole = made.whole(ASKED)
    assert whole is not None
    before = len(canned.requests)
    page = await made.search(whole, Call())
    assert (len(canned.requests) - before, page.remarks) == (EVERY, ())
    assert made.whole(whole) is None


@pytest.mark.parametrize(("before", "missing"), [(0, ["code"]), (FRUITLESS, [])])
async def test_what_brings_nothing_is_missed_by_nobody_where_its_turns_are_used_up(
    before: int, missing: list[str]
) -> None:
    """A part that is unlikely to hold the answer makes no answer partial; that it was not searched is told."""
    made, _ = source(only_pulls)
    for _ in range(before):
        await made.search(ASKED, Call())

    async def turn(bucket: str = "", /) -> None:
        if bucket == "code_search":
            raise Throttled(Said("no turn"), 30.0, bucket)

    page = await made.search(made.whole(ASKED) or ASKED, Call(turn=turn))
    assert [str(each.said).partition(":")[0] for each in page.left_out] == missing
    assert any("code" in str(each) for each in (*page.remarks, *(part.said for part in page.left_out)))


def test_a_hit_makes_a_kind_worth_asking_again() -> None:
    kinds = Yields()
    for _ in range(FRUITLESS):
        kinds.searched("code", found=False)
    assert kinds.worth_asking(["code", "issues"]) == {"issues"}
    kinds.searched("code", found=True)
    assert kinds.worth_asking(["code", "issues"]) == {"code", "issues"}


def test_where_no_kind_is_likely_to_bring_anything_all_are_asked() -> None:
    kinds = Yields()
    for _ in range(FRUITLESS + 1):
        kinds.searched("issues", found=False)
    assert kinds.worth_asking(["issues"]) == {"issues"}
