"""Asana: settings, which workspace is meant, errors in any shape, and the way from page to page."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from connectors.asana import AsanaSource
from connectors.asana.paging import TaskCursor, ordered
from connectors.asana.settings import AsanaSettings
from connectors.asana.wire import NotThere, error_from
from connectors.contract import Call, Credential, Hit
from connectors.errors import Forbidden, Misconfigured, SourceError, Throttled, Unavailable
from connectors.http import HttpRequest, Page, Reply
from translators.query import Kind
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

SECRET = "2/1200000000000102/5d41402abc4b2a76"
NEWEST = {"sort_by": "modified_at"}
OLDEST = {"sort_by": "modified_at", "sort_ascending": "true"}


def source(**settings: Any) -> AsanaSource:
    given = {"kind": "asana", "token": SECRET, **settings}
    return AsanaSource("work", AsanaSettings.model_validate(given))


class Scripted:
    """A transport that answers from a list and keeps what it was sent."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = deque(replies)
        self.sent: list[HttpRequest] = []

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        self.sent.append(request)
        return self.replies.popleft()

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        return [await self.send(each, call) for each in requests]

    async def aclose(self) -> None:
        """Nothing is open."""


# ---- settings and requests


@pytest.mark.parametrize("workspace", ["acme", "12/34", "１２", " 12", "12\n"])
def test_a_workspace_is_a_number(workspace: str) -> None:
    with pytest.raises(ValidationError, match="must be the number of a workspace in quotes"):
        source(workspace=workspace)


def test_a_number_of_a_task_stays_one_step_of_the_path() -> None:
    request = source().request(NativeQuery("asana", "", {"task": "../users/me?x=1"}), Page(5))
    assert request.path == "tasks/..%2Fusers%2Fme%3Fx%3D1"
    assert request.bucket == ""


def test_searches_are_counted_apart() -> None:
    request = source(workspace="12").request(NativeQuery("asana", "결제"), Page(5))
    assert (request.path, request.bucket) == ("workspaces/12/tasks/search", "search")
    assert request.params["text"] == "결제"
    assert source().manifest.limits.buckets["search"].rate == 60


def test_parameters_of_ours_are_not_replaced_by_the_questions() -> None:
    native = NativeQuery("asana", "x", {"limit": "1000", "opt_fields": "gid", "text": "y", "completed": "true"})
    params = source(workspace="12").request(native, Page(5)).params
    assert (params["limit"], params["text"], params["completed"]) == ("5", "x", "true")
    assert "permalink_url" in params["opt_fields"]


# ---- which workspace


def test_each_who_asks_has_a_workspace_of_their_own() -> None:
    """A credential of somebody else's may see another workspace; each is asked for once."""
    listed = [Reply(200, {"data": [{"gid": gid, "name": "n"}]}) for gid in ("1", "2")]
    found = Reply(200, {"data": []})
    transport = Scripted(listed[0], found, listed[1], found, found)
    asana = source()
    asana._transport = transport

    async def ask() -> None:
        for who in ("minsu", "sarah", "minsu"):
            await asana.search(NativeQuery("asana", "x"), Call(principal=who, credential=Credential(SECRET)))

    asyncio.run(ask())
    searched = [request.path for request in transport.sent if "tasks" in request.path]
    assert searched == ["workspaces/1/tasks/search", "workspaces/2/tasks/search", "workspaces/1/tasks/search"]


def test_a_workspace_of_a_strange_number_is_one_step_of_the_path() -> None:
    transport = Scripted(Reply(200, {"data": [{"gid": "../users"}]}), Reply(200, {"data": []}))
    asana = source()
    asana._transport = transport
    asyncio.run(asana.search(NativeQuery("asana", "x"), Call()))
    assert transport.sent[-1].path == "workspaces/..%2Fusers/tasks/search"


# ---- errors


@pytest.mark.parametrize("data", [None, [], "text", {"errors": 7}, {"errors": [7]}, {"errors": [{"message": []}]}])
def test_an_error_in_any_shape_has_its_status(data: object) -> None:
    error = error_from(Reply(400, data))
    assert error is not None
    assert error.message == "Asana answered HTTP 400"


def test_an_error_says_everything_that_asana_says() -> None:
    said = {"errors": [{"message": "one"}, {"message": "two", "phrase": "3 쥐"}, {"help": "see the manual"}]}
    error = error_from(Reply(500, said))
    assert isinstance(error, Unavailable)
    assert error.message == "Asana answered HTTP 500: one; two (Asana's support knows it as: 3 쥐)"


