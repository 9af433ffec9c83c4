"""What went wrong, as RFC 9457 problem details: a stable code, what to do next, and nothing of our insides; by route, for the API's description."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Match
from typing_extensions import TypedDict

from connectors.errors import Misconfigured
from orchestrator.access import NotKept
from orchestrator.model import BadAsk, NoSources, NotReady, TooCostly
from orchestrator.settings.fields import SAID, field_problem
from storage.logs import log_of
from translators.said import Said, failure_message, preferred, said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastapi import FastAPI
    from starlette.requests import Request

log = log_of(__name__)
MEDIA_TYPE = "application/problem+json"
TITLES = {
    400: Said("Bad request"),
    401: Said("Not signed in"),
    403: Said("Not allowed"),
    404: Said("Not found"),
    405: Said("Method not allowed"),
    408: Said("Given up"),
    409: Said("Conflict"),
    413: Said("Too large"),
    422: Said("Cannot be used"),
    429: Said("Too many requests"),
    500: Said("A fault of ours"),
    502: Said("No answer from outside"),
    503: Said("Not available now"),
}
AT = Said("{place}: {problem}")
WHOLE_REQUEST = Said("the request")
UNREADABLE = Said("it cannot be read")
NOTHING_HERE = Said("there is nothing at this address; /openapi.json says what there is")
TAKES = Said("this address takes {methods}")
OUR_FAULT = Said("this is a fault of ours; report the request id")
MISCONFIGURED = Said("a setting of this server is wrong; its log says which")
TOO_LARGE = Said("send at most {most:,} bytes")
METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
SOON = "1"  # seconds after which what passes by itself may have passed
MOST_ERRORS = 20  # of one request that are named
FIRST_REFUSAL = 400
_SAID = {
    400: "The question cannot be asked; the detail says why.",
    401: "No key, or one that opens nothing.",
    403: "The key lacks the scope.",
    408: "The caller was gone before the answer was there.",
    413: "The body is too large.",
    422: "A part of the request cannot be used; `errors` says which.",
    429: "Too many requests; `Retry-After` says when to go on.",
    500: "A fault of ours, or of a setting.",
    503: "No source is connected, or the server is shutting down.",
}


class FieldProblem(TypedDict):
    """One part of a request that cannot be used; ``pointer`` is a JSON pointer (RFC 6901) into the request."""

    pointer: str
    detail: str


class ProblemDetails(TypedDict, total=False):
    """RFC 9457. ``code`` is stable; ``request`` is the id that our logs know the request by."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request: str
    errors: list[FieldProblem]


class Refused(Exception):
    """A request that is not answered. ``headers`` go out with the problem."""

    def __init__(self, status: int, code: str, detail: Said, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})


def problem_body(
    language: str, status: int, code: str, detail: str, request_id: str = "", *, errors: Sequence[FieldProblem] = ()
) -> dict[str, Any]:
    """A problem as a JSON object, told in ``language``; ``type`` and ``code`` are the same in all."""
    title = TITLES.get(status) or HTTPStatus(status).phrase
    told = {"title": said_in(title, language), "status": status, "detail": said_in(detail, language)}
    body = {"type": "about:blank", **told, "code": code}
    if errors:
        body["errors"] = [{**each, "detail": said_in(each["detail"], language)} for each in errors]
    return {**body, "request": request_id} if request_id else body


def accepted(request: Request) -> str:
    """The language that whoever sent this likes best."""
    return preferred(request.headers.get("accept-language", ""))


def told_in(language: str) -> dict[str, str]:
    """The headers of what was told in the language that its reader likes best."""
    return {"Content-Language": language, "Vary": "Accept-Language"}


def problem(
    request: Request,
    status: int,
    code: str,
    detail: str,
    headers: Mapping[str, str] | None = None,
    *,
    errors: Sequence[FieldProblem] = (),
) -> Response:
    """A problem as a reply: as its route shows refusals to people, or as problem details."""
    if (shown := request.scope.get("refused")) is not None:
        reply: Response = shown(request, status, code, detail, headers or {})
        return reply
    language = accepted(request)
    body = problem_body(language, status, code, detail, request.scope.get("request_id", ""), errors=errors)
    return Response(json.dumps(body, ensure_ascii=False), status, {**(headers or {}), **told_in(language)}, MEDIA_TYPE)


