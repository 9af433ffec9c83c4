"""The source where exemplars cannot show it: renewed tokens, servers of one's own, limits that end, nothing to ask."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential, LeftOut
from connectors.errors import Rejected, Throttled, Unavailable
from connectors.github import GitHubSource
from connectors.github.errors import A_MINUTE, wait
from connectors.github.settings import GitHubSettings
from connectors.http import HttpRequest, Page, Reply
from orchestrator.gather import Gate
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from connectors.errors import SourceError

EMPTY: dict[str, Any] = {"total_count": 0, "incomplete_results": False, "items": []}
SPENT = {"date": "Sat, 21 Nov 2026 12:00:00 GMT", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795262430"}


class Canned:
    """A transport that answers from a function and keeps what it was asked."""

    def __init__(self, answer: Callable[[HttpRequest, Call], Reply]) -> None:
        self.answer = answer
        self.requests: list[HttpRequest] = []

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        self.requests.append(request)
        await asyncio.sleep(0)  # what is sent at once is under way at once
        return self.answer(request, call)

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        raise NotImplementedError

    async def aclose(self) -> None:
        pass


def source(answer: Callable[[HttpRequest, Call], Reply], **settings: Any) -> tuple[GitHubSource, Canned]:
    given = {"kind": "github", "token": "github_pat_1234567890", **settings}
    made = GitHubSource("github", GitHubSettings.model_validate(given))
    made._transport = canned = Canned(answer)
    return made, canned


def gated(made: GitHubSource, credential: Credential | None = None, gate: Gate | None = None) -> Call:
    """A call whose turns a gate of its own gives."""
    gate = gate or Gate(made.manifest.limits)
    return Call(credential=credential, turn=gate.enter, throttled=gate.heed)


def nothing(request: HttpRequest, call: Call) -> Reply:
    return Reply(200, EMPTY)


async def test_nothing_is_asked_where_nothing_can_be_wanted() -> None:
    made, canned = source(nothing)
    page = await made.search(NativeQuery("github", "", {"search": []}), Call())
    assert (page.hits, canned.requests) == ((), [])
    assert "nothing that this source searches" in page.notes[0]
    with pytest.raises(Rejected, match="nothing that this source searches"):
        made.request(NativeQuery("github", "", {"search": []}), Page(5))


@pytest.mark.parametrize(
    ("base_url", "path"),
    [("https://api.github.com", "graphql"), ("https://git.acme.example/api/v3/", "../graphql"), ("https://api.acme.ghe.com", "graphql")],
)  # fmt: skip
def test_a_server_of_one_s_own_has_graphql_beside_its_rest_api(base_url: str, path: str) -> None:
    made, _ = source(nothing, base_url=base_url)
    asked = made.request(NativeQuery("github", "x", {"search": ["discussions"]}), Page(5))
    assert asked.path == path


def test_the_address_beside_is_the_one_that_is_meant() -> None:
    from yarl import URL

    assert str(URL("https://git.acme.example/api/v3/../graphql")) == "https://git.acme.example/api/graphql"


async def test_a_token_that_was_renewed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GitHub App's user token lives eight hours."""

    class Renewing:
        token = "old-token"

        async def secret(self) -> str:
            return self.token

        async def after(self, refused: str) -> str | None:
            self.token = "new-token"
            return None if refused == self.token else self.token

    def answer(request: HttpRequest, call: Call) -> Reply:
        assert call.credential is not None
        fresh = call.credential.secret == "new-token"
        return Reply(200, EMPTY) if fresh else Reply(401, {"message": "Bad credentials"})

    made, canned = source(answer, scopes=["issues", "code"])
    monkeypatch.setattr(made, "_signer", Renewing())
    assert (await made.search(NativeQuery("github", "x"), Call())).total == 0
    assert len(canned.requests) == 4


