"""Google's client behind our transport: which method a request is, what a reply is, and what an error stands for."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential
from connectors.drive import API as DRIVE
from connectors.drive import DriveSource
from connectors.drive.settings import DriveSettings
from connectors.errors import BadReply, Forbidden, Rejected, Throttled, Unauthenticated, Unavailable
from connectors.gmail import API as GMAIL
from connectors.google import GoogleTransport
from connectors.google_api import GoogleApi, accepts_text, google_error, refused_place
from connectors.google_client import OfficialClient, reply_of, text_reply_of
from connectors.googlechat import API as CHAT
from connectors.googlechat import GoogleChatSource
from connectors.googlechat.settings import GoogleChatSettings
from connectors.http import HttpRequest, Reply
from tests.clock import HANGING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.errors import SourceError

ROOT = "http://127.0.0.1:1"


def official(api: GoogleApi, request: HttpRequest) -> Any:
    """What Google's client makes of a request of ours; nothing is sent."""
    return OfficialClient(api, ROOT)._official(request, reply_of)


@pytest.mark.parametrize(
    ("api", "request_", "method", "uri"),
    [
        (GMAIL, HttpRequest("GET", "gmail/v1/users/me/messages", {"q": "a b", "maxResults": "5"}), "gmail.users.messages.list", "/gmail/v1/users/me/messages?q=a+b&maxResults=5&alt=json"),
        (GMAIL, HttpRequest("GET", "gmail/v1/users/me/messages/17", {"metadataHeaders": ("From", "To")}), "gmail.users.messages.get", "/gmail/v1/users/me/messages/17?metadataHeaders=From&metadataHeaders=To&alt=json"),
        (DRIVE, HttpRequest("GET", "drive/v3/files/1a/export", {"mimeType": "text/plain"}, headers={"Accept": "text/plain"}), "drive.files.export", "/drive/v3/files/1a/export?mimeType=text%2Fplain"),
        (DRIVE, HttpRequest("GET", "drive/v3/files", {"supportsAllDrives": "true"}), "drive.files.list", "/drive/v3/files?supportsAllDrives=true&alt=json"),
        (CHAT, HttpRequest("GET", "v1/spaces/A/messages/b.c"), "chat.spaces.messages.get", "/v1/spaces/A/messages/b.c?alt=json"),
        (CHAT, HttpRequest("POST", "v1/spaces/-/messages:search", json={"filter": "결제"}), "chat.spaces.messages.search", "/v1/spaces/-/messages:search?alt=json"),
    ],
)  # fmt: skip
def test_a_path_is_a_method_of_the_api(api: GoogleApi, request_: HttpRequest, method: str, uri: str) -> None:
    """By the discovery document, at our own address."""
    made = official(api, request_)
    assert (made.methodId, made.uri) == (method, ROOT + uri)
    assert made.method == request_.method
    assert made.headers.get("Accept") == request_.headers.get("Accept")
    assert (made.body is not None) == (request_.json is not None)


@pytest.mark.parametrize("path", ["gmail/v1/users/me/nothing", "drive/v3/files", "gmail/v1/users/me/messages/17/x/y"])
def test_a_path_that_the_api_does_not_have(path: str) -> None:
    """Is a bug of ours, found before anything is sent."""
    with pytest.raises(Rejected, match="knows no GET"):
        official(GMAIL, HttpRequest("GET", path))


@pytest.mark.parametrize(
    ("kind", "content", "data"),
    [
        ("text/plain; charset=utf-8", "\ufeff계획\r\n".encode(), "계획\r\n"),
        ("text/csv", b"a,b", "a,b"),
        ("text/plain", b"\xff\xfe", "\ufffd\ufffd"),
        ("application/json", b'{"a": 1}', {"a": 1}),
    ],
)
def test_the_content_of_a_file_is_text(kind: str, content: bytes, data: object) -> None:
    """Without its mark; what is no text is read as any reply."""
    assert text_reply_of({"status": "200", "content-type": kind}, content).data == data


def test_a_page_where_text_was_due() -> None:
    """A login page is not the content of a file, and an error stays one."""
    with pytest.raises(BadReply, match="HTML"):
        text_reply_of({"status": "200", "content-type": "text/html"}, b"<html>")
    assert text_reply_of({"status": "403", "content-type": "text/plain"}, b'{"error": {}}').status == 403


def test_what_asks_for_text() -> None:
    assert accepts_text(HttpRequest("GET", "x", headers={"Accept": "text/csv"}))
    assert not accepts_text(HttpRequest("GET", "x"))


async def test_without_a_credential_nothing_is_sent() -> None:
    """Google has nothing to say to strangers."""
    transport = GoogleTransport(GMAIL, ROOT, 1)
    request = HttpRequest("GET", "gmail/v1/users/me/profile")
    with pytest.raises(Unauthenticated, match="Gmail needs an access token"):
        await transport.send(request, Call())
    outcomes = await transport.send_all([request, request], Call(credential=Credential("t0ken-t0ken")))
    assert [type(outcome) for outcome in outcomes] == [Unavailable, Unavailable]
    await transport.aclose()


