"""What Google's APIs have in common: errors, query parameters and their names."""

from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.wire import WireReply, WireRequest, json_reply

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
