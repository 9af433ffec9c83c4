"""Batches of Google's APIs: several requests in one, each with a reply of its own."""

import re
from collections.abc import Callable, Sequence
from email.message import Message
from email.parser import BytesParser
from hashlib import sha256
from http import HTTPStatus

from orchestrator.sandbox.google_errors import GoogleError, error_reply
from orchestrator.sandbox.wire import WireReply, WireRequest

MAX_PARTS = 100

_REQUEST_LINE = re.compile(r"([A-Z]+)\s+(/\S*)\s+HTTP/\S+")

_PHRASES = {status.value: status.phrase for status in HTTPStatus}

Answer = Callable[[WireRequest], WireReply]


def read_parts(request: WireRequest) -> Sequence[Message]:
    """The parts of a batch; raises `GoogleError` if there are none or too many."""
    content_type = request.headers.get("content-type", "")
    if not content_type.casefold().startswith("multipart/mixed"):
        raise GoogleError(400, "Failed to parse batch request, error: the content type must be multipart/mixed.")
    header = b"Content-Type: " + content_type.encode("utf-8", "replace") + b"\r\n\r\n"
    payload = BytesParser().parsebytes(header + request.body).get_payload()
    parts = [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []
    if not parts:
        raise GoogleError(400, "Failed to parse batch request, error: 0 items. Received batch body: (0) bytes redacted")
    if len(parts) > MAX_PARTS:
        raise GoogleError(400, f"The batch holds {len(parts)} requests; at most {MAX_PARTS} are allowed.")
    return parts


def inner_request(part: Message, outer: WireRequest) -> WireRequest:
    """The request in a part; without credentials of its own it has the batch's."""
    content = part.get_payload(decode=True)
    text = content if isinstance(content, bytes) else b""
    line, _, rest = text.lstrip(b"\r\n").partition(b"\n")
    asked = _REQUEST_LINE.fullmatch(line.decode("utf-8", "replace").strip())
    if asked is None:
        raise GoogleError(400, "Failed to parse batch request, error: not an HTTP request.")
    path, _, query = asked[2].partition("?")
    own = BytesParser().parsebytes(rest)
    headers = {"authorization": outer.headers.get("authorization", "")}
    headers |= {name.lower(): str(value) for name, value in own.items()}
    return WireRequest(method=asked[1], path=path, query_string=query, headers=headers)


def answer_parts(parts: Sequence[Message], outer: WireRequest, answer: Answer) -> WireReply:
    """The reply to a batch."""
    pieces: list[bytes] = []
    paths: list[str] = []
    good = 0
    for number, part in enumerate(parts, 1):
        reply, path = _answered(part, outer, answer, number)
        pieces.append(_piece(part, reply))
        paths.append(path)
        good += reply.status == HTTPStatus.OK
    boundary = f"batch_{sha256(b''.join(pieces)).hexdigest()[:32]}"
    lines = b"".join(b"--" + boundary.encode() + b"\r\n" + piece for piece in pieces)
    headers = {"Content-Type": f"multipart/mixed; boundary={boundary}"}
    return WireReply(200, lines + b"--" + boundary.encode() + b"--\r\n", headers, {"parts": paths}, good)


def _answered(part: Message, outer: WireRequest, answer: Answer, number: int) -> tuple[WireReply, str]:
    try:
        inner = inner_request(part, outer)
    except GoogleError as error:
        return error_reply(error), ""
    path = f"{inner.path}?{inner.query_string}" if inner.query_string else inner.path
    fault = outer.part_fault
    if fault is not None and number % fault.every == 0:
        return error_reply(GoogleError(fault.refusal or 500, "Too many concurrent requests for user.")), path
    if inner.path.startswith("/batch"):
        return error_reply(GoogleError(400, "A batch cannot hold a batch.")), path
    return answer(inner), path


def _piece(part: Message, reply: WireReply) -> bytes:
    identity = str(part.get("Content-ID", "")).strip()
    named = f"Content-ID: <response-{identity.strip('<>')}>\r\n" if identity else ""
    reason = _PHRASES.get(reply.status, "Error")
    head = f"Content-Type: application/http\r\n{named}\r\nHTTP/1.1 {reply.status} {reason}\r\n"
    headers = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
    return f"{head}{headers}Content-Length: {len(reply.body)}\r\n\r\n".encode() + reply.body + b"\r\n"
