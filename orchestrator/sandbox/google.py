"""What Google's APIs have in common: errors, query parameters, partial responses and batches.

https://developers.google.com/workspace/drive/api/guides/fields-parameter
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from email.message import Message
from email.parser import BytesParser
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.wire import WireReply, WireRequest, json_reply

MAX_DEPTH = 10

Mask = Mapping[str, Any]
"""Names of fields, each with the mask of what is inside it; an empty mask means all of it."""

_PIECE = re.compile(r"\s*([\w*]+|[,()/])\s*")


class FieldError(ValueError):
    """A field that there is not, or a mask that cannot be read; its text is the field."""


def mask_of(text: str) -> Mask:
    """The mask that `a,b(c,d),e/f` or `*` stands for. Raises `FieldError`."""
    pieces: list[str] = []
    place = 0
    while place < len(text):
        piece = _PIECE.match(text, place)
        if piece is None:
            raise FieldError(text[place:])
        pieces.append(piece[1])
        place = piece.end()
    return _Reader(pieces).whole()


def limited(mask: Mask, known: Mask) -> Mask:
    """The mask with `*` spelled out; raises `FieldError` for a field that is not known."""
    found: dict[str, Any] = {}
    for name, inner in mask.items():
        if name == "*":
            found |= known
        elif name in known:
            found[name] = limited(inner, known[name]) if inner else known[name]
        else:
            raise FieldError(name)
    return found


def masked(value: Any, mask: Mask) -> Any:
    """What a mask leaves of a value."""
    if not mask:
        return value
    if isinstance(value, list):
        return [masked(each, mask) for each in value]
    return {name: masked(inner, mask[name]) for name, inner in value.items() if name in mask}


class _Reader:
    def __init__(self, pieces: list[str]) -> None:
        self._pieces = pieces
        self._place = 0

    def whole(self) -> Mask:
        mask = self._fields(0)
        if self._place < len(self._pieces):
            raise FieldError(self._pieces[self._place])
        return mask

    def _skip(self, piece: str) -> bool:
        there = self._pieces[self._place : self._place + 1] == [piece]
        self._place += there
        return there

    def _fields(self, depth: int) -> dict[str, Any]:
        found = self._field(depth)
        while self._skip(","):
            found |= self._field(depth)
        return found

    def _field(self, depth: int) -> dict[str, Any]:
        name = self._pieces[self._place] if self._place < len(self._pieces) else ""
        if depth > MAX_DEPTH or not re.fullmatch(r"\w+|\*", name):
            raise FieldError(name)
        self._place += 1
        if self._skip("/"):
            return {name: self._field(depth + 1)}
        if not self._skip("("):
            return {name: {}}
        inner = self._fields(depth + 1)
        if not self._skip(")"):
            raise FieldError(name)
        return {name: inner}


STANDARD = frozenset(
    {"alt", "fields", "key", "prettyPrint", "quotaUser", "userIp", "callback", "access_token", "oauth_token",
     "uploadType", "upload_protocol", "$.xgafv"}
)  # fmt: skip
"""Parameters that every method takes."""

_STATUSES = {
    400: ("invalidArgument", "INVALID_ARGUMENT"),
    401: ("authError", "UNAUTHENTICATED"),
    403: ("forbidden", "PERMISSION_DENIED"),
    404: ("notFound", "NOT_FOUND"),
    405: ("httpMethodNotAllowed", "UNIMPLEMENTED"),
    413: ("uploadTooLarge", "INVALID_ARGUMENT"),
    429: ("rateLimitExceeded", "RESOURCE_EXHAUSTED"),
    500: ("backendError", "INTERNAL"),
    503: ("backendError", "UNAVAILABLE"),
    504: ("backendError", "DEADLINE_EXCEEDED"),
}
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="https://accounts.google.com/"'}
_SECRET = frozenset({"access_token", "oauth_token", "key"})

Parameters = Mapping[str, Sequence[str]]


class GoogleError(Exception):
    """An error of Google's: HTTP status, message, reason, and the parameter that it is about, if it is about one."""

    def __init__(self, code: int, message: str, reason: str = "", parameter: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.parameter = parameter


def error_reply(error: GoogleError, headers: Mapping[str, str] | None = None) -> WireReply:
    """The error as a reply."""
    reason, status = _STATUSES.get(error.code, ("backendError", "UNKNOWN"))
    detail = {"message": error.message, "domain": "global", "reason": error.reason or reason}
    if error.parameter:
        detail |= {"locationType": "parameter", "location": error.parameter}
    challenge = _CHALLENGE if error.code == HTTPStatus.UNAUTHORIZED else {}
    value = {"code": error.code, "message": error.message, "errors": [detail], "status": status}
    return json_reply(error.code, {"error": value}, headers={**challenge, **(headers or {})})


def status_reply(error: GoogleError, headers: Mapping[str, str] | None = None) -> WireReply:
    """The error as newer services put it: a status, and the reason among the details where there is one."""
    _, status = _STATUSES.get(error.code, ("", "UNKNOWN"))
    value: dict[str, Any] = {"code": error.code, "message": error.message, "status": status}
    if error.reason:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": error.reason, "domain": "googleapis.com"}
        value["details"] = [info]
    challenge = _CHALLENGE if error.code == HTTPStatus.UNAUTHORIZED else {}
    return json_reply(error.code, {"error": value}, headers={**challenge, **(headers or {})})


def token_of(request: WireRequest, parameters: Parameters) -> str:
    """The access token of a request, in its header or among its parameters. Raises `GoogleError`."""
    token = request.bearer or one(parameters, "access_token") or one(parameters, "oauth_token")
    if not token:
        raise GoogleError(401, "Request is missing required authentication credential.", "required")
    return token


def wrong_token() -> GoogleError:
    """The error for a token that nobody gave out."""
    return GoogleError(401, "Request had invalid authentication credentials. Expected OAuth 2 access token.")


def parameters_of(request: WireRequest) -> Parameters:
    """The query parameters, each with its values in order."""
    found: dict[str, list[str]] = {}
    for name, value in request.query():
        found.setdefault(name, []).append(value)
    return found


def recorded(request: WireRequest, lists: Collection[str] = ()) -> Mapping[str, Any]:
    """The parameters for the record: without secrets, and only those in `lists` with several values."""
    shown = {name: values for name, values in parameters_of(request).items() if name not in _SECRET}
    return {name: values if name in lists else values[-1] for name, values in shown.items()}


def one(parameters: Parameters, name: str) -> str:
    """The value of a parameter, the last one where there are several, nothing where there is none."""
    values = parameters.get(name, ())
    return values[-1] if values else ""


def flag(parameters: Parameters, name: str) -> bool:
    """A parameter that is true or false; raises `GoogleError` for anything else."""
    value = one(parameters, name) or "false"
    if value.casefold() not in ("true", "false"):
        raise GoogleError(400, f"Invalid value at '{name}' (TYPE_BOOL), \"{value[:100]}\"")
    return value.casefold() == "true"


def check_names(parameters: Parameters, known: Collection[str]) -> None:
    """Raise `GoogleError` for a parameter that the method does not have."""
    for name in parameters:
        if name not in known and name not in STANDARD:
            problem = f'Unknown name "{name[:100]}": Cannot bind query parameter. Field could not be found.'
            raise GoogleError(400, f"Invalid JSON payload received. {problem}")


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