def test_a_limit_that_is_spent_is_left_alone_until_it_is_renewed(in_virtual_time: Any) -> None:
    """GitHub says with the last answer that it was the last; nobody has to be refused first."""

    def answer(request: HttpRequest, call: Call) -> Reply:
        return Reply(200, EMPTY, SPENT if request.path == "search/code" else {})

    async def play() -> None:
        made, canned = source(answer, scopes=["issues", "code"])
        native, ours, theirs = NativeQuery("github", "x"), gated(made), gated(made, Credential("another-token"))
        assert (await made.search(native, ours)).left_out == ()
        (missing,) = (await made.search(native, ours)).left_out
        assert missing.said == "code: left out, asked for a pause; 30 s of it are left"
        assert (missing.code, round(missing.retry_after or 0)) == ("throttled", 30)
        assert (await made.search(native, theirs)).left_out == ()
        await asyncio.sleep(31)
        assert (await made.search(native, ours)).left_out == ()
        assert [request.path for request in canned.requests].count("search/code") == 3

    in_virtual_time(play())


def test_when_every_limit_is_spent_that_is_an_error_with_the_time_to_wait(in_virtual_time: Any) -> None:
    async def play() -> None:
        made, canned = source(lambda *_: Reply(403, {"message": "API rate limit exceeded"}, SPENT), scopes=["code"])
        call = gated(made)
        for _ in range(2):
            with pytest.raises(Throttled) as caught:
                await made.search(NativeQuery("github", "x"), call)
            assert (caught.value.retry_after, caught.value.bucket) == (30.0, "code_search")
        assert len(canned.requests) == 1

    in_virtual_time(play())


def test_a_search_that_is_refused_alone_rests_alone(in_virtual_time: Any) -> None:
    """The others answered, so nothing is raised; the gate must hear of it all the same, and for a whole minute."""

    def answer(request: HttpRequest, call: Call) -> Reply:
        refused = request.path == "search/code"
        return Reply(403, {"message": "You have exceeded a secondary rate limit"}) if refused else Reply(200, EMPTY)

    async def play() -> None:
        made, canned = source(answer, scopes=["issues", "code"])
        gate = Gate(made.manifest.limits)
        call = gated(made, gate=gate)
        await made.search(NativeQuery("github", "x"), call)
        assert (gate.remaining_pause("code_search"), gate.remaining_pause("search")) == (A_MINUTE, 0.0)
        await made.search(NativeQuery("github", "x"), call)
        assert [request.path for request in canned.requests].count("search/code") == 1

    in_virtual_time(play())


async def test_a_search_that_did_not_come_leaves_the_total_open() -> None:
    def answer(request: HttpRequest, call: Call) -> Reply:
        if request.path == "search/code":
            raise Unavailable("did not come in time")
        return Reply(200, EMPTY)

    made, _ = source(answer, scopes=["issues", "code"])
    page = await made.search(NativeQuery("github", "x"), Call())
    missing = LeftOut(
        Said.given({"en": "code: left out, did not come in time", "ko": "코드: 제외함, did not come in time"}),
        "unavailable",
    )
    assert (page.total, page.notes, page.left_out) == (None, (), (missing,))


async def test_the_native_text_of_a_refusal_holds_no_token() -> None:
    made, _ = source(lambda *_: Reply(422, {"message": "github_pat_1234567890 is not valid"}), scopes=["issues"])
    with pytest.raises(Exception, match="is not valid") as caught:
        await made.search(NativeQuery("github", "find github_pat_1234567890"), Call())
    assert "github_pat_1234567890" not in f"{caught.value} {caught.value.native}"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "7", **SPENT}, 7.0),
        (SPENT, 30.0),
        ({**SPENT, "x-ratelimit-remaining": "3"}, None),
        ({**SPENT, "x-ratelimit-reset": "soon"}, None),
        ({**SPENT, "x-ratelimit-reset": "1e400"}, None),
        ({**SPENT, "x-ratelimit-reset": "1"}, 0.0),
    ],
)
def test_how_long_github_wants_us_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait(headers) == seconds


async def test_a_result_without_a_repository_costs_itself() -> None:
    """Whether it lies inside the settings could not be told."""
    file = {"path": "a.py", "html_url": "", "repository": {"full_name": None}}
    reply = Reply(200, {"total_count": 1, "incomplete_results": False, "items": [file]})
    made, _ = source(lambda *_: reply, scopes=["code"])
    page = await made.search(NativeQuery("github", "x"), Call())
    assert page.hits == ()
    assert page.notes[0].startswith("code: 1 of 1 files could not be read (repository.full_name")