def test_a_phrase_alone_is_told() -> None:
    error = error_from(Reply(500, {"errors": [{"phrase": "6 sad squid"}]}))
    assert error is not None
    assert error.message == "Asana answered HTTP 500 (Asana's support knows it as: 6 sad squid)"


def test_each_status_is_named_by_what_to_do() -> None:
    said = {"errors": [{"message": "no"}]}
    kinds = {status: type(error_from(Reply(status, said))) for status in (200, 402, 403, 404, 429)}
    assert kinds == {200: type(None), 402: Forbidden, 403: Forbidden, 404: NotThere, 429: Throttled}
    assert type(error_from(Reply(404, None))) is Misconfigured


# ---- from page to page


def hit(number: int, moment: datetime | None) -> Hit:
    return Hit("asana", str(number), Kind.ISSUE, updated=moment)


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HALF = timedelta(milliseconds=500)


def test_a_place_is_written_as_it_is_read() -> None:
    place = TaskCursor("2026-11-20T12:00:01Z", ("1", "2"))
    assert str(place) == "2026-11-20T12:00:01Z 1 2"
    assert TaskCursor.read(str(place)) == place
    assert TaskCursor.read("2026-11-20T12:00:01Z") == TaskCursor("2026-11-20T12:00:01Z")


@pytest.mark.parametrize("cursor", [None, "", "x", "2026-11-20T12:00:01Z x", "2026-11-20T12:00:01Z,1", "2026-11-20 1"])
def test_what_is_no_place_is_the_start(cursor: str | None) -> None:
    assert TaskCursor.read(cursor) == TaskCursor()


def test_a_bound_reaches_over_the_last_moment_whatever_it_includes() -> None:
    """Newest first it lies above, oldest first below, and who stands in between has been seen."""
    down = TaskCursor().after([hit(1, NOON + timedelta(seconds=5)), hit(2, NOON + HALF), hit(3, NOON)], NEWEST)
    assert down == TaskCursor("2026-11-20T12:00:01Z", ("2", "3"))
    up = TaskCursor().after([hit(1, NOON - timedelta(seconds=5)), hit(2, NOON), hit(3, NOON + HALF)], OLDEST)
    assert up == TaskCursor("2026-11-20T11:59:59Z", ("2", "3"))


def test_seen_tasks_are_remembered_only_around_a_moment() -> None:
    near, far = TaskCursor("2026-11-20T12:00:01Z", ("7",)), TaskCursor("2026-11-20T13:00:00Z", ("7",))
    assert near.after([hit(8, NOON)], NEWEST) == TaskCursor("2026-11-20T12:00:01Z", ("7", "8"))
    assert far.after([hit(8, NOON)], NEWEST) == TaskCursor("2026-11-20T12:00:01Z", ("8",))


def test_there_is_no_place_without_an_order_of_time() -> None:
    assert TaskCursor().after([hit(1, NOON)], {"sort_by": "relevance"}) is None
    assert TaskCursor().after([hit(1, None)], NEWEST) is None
    assert TaskCursor().after([], NEWEST) is None
    assert not ordered({"sort_by": "relevance"})
    assert ordered({})
    assert TaskCursor("2026-11-20T12:00:01Z").within({"sort_by": "relevance"}) == {}


def test_the_narrower_bound_stands() -> None:
    place = TaskCursor("2026-11-20T12:00:01Z")
    assert place.within({}) == {"modified_at.before": "2026-11-20T12:00:01Z"}
    assert place.within({"modified_at.before": "2026-11-19T00:00:00Z"}) == {
        "modified_at.before": "2026-11-19T00:00:00Z"
    }
    assert place.within({**OLDEST, "modified_at.after": "2026-11-19T00:00:00Z"}) == {
        "modified_at.after": "2026-11-20T12:00:01Z"
    }
    assert replace(place, bound="").within(NEWEST) == {}


def test_a_page_with_something_unreadable_is_not_taken_for_the_last() -> None:
    """It was as full as was asked for; what could not be read counts."""
    task = {"gid": "1", "name": "일", "created_at": "2026-11-20T12:00:00Z", "modified_at": "2026-11-20T12:00:00Z"}
    asana = source(workspace="12")
    asana._transport = Scripted(Reply(200, {"data": [task, {"name": "no number"}]}))
    page = asyncio.run(asana.search(NativeQuery("asana", ""), Call(limit=2)))
    assert page.cursor == "2026-11-20T12:00:01Z 1"
    assert page.notes == ("1 of 2 tasks could not be read (gid: is missing)",)