async def test_closing_waits_for_a_thread_whose_request_nobody_waits_for() -> None:
    """Whoever hung up took it out of sight: its socket was left open where its thread had no turn before the end."""
    transport, begun, end = GoogleTransport(GMAIL, ROOT, 1), threading.Event(), threading.Event()

    def slow(*_: object) -> None:
        begun.set()
        end.wait(HANGING)

    asked = asyncio.create_task(transport._in_thread(slow, Call(credential=Credential("t0ken-t0ken"))))
    await asyncio.to_thread(begun.wait, HANGING)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    closing = asyncio.create_task(transport.aclose())
    await asyncio.wait({closing}, timeout=0.05)
    assert not closing.done()
    end.set()
    await closing
    assert not transport._leaving


async def test_each_part_of_a_batch_takes_a_turn_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Google counts them; what has no turn left is a value, and the others go out."""
    transport, sent, left = GoogleTransport(GMAIL, ROOT, 1), [], [1, 1]

    async def batch(requests: Any, call: Call) -> list[Reply]:
        sent.append([request.path for request in requests])
        return [Reply(200, request.path) for request in requests]

    async def turn(bucket: str = "", /) -> None:
        if not left:
            raise Throttled("no turn", 60.0)
        left.pop()

    monkeypatch.setattr(transport, "_all", batch)
    mails = [HttpRequest("GET", f"gmail/v1/users/me/messages/{name}") for name in "abc"]
    outcomes = await transport.send_all(mails, Call(turn=turn))
    assert sent == [[mails[0].path, mails[1].path]]
    assert [type(each) for each in outcomes] == [Reply, Reply, Throttled]
    await transport.aclose()


def error(code: int, reason: str = "", place: str = "", message: str = "said", **more: Any) -> Reply:
    entry = {"reason": reason, **({"locationType": "parameter", "location": place} if place else {})}
    return Reply(code, {"error": {"code": code, "message": message, "errors": [entry], **more}})


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(403, "userRateLimitExceeded"), Throttled),
        (error(403, "rateLimitExceeded"), Throttled),
        (error(403, "dailyLimitExceeded"), Throttled),
        (error(429), Throttled),
        (error(400, status="RESOURCE_EXHAUSTED"), Throttled),
        (error(401, "authError"), Unauthenticated),
        (error(403, "insufficientPermissions"), Forbidden),
        (error(403, message="Metadata scope does not allow this"), Forbidden),
        (error(403, "accessNotConfigured"), Forbidden),
        (error(403, "insufficientFilePermissions"), Forbidden),
        (error(403, "forbidden", "orderBy"), Rejected),
        (error(400, "invalid", "q"), Rejected),
        (error(404, "notFound", "driveId"), Rejected),
        (error(500, "internalError"), Unavailable),
        (Reply(503, "<html>"), Unavailable),
        (Reply(403, {"error": "invalid_grant"}), Forbidden),
        (Reply(403, {"error": {"errors": "none", "details": ["none"]}}), Forbidden),
    ],
)
def test_errors_by_what_to_do_next(reply: Reply, kind: type[SourceError]) -> None:
    """Google says the reason in several places, and 403 to many things."""
    problem = google_error(reply, "Google Drive", "https://scope.example")
    assert type(problem) is kind
    assert problem.message.startswith("Google Drive says: ")


def test_a_success_is_no_error() -> None:
    assert google_error(Reply(200, {}), "x", "y") is None
    assert refused_place(Reply(400, {"error": {"errors": [{"location": 1, "locationType": "parameter"}]}})) == ""


class Endless:
    """A transport that always has one more page."""

    def __init__(self, data: dict[str, object]) -> None:
        self.data = data

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        return Reply(200, {**self.data, "nextPageToken": "more"})

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        return [Unavailable("did not come in time")] * len(requests)

    async def aclose(self) -> None: ...


@pytest.mark.parametrize(
    ("source", "data", "notes"),
    [
        (
            DriveSource("drive", DriveSettings(kind="drive", directory_pages=2)),
            {"drives": [{"id": "0A", "name": "Legal"}], "files": [{"id": "1", "name": "Plans"}]},
            [
                "only the first 2 shared drives were read",
                "only the 2 folders that were changed last were read",
                "people are those who own or changed the 1 files that were changed last",
            ],
        ),
        (
            GoogleChatSource("googlechat", GoogleChatSettings(kind="googlechat", directory_pages=3)),
            {"spaces": [{"name": "spaces/A", "displayName": "공지"}]},
            ["only the first 3 spaces were read", "people are those who wrote the latest 0 messages"],
        ),
    ],
)
async def test_a_directory_without_end_is_cut_and_says_so(
    source: DriveSource | GoogleChatSource, data: dict[str, object], notes: list[str]
) -> None:
    """Within reason, as it is set."""
    source._transport = Endless(data)
    found = await source.directory(Call(credential=Credential("t0ken-t0ken")))
    assert list(found.notes) == notes