PLAINLY: Mapping[type[Exception], tuple[int, str]] = {
    BadAsk: (400, "bad_ask"),
    TooCostly: (422, "too_costly"),
    NotReady: (503, "not_ready"),
    NoSources: (503, "no_sources"),
    NotKept: (503, "not_kept"),
}


"""Failures whose message is for people: status and code."""


def plainly(failure: Exception) -> tuple[int, str]:
    """Status and code of one of them."""
    return next(PLAINLY[kind] for kind in type(failure).__mro__ if kind in PLAINLY)


async def _plainly(request: Request, failure: Exception) -> Response:
    status, code = plainly(failure)
    headers = {"Retry-After": SOON} if isinstance(failure, NotReady | NotKept) else None
    return problem(request, status, code, failure_message(failure), headers)


def add_handlers(app: FastAPI) -> None:
    """Every failure as a problem."""

    @app.exception_handler(Refused)
    async def refused(request: Request, failure: Refused) -> Response:
        return problem(request, failure.status, failure.code, failure.detail, failure.headers)

    for kind in PLAINLY:
        app.add_exception_handler(kind, _plainly)

    @app.exception_handler(Misconfigured)
    async def misconfigured(request: Request, failure: Misconfigured) -> Response:
        log.error("misconfigured", error=failure.message)
        return problem(request, 500, "misconfigured", MISCONFIGURED)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, failure: RequestValidationError) -> Response:
        return _invalid(request, [field_error(each) for each in failure.errors()[:MOST_ERRORS]])

    @app.exception_handler(HTTPException)
    async def http(request: Request, failure: HTTPException) -> Response:
        if failure.status_code == HTTPStatus.BAD_REQUEST:  # the framework's word for a body that is not in UTF-8
            return _invalid(request, [FieldProblem(pointer="/body", detail=SAID["json_invalid"])])
        code = HTTPStatus(failure.status_code).name.lower()
        if failure.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            failure.headers = {**(failure.headers or {}), "Allow": _taken(request)}
        return problem(request, failure.status_code, code, _advice(failure), failure.headers)

    @app.exception_handler(Exception)
    async def unexpected(request: Request, failure: Exception) -> Response:  # noqa: ARG001 - Starlette logs it
        return problem(request, 500, "internal_error", OUR_FAULT)


def _invalid(request: Request, errors: Sequence[FieldProblem]) -> Response:
    first = errors[0] if errors else FieldProblem(pointer="", detail=UNREADABLE)
    detail = AT.filled(place=first["pointer"] or WHOLE_REQUEST, problem=first["detail"])
    return problem(request, 422, "invalid_request", detail, errors=errors)


def _taken(request: Request) -> str:
    """Every method that the address takes: what the framework names are those of the first route alone."""
    routes, scope = request.app.routes, request.scope
    return ", ".join(
        method
        for method in METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    )


def _advice(failure: HTTPException) -> str:
    """What to do about a refusal of the framework's."""
    match failure.status_code:
        case HTTPStatus.NOT_FOUND:
            return NOTHING_HERE
        case HTTPStatus.METHOD_NOT_ALLOWED if failure.headers:
            return TAKES.filled(methods=failure.headers["Allow"])
    return str(failure.detail)


def field_error(error: Any) -> FieldProblem:
    """Where and what, never the value: it may hold a secret sent to the wrong place."""
    parts = error["loc"][:1] if error["type"] == "json_invalid" else error["loc"]  # that one counts characters
    place = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)
    return {"pointer": place, "detail": field_problem(error)}


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDetails, "description": said} for status, said in _SAID.items()
}


def describe(app: FastAPI) -> None:
    """Give problems their media type in the description (FastAPI knows one type a route), and operations the names of their functions."""
    for route in app.routes:
        if isinstance(route, APIRoute):
            route.operation_id = route.unique_id = route.name
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        document = generate()
        for path in document["paths"].values():
            for operation in path.values():
                for status, response in operation["responses"].items():
                    if int(status) >= FIRST_REFUSAL and (content := response.get("content")):
                        response["content"] = {MEDIA_TYPE: next(iter(content.values()))}
        return document

    app.openapi = openapi  # type: ignore[method-assign]
