"""Errors as Linear's GraphQL endpoint reports them."""

from http import HTTPStatus
from typing import Any

from graphql import GraphQLError

_KINDS = {
    "AUTHENTICATION_ERROR": "authentication error",
    "FORBIDDEN": "forbidden",
    "GRAPHQL_PARSE_FAILED": "graphql error",
    "GRAPHQL_VALIDATION_FAILED": "graphql error",
    "INPUT_ERROR": "invalid input",
    "INTERNAL_SERVER_ERROR": "internal error",
    "RATELIMITED": "ratelimited",
}


def extensions(code: str, status: int, message: str) -> dict[str, Any]:
    """The `extensions` of an error: code, type, and a sentence for people."""
    return {
        "code": code,
        "type": _KINDS[code],
        "statusCode": status,
        "userError": status < HTTPStatus.INTERNAL_SERVER_ERROR,
        "userPresentableMessage": message,
    }


def input_error(message: str) -> GraphQLError:
    """A field error about an argument: HTTP 200 with `errors`."""
    return GraphQLError(message, extensions=extensions("INPUT_ERROR", 400, message))


def not_found(kind: str) -> GraphQLError:
    """A field error for an id that names nothing."""
    presentable = f"Could not find referenced {kind}."
    return GraphQLError(f"Entity not found: {kind}", extensions=extensions("INPUT_ERROR", 400, presentable))
