"""Errors as Asana's API reports them: https://developers.asana.com/docs/errors ."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.wire import WireReply, json_reply

HELP = "The manual tells what each status means: https://developers.asana.com/docs/errors"
PHRASE = "6 sandy foxes dig quietly"
"""What stands in an error of the server, for Asana's support to find it by."""


class AsanaError(Exception):
    """A request that is refused, with the status of the reply."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


def refused(name: str, problem: str) -> AsanaError:
    """Something is wrong with a parameter."""
    return AsanaError(HTTPStatus.BAD_REQUEST, f"{name}: {problem}")


def unknown(kind: str, gid: str) -> AsanaError:
    """Nothing has this number, or nothing that the token's owner may see."""
    return AsanaError(HTTPStatus.NOT_FOUND, f"{kind}: Unknown object: {gid[:100]}")


def error_reply(error: AsanaError, asked: Mapping[str, Any] | None = None) -> WireReply:
    """The reply for an error: `help` where the caller is wrong, `phrase` where Asana is."""
    said = {"message": error.message}
    said |= {"phrase": PHRASE} if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR else {"help": HELP}
    return json_reply(error.status, {"errors": [said]}, headers=error.headers, asked=asked or {})
