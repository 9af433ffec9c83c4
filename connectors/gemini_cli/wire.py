"""What the Gemini CLI prints, and how it fails: by exit status, and by what the API below it said.

https://geminicli.com/docs/cli/headless (exit statuses 0, 1, 42, 53), and docs/cli/headless.md of
https://github.com/google-gemini/gemini-cli (41, 52, 54, 130 as well). Where the API failed, ``code`` is its HTTP status,
of which an exit status keeps the last eight bits only.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from connectors.errors import (
    BadReply,
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.exchange import HTML_PAGE, NO_JSON
from connectors.text import quote
from connectors.wire import Text, Wire, read
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

GEMINI_CLI = Said("the Gemini CLI")


class Failure(Wire):
    """``code`` is an exit status of the CLI, or the HTTP status of the API below it."""

    type: Text = ""
    message: Text = ""
    code: int | str | None = None


class Printed(Wire):
    """The one object of ``--output-format json``; a failure goes to standard error, in older versions without it."""

    response: Text = ""
    error: Failure | None = None


class Event(Wire):
    """A line of ``--output-format stream-json``."""

    type: Text
    role: Text = ""
    content: Text = ""
    status: Text = ""
    message: Text = ""
    error: Failure | None = None


def printed(text: str) -> Printed:
    """The object in ``text``, behind whatever else was printed before it. Raises :class:`BadReply`."""
    found = next(_objects(text), None)
    if found is None:
        markup = text.lstrip()[:1] == "<"
        raise BadReply(Said("the Gemini CLI printed {what}").filled(what=HTML_PAGE if markup else NO_JSON))
    return read(Printed, found, GEMINI_CLI)


def streamed(text: str) -> Printed:
    """The same from a stream: what the assistant said, in pieces, and how it ended. Raises :class:`BadReply`."""
    events = [read(Event, found, GEMINI_CLI) for found in _lines(text)]
    last = next((event for event in reversed(events) if event.type == "result"), None)
    if last is None:
        raise BadReply(Said("the Gemini CLI broke off: its stream has no result"))
    said = "".join(event.content for event in events if event.type == "message" and event.role == "assistant")
    failed = last.status == "error" or last.error is not None
    return Printed(response=said, error=(last.error or Failure(message=last.message)) if failed else None)


def failure(text: str) -> Failure:
    """What standard error says went wrong: an object with ``error``, else its last line."""
    for found in _objects(text):
        try:
            if (error := read(Printed, found, GEMINI_CLI).error) is not None:
                return error
        except BadReply:
            continue
    lines = text.strip().splitlines()
    return Failure(message=lines[-1] if lines else "")


def _objects(text: str) -> Iterator[object]:
    """Objects that begin at the beginning of a line."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        if text[at] == "{":
            try:
                found, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                pass
            else:
                yield found
        following = text.find("\n", at)
        at = len(text) if following < 0 else following + 1


def _lines(text: str) -> Iterator[object]:
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                raise BadReply(Said("the Gemini CLI printed a line that is not JSON")) from None


SIGN_IN, INPUT, SETTINGS, TURNS = frozenset({41, 401}), frozenset({42, 400}), frozenset({44, 52}), 53
NO_RIGHT = 403
TOO_OFTEN = re.compile(r"RESOURCE_EXHAUSTED|quota|rate limit|\b429\b", re.IGNORECASE)
WRONG_KEY = re.compile(
    r"API_KEY_INVALID|API key not valid|Please set an Auth method|must specify the GEMINI_API_KEY", re.IGNORECASE
)
FAILED = Said("the Gemini CLI failed ({number})")
WAIT = re.compile(r"retry in (\d{1,6}(?:\.\d{1,9})?)\s*s", re.IGNORECASE)


def error_from(status: int, failure: Failure) -> SourceError:  # noqa: PLR0911 — one line a kind of failure
    """The error that an exit status and what was said beside it stand for."""
    told = FAILED.filled(number=_number(status))
    said = joined(": ", (told, quote(failure.message))) if failure.message else told
    code = failure.code if isinstance(failure.code, int) else status
    if TOO_OFTEN.search(f"{failure.code} {failure.message}"):
        wait = WAIT.search(failure.message)
        return Throttled(said, float(wait[1]) if wait else None)
    if code in SIGN_IN or WRONG_KEY.search(failure.message):
        return Unauthenticated(said)
    if code == NO_RIGHT:
        return Forbidden(said)
    if code in SETTINGS:
        return Misconfigured(advised(said, Said("start gemini by hand to see what is wrong with its own settings")))
    if code in INPUT:
        return Rejected(said)
    if code == TURNS:
        return Unavailable(advised(said, Said("it took too many turns")))
    return Unavailable(said)


def _number(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit {status}"
