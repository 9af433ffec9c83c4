"""Errors as Jira reports them: a list of sentences and a table of problems by field."""

from collections.abc import Mapping, Sequence

from orchestrator.sandbox.wire import WireReply, json_reply

_NOTHING: Mapping[str, str] = {}


class JiraError(Exception):
    """A request refused, with its HTTP status."""

    def __init__(self, status: int, *messages: str, headers: Mapping[str, str] = _NOTHING) -> None:
        super().__init__(*messages)
        self.status = status
        self.messages: Sequence[str] = messages
        self.headers = headers


def error_reply(error: JiraError, asked: Mapping[str, object] = _NOTHING) -> WireReply:
    """The error as a reply."""
    value = {"errorMessages": list(error.messages), "errors": {}}
    return json_reply(error.status, value, headers=error.headers, asked=asked)


def refused(message: str) -> JiraError:
    """HTTP 400: what is asked cannot be."""
    return JiraError(400, message)
