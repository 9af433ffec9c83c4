"""What was said below an issue is read of the best hits, in one request for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Hit, HitPage, is_completing
from connectors.errors import Unavailable
from connectors.github import COMMENTS
from connectors.http import Reply
from tests.unit.connectors.github.test_source import nothing, source
from translators.query import Kind

if TYPE_CHECKING:
    from connectors.github import GitHubSource


def issue(number: int, **facts: Any) -> Hit:
    known = {"repository": "acme/app", "number": number, "comments": 3, "node_id": f"I_{number}", **facts}
    return Hit("github", f"acme/app#{number}", Kind.ISSUE, "Pages skip", snippet="Since 1.9.\n…\nrounded", facts=known)


def said(*comments: tuple[str, str, str], total: int = 0, kind: str = "Issue", node: str = "I_7") -> dict[str, Any]:
    nodes = [
        {"body": body, "createdAt": f"2026-07-{day}T00:00:00Z", "author": {"login": who} if who else None}
        for day, who, body in comments
    ]
    return {
        "__typename": kind,
        "id": node,
        "body": "Since **1.9**.",
        "comments": {"totalCount": total or len(nodes), "nodes": nodes},
    }


def enriched(made: GitHubSource, *nodes: Any) -> tuple[Hit, ...]:
    return made.enrich(HitPage((issue(7),)), [Reply(200, {"data": {"nodes": list(nodes)}})]).hits


def test_one_request_reads_what_was_said_below_all_that_have_comments() -> None:
    made, _ = source(nothing)
    assert is_completing(made)
    page = HitPage((issue(7), issue(8, comments=0), issue(9), issue(10, voices=("Ana",))))
    (request,) = made.details(page)
    assert request.json["variables"] == {"ids": ["I_7", "I_9"], "most": COMMENTS}  # type: ignore[index]
    assert made.details(HitPage((issue(8, comments=0),))) == ()


def test_comments_stand_behind_the_text_the_oldest_first_in_place_of_what_matched() -> None:
    made, _ = source(nothing)
    (hit,) = enriched(made, said(("02", "joe", "It is *rounded*."), ("01", "ana", "The network?")))
    assert hit.snippet == "Since 1.9.\n\nana: The network?\n\njoe: It is rounded."
    assert (hit.complete, hit.facts["voices"]) == (True, ("ana", "joe"))


@pytest.mark.parametrize("read", [said(("01", "", "More."), total=30), said(("01", "ana", "Why?"), kind="Discussion")])
def test_what_has_more_comments_than_were_read_or_answers_to_them_proves_no_absence(read: dict[str, Any]) -> None:
    made, _ = source(nothing)
    assert not enriched(made, read)[0].complete


@pytest.mark.parametrize("reply", [Unavailable("gone"), Reply(200, {"data": {"nodes": 7}}), Reply(200, [])])
def test_where_they_cannot_be_read_hits_stay_as_they_were_found_and_that_is_told(reply: Any) -> None:
    made, _ = source(nothing)
    page = made.enrich(HitPage((issue(7),)), [reply])
    assert page.hits == (issue(7),)
    assert "comments of the best results were not read" in str(page.notes[0])


async def test_a_thing_that_is_gone_costs_itself_alone() -> None:
    made, canned = source(lambda request, call: Reply(200, {"data": {"nodes": [None, said(("01", "ana", "Yes."))]}}))
    canned.send_all = lambda requests, call: _each(canned, requests, call)  # type: ignore[method-assign]
    page = await made.complete((issue(9), issue(7)), Call())
    assert [hit.snippet for hit in page.hits] == ["Since 1.9.\n…\nrounded", "Since 1.9.\n\nana: Yes."]


async def _each(canned: Any, requests: Any, call: Call) -> list[Reply]:
    return [await canned.send(request, call) for request in requests]
