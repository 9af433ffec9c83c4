"""What Google's APIs have in common: methods, query parameters, pages, partial responses, and errors of older and newer services.

What a mask of fields leaves of a reply: https://developers.google.com/workspace/drive/api/guides/fields-parameter
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from email.parser import BytesParser
from hashlib import sha256
from http import HTTPStatus
from typing import Any, ClassVar

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.logic import Tokens
from orchestrator.sandbox.wire import (
    WireReply,
    WireRequest,
    cursor,
    json_reply,
    place_of,
    retry_header,
    whole_number,
)

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
    """The error as newer services put it: a status, and the reason among the details where it is about no parameter."""
    _, status = _STATUSES.get(error.code, ("", "UNKNOWN"))
    value: dict[str, Any] = {"code": error.code, "message": error.message, "status": status}
    if error.reason and not error.parameter:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": error.reason, "domain": "googleapis.com"}
        value["details"] = [info]
    challenge = _CHALLENGE if error.code == HTTPStatus.UNAUTHORIZED else {}
    return json_reply(error.code, {"error": value}, headers={**challenge, **(headers or {})})


MAX_DEPTH = 10

Mask = Mapping[str, Any]
"""Names of fields, each with the mask of what is inside it; an empty mask means all of it."""

_PIECE = re.compile(r"\s*(?:(?P<name>\w+|\*)|(?P<sign>[,()/]))")


class FieldError(ValueError):
    """A field that there is not, or a mask that cannot be read; its text is the field."""


def mask_of(text: str) -> Mask:
    """The mask that `a,b(c,d),e/f` or `*` stands for. Raises `FieldError`."""
    return _Reader(Tokens(text, _PIECE, FieldError)).whole()


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
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def whole(self) -> Mask:
        mask = self._fields(0)
        self._tokens.end()
        return mask

    def _fields(self, depth: int) -> dict[str, Any]:
        found = self._field(depth)
        while self._tokens.skip("sign", ","):
            found |= self._field(depth)
        return found

    def _field(self, depth: int) -> dict[str, Any]:
        name = self._tokens.take("name")
        if depth > MAX_DEPTH:
            raise FieldError(name)
        if self._tokens.skip("sign", "/"):
            return {name: self._field(depth + 1)}
        if not self._tokens.skip("sign", "("):
            return {name: {}}
        inner = self._fields(depth + 1)
        if not self._tokens.skip("sign", ")"):
            raise FieldError(name)
        return {name: inner}


STANDARD = frozenset(
    {"alt", "fields", "key", "prettyPrint", "quotaUser", "userIp", "callback", "access_token", "oauth_token",
     "uploadType", "upload_protocol", "$.xgafv"}
)  # fmt: skip
"""Parameters that every method takes."""

_SECRET = frozenset({"access_token", "oauth_token", "key"})

Parameters = Mapping[str, Sequence[str]]


def parameters_of(request: WireRequest) -> Parameters:
    """The query parameters, each with its values in order."""
    found: dict[str, list[str]] = {}
    for name, value in request.query():
        found.setdefault(name, []).append(value)
    return found


@dataclass(frozen=True, slots=True)
class GoogleCall:
    """One accepted request. `step` is what the method leaves open of its path; `narrow`: whether its token has a lesser scope."""

    request: WireRequest
    parameters: Parameters
    step: str
    narrow: bool

    def one(self, name: str) -> str:
        """The value of a parameter, the last one where there are several, nothing where there is none."""
        return _last(self.parameters, name)

    def flag(self, name: str) -> bool:
        """A parameter that is true or false; raises `GoogleError` for anything else."""
        value = self.one(name) or "false"
        if value.casefold() not in ("true", "false"):
            raise GoogleError(400, f"Invalid value at '{name}' (TYPE_BOOL), \"{value[:100]}\"")
        return value.casefold() == "true"

    def mask(self, known: Mask, usual: Mask) -> Mask:
        """What is to be shown of a reply; raises `GoogleError` for fields that are not known."""
        text = self.one("fields")
        try:
            return limited(mask_of(text), known) if text else usual
        except FieldError as error:
            problem = f"Invalid field selection {str(error)[:100]}"
            raise GoogleError(400, problem, "invalidParameter", "fields") from error


Found = tuple[dict[str, Any] | str, int]
"""What a method replies, and how many items were found."""


@dataclass(frozen=True, slots=True)
class GoogleMethod:
    """Where a method lies, which parameters it has beside those of all, and what it does."""

    path: re.Pattern[str]
    run: Callable[[GoogleCall], Found]
    parameters: frozenset[str] = frozenset()
    verb: str = "GET"


class GoogleEmulator(ABC):
    """One of Google's APIs as its methods declare it. Of two tokens the second has a lesser scope."""

    source: ClassVar[str]
    base_path = ""
    tokens: Sequence[str]
    methods: Sequence[GoogleMethod]
    """Every method that there is; the first whose path fits is called."""
    batches: ClassVar[frozenset[str]] = frozenset()
    """Paths at which several requests may be sent in one."""
    lists: ClassVar[frozenset[str]] = frozenset()
    """Parameters that may be given more than once."""
    quota: ClassVar[tuple[str, str]]
    """What is said, and by which reason, where there were too many requests."""
    told: Callable[[GoogleError, Mapping[str, str] | None], WireReply] = staticmethod(error_reply)
    """How errors are put."""

    @abstractmethod
    def origins(self) -> Mapping[str, str]:
        """The corpus id behind each name under which items are served."""

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        asked = self.recorded(request)
        try:
            if request.path in self.batches:
                _check_verb(request, "POST")
                return answer_parts(read_parts(request), request, self.part)
            value, hits = self._called(request)
        except GoogleError as error:
            return replace(self.told(error, None), asked=asked)
        return self.shown(value, asked, hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 (with `Retry-After` if the fault names one), or another of Google's errors."""
        status = fault.refusal or 500
        throttled = status == HTTPStatus.TOO_MANY_REQUESTS
        said, reason = self.quota if throttled else (f"A fault of the sandbox: HTTP {status}.", "")
        return self.told(GoogleError(status, said, reason), retry_header(fault))

    def too_large(self) -> WireReply:
        return self.told(GoogleError(413, "Request payload size exceeds the limit: 1048576 bytes."), None)

    def part(self, request: WireRequest) -> WireReply:
        """The reply to a request in a batch."""
        return self.answer(request)

    def admit(self, request: WireRequest, parameters: Parameters) -> bool:
        """Whether the request's token, in its header or among its parameters, has the lesser scope."""
        token = request.bearer or _last(parameters, "access_token") or _last(parameters, "oauth_token")
        if not token:
            raise GoogleError(401, "Request is missing required authentication credential.", "required")
        if token not in self.tokens:
            raise GoogleError(401, "Request had invalid authentication credentials. Expected OAuth 2 access token.")
        return token in self.tokens[1:]

    def recorded(self, request: WireRequest) -> dict[str, Any]:
        """The parameters for the record, without secrets."""
        shown = {name: values for name, values in parameters_of(request).items() if name not in _SECRET}
        return {name: values if name in self.lists else values[-1] for name, values in shown.items()}

    def shown(self, value: dict[str, Any] | str, asked: Mapping[str, Any], hits: int) -> WireReply:
        """What a method replied, on the wire."""
        return json_reply(200, value, asked=asked, hits=hits)

    def _called(self, request: WireRequest) -> Found:
        parameters = parameters_of(request)
        for method in self.methods:
            if found := method.path.fullmatch(request.path):
                _check_verb(request, method.verb)
                call = GoogleCall(request, parameters, found["step"], self.admit(request, parameters))
                _check_names(parameters, method.parameters)
                return method.run(call)
        raise GoogleError(404, "The requested URL was not found on this server.")


def size_of(text: str, least: int, most: int) -> int:
    """How many items a page may have; raises `GoogleError` for what is no number, or less than `least`."""
    size = whole_number(text, least, 10**9)
    if size is None:
        said = f"Invalid value for pageSize; it must be within {least} and {most}"
        raise GoogleError(400, said, "invalid", "pageSize")
    return min(size, most)


def paged(name: str, items: Sequence[Any], size: int, token: str, scope: Sequence[object]) -> dict[str, Any]:
    """One page of items under a name, with the token of the next; one of another list than `scope` raises `GoogleError`."""
    start = place_of(token, *scope) if token else 0
    if start is None:
        raise GoogleError(400, "Invalid Value", "invalid", "pageToken")
    more = {"nextPageToken": cursor(start + size, *scope)} if start + size < len(items) else {}
    return {name: items[start : start + size], **more}


def _last(parameters: Parameters, name: str) -> str:
    values = parameters.get(name, ())
    return values[-1] if values else ""


def _check_verb(request: WireRequest, verb: str) -> None:
    if request.method != verb:
        raise GoogleError(405, f"Only {verb} is allowed.")


def _check_names(parameters: Parameters, known: Collection[str]) -> None:
    """Raise `GoogleError` for a parameter that the method does not have."""
    for name in parameters:
        if name not in known and name not in STANDARD:
            problem = f'Unknown name "{name[:100]}": Cannot bind query parameter. Field could not be found.'
            raise GoogleError(400, f"Invalid JSON payload received. {problem}")


# ---- batches of Google's APIs: several requests in one, each with a reply of its own

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
