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
from storage.logs import log_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI
    from starlette.requests import Request

log = log_of(__name__)
MEDIA_TYPE = "application/problem+json"
# What pydantic says in terms of its own.
SAID = {
    "string_pattern_mismatch": "must hold more than blanks",
    "model_attributes_type": "must be a JSON object, sent with `Content-Type: application/json`",
    "json_invalid": "is no valid JSON in UTF-8",
    "extra_forbidden": "is no key that this takes",
    "timezone_aware": "must say its offset, as in 2026-11-20T10:00:00+09:00",
}
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

    def __init__(self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})


def problem_body(status: int, code: str, detail: str, request_id: str = "", **more: Any) -> dict[str, Any]:
    """A problem as a JSON object."""
    title = HTTPStatus(status).phrase
    said = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code, **more}
    return {**said, "request": request_id} if request_id else said


def problem(
    request: Request, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """A problem as a reply: as its route shows refusals to people, or as problem details."""
    if (shown := request.scope.get("refused")) is not None:
        reply: Response = shown(request, status, code, detail, headers or {})
        return reply
    body = problem_body(status, code, detail, request.scope.get("request_id", ""), **more)
    return Response(json.dumps(body, ensure_ascii=False), status, dict(headers or {}), MEDIA_TYPE)


PLAINLY: Mapping[type[Exception], tuple[int, str]] = {
    BadAsk: (400, "bad_ask"),
    TooCostly: (422, "too_costly"),
    NotReady: (503, "not_ready"),
    NoSources: (503, "no_sources"),
    NotKept: (503, "not_kept"),
}


"""Failures whose message is for people: status and code."""


async def _plainly(request: Request, failure: Exception) -> Response:
    status, code = next(PLAINLY[kind] for kind in type(failure).__mro__ if kind in PLAINLY)
    headers = {"Retry-After": SOON} if isinstance(failure, NotReady | NotKept) else None
    return problem(request, status, code, str(failure), headers)


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
        return problem(request, 500, "misconfigured", "a setting of this server is wrong; its log says which")

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, failure: RequestValidationError) -> Response:
        errors = [field_problem(each) for each in failure.errors()[:MOST_ERRORS]]
        first = errors[0] if errors else FieldProblem(pointer="", detail="it cannot be read")
        detail = f"{first['pointer'] or 'the request'}: {first['detail']}"
        return problem(request, 422, "invalid_request", detail, errors=errors)

    @app.exception_handler(HTTPException)
    async def http(request: Request, failure: HTTPException) -> Response:
        if failure.status_code == HTTPStatus.BAD_REQUEST:  # the framework's word for a body that is not in UTF-8
            errors = [FieldProblem(pointer="/body", detail=SAID["json_invalid"])]
            return problem(request, 422, "invalid_request", f"/body: {SAID['json_invalid']}", errors=errors)
        code = HTTPStatus(failure.status_code).name.lower()
        if failure.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            failure.headers = {**(failure.headers or {}), "Allow": _taken(request)}
        return problem(request, failure.status_code, code, _advice(failure), failure.headers)

    @app.exception_handler(Exception)
    async def unexpected(request: Request, failure: Exception) -> Response:  # noqa: ARG001 - Starlette logs it
        return problem(request, 500, "internal_error", "this is a fault of ours; report the request id")


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
            return "there is nothing at this address; /openapi.json says what there is"
        case HTTPStatus.METHOD_NOT_ALLOWED if failure.headers:
            return f"this address takes {failure.headers['Allow']}"
    return str(failure.detail)


def field_problem(error: Any) -> FieldProblem:
    """Where and what, never the value: it may hold a secret sent to the wrong place."""
    parts = error["loc"][:1] if error["type"] == "json_invalid" else error["loc"]  # that one counts characters
    place = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)
    return {"pointer": place, "detail": SAID.get(error["type"]) or str(error["msg"]).removeprefix("Value error, ")}


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
