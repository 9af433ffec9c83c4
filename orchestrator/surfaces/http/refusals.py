"""The problems that routes may answer with, for the API's description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.http.problems import MEDIA_TYPE, ProblemDetails

if TYPE_CHECKING:
    from fastapi import FastAPI

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


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDetails, "description": said} for status, said in _SAID.items()
}


def describe(app: FastAPI) -> None:
    """Give problems their media type in the description: FastAPI knows one type a route."""
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
